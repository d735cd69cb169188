r"""A text as a reader sees it where a character is an escape or an entity, or markup stands within a word.

`ghp\_…`, `&#103;hp_…` and `g<b></b>hp_…` are `ghp_…` to whoever reads the page, and formatters write some of
these by themselves. Code marks, emphasis by `*`, tags, comments and characters without width count as markup
where they stand amid a word, letter to letter; elsewhere they part words to a reader too.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_WIDTH = "\u00ad\u200b\u200c\u200d\u2060\ufeff"
"""Characters that no reader sees."""
COARSE = (
    "[\\][[:punct:]]|&#?[A-Za-z0-9]+;|[A-Za-z0-9_-](`|[*]|<[^<>]*>|" + "|".join(NO_WIDTH) + ")+[A-Za-z0-9_-]"
)
"""A POSIX extended regular expression for what stands in every text that has one."""
_SIGNS = ("\\", "&", "`", "*", "<", *NO_WIDTH)
# The first sign comes before what stands in front of it, since a search for few characters is fast.
_ESCAPE = pattern(
    r"\\[!-/:-@\[-`{-~]|&(?:#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});|"
    rf"[`*<{NO_WIDTH}](?<=[A-Za-z0-9_;-].)(?:(?<=<)[^<>\n]{{0,100}}>|(?<!<))"
    rf"(?:[`*{NO_WIDTH}]|<[^<>\n]{{0,100}}>)*+(?=[A-Za-z0-9_\\&-])"
)


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
    """The text without escapes and without markup within words; None where it has none."""
    if not any(map(text.__contains__, _SIGNS)):
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
    if escape[0] != "&":
        return ""
    from html import unescape  # hardly a page has an entity

    said = unescape(escape)
    return "" if said in NO_WIDTH else said
