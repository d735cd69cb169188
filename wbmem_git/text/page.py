"""A board or an entry page: its cards, its columns, and what stands outside them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.model import Card, Column, Mark, Page
from wbmem_git.text.document import bare_lines, parse_document
from wbmem_git.text.ids import card_id
from wbmem_git.text.marks import zones_of
from wbmem_git.text.metadata import NO_METADATA, parse_metadata
from wbmem_git.text.outline import is_blank, outline

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import PageKind
    from wbmem_git.text.outline import Part

CARD_LEVELS = {"board": 3, "entries": 2}
"""The level of the headings that open cards, by the kind of the page."""


def parse_page(path: str, text: str, key: str, kind: PageKind) -> Page:
    """Read a board or an entry page.

    Args:
        path: The page's path; ids are computed from it.
        text: The whole file.
        key: The workspace key.
        kind: On a `board` level-2 headings are columns and level-3 headings open cards; on any other page
            level-2 headings open entries.
    """
    document = parse_document(text)
    lines = bare_lines(document)
    parts = outline(document, lines, CARD_LEVELS.get(kind, 2))
    others = [part for part in parts if not part.is_card]
    return Page(
        path,
        kind,
        document,
        cards=_cards(path, key, [part for part in parts if part.is_card], lines),
        columns=tuple(
            Column(part.title, part.line, tuple(_prose(part, lines))) for part in others if part.is_column
        ),
        marks=tuple(mark for part in others for mark in _marks(part)),
        prose=tuple(
            line
            for part in others
            if not part.is_column
            for line in _prose(part, lines, _heading_lines(part))
        ),
    )


def _cards(path: str, key: str, parts: Sequence[Part], lines: Sequence[str]) -> tuple[Card, ...]:
    """The cards in page order; of namesakes each without an anchor takes the smallest free n."""
    anchors = [_anchor(part, lines) for part in parts]
    held = set(anchors)
    reached: dict[str, int] = {}
    cards = []
    for part, anchor in zip(parts, anchors, strict=True):
        name = anchor
        if not anchor:
            n = reached.get(part.title, 1)
            while (name := card_id(key, path, part.title, n)) in held:
                n += 1
            reached[part.title] = n
            held.add(name)
        cards.append(_card(path, part, name, anchor, lines))
    return tuple(cards)


def _anchor(part: Part, lines: Sequence[str]) -> str:
    """The well-formed anchor on the first non-blank line after the heading, or ""."""
    for block, marks in part.comments[:1]:
        if marks and marks[0].kind == "anchor" and is_blank(lines, part.below, block.line):
            return marks[0].value
    return ""


def _card(path: str, part: Part, name: str, anchor: str, lines: Sequence[str]) -> Card:
    marks = list(_marks(part))
    metadata = NO_METADATA
    if part.metadata is not None:
        text = part.metadata.text.strip()
        metadata = parse_metadata(text, part.metadata.line)
        marks.append(Mark("metadata", part.metadata.line, text, alone=True))
        marks.sort(key=_line)
    own = tuple(lines[part.line - 1 : part.end])
    return Card(
        name,
        anchor,
        path,
        part.title,
        part.column,
        part.line,
        part.end,
        metadata,
        zones=zones_of(marks, own, part.line),
        marks=tuple(marks),
        lines=own,
    )


def _line(mark: Mark) -> int:
    return mark.line


def _marks(part: Part) -> Iterator[Mark]:
    return (mark for _, marks in part.comments for mark in marks)


def _heading_lines(part: Part) -> frozenset[int]:
    return frozenset(line for block in part.subheadings for line in range(block.line, block.end + 1))


def _prose(
    part: Part, lines: Sequence[str], left_out: frozenset[int] = frozenset()
) -> Iterator[tuple[int, str]]:
    """The non-blank lines below a part's heading that are no marks, without some more."""
    marked = left_out.union(mark.line for mark in _marks(part))
    for number in range(part.below, part.end + 1):
        text = lines[number - 1]
        if number not in marked and text.strip(" \t"):
            yield number, text
