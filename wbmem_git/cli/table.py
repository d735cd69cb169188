"""Columns that stand under each other, also where a character takes two places of a terminal."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from wbmem_git.cli.voice import SHORTEST_ID, Painted, say_line, styled
from wbmem_git.rules.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

GAP = "  "
NARROWEST = 20
UNBOUNDED = 1 << 20
CUT = "…"
DIGITS_OF_AN_ID = 32
JOINER, AS_EMOJI = "\u200d", "\ufe0f"
NO_PLACE = frozenset({"Mn", "Me", "Cf"})
"""Categories of marks upon other characters, and of what only tells how they are written."""


def say_table(rows: Sequence[Sequence[str | Painted]], indent: str = "") -> None:
    """Rows of cells.

    On a terminal the last column, the text, is cut so that a row stays one line; where less than half of the
    line is left for it, it gets a line of its own.
    """
    cells = [[_shown(cell) for cell in row] for row in rows]
    widths = [max(width_of(_text(cell)) for cell in column) for column in zip(*cells, strict=True)]
    left = line_width() - width_of(indent) - sum(widths[:-1]) - len(GAP) * (len(widths) - 1)
    is_apart = bool(widths) and left < min(line_width() // 2, widths[-1])
    below = indent + GAP * 2
    for *firsts, last in cells:
        parts = [part for cell, width in zip(firsts, widths, strict=False) for part in _padded(cell, width)]
        if is_apart:
            say_line(indent + "".join(map(styled, parts)).rstrip())
            say_line(below + styled(_cut(last, max(line_width() - width_of(below), NARROWEST))))
        else:
            say_line(indent + "".join(map(styled, (*parts, _cut(last, left)))))


def path_told(path: str) -> str:
    """A page's path; on a terminal an archive file's is as short as ids are."""
    name = path.removeprefix("archive/mem_").removesuffix(".md")
    is_long = path.startswith("archive/mem_") and len(name) == DIGITS_OF_AN_ID
    return f"archive/mem_{name[:SHORTEST_ID]}{CUT}.md" if is_long and is_terminal() else path


def is_terminal() -> bool:
    """Whether a person reads the answer."""
    return line_width() != UNBOUNDED


def width_of(text: str) -> int:
    """How many places of a terminal a line takes: two for a wide character, none for a combining one."""
    return len(text) if text.isascii() else sum(_widths(text))


def cut_to(text: str, width: int) -> str:
    """A line that takes at most so many places, with `…` where something is left out."""
    if width_of(text) <= width:
        return text
    taken = end = 0
    for place, wide in enumerate(_widths(text)):
        taken += wide
        if wide and taken > width - 1:
            return text[:end] + CUT
        if taken <= width - 1:
            end = place + 1
    return text


def padded(text: str, width: int) -> str:
    """A line filled with blanks to so many places."""
    return text + " " * (width - width_of(text))


def line_width() -> int:
    """How many places a line has: the terminal's, and as many as it takes where there is none."""
    if not sys.stdout.isatty():
        return UNBOUNDED
    import shutil  # where no terminal listens, a question goes without its 2 ms

    return shutil.get_terminal_size().columns


def _widths(text: str) -> Iterator[int]:
    """The places of each character; what is joined to the one before it, or only changes its looks, has none.

    By Python's own tables and not by `wcwidth`, whose wheel is 0.8 MB of compiled code: columns need no more.
    """
    import unicodedata  # most tables are ASCII

    before, last = "", 0
    for char in text:
        if before == JOINER or unicodedata.category(char) in NO_PLACE:
            wide = 0
        else:
            wide = 2 if unicodedata.east_asian_width(char) in {"W", "F"} else 1
        if char == AS_EMOJI and last == 1:
            yield 1
        else:
            yield wide
        before, last = char, wide


def _text(cell: str | Painted) -> str:
    return cell.text if isinstance(cell, Painted) else cell


def _shown(cell: str | Painted) -> str | Painted:
    """What will really be printed: that is what is measured."""
    return cell._replace(text=shown(cell.text)) if isinstance(cell, Painted) else shown(cell)


def _padded(cell: str | Painted, width: int) -> tuple[str | Painted, str]:
    return cell, " " * (width - width_of(_text(cell))) + GAP


def _cut(cell: str | Painted, width: int) -> str | Painted:
    text = cut_to(_text(cell), width)
    return cell._replace(text=text) if isinstance(cell, Painted) else text
