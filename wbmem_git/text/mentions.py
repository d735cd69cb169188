"""Who names whom: ids and titles in running text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

SHORTEST = 8
"""How many hex digits of an id name it, where no other id begins so."""
_ID = re.compile(rf"(?<![A-Za-z0-9_])mem_[0-9a-f]{{{SHORTEST},32}}(?![A-Za-z0-9_])")
_CJK = "\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_WORD = re.compile(rf"[{_CJK}]|[^\W_{_CJK}]+")


class Mention(NamedTuple):
    """An id in a text, whole or its beginning, and how many lines below the text's first it stands."""

    id: str
    below: int


def ids_in(text: str) -> Iterator[Mention]:
    """Every id that a text names, in order: in prose, in links (`PLAN.md#mem_…`), in metadata, in anchors."""
    if "mem_" not in text:
        return
    below = counted = 0
    for found in _ID.finditer(text):
        below += text.count("\n", counted, found.start())
        counted = found.start()
        yield Mention(found[0], below)


def words_of(text: str, fold: Callable[[str], str]) -> list[str]:
    """A text as titles are compared: folded words without what stands between; a CJK character is a word."""
    return _WORD.findall(fold(text))


class Titles:
    """Titles that are looked for all at once, as whole words, whatever stands between these.

    A text is read once, however many titles there are.
    """

    def __init__(self, titles: Iterable[str], fold: Callable[[str], str]) -> None:
        self._fold = fold
        self._titles: dict[tuple[str, ...], list[str]] = {}
        lengths: dict[str, set[int]] = {}
        for title in dict.fromkeys(titles):
            words = tuple(words_of(title, fold))
            if words:
                self._titles.setdefault(words, []).append(title)
                lengths.setdefault(words[0], set()).add(len(words))
        self._lengths: Mapping[str, tuple[int, ...]] = {word: tuple(found) for word, found in lengths.items()}

    def named_in(self, text: str) -> set[str]:
        """Those that the text names."""
        words = words_of(text, self._fold)
        found: set[str] = set()
        for start, word in enumerate(words):
            for length in self._lengths.get(word, ()):
                titles = self._titles.get(tuple(words[start : start + length]))
                if titles is not None:
                    found.update(titles)
        return found
