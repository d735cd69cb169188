"""A version's files after a card is anchored, archived, restored, renamed or added: texts in, texts out."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.archive import render_archive
from wbmem_git.text.document import split_lines, without_end
from wbmem_git.text.names import archive_path
from wbmem_git.text.page import CARD_LEVELS
from wbmem_git.verbs.assign import assign
from wbmem_git.verbs.edits import anchored, cut, inserted, own_start, retitled, spliced, without_blank_ends

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

    from wbmem_git.model import ArchiveFile, Card, Page
    from wbmem_git.verbs.assign import Assignment, Side
    from wbmem_git.verbs.edits import Splice

    Edits = Mapping[str, str | None]


class Fixed(NamedTuple):
    """What `fixed` does to a version: path → new text (None: the file goes), and why; `side` was before."""

    edits: Edits
    assignment: Assignment
    side: Side


def fixed(  # noqa: PLR0913, PLR0917  # as assign has it, and when
    new: Side,
    old: Sequence[Side],
    key: str,
    now: str,
    known: Sequence[Side] = (),
    disowned: Collection[str] = (),
) -> Fixed:
    """Write the anchors that `new` should have, and archive what a new title replaces, as it stood."""
    found = assign(new, old, key, known, disowned)
    splices: dict[str, list[Splice]] = {}
    for card in new.cards:
        name = found.ids.get((card.path, card.line))
        if name is not None:
            splices.setdefault(card.path, []).extend(anchored(new.pages[card.path], card, name))
    edits: dict[str, str | None] = {
        path: spliced(new.pages[path].document, page_splices) for path, page_splices in splices.items()
    }
    for renamed in found.renamed:
        edits[archive_path(renamed.old.id)] = archive_text(
            renamed.page, renamed.old, now=now, reason="renamed", superseded_by=renamed.new_id
        )
    edits |= dict.fromkeys(map(archive_path, found.restored))
    return Fixed(edits, found, new)


def archive_text(page: Page, card: Card, *, now: str, reason: str, superseded_by: str = "") -> str:
    """The archive file of a card as it stands on `page`, with a metadata line above its heading."""
    return render_archive(
        id=card.id,
        title=card.title,
        page=card.path,
        archived_at=now,
        reason=reason,
        superseded_by=superseded_by,
        body="\n".join((*card_lines(page, card), "")),
    )


def card_lines(page: Page, card: Card) -> list[str]:
    """The lines that are the card's, without blank ones at the end."""
    lines = page.document.lines[own_start(card) - 1 : card.line - 1]
    return without_blank_ends((*map(without_end, lines), *card.lines))


def holds_in_order(lines: Iterable[str], wanted: Iterable[str]) -> bool:
    """Whether every non-blank line of `wanted` stands in `lines`, in order; trailing blanks don't count."""
    rest = (line.rstrip() for line in lines)
    return all(line.rstrip() in rest for line in wanted if line.strip())


def without_cards(side: Side, ids: Iterable[str]) -> dict[str, str | None]:
    """Every page on which one of those cards stands, without it."""
    gone = frozenset(ids)
    splices: dict[str, list[Splice]] = {}
    for card in side.cards:
        if card.id in gone:
            splices.setdefault(card.path, []).extend(cut(card))
    return {path: spliced(side.pages[path].document, cuts) for path, cuts in splices.items()}


def with_card(page: Page, column: str | None, lines: Sequence[str]) -> str:
    """The page's text with a card at the end of a column (None: of the page).

    Raises:
        KeyError: The page has no column of that title.
    """
    return spliced(page.document, inserted(page, lines, column))


def restored_lines(file: ArchiveFile, page: Page) -> list[str]:
    """The archived card's lines, with the heading level and the anchor that it needs on `page`."""
    lines = without_blank_ends([without_end(line) for line in split_lines(file.body)])
    if file.card is None:
        return lines
    heading = next(n for n, line in enumerate(lines) if line == file.card.lines[0])
    level = CARD_LEVELS.get(page.kind, 2)
    bare = lines[heading].lstrip(" ")
    if bare.startswith("#"):
        lines[heading] = "#" * level + bare.lstrip("#")
    if not file.card.anchor:
        lines.insert(heading + 1, f"<!-- memory:{file.id} -->")
    return lines


def with_title(page: Page, card: Card, heading: str, new_id: str) -> str:
    """The page's text with another heading for the card, and its new anchor."""
    return spliced(page.document, retitled(page, card, heading, new_id))
