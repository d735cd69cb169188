"""How a hook tells a verdict: what stands against this commit in full, the rest in a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.model import Finding, Verdict
    from wbmem_git.store.commits import Commit
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.history import Found
    from wbmem_hooks.proposal import Proposal


def report(verdict: Verdict, repository: Repository, proposal: Proposal) -> None:
    """Tell what stands against a commit that isn't made yet; nothing where nothing does."""
    if not verdict.passed:
        who = "an agent's" if proposal.decision.actor == "agent" else "a person's"
        from wbmem_git.rules.wording import shown  # most commits have nothing to tell

        why = f"{who} commit: {shown(proposal.decision.why)}"
        tell(f"wbmem: compared with {_beside(repository, proposal)} ({why})")
    _tell(verdict, "wbmem check")


def report_commit(verdict: Verdict, commit: Commit) -> None:
    """Tell what stands against a commit that exists."""
    if any(finding.severity == "hard" and not finding.already for finding in verdict.findings):
        from wbmem_git.rules.wording import shown

        tell(shown(f"wbmem: commit {commit.oid[:12]} ({commit.author.who}) {commit.subject}:"))
        where = f"wbmem check --from {commit.oid[:12]}^ --to {commit.oid[:12]}" if commit.parents else ""
        _tell(verdict, where)


def report_found(found: Found) -> None:
    """Tell a finding of history."""
    from wbmem_git.rules.wording import shown

    tell(
        f"wbmem: open since commit {found.commit[:12]} ({shown(found.author)}):",
        *_lines(found.finding),
    )


def in_a_line(findings: Iterable[Finding]) -> str:
    """The first finding, and how many more there are."""
    first, *others = findings
    more = f" (and {len(others)} more)" if others else ""
    return f"{_lines(first)[0]}{more}"


def refusing(verdict: Verdict) -> list[Finding]:
    """What a gate stops for."""
    return [finding for finding in verdict.findings if finding.refuses]


def _tell(verdict: Verdict, where: str) -> None:
    """The first findings; what was there before, every commit has: only how much it is."""
    before = [finding for finding in verdict.findings if finding.already and finding.severity == "hard"]
    if any(not (f.already or f.allowed) and f.severity != "note" for f in verdict.findings):
        from wbmem_git.verbs.brief import brief

        tell(brief(verdict, where))
    if before:
        rules = ", ".join(sorted({finding.rule for finding in before}))
        tell(f"wbmem: {len(before)} findings ({rules}) were there before: wbmem check lists them")


def _lines(finding: Finding) -> list[str]:
    """A finding as the report has it, without its result line."""
    from wbmem_git.model import Verdict
    from wbmem_git.verbs.report import as_text

    return as_text(Verdict("", (finding,), ())).splitlines()[:-1]


def _beside(repository: Repository, proposal: Proposal) -> str:
    if not proposal.parents:
        return "nothing (the first commit)"
    from wbmem_git.rules.wording import quote

    names = [f"{oid[:12]} {quote(repository.commit(oid).subject)}" for oid in proposal.parents]
    if proposal.replaced is not None:
        return f"the commit that --amend replaces, {names[0]}"
    return " and ".join(names)
