"""Merge bases, told from the commits of a walk: git needs a process for each."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

MOST: Final = 5000
"""How many commits are looked at for one merge; git itself is quicker where there are more."""
ONE, OTHER, BOTH, PASSED = 1, 2, 3, 4


class Bases:
    """Answers for the merges of one walk."""

    def __init__(self, commits: Mapping[str, Sequence[str]]) -> None:
        """Nothing is asked yet.

        Args:
            commits: Commit → parents, parents before children.
        """
        self._commits = commits
        self._places = {oid: place for place, oid in enumerate(commits)}

    def of(self, parents: Sequence[str]) -> str:
        """The one best common ancestor of a merge's two parents; "" where only git can tell.

        From both sides back, the youngest first: what both have, and nothing that both have comes after.
        """
        if len(parents) != 2 or any(parent not in self._places for parent in parents):
            return ""
        marks = {parents[0]: ONE}
        marks[parents[1]] = marks.get(parents[1], 0) | OTHER
        waiting: list[tuple[int, str]] = []
        for oid in marks:
            heappush(waiting, (-self._places[oid], oid))
        found: list[str] = []
        for _ in range(MOST):
            if all(marks[oid] & PASSED for _, oid in waiting):
                return found[0] if len(found) == 1 else ""
            _, oid = heappop(waiting)
            if marks[oid] == BOTH:
                found.append(oid)
            if marks[oid] >= BOTH:
                marks[oid] |= PASSED
            for parent in self._commits[oid]:
                if parent not in self._places:
                    return ""
                if parent not in marks:
                    heappush(waiting, (-self._places[parent], parent))
                marks[parent] = marks.get(parent, 0) | marks[oid]
        return ""
