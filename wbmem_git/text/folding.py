"""How texts are compared: neither case nor full width makes a difference; stored text is never changed.

It stands apart from `text.terms`, whose patterns take 30 ms to compile: to look up a tag nobody needs them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING
from unicodedata import is_normalized, normalize

from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal

LAST_CHARACTER = "\U0010ffff"
"""What begins with a text stands between it and it with this behind."""
_SHORT = 256
# Python sorts combining characters by insertion. None of them is `\w`; so many in a row are no letter's.
_PILE = pattern(r"[^\w\s\x00-\x7f]{32}")


def fold(text: str) -> str:
    """The text as it is compared: full width and case make no difference."""
    if text.isascii():
        return text.lower()
    return narrow(text).casefold()


def narrow(text: str) -> str:
    """The text with each character in its ordinary width (NFKC)."""
    return _normal("NFKC", text)


def composed(text: str) -> str:
    """The text with a letter and its accent as one character (NFC)."""
    return _normal("NFC", text)


def _normal(form: Literal["NFC", "NFKC"], text: str) -> str:
    if text.isascii():
        return text
    pieces = _between_piles(text) if len(text) > _SHORT and _PILE.search(text) else (text,)
    return "".join(one if is_normalized(form, one) else normalize(form, one) for one in pieces)


def _between_piles(text: str) -> Iterator[str]:
    """The text, cut where 32 characters in a row may be combining ones."""
    start = 0
    for pile in _PILE.finditer(text):
        yield text[start : pile.end()]
        start = pile.end()
    yield text[start:]
