"""Walks along the commits of a history, each named by a number that is higher than those of its parents."""

from __future__ import annotations

import heapq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Above = Callable[[int], Sequence[int]]
    """A commit's parents."""


def left_out(parents: Sequence[int], above: Above) -> tuple[frozenset[int], ...]:
    """For each parent of a merge the commits that another one brings: those that don't lie behind it.

    The walk ends where everything lies behind all of them. A commit lies behind itself.
    """
    full = (1 << len(parents)) - 1
    marks: dict[int, int] = {}  # commit → behind which parents it lies, a bit for each
    for place, seq in enumerate(parents):
        marks[seq] = marks.get(seq, 0) | 1 << place
    waiting = [-seq for seq in marks]
    heapq.heapify(waiting)
    unsettled = sum(mark != full for mark in marks.values())
    found: dict[int, int] = {}
    while unsettled:
        seq = -heapq.heappop(waiting)
        mark = marks.pop(seq)
        if mark != full:
            unsettled -= 1
            found[seq] = mark
        for one in above(seq):
            before = marks.get(one)
            if before is None:
                heapq.heappush(waiting, -one)
                unsettled += mark != full
            elif before != full and before | mark == full:
                unsettled -= 1
            marks[one] = (before or 0) | mark
    return tuple(
        frozenset(seq for seq, mark in found.items() if not mark >> place & 1)
        for place in range(len(parents))
    )


def behind(seq: int, above: Above, is_on_chain: Callable[[int], bool]) -> tuple[int, frozenset[int]]:
    """What lies behind a commit, itself with it.

    Args:
        seq: The commit.
        above: Tells parents.
        is_on_chain: Whether all commits with lower numbers lie behind one.

    Returns:
        A commit of that chain, with all before it; and the further ones.
    """
    chain, found = 0, {seq}
    waiting = [seq]
    while waiting:
        one = waiting.pop()
        if is_on_chain(one):
            chain = max(chain, one)
        elif one > chain:
            fresh = set(above(one)) - found
            found |= fresh
            waiting += fresh
    return chain, frozenset(found)
