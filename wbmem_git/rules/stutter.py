"""Where a text says the same over and over: added prose cut into stretches, and what repeats in one."""

from __future__ import annotations

import re
from itertools import groupby
from typing import TYPE_CHECKING

from wbmem_git.text.document import parse_document

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Change

LEAST_LINE = 20
TIMES = 3
LEAST_UNIT = 20
SEPARATOR = 2
"""Blanks and punctuation between the units, which may be missing behind the last one."""
_GRAM = 10
_INDENTED_CODE = r"(?: {4}|\t)(?![ \t]*(?:[-*+]|[0-9]{1,9}[.)])[ \t])"

Stretch = list[tuple[int, str]]


def stretches(change: Change, path: str) -> Iterator[Stretch]:
    """Added lines of a file that stand together: blank lines may part them, code and tables cut."""
    added = dict(change.added.get(path, ()))
    text = change.new.files[path].text
    if not added or text is None:
        return
    document = parse_document(text)
    page = change.new.pages.get(path)
    blocks = page.document.blocks if page is not None else document.blocks
    code = {n for block in blocks if block.kind == "fence" for n in range(block.line, block.end + 1)}
    stretch: Stretch = []
    for number, raw in enumerate(document.lines, 1):
        line = raw.rstrip("\r\n")
        if not line.strip():
            continue
        if number in added and number not in code and "|" not in line and not re.match(_INDENTED_CODE, line):
            stretch.append((number, line))
            continue
        if stretch:
            yield stretch
        stretch = []
    if stretch:
        yield stretch


def same_lines(stretch: Stretch) -> tuple[int, str, int] | None:
    """The first line that stands there three times in a row: its number, its text, how often."""
    for text, group in groupby(stretch, lambda item: item[1].strip()):
        run = list(group)
        if len(run) >= TIMES and len(text) >= LEAST_LINE and any(map(str.isalpha, text)):
            return run[0][0], text, len(run)
    return None


def repetition(text: str) -> tuple[int, str] | None:
    """The first stretch that repeats one unit: where it begins, and the unit.

    In one pass: within such a stretch every ten characters stood last exactly one unit before.
    """
    last: dict[str, int] = {}
    distance = begin = 0
    settled = False
    for index in range(len(text) - _GRAM + 1):
        gram = text[index : index + _GRAM]
        before = last.get(gram)
        last[gram] = index
        now = 0 if before is None else index - before
        if now != distance:
            distance, begin, settled = now, index - now, False
        length = index + _GRAM - begin
        if distance >= LEAST_UNIT and not settled and length + SEPARATOR >= TIMES * distance:
            settled = True
            if _is_prose(text[begin : begin + distance]):
                return begin, text[begin : begin + distance]
    return None


def _is_prose(unit: Sequence[str]) -> bool:
    return 3 * sum(map(str.isalpha, unit)) >= len(unit)
