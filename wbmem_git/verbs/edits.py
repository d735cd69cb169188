"""Edits of a page: lines taken out, put in, exchanged. Every byte outside them stays as it is.

Each function here is pure. An edit is a `Splice` on a parsed page; `spliced` gives the new text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wbmem_git.model import Card, Document, Page

BOM = "\ufeff"


class Splice(NamedTuple):
    """Exchange `take` lines from the 1-based `line` on for `lines`, which have no line ends.

    With a `take` of 0 they are put in before that line.
    """

    line: int
    take: int
    lines: tuple[str, ...]


def spliced(document: Document, splices: Iterable[Splice]) -> str:
    """The document's text after the splices, which must not overlap.

    New lines end as the line before them does; a BOM stays first; a text without a final newline keeps none.
    """
    old = list(document.lines)
    bom = BOM if old and old[0].startswith(BOM) else ""
    if bom:
        old[0] = old[0].removeprefix(BOM)
    new: list[str] = []
    at = 0
    for splice in sorted(splices, key=lambda splice: (splice.line, splice.take)):
        start = splice.line - 1
        new += old[at:start]
        end = _line_end(old, start)
        if splice.lines and new and not _ended(new[-1]):
            new[-1] += end
        new += (line + end for line in splice.lines)
        at = start + splice.take
        if splice.lines and at >= len(old) and old and not _ended(old[-1]):
            new[-1] = new[-1].removesuffix(end)
    new += old[at:]
    return bom + "".join(new)


def anchored(page: Page, card: Card, card_id: str) -> tuple[Splice, ...]:
    """Give the card that anchor, in the place of a wrong, misspelt or misplaced one."""
    below = heading_end(page, card) + 1
    line = f"<!-- memory:{card_id} -->"
    first = first_below(page, card)
    marks = {mark.line: mark for mark in card.marks if mark.kind in {"anchor", "anchor-like"} and mark.alone}
    if first in marks:
        return (Splice(first, 1, (line,)),)
    misplaced = [mark for mark in marks.values() if mark.kind == "anchor"]
    moved = (Splice(misplaced[0].line, 1, ()),) if len(misplaced) == 1 else ()
    return (Splice(below, 0, (line,)), *moved)


def cut(card: Card) -> tuple[Splice, ...]:
    """Take the card off its page, with a metadata line above its heading; the next card's stays."""
    start = own_start(card)
    return (Splice(start, card.end - start + 1, ()),)


def inserted(page: Page, lines: Sequence[str], column: str | None) -> tuple[Splice, ...]:
    """Put a card's lines at the end of a column (None: of the page), a blank line on either side of it.

    Raises:
        KeyError: The page has no column of that title.
    """
    texts = page.document.lines
    after = len(texts) if column is None else _column_end(page, column)
    above = ("",) if after > page.document.body and texts[after - 1].strip(BOM + " \t\r\n") else ()
    below = ("",) if after < len(texts) and texts[after].strip() else ()
    return (Splice(after + 1, 0, (*above, *without_blank_ends(lines), *below)),)


def retitled(page: Page, card: Card, heading: str, card_id: str) -> tuple[Splice, ...]:
    """Exchange the card's heading for `heading` (the raw text behind the `#`s) and give it that anchor."""
    marker = card.lines[0].lstrip(" ")
    level = "#" * (len(marker) - len(marker.lstrip("#")) or 2)
    count = heading_end(page, card) - card.line + 1
    replaced = Splice(card.line, count, (f"{level} {heading}",))
    anchor = anchored(page, card, card_id)
    if anchor[0].take == 0:
        return (replaced._replace(lines=(*replaced.lines, *anchor[0].lines)), *anchor[1:])
    return (replaced, *anchor)


def own_start(card: Card) -> int:
    """The first line that is the card's: its heading, or the metadata line above it."""
    return min(card.line, card.metadata.line) if card.metadata.line else card.line


def heading_end(page: Page, card: Card) -> int:
    """The last line of the card's heading (a Setext heading has several)."""
    return next((block.end for block in page.document.blocks if block.line == card.line), card.line)


def first_below(page: Page, card: Card) -> int:
    """The first non-blank line below the heading, where the anchor belongs; 0 where there is none."""
    below = heading_end(page, card) + 1
    lines = enumerate(card.lines[below - card.line :], below)
    return next((number for number, text in lines if text.strip()), 0)


def _column_end(page: Page, title: str) -> int:
    """The last line of the column."""
    column = next((column for column in page.columns if column.title == title), None)
    if column is None:
        raise KeyError(title)
    headings = (block for block in page.document.blocks if block.kind == "heading" and block.level <= 2)
    return next((block.line - 1 for block in headings if block.line > column.line), len(page.document.lines))


def without_blank_ends(lines: Sequence[str]) -> list[str]:
    """The lines without blank ones at either end."""
    kept = list(lines)
    while kept and not kept[-1].strip():
        kept.pop()
    while kept and not kept[0].strip():
        kept.pop(0)
    return kept


def without_blank_end(lines: Sequence[str]) -> tuple[str, ...]:
    """The lines without blank ones at the end."""
    size = len(lines)
    while size and not lines[size - 1].strip():
        size -= 1
    return tuple(lines[:size])


def _line_end(lines: Sequence[str], index: int) -> str:
    """The line end to write at `index`: the one before it, else the next one after it, else LF."""
    before = reversed(lines[: max(index, 0)])
    return next((end for line in (*before, *lines[index:]) if (end := _end(line))), "\n")


def _end(line: str) -> str:
    return line[len(line.rstrip("\r\n")) :]


def _ended(line: str) -> bool:
    return line.endswith(("\n", "\r"))
