"""Commits that exist already, judged together: what is pushed, what CI is asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.verbs.arriving import check_arriving, check_commits
from wbmem_hooks.report import report_commit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbmem_git.model import Verdict
    from wbmem_git.store.repository import Repository


def check_new(repository: Repository, tip: str, known: Sequence[str]) -> int:
    """Judge what `tip` has and nothing of `known` has; 1 where something refuses.

    What a later commit mended is told and doesn't refuse.

    Args:
        repository: Where they are.
        tip: A commit or an annotated tag; of anything else there is nothing to judge.
        known: Commits and `--remotes=…`, as `git rev-list --not` takes them.

    Raises:
        MissingObject: The clone is too shallow to tell.
    """
    kind = repository.objects.read(tip).kind
    if kind == "tag":
        peeled = repository.git.line("rev-parse", f"{tip}^{{}}")
        return check_new(repository, peeled, known)
    if kind != "commit":
        return 0
    return _tell(repository, check_arriving(repository, tip, known))


def report_all(repository: Repository, commits: Sequence[str], tip: str) -> int:
    """Judge these commits, parents first, and tell what stands against each; 1 where something refuses."""
    return _tell(repository, check_commits(repository, commits, tip))


def _tell(repository: Repository, verdicts: Sequence[Verdict]) -> int:
    for verdict in verdicts:
        report_commit(verdict, repository.commit(verdict.commit))
    return 0 if all(verdict.passed for verdict in verdicts) else 1
