"""How texts are compared: neither case nor full width makes a difference; stored text is never changed.

It stands apart from `text.terms`, whose patterns take 30 ms to compile: to look up a tag nobody needs them.
"""

from __future__ import annotations

from unicodedata import is_normalized, normalize

LAST_CHARACTER = "\U0010ffff"
"""What begins with a text stands between it and it with this behind."""


def fold(text: str) -> str:
    """The text as it is compared: full width and case make no difference."""
    if text.isascii():
        return text.lower()
    return narrow(text).casefold()


def narrow(text: str) -> str:
    """The text with each character in its ordinary width (NFKC)."""
    return text if text.isascii() or is_normalized("NFKC", text) else normalize("NFKC", text)
