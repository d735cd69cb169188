"""Whether a list item is open at a line, as far as its first column tells without reading the item."""

from __future__ import annotations

import re

# A marker before its content; one without any, or with a tab or five blanks before it, is markdown-it's.
_ITEM = re.compile(r"\n((?:[-+*]|([0-9]{1,9})[.)]) {1,4})(?=[^ \t\n])")
_THEMATIC_BREAK = re.compile(r"\n([-*])(?:[ \t]*\1){2,}[ \t]*(?![^\n])")
# A line with text that is indented by less than so many columns.
_OUTDENTED = {columns: re.compile(rf"\n(?! {{{columns}}}| {{0,3}}\t|[ \t]*(?:\n|\Z))") for columns in (2, 3)}


class ListItems:
    """The markers at column 0 since the last top; each is looked at once, when a line asks.

    Offsets point at the line feed before a line. A marker there always ends every nested list, so what it
    opens is an item at the top level, and stays open over lines that are blank or indented to its content.
    """

    __slots__ = ("_clear_to", "_markers", "_settled", "_source", "_top", "_width")

    def __init__(self, source: str, top: int, markers: list[int]) -> None:
        """The items since `top`; more `markers` (list markers and block quotes at column 0) may come."""
        self._source = source
        self._top = top
        self._markers = markers
        self._settled = 0
        self._width = 0
        self._clear_to = top

    def width(self, line: int) -> int:
        """The column of the content of the item that is open at `line`; 0 where none is for certain."""
        for marker in self._markers[self._settled :]:
            self._width = self._begun_width(marker)
            self._clear_to = marker + 1
        self._settled = len(self._markers)
        if self._width and not self._clear(line):
            self._width = 0
        return self._width

    def _begun_width(self, marker: int) -> int:
        item = _ITEM.match(self._source, marker)
        if item is None or _THEMATIC_BREAK.match(self._source, marker):
            return 0
        starts = item[2] is None or int(item[2]) == 1 or marker == self._top or self._after_blank(marker)
        if starts or (self._width and self._clear(marker)):
            return len(item[1])
        return 0

    def _after_blank(self, line: int) -> bool:
        before = self._source.rfind("\n", 0, line)
        return not self._source[before + 1 : line].strip(" \t")

    def _clear(self, line: int) -> bool:
        """Whether no line since the last look is outdented from the open item."""
        # Marks of structure stand at columns 0 to 3, and a line at column 2 begins no item that narrow.
        outdented = _OUTDENTED[min(self._width, 3)].search(self._source, self._clear_to, line)
        self._clear_to = max(self._clear_to, line)
        return outdented is None
