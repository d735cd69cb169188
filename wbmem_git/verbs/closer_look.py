"""What a finding depends on and no rule can know: looked up only when there is such a finding."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.errors import Unreadable
from wbmem_git.text.document import decode
from wbmem_git.text.names import archive_path, kind_of
from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.model import ArchiveFile, Change, Page, Verdict
    from wbmem_git.store.repository import Repository


def look_closer(
    repository: Repository, change: Change, verdict: Verdict, *, look_at_worktree: bool
) -> Change | None:
    """The change with what the findings of its verdict need to know; None where none needs anything.

    Args:
        repository: Where the change is.
        change: As the rules have judged it.
        verdict: What they said.
        look_at_worktree: Whether findings on user zones and on cards that are gone shall say what the working
            tree has.
    """
    better = change
    paths = {f.path for f in verdict.findings if f.rule.startswith("G") and f.path in change.added}
    if paths:
        better = better._replace(added={**change.added, **_really_added(repository, change, paths)})
    if look_at_worktree and any(finding.rule == "U1" for finding in verdict.findings):
        better = better._replace(worktree=_worktree(repository, change))
    gone = {f.card for f in verdict.findings if f.rule == "C2" and f.card} - change.new.archived
    if look_at_worktree and gone:
        better = better._replace(lying=_lying(repository, change, gone))
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
        text = _text(repository, path)
        if text is None or _same(text, "".join(page.document.lines)):
            continue
        kind = kind_of(path, change.settings)
        found[path] = parse_page(path, text, change.settings.workspace, kind)
    return found


def _lying(repository: Repository, change: Change, gone: Iterable[str]) -> dict[str, ArchiveFile]:
    """Id → the archive file that lies in the working tree for a card that is gone."""
    from wbmem_git.text.archive import parse_archive  # most commits lose no card

    texts = {card: _text(repository, archive_path(card)) for card in gone}
    key = change.settings.workspace
    return {card: parse_archive(text, key) for card, text in texts.items() if text is not None}


def _text(repository: Repository, path: str) -> str | None:
    """What a file of the working tree says now; None where it is absent or nothing that a page can be."""
    try:
        data = repository.worktree_file(path)
    except Unreadable:
        return None  # the finding stands; only what is told beside it depends on the file
    return decode(data) if data is not None else None


def _same(text: str, other: str) -> bool:
    return text.replace("\r\n", "\n") == other.replace("\r\n", "\n")
