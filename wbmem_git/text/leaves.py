"""The leaves of a ledger's section or a log: its top-level list items, and every block outside lists.

What is nested in an item is part of it. Comments, headings and thematic breaks are no leaves; paragraphs,
block quotes, tables, fenced code and other HTML are one each.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wbmem_git.model import Block

_MARKER = re.compile(r"([-+*]|([0-9]{1,9})[.)])(?:([ \t]+)(?=\S)|[ \t]*$)")
_THEMATIC_BREAK = re.compile(r"([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_BARE_MARKER = re.compile(r"[ \t]*(?:[-+*]|[0-9]{1,9}[.)])[ \t]*$")
_FENCE = re.compile(r"[ \t]*(?:(?:[-+*]|[0-9]{1,9}[.)])[ \t]+)?(?:`{3}|~{3})")
_CODE_INDENT = 4


class Leaf(NamedTuple):
    """A leaf: `line` to `end`, inclusive, without blank lines at its end; `is_item`: it is a list item."""

    line: int
    end: int
    is_item: bool


class _Open(NamedTuple):
    """What is open at a line: a list item has the `width` of its marker, anything else 0."""

    line: int
    kind: Literal["item", "quote", "code", "paragraph"]
    width: int = 0


def leaves_of(lines: Sequence[str], first: int, end: int, blocks: Mapping[int, Block]) -> Iterator[Leaf]:
    """The leaves from the line numbered `first` to `end`, in order.

    Args:
        lines: All lines of the page, without their ends.
        first: The first line of the stretch, 1-based.
        end: The last one, inclusive.
        blocks: The page's top-level headings, comments, fences and HTML blocks, by their first lines.
    """
    opened: _Open | None = None
    last = number = first - 1
    while number < end:
        number += 1
        block, line = blocks.get(number), lines[number - 1]
        if block is None and not line.strip(" \t"):
            continue
        if block is None and opened is not None and _goes_on(opened, line, lines, last, number - 1 - last):
            last = number
            continue
        if opened is not None:
            yield Leaf(opened.line, last, opened.kind == "item")
        opened, last = _opens(line, number) if block is None else None, number
        if block is not None:
            number = last = min(block.end, end)
            if block.kind in {"fence", "html"}:
                yield Leaf(block.line, number, is_item=False)
    if opened is not None:
        yield Leaf(opened.line, last, opened.kind == "item")


def _opens(line: str, number: int) -> _Open | None:
    """What a line opens, where nothing is open that it goes on with."""
    indent, text = _indented(line)
    if indent < _CODE_INDENT:
        if _THEMATIC_BREAK.match(text):
            return None
        marker = _MARKER.match(text)
        if marker is not None:
            blanks = len((marker[3] or "").expandtabs(4))
            return _Open(number, "item", indent + len(marker[1]) + (blanks if 1 <= blanks <= 4 else 1))
        return _Open(number, "quote" if text.startswith(">") else "paragraph")
    return _Open(number, "code")


def _goes_on(opened: _Open, line: str, lines: Sequence[str], last: int, blanks: int) -> bool:
    """Whether a line belongs to what is open.

    Args:
        opened: What is open.
        line: The line.
        lines: All lines.
        last: The number of the last one with text that belongs to it.
        blanks: How many blank lines stand between the two.
    """
    indent, text = _indented(line)
    if opened.kind == "item":
        is_bare = _BARE_MARKER.match(lines[last - 1]) is not None
        if indent >= opened.width and not (is_bare and blanks and last == opened.line):
            return True
        if is_bare or _FENCE.match(lines[last - 1]):
            return False  # no paragraph is open that the line could go on with
    if opened.kind == "code":
        return indent >= _CODE_INDENT
    if blanks:
        return False
    if indent >= _CODE_INDENT:
        return True
    if _THEMATIC_BREAK.match(text):
        return False
    marker = _MARKER.match(text)
    if marker is not None:
        # Within a paragraph only a number 1 begins a list, and an item without text begins none.
        return opened.kind == "paragraph" and (marker[3] is None or marker[2] not in {None, "1"})
    return not text.startswith(">") or opened.kind == "quote"


def _indented(line: str) -> tuple[int, str]:
    """By how many columns a line is indented, and the rest of it."""
    text = line.lstrip(" \t")
    return len(line[: len(line) - len(text)].expandtabs(4)), text
