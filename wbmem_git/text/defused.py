"""Text that mustn't speak of memory: its anchors and zone marks become plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.document import parse_document
from wbmem_git.text.marks import marks_of

if TYPE_CHECKING:
    from collections.abc import Container

    from wbmem_git.model import Block, Mark

OPENED, PLAIN = "<!--", "&lt;!--"
"""How a comment begins, and what CommonMark shows as the same signs."""


def defused(text: str, *, anchors: Container[str] = (), zones: bool = False) -> str:
    """The text with `&lt;!--` where a comment was an anchor or a zone mark; it reads the same.

    Only comments that would count are touched: what stands in code, a list or a quote stays as it is.

    Args:
        text: With LF line ends.
        anchors: The ids whose anchors stay.
        zones: Whether zone marks stay.
    """
    while True:  # each round takes a comment away, and what it was open for may be one more
        document = parse_document(text)
        lines = list(document.lines)
        for block in document.blocks:
            if block.kind == "comment" and any(not _stays(mark, anchors, zones) for mark in marks_of(block)):
                for number in range(block.line - 1, block.end):
                    lines[number] = lines[number].replace(OPENED, PLAIN)
        new = "".join(lines)
        if new == text:
            return text
        text = new


def first_heading(text: str, level: int) -> Block | None:
    """The first heading of that level or above it, None where there is none."""
    blocks = (block for block in parse_document(text).blocks if block.kind == "heading")
    return next((block for block in blocks if block.level <= level), None)


def _stays(mark: Mark, anchors: Container[str], zones: bool) -> bool:
    if mark.kind in {"open", "close"}:
        return zones
    return mark.kind == "anchor" and mark.value in anchors
