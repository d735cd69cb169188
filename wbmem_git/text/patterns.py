"""Regular expressions that are compiled at their first use.

To load `re` takes a command 3 ms, to compile one of these up to half of one, and a command needs few of them.
So a module names its patterns at its head as ever, and pays when it uses one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import re

METHODS = ("findall", "finditer", "fullmatch", "match", "search", "split", "sub")


def pattern(text: str) -> re.Pattern[str]:
    """A pattern of a text; its flags stand in it (`(?i)`)."""
    return cast("re.Pattern[str]", _Late(text))


def bytes_pattern(text: bytes) -> re.Pattern[bytes]:
    """A pattern of bytes."""
    return cast("re.Pattern[bytes]", _Late(text))


class _Late:
    """Has the methods of a pattern from the moment on when one is asked for."""

    def __init__(self, text: str | bytes) -> None:
        self._text = text

    def __getattr__(self, name: str) -> object:
        if name not in METHODS:
            raise AttributeError(name)
        import re  # the milliseconds that this module saves

        compiled = re.compile(self._text)
        for method in METHODS:
            setattr(self, method, getattr(compiled, method))
        return getattr(self, name)
