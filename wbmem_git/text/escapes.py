r"""A text as Markdown reads it where a character is written as an escape or an entity.

`ghp\_…` and `&#103;hp_…` are `ghp_…` to whoever reads the page, and formatters write them by themselves.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

COARSE = "[\\][[:punct:]]|&#?[A-Za-z0-9]+;"
"""A POSIX extended regular expression for what stands in every text that has one."""
_ESCAPE = pattern(r"\\[!-/:-@\[-`{-~]|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});")


class Plain(NamedTuple):
    """A text without its escapes.

    Attributes:
        text: It.
        places: Where in it a stretch begins, in order; `sources`: where that stands in the text as written.
    """

    text: str
    places: Sequence[int]
    sources: Sequence[int]

    def source(self, place: int) -> int:
        """Where in the text as written a place of this one lies."""
        stretch = bisect_right(self.places, place) - 1
        return self.sources[stretch] + place - self.places[stretch]


def unescaped(text: str) -> Plain | None:
    """The text without escapes; None where it has none."""
    if "\\" not in text and "&" not in text:
        return None
    pieces: list[str] = []
    places, sources = [0], [0]
    length = done = 0
    for match in _ESCAPE.finditer(text):
        said = _said(match[0])
        pieces += text[done : match.start()], said
        length += match.start() - done
        places += length, length + len(said)
        sources += match.start(), match.end()
        length += len(said)
        done = match.end()
    return Plain("".join((*pieces, text[done:])), places, sources) if pieces else None


def _said(escape: str) -> str:
    if escape[0] == "\\":
        return escape[1]
    from html import unescape  # noqa: PLC0415  # hardly a page has an entity

    return unescape(escape)
