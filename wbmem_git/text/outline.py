"""A page cut into parts at its headings, and which comment is whose metadata line."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from wbmem_git.text.marks import marks_of
from wbmem_git.text.metadata import is_metadata
from wbmem_git.text.titles import title_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbmem_git.model import Block, Document, Mark


class Part:
    """A stretch of a page, from a heading to the line before the next part.

    Attributes:
        line: The heading's first line; 0 for what stands above the first heading.
        below: The first line below the heading.
        title: The heading's title.
        column: The title of the level-2 heading that a board's card stands under.
        is_card: Whether the heading opens a card. `is_column`: whether it is a column.
        end: The last line; it comes before the next part's heading, or the metadata line above that.
        comments: The top-level comments below the heading, each with its anchors and zone marks.
        subheadings: The deeper headings.
        metadata: The comment that is the card's metadata line; it may stand above the heading.
    """

    __slots__ = (
        "below",
        "column",
        "comments",
        "end",
        "is_card",
        "is_column",
        "line",
        "metadata",
        "subheadings",
        "title",
    )

    def __init__(self, line: int, below: int, title: str = "") -> None:
        self.line = line
        self.below = below
        self.title = title
        self.column = ""
        self.is_card = False
        self.is_column = False
        self.end = 0
        self.comments: list[tuple[Block, tuple[Mark, ...]]] = []
        self.subheadings: list[Block] = []
        self.metadata: Block | None = None


def outline(document: Document, lines: Sequence[str], card_level: int) -> list[Part]:
    """The parts of a page, in order; headings deeper than a card's open none."""
    parts = _cut(document, card_level)
    for part, following in pairwise(parts):
        part.end = following.line - 1
    parts[-1].end = len(lines)
    for index, part in enumerate(parts):
        if part.is_card:
            _settle_metadata(parts, index, lines)
    return parts


def _cut(document: Document, card_level: int) -> list[Part]:
    part = Part(0, document.body + 1)
    parts = [part]
    column = ""
    for block in document.blocks:
        if block.kind == "comment":
            part.comments.append((block, marks_of(block)))
        elif block.kind != "heading":
            continue
        elif block.level > card_level:
            part.subheadings.append(block)
        else:
            part = Part(block.line, block.end + 1, title_of(block.text))
            parts.append(part)
            if block.level == card_level:
                part.is_card = True
                part.column = column
            else:
                part.is_column = block.level == 2
                column = part.title if part.is_column else ""
    return parts


def _settle_metadata(parts: list[Part], index: int, lines: Sequence[str]) -> None:
    """Give a card the metadata line below its heading, else the one just above, which leaves the part above.

    A comment that stands between an empty card and the next heading could be either's: it goes down where
    the card has one above already (an older tool's page), or where blanks set it off from the card.
    """
    part, above = parts[index], _comment_above(parts, index, lines)
    own = _leading_metadata(part, lines)
    if own is not None and not _goes_down(own, parts, index, lines, has_other=above is not None):
        part.metadata = own
    elif above is not None:
        part.metadata = above
        parts[index - 1].end = above.line - 1


def _leading_metadata(part: Part, lines: Sequence[str]) -> Block | None:
    """The first metadata line among the comments that directly follow the heading, up to any zone."""
    reached = part.below
    for block, marks in part.comments:
        if not is_blank(lines, reached, block.line) or (marks and _opens_or_closes(marks)):
            return None
        if _may_be_metadata(block, marks):
            return block
        reached = block.end + 1
    return None


def _opens_or_closes(marks: tuple[Mark, ...]) -> bool:
    return any(mark.kind in {"open", "close"} for mark in marks)


def _comment_above(parts: list[Part], index: int, lines: Sequence[str]) -> Block | None:
    """The metadata line just above a card's heading, unless the card above has it for its own."""
    previous = parts[index - 1]
    if not previous.comments:
        return None
    block, marks = previous.comments[-1]
    if block == previous.metadata or not is_blank(lines, block.end + 1, parts[index].line):
        return None
    return block if _may_be_metadata(block, marks) else None


def _goes_down(own: Block, parts: list[Part], index: int, lines: Sequence[str], *, has_other: bool) -> bool:
    if not _ends_part(own, parts, index, lines):
        return False
    following = parts[index + 1]
    theirs = _leading_metadata(following, lines)
    if theirs is not None and not _ends_part(theirs, parts, index + 1, lines):
        return False
    adjacent = own.line == following.line - 1
    return has_other or (adjacent and is_blank(lines, own.line - 1, own.line))


def _ends_part(block: Block, parts: list[Part], index: int, lines: Sequence[str]) -> bool:
    """Whether nothing but blanks stands between a comment and the card that follows its part."""
    return (
        index + 1 < len(parts)
        and parts[index + 1].is_card
        and is_blank(lines, block.end + 1, parts[index].end + 1)
    )


def _may_be_metadata(block: Block, marks: tuple[Mark, ...]) -> bool:
    text = block.text.strip()
    return not marks and text.find("-->") == len(text) - 3 and is_metadata(text)


def is_blank(lines: Sequence[str], start: int, end: int) -> bool:
    """Whether the lines from `start` up to, not including, `end` are all blank."""
    return start >= end or not any(line.strip(" \t") for line in lines[start - 1 : end - 1])
