"""Globs, matched in time that grows with pattern and text alone.

Patterns come from `wbmem.yaml`, which a clone brings along. A regular expression tries every way to share a
text out among the stars, and a few stars make that as good as endless. Here every place in the pattern that
can be reached moves along the text at once (Thompson's simulation): one bit a place.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

_PART = r"\*\*/|\*\*|\*|\?|\[!?[^]/]+\]|(?s:.)"


def path_matches(glob: str, path: str) -> bool:
    """Whether a glob names that path, read as git reads one.

    `*`, `?` and `[…]` stay within a folder, `**` crosses folders, `**/` is any folders or none.
    """
    return _compiled(glob).matches(path)


class _Part(NamedTuple):
    """A piece of a glob.

    Attributes:
        ranges: From which character to which; a single one is a range too.
        others: Whether it takes the characters that aren't in them, instead of those that are.
        crosses: Whether it takes `/`, if it would by these two.
        star: Whether it takes any number of characters, or one.
        leads: How many parts on one may go at once, taking none.
    """

    ranges: tuple[tuple[str, str], ...] = ()
    others: bool = False
    crosses: bool = False
    star: bool = False
    leads: tuple[int, ...] = ()

    def takes(self, char: str) -> bool:
        """Whether it takes a character."""
        listed = any(low <= char <= high for low, high in self.ranges)
        return listed != self.others and (char != "/" or self.crosses)


_ANYTHING = _Part(others=True, crosses=True, star=True, leads=(1,))
_SPECIAL = {
    "?": (_Part(others=True),),
    "*": (_Part(others=True, star=True, leads=(1,)),),
    "**": (_ANYTHING,),
    "**/": (_Part(leads=(1, 3)), _ANYTHING, _Part((("/", "/"),), crosses=True)),
}


def _parts(glob: str) -> list[_Part]:
    parts: list[_Part] = []
    for text in re.findall(_PART, glob):
        if text in _SPECIAL:
            parts += _SPECIAL[text]
        elif len(text) > 1 and (chosen := _class(text[1:-1])) is not None:
            parts.append(chosen)
        else:
            parts += [_Part(((char, char),), crosses=True) for char in text]
    return parts


def _class(inside: str) -> _Part | None:
    """What stands in `[…]`; None where a range in it runs backwards: then it is plain text."""
    written = re.findall(r"(?s:.-.|.)", inside.removeprefix("!"))
    ranges = tuple((text[0], text[-1]) for text in written)
    return _Part(ranges, others=inside.startswith("!")) if all(low <= high for low, high in ranges) else None


class _Glob:
    """A glob to match paths with; of the places between its parts, bit n is the one behind the first n."""

    def __init__(self, glob: str) -> None:
        self._parts = _parts(glob)
        self._leads = [(step, _bits(step in part.leads for part in self._parts)) for step in (1, 3)]
        self._moves: dict[str, tuple[int, int]] = {}

    def matches(self, path: str) -> bool:
        """Whether the last place can be reached with all of the path."""
        reached = self._led_on(1)
        for char in path:
            on, stay = self._moves.get(char) or self._moves_of(char)
            reached = self._led_on((reached & on) << 1 | (reached & stay))
            if not reached:
                return False
        return bool(reached >> len(self._parts))

    def _moves_of(self, char: str) -> tuple[int, int]:
        """From which places a character leads to the next one, and at which it may be passed over."""
        on = _bits(part.takes(char) and not part.star for part in self._parts)
        stay = _bits(part.takes(char) and part.star for part in self._parts)
        self._moves[char] = on, stay
        return on, stay

    def _led_on(self, reached: int) -> int:
        """These places, and every one that they lead to with no character more."""
        new = reached
        while new:
            led = 0
            for step, places in self._leads:
                led |= (new & places) << step
            new = led & ~reached
            reached |= new
        return reached


def _bits(held: Iterable[bool]) -> int:
    return sum(1 << place for place, is_held in enumerate(held) if is_held)


_compiled = lru_cache(maxsize=256)(_Glob)
