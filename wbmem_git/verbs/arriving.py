"""Commits that arrive together, judged: what is pushed, what CI is asked about.

What an inner commit did and the tip no longer has is reported as mended and doesn't refuse. A credential is
never mended. What a person's `wbmem allow` at the tip closes for audit it closes here too: it can't be mended
any more, and would stop every push for good. A lost card it never closes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.governing import Side
from wbmem_git.verbs.history import NEVER_ALLOWED, History

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Sequence

    from wbmem_git.model import Verdict
    from wbmem_git.store.repository import Repository


def check_commits(repository: Repository, commits: Iterable[str], tip: str) -> tuple[Verdict, ...]:
    """Judge commits: one verdict each, in the order given (parents first)."""
    gate = Gate(repository)
    history = History(gate)
    verdicts = [history.visit(repository.commit(oid)) for oid in commits]
    return _weighed(gate, history, verdicts, tip)


def check_range(repository: Repository, old: str, new: str) -> tuple[Verdict, ...]:
    """Judge the commits that `new` has and `old` hasn't, one verdict each.

    Args:
        repository: Where they are.
        old: A commit; "" for none, then every commit of `new`'s history is judged.
        new: The tip.
    """
    limits = [f"^{old}"] if old else []
    commits = repository.rev_list("--topo-order", "--reverse", new, *limits)
    return check_commits(repository, commits, new)


def check_arriving(repository: Repository, tip: str, known: Sequence[str]) -> tuple[Verdict, ...]:
    """Judge what `tip` has and nothing of `known` has: verdicts only where a hook has something to tell.

    Args:
        repository: Where they are.
        tip: A commit.
        known: Commits and `--remotes=…`, as `git rev-list --not` takes them.
    """
    gate = Gate(repository)
    history = History(gate)
    wanted = [tip, *(["--not", *known] if known else [])]
    verdicts = [verdict for _, verdict in history.walk(wanted) if verdict is not None and _tells(verdict)]
    return _weighed(gate, history, verdicts, tip)


def _tells(verdict: Verdict) -> bool:
    """Whether something hard is this commit's own doing, even where it is let through or mended since."""
    return any(finding.severity == "hard" and not finding.already for finding in verdict.findings)


def _weighed(gate: Gate, history: History, verdicts: Sequence[Verdict], tip: str) -> tuple[Verdict, ...]:
    """The verdicts, with what is mended at the tip, and what a person let through there."""
    if not history.found:
        return tuple(verdicts)
    side = Side(tip, gate.repository.tree_of(tip))
    settings = gate.settings([tip], side.tree)
    allowed = settings.allow if settings is not None else ()
    mended = {(found.commit, found.finding) for found in history.found if history.is_mended(found, side, ())}
    let = {
        (found.commit, found.finding)
        for found in history.found
        if found.fingerprint in allowed and found.finding.rule not in NEVER_ALLOWED
    }
    return tuple(_marked(verdict, mended, let) for verdict in verdicts)


def _marked(verdict: Verdict, mended: Container[object], allowed: Container[object]) -> Verdict:
    findings = tuple(
        finding._replace(
            mended=(verdict.commit, finding) in mended,
            allowed=finding.allowed or (verdict.commit, finding) in allowed,
        )
        for finding in verdict.findings
    )
    return verdict._replace(findings=findings)
