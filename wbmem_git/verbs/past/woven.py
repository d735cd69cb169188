"""A page that a merge wove of its sides' cards, read without parsing it: piece by piece.

Two sides that each edited some cards of a large board leave a page that differs from either in many places.
Nearly all of its cards stand on a side, byte by byte. CommonMark reads a text from the top: a card that left
nothing open where it stood, and that a heading follows, is here what it was there.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Final

from wbmem_git.text.page import CARD_LEVELS
from wbmem_git.verbs.past.cuts import outside
from wbmem_git.verbs.past.readings import (
    HEADING_FOLLOWS,
    Reading,
    are_apart,
    digest_of,
    head_of,
    is_tame,
    is_text,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbmem_git.verbs.past.readings import Held, Place

MOST_HEADINGS: Final = 8
"""How many lines that look like headings a card may hold, as in a code fence."""
CARD, GAP, END = "card", "gap", "end"
_ZONE_ENDS = (b"<!-- /user -->", b"<!-- /model -->")


def read_woven(place: Place, data: bytes, versions: Sequence[Reading]) -> Reading | None:
    """The same as `read_page(place, data)`, for less; None where it isn't certain.

    Args:
        place: What the page is known by.
        data: The page.
        versions: Others of it; what stands in no card is taken from the first one.
    """
    if not all(version.cards and version.is_usual and version.is_apart for version in versions):
        return None
    gaps = outside(versions[0])
    if any(may_lend_metadata(text) for text in gaps.values()):
        return None
    return _Loom(place, data, versions).reading(gaps)


def may_lend_metadata(text: bytes) -> bool:
    """Whether a text ends with a comment that a heading behind it may take for its metadata."""
    end = text.rstrip()
    return end.endswith(b"-->") and not end.endswith(_ZONE_ENDS)


class _Loom:
    """One page, while it is read."""

    def __init__(self, place: Place, data: bytes, versions: Sequence[Reading]) -> None:
        self._data = data
        self._versions = versions
        level = CARD_LEVELS.get(place.kind, 2)
        found = re.finditer(rb"(?m)^#{1,%d}[ \t\n]" % level, data)
        self._ends = [*(match.start() for match in found), len(data)]
        self._known: dict[bytes, Held] = {}
        self._behind: dict[bytes, str] = {}
        for version in reversed(versions):
            self._learn(version)
        self._cards: list[Held] = []
        self._starts: list[int] = []
        self._sizes: list[int] = []

    def _learn(self, version: Reading) -> None:
        """What a version's cards are, by their bytes; and what follows those that aren't strict."""
        data, last = version.data, len(version.cards) - 1
        places = zip(version.starts, version.sizes, strict=True)
        texts = [data[start : start + size] for start, size in places]
        self._known.update(zip(texts, version.cards, strict=True))
        for place, held in enumerate(version.cards):
            if not held.head:
                end = version.starts[place] + version.sizes[place]
                is_next = place < last and version.starts[place + 1] == end
                self._behind[texts[place]] = CARD if is_next else GAP if end < len(data) else END

    def reading(self, gaps: dict[int, bytes]) -> Reading | None:
        """The page; None where it isn't certain.

        Args:
            gaps: What stands in no card: before which card of the first version → the text.
        """
        data, first, left = self._data, self._versions[0].cards, sorted(gaps.items(), reverse=True)
        ends, known = self._ends, self._known
        column, at, turn = "", 0, 0
        before, gap = left.pop() if left else (0, b"")
        while at < len(data):
            if gap and data.startswith(gap, at):
                at += len(gap)
                column = first[before].column if before < len(first) else ""
                if not HEADING_FOLLOWS.match(data, at) or (before == len(first) and at < len(data)):
                    return None
                before, gap = left.pop() if left else (0, b"")
                continue
            while ends[turn] <= at:
                turn += 1
            end = ends[turn]
            held = known.get(data[at:end])
            if held is None or not held.head:
                held, end = self._unusual(at, ends[turn : turn + MOST_HEADINGS], gap)
            if held is None:
                return None
            self._cards.append(held if held.column == column else held._replace(column=column))
            self._starts.append(at)
            self._sizes.append(end - at)
            at = end
        if gap or not self._cards or not are_apart(self._cards):
            return None
        return Reading(
            data,
            self._cards,
            self._starts,
            self._sizes,
            is_usual=True,
            is_apart=True,
            is_tame=is_tame(data, len(self._cards)),
        )

    def _unusual(self, at: int, ends: Sequence[int], gap: bytes) -> tuple[Held | None, int]:
        """The card that begins there, and where it ends; None where that isn't certain.

        Args:
            at: Where.
            ends: Before which headings it may end.
            gap: What stands in no card and comes next.
        """
        for end in ends:
            held = self._known.get(self._data[at:end])
            if held is not None and (held.head or self._may_stand(at, end, gap)):
                return held, end
        text = self._data[at : ends[0]]
        head = head_of(text)
        held = self._heads.get(text[:head]) if head and is_text(text) else None
        return (held._replace(digest=digest_of(text)) if held is not None else None), ends[0]

    @cached_property
    def _heads(self) -> dict[bytes, Held]:
        """The strict cards by the lines that say what card it is."""
        return {text[: held.head]: held for text, held in self._known.items() if held.head}

    def _may_stand(self, at: int, end: int, gap: bytes) -> bool:
        """Whether a card that isn't strict is what it was: it left nothing open, and lends nothing."""
        text = self._data[at:end]
        is_gap = bool(gap) and self._data.startswith(gap, end)
        behind = END if end == len(self._data) else GAP if is_gap else CARD
        return self._behind[text] in {behind, CARD} and not may_lend_metadata(text)
