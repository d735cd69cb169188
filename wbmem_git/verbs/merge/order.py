"""The order of what two sides have in common, and of what each has for itself."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Mapping, Sequence
    from typing import TypeVar

    Item = TypeVar("Item", bound=Hashable)


def in_order(
    base: Sequence[Item], ours: Sequence[Item], theirs: Sequence[Item], wanted: Collection[Item]
) -> list[Item]:
    """What is wanted, in ours' order; what theirs alone moved or added stands where theirs has it.

    Where both added something at one place, ours comes first. What neither has is left out.

    Args:
        base: The order before. An item stands in each of these at most once.
        ours: Our order.
        theirs: Their order.
        wanted: Which items of ours or theirs are there now.
    """
    moved = _moved(base, theirs) - _moved(base, ours)
    result = [item for item in ours if item in wanted and item not in moved]
    known, there = set(result), set(theirs)
    at = -1
    for item in theirs:
        if item in known:
            at = at + 1 if at + 1 < len(result) and result[at + 1] == item else result.index(item)
        elif item in wanted:
            at += 1
            while at < len(result) and result[at] not in there:
                at += 1
            result.insert(at, item)
            known.add(item)
    lost = [item for item in ours if item in wanted and item not in known]  # moved away by theirs
    return result + lost


def _moved(before: Sequence[Item], after: Sequence[Item]) -> set[Item]:
    """The fewest items that have to be moved to make of one order the other."""
    places = {item: number for number, item in enumerate(after)}
    common = [item for item in before if item in places]
    stayed = _longest_rise(common, places)
    return {item for item in common if item not in stayed}


def _longest_rise(items: list[Item], places: Mapping[Item, int]) -> set[Item]:
    """A longest choice of items whose places rise."""
    ends: list[int] = []
    last: list[Item] = []
    previous: dict[Item, Item | None] = {}
    for item in items:
        at = bisect_left(ends, places[item])
        previous[item] = last[at - 1] if at else None
        ends[at : at + 1], last[at : at + 1] = [places[item]], [item]
    kept: set[Item] = set()
    item_or_none = last[-1] if last else None
    while item_or_none is not None:
        kept.add(item_or_none)
        item_or_none = previous[item_or_none]
    return kept


def both(ours: Sequence[str], theirs: Sequence[str]) -> list[str]:
    """The lines of both in the order of each; what they have in common once, else ours before theirs."""
    from difflib import SequenceMatcher  # few merges have two versions of one zone

    lines: list[str] = []
    for tag, i, j, k, end in SequenceMatcher(None, ours, theirs, autojunk=False).get_opcodes():
        lines += ours[i:j] if tag == "equal" else (*ours[i:j], *theirs[k:end])
    return lines
