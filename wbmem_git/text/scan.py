"""The structure of a text, line by line: what `commonmark.blocks` says, without markdown-it.

Only lines that begin with a mark of structure are looked at. What makes that enough: an ATX heading, a
fence and an HTML block (of the kinds that may interrupt a paragraph) that are indented by less than a list
item's content always end whatever paragraph, list, block quote or indented code is open, and stand at the
top level. So it needs to be known only where the last of them was (the *top*), and whether a list item may
be open. Where a line still could be either (a Setext underline below text; an HTML tag that may not
interrupt; an indented mark after a list or a quote), the stretch from the top to the next heading that is
certain goes to markdown-it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wbmem_git.model import Block

if TYPE_CHECKING:
    from collections.abc import Callable

    from wbmem_git.text.list_items import ListItems

# Every alternative ends at or before its line's end, so that the next search starts at a line's beginning.
_STRUCTURE = re.compile(
    r"""\n([ ]{0,3}+)(?:
        (\#{1,6})(?![^ \t\n])([^\n]*)            # 2 3: ATX heading
      | (<!--[^\n]*)                             # 4: comment
      | (=+|-+)[ \t]*(?![^\n])                   # 5: Setext underline, or a thematic break, or an empty item
      | (>|(?:[-+*]|[0-9]{1,9}[.)])(?![^ \t\n])) # 6: block quote, list marker, or a thematic break
      | (`{3,}|~{3,})([^\n]*)                    # 7 8: fence
      | (<[A-Za-z/?!][^\n]*)                     # 9: perhaps another HTML block
    )""",
    re.VERBOSE,
)
_CERTAIN_HEADING = re.compile(r"\n ?#{1,6}(?![^ \t\n])")
_FENCE_END = re.compile(r"\n {0,3}(`{3,}|~{3,})[ \t]*(?![^\n])")
_LINE_END = re.compile(r"\r\n?")
# What JavaScript's trim() takes off, as CommonMark implementations do; str.strip() would take five more.
_TRIM = "\t\n\v\f\r \xa0\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))


def blocks(text: str, first: int = 1) -> tuple[Block, ...]:
    """The structure of `text`, with its first line numbered `first`."""
    if "\r" in text:
        text = _LINE_END.sub("\n", text)
    return _Scan(text.replace("\0", "\ufffd"), first).run()


class _Scan:
    """One run over a text. Offsets point at the line feed before a line; one is put before the first.

    Attributes:
        source: The text behind a line feed.
        found: The blocks so far.
        top: Where a line begins before which everything is closed.
        next: Where the search goes on.
        in_container: Whether a list marker or a block quote was seen since the top.
        markers: Those at column 0. `items`: what they say of open list items, once a line asks.
        counted: An offset whose line's number, `line`, is known.
    """

    __slots__ = ("counted", "found", "in_container", "items", "line", "markers", "next", "source", "top")

    def __init__(self, text: str, first: int) -> None:
        self.source = "\n" + text
        self.found: list[Block] = []
        self.top = 0
        self.next = 0
        self.in_container = False
        self.markers: list[int] = []
        self.items: ListItems | None = None
        self.counted = 0
        self.line = first

    def run(self) -> tuple[Block, ...]:
        """Every block, in order."""
        search, source = _STRUCTURE.search, self.source
        while (match := search(source, self.next)) is not None:
            self.next = match.end()
            _READERS[match.lastindex or 0](self, match)
        return tuple(self.found)

    def read_heading(self, match: re.Match[str]) -> None:
        if self._stands_at_top(match):
            line, last = self._cover(match.start(), match.end())
            self.found.append(Block("heading", line, last, len(match[2]), _content(match[3]), closed=True))

    def read_comment(self, match: re.Match[str]) -> None:
        if not self._stands_at_top(match):
            return
        start, end = match.span()
        closed = "-->" in match[4]
        if not closed:
            close = self.source.find("-->", end)
            closed = close >= 0
            end = self._line_end(close) if closed else self._end()
        line, last = self._cover(start, end)
        self.found.append(Block("comment", line, last, 0, self.source[start + 1 : end], closed))

    def read_underline(self, match: re.Match[str]) -> None:
        if self._follows_text(match):
            self._hand_over(match.start())
        elif match[5] == "-":
            self.read_marker(match)

    def read_marker(self, match: re.Match[str]) -> None:
        self.in_container = True
        if not match[1]:
            self.markers.append(match.start())

    def read_fence(self, match: re.Match[str]) -> None:
        marker, info = match[7], match[8]
        if (marker[0] == "`" and "`" in info) or not self._stands_at_top(match):
            return
        for fence in _FENCE_END.finditer(self.source, match.end()):
            if fence[1].startswith(marker):
                end, closed = fence.end(), True
                break
        else:
            end, closed = self._end(), False
        line, last = self._cover(match.start(), end)
        self.found.append(Block("fence", line, last, 0, info.strip(" \t"), closed))

    def read_html(self, match: re.Match[str]) -> None:
        from wbmem_git.text.html_blocks import ANY_TAG, BLANK_LINE, end_of  # large, seldom needed

        terminator = end_of(match[9])
        if terminator is None:
            if not ANY_TAG.match(match[9]):
                return
            if self._follows_text(match):
                self._hand_over(match.start())
                return
            terminator = BLANK_LINE
        if not self._stands_at_top(match):
            return
        found = terminator.search(self.source, match.start(9))
        if found is None:
            end = self._end()
        else:
            end = found.start() if terminator is BLANK_LINE else self._line_end(found.end())
        line, last = self._cover(match.start(), end)
        closed = found is not None or terminator is BLANK_LINE
        self.found.append(Block("html", line, last, 0, self.source[match.start() + 1 : end], closed))

    def _cover(self, start: int, end: int) -> tuple[int, int]:
        """The first and the last line of a top-level block, from the line feed before it to its end."""
        line = self.line + self.source.count("\n", self.counted, start)
        self.line = line + self.source.count("\n", start, end)
        self._reach(end)
        return line, self.line - 1

    def _reach(self, top: int) -> None:
        """Everything is closed at `top`, where the line numbered `line` begins."""
        self.counted = self.top = self.next = top
        if self.in_container:
            self.in_container = False
            self.markers = []
            self.items = None

    def _stands_at_top(self, match: re.Match[str]) -> bool:
        """Whether a heading, fence or HTML block stands at the top level; where it may not, hands over."""
        column = len(match[1])
        if column < 2 or not self.in_container:
            return True
        if self.items is None:
            from wbmem_git.text.list_items import ListItems  # patterns that few pages need

            self.items = ListItems(self.source, self.top, self.markers)
        width = self.items.width(match.start())
        if not width:
            self._hand_over(match.start())
            return False
        return column < width

    def _follows_text(self, match: re.Match[str]) -> bool:
        """Whether a line follows one with text in it, so that a paragraph may be open."""
        start = match.start()
        if start == self.top:
            return False
        before = self.source.rfind("\n", 0, start)
        return bool(self.source[before + 1 : start].strip(" \t"))

    def _line_end(self, offset: int) -> int:
        end = self.source.find("\n", offset)
        return end if end >= 0 else len(self.source)

    def _end(self) -> int:
        """The end of the last line; a rest of blanks without a line feed is none."""
        last = self.source.rfind("\n")
        return len(self.source) if self.source[last + 1 :].strip(" \t") else last

    def _hand_over(self, offset: int) -> None:
        """Let markdown-it read from the top to the next certain heading after `offset`."""
        from wbmem_git.text import commonmark  # 60 ms, for the texts that need it

        following = _CERTAIN_HEADING.search(self.source, offset)
        end = following.start() if following else len(self.source)
        first = self.line + self.source.count("\n", self.counted, self.top)
        found = commonmark.blocks(self.source[self.top + 1 : end + 1], first)
        after = first + self.source.count("\n", self.top, end)
        if following and found and found[-1].end == after - 1 and found[-1].kind != "heading":
            # The end of the stretch may have cut it off: read it again, now that its beginning is certain.
            for _ in range(first, found[-1].line):
                self.top = self.source.index("\n", self.top + 1)
            after, end = found[-1].line, self.top
            found = found[:-1]
        self.found.extend(found)
        self.line = after
        self._reach(end)


def _content(rest: str) -> str:
    """A heading's raw content: what follows its opening hashes, without closing ones."""
    rest = rest.rstrip(" \t")
    if rest.endswith("#"):
        bare = rest.rstrip("#")
        if bare.endswith((" ", "\t")):
            rest = bare
    return rest.strip(_TRIM)


_READERS: dict[int, Callable[[_Scan, re.Match[str]], None]] = {
    3: _Scan.read_heading,
    4: _Scan.read_comment,
    5: _Scan.read_underline,
    6: _Scan.read_marker,
    8: _Scan.read_fence,
    9: _Scan.read_html,
}
