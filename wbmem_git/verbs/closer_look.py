"""What a finding depends on and no rule can know: looked up only when there is such a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.document import decode
from wbmem_git.text.names import kind_of
from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.model import Change, Page, Verdict
    from wbmem_git.store.repository import Repository


def look_closer(
    repository: Repository, change: Change, verdict: Verdict, *, look_at_worktree: bool
) -> Change | None:
    """The change with what the findings of its verdict need to know; None where none needs anything.

    Args:
        repository: Where the change is.
        change: As the rules have judged it.
        verdict: What they said.
        look_at_worktree: Whether findings on user zones shall say what the working tree has.
    """
    better = change
    paths = {f.path for f in verdict.findings if f.rule.startswith("G") and f.path in change.added}
    if paths:
        better = better._replace(added={**change.added, **_really_added(repository, change, paths)})
    if look_at_worktree and any(finding.rule == "U1" for finding in verdict.findings):
        better = better._replace(worktree=_worktree(repository, change))
    return better if better != change else None


def _really_added(
    repository: Repository, change: Change, paths: Iterable[str]
) -> dict[str, tuple[tuple[int, str], ...]]:
    """The added lines of these pages without those that stand anywhere in an old tree."""
    lines = {line for path in paths for _, line in change.added[path]}
    for parent in change.parents:
        lines -= repository.lines_in(parent.oid, lines)
    return {path: tuple(pair for pair in change.added[path] if pair[1] in lines) for path in paths}


def _worktree(repository: Repository, change: Change) -> dict[str, Page]:
    """Path → page as the working tree has it, where that isn't what the first parent has."""
    found = {}
    for path, page in change.old.pages.items():
        data = repository.worktree_file(path)
        text = decode(data) if data is not None else None
        if text is None or _same(text, "".join(page.document.lines)):
            continue
        kind = kind_of(path, change.settings)
        found[path] = parse_page(path, text, change.settings.workspace, kind)
    return found


def _same(text: str, other: str) -> bool:
    return text.replace("\r\n", "\n") == other.replace("\r\n", "\n")
