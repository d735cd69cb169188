"""How a hook tells a verdict: to standard error, each finding with its way out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from wbmem_git.model import Finding, Verdict
    from wbmem_git.store.commits import Commit
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.history import Found
    from wbmem_hooks.proposal import Proposal


def report(verdict: Verdict, repository: Repository, proposal: Proposal) -> None:
    """Tell what stands against a commit that isn't made yet; nothing where nothing does."""
    told = _told(verdict)
    if not told:
        return
    if not verdict.passed:
        beside = _beside(repository, proposal)
        tell(f"wbmem: refused ({proposal.decision.actor}: {proposal.decision.why}), compared with {beside}")
    for finding in told:
        tell(*_lines(finding))


def report_commit(verdict: Verdict, commit: Commit) -> None:
    """Tell what stands against a commit that exists."""
    told = _told(verdict)
    if told:
        word = "passes" if verdict.passed else "refused"
        tell(f"wbmem: {word}: commit {commit.oid[:12]} ({commit.author.who}) {commit.subject}")
    for finding in told:
        tell(*_lines(finding))


def report_found(found: Found) -> None:
    """Tell a finding of history."""
    tell(f"wbmem: open since commit {found.commit[:12]} ({found.author})", *_lines(found.finding))


def first_finding(verdict: Verdict) -> str:
    """The first thing that refuses, in one line, and how many more there are."""
    first, *others = [finding for finding in verdict.findings if finding.refuses]
    more = f" (and {len(others)} more)" if others else ""
    return f"{first.rule} {_place(first)}{first.message}{more}"


def _told(verdict: Verdict) -> list[Finding]:
    """What refuses first, then what is only told; notes stand in the whole report only (`wbmem check`)."""
    findings = [finding for finding in verdict.findings if finding.severity != "note" and not finding.allowed]
    return sorted(findings, key=lambda finding: not finding.refuses)


def _lines(finding: Finding) -> list[str]:
    mild = "" if finding.refuses else _why_mild(finding)
    lines = [f"{_place(finding)}{finding.rule} {mild}{finding.message}"]
    if finding.fix and not finding.mended:
        lines.append(f"  next: {finding.fix}")
    return lines


def _why_mild(finding: Finding) -> str:
    if finding.mended:
        return "(mended later) "
    return "(already there) " if finding.already else "(soft) "


def _place(finding: Finding) -> str:
    if not finding.path:
        return ""
    return f"{finding.path}:{finding.line}: " if finding.line else f"{finding.path}: "


def _beside(repository: Repository, proposal: Proposal) -> str:
    if not proposal.parents:
        return "nothing (the first commit)"
    names = [f"{oid[:12]} {repository.commit(oid).subject!r}" for oid in proposal.parents]
    if proposal.replaced is not None:
        return f"the commit that --amend replaces, {names[0]}"
    return " and ".join(names)
