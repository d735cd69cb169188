"""Whether an archive file closes a card: it says of which one, when and why, and holds its whole text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wbmem_git.rules.lines import first_missing, lines_of, same_text, substance
from wbmem_git.rules.wording import quote
from wbmem_git.text.names import archive_path
from wbmem_git.text.titles import plain

if TYPE_CHECKING:
    from wbmem_git.model import ArchiveFile, Card, Change, Tree

_TIME = r"\d{4}-\d{2}-\d{2}"


def lacking(change: Change, card: Card, file: ArchiveFile | None) -> str:
    """What an archive file lacks to stand for a card; "" where it lacks nothing."""
    if file is None or file.id != card.id:
        return "isn't an archive file of that id"
    if not re.match(_TIME, file.archived_at):
        return "lacks the time (`archived_at:`)"
    if not file.reason.strip():
        return "lacks a reason (`reason:`)"
    named = _misnamed(change, card, file)
    if named:
        return named
    line = first_missing(substance(card.lines), substance(lines_of(file.body)))
    if line is not None and not _settled_by_other_side(change, card, file):
        return f"lacks its line {quote(line)}"
    return ""


def _misnamed(change: Change, card: Card, file: ArchiveFile) -> str:
    """How its front matter names another card than the one that an old tree has; "" where it doesn't.

    In a merge each side, and the base, may have the card on a page of its own; and a side may have moved it
    to yet another one before it archived it.
    """
    trees = (*change.parents, change.base) if change.base is not None else change.parents
    known = [held for tree in trees for held in tree.holders.get(card.id, ())]
    if plain(file.title) not in {held.title for held in known}:
        return f"names another title, {quote(file.title)}"
    if file.page not in {held.path for held in known} and not _is_of_a_side(change, card.id):
        return f"names another page, {quote(file.page)}"
    return ""


def _settled_by_other_side(change: Change, card: Card, file: ArchiveFile) -> bool:
    """Whether, in a merge, another side archived the card and nothing of this side's text is lost by it.

    Either that side edited the card before, and this side left it as the base has it; or that side renamed
    it, and this side's text goes on under the new title.
    """
    if not _is_of_a_side(change, card.id):
        return False
    base = change.base.holders.get(card.id, ()) if change.base is not None else ()
    if any(substance(before.lines) == substance(card.lines) for before in base):
        return True
    successors = change.new.holders.get(_present_id(change.new, file), ())
    return any(first_missing(card.body_lines, after.body_lines) is None for after in successors)


def _is_of_a_side(change: Change, name: str) -> bool:
    """Whether, in a merge, the archive file of that id is the one that a side has."""
    path = archive_path(name)
    archived = change.new.files.get(path)
    having = [parent for parent in change.parents if path in parent.files]
    return len(change.parents) > 1 and any(same_text(side.files[path], archived) for side in having)


def _present_id(tree: Tree, file: ArchiveFile) -> str:
    """The id under which a card goes on that was renamed, perhaps more than once."""
    passed: set[str] = set()
    while file.superseded_by in tree.archive and file.superseded_by not in passed:
        passed.add(file.superseded_by)
        file = tree.archive[file.superseded_by]
    return file.superseded_by
