"""Which rows of the past a merge hides: as `git log` does, history follows the parent that is the same.

Where a card or page is after a merge what it is in one parent, what others did to it didn't come about, and
`versions` doesn't tell it. Where it differs from every parent, each parent's past counts.
"""

from __future__ import annotations

import heapq
from collections import Counter
from typing import TYPE_CHECKING

from wbmem_git.store.revisions import hidden_rows, hide, is_on_chain, parents_of, revised_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wbmem_git.store.connection import Connection

    Hidden = Mapping[str, Mapping[int, int]]
    """Id → seq of a row → the merge that hides it."""


class Visible:
    """What is hidden at each commit of a stretch of history.

    Attributes:
        is_certain: False where something depends on an older commit at which what is hidden can't be told any
            more, because of a tangle: history has to be read from its beginning.
        tangled: The last merge from which on what is hidden can't be told by one number a row: a row that
            one merge hid another one brought back, or two hid apart. 0 for none.
    """

    def __init__(self, db: Connection, known: int, tangled: int = 0) -> None:
        """Nothing is looked up before there is a merge.

        Args:
            db: The sidecar; rows of commits before a merge have to be in it when `merge` is called.
            known: The seq of the last commit that it had before.
            tangled: As an earlier run left it.
        """
        self._db = db
        self._known = known
        self.tangled = self._was_tangled = tangled
        self.is_certain = True
        self._flags: Hidden | None = None
        self._at: dict[int, Hidden] = {}
        self._same: dict[frozenset[int], Hidden] = {}
        self._parents: dict[int, tuple[int, ...]] = {}
        self._children: Counter[int] = Counter()
        self._is_moved = False

    def expect(self, commits: Mapping[str, Sequence[str]]) -> None:
        """Which commits will come, so that nothing is kept of those that no further one goes back to.

        Args:
            commits: Commit → its parents, in order.
        """
        named = Counter(parent for parents in commits.values() for parent in set(parents))
        self._children = Counter(
            {seq: named[oid] for seq, oid in enumerate(commits, self._known + 1) if oid in named}
        )

    def follow(self, seq: int, parents: tuple[int, ...]) -> None:
        """A commit that is no merge."""
        self._parents[seq] = parents
        if self._is_moved and parents and parents[0] in self._at:
            self._at[seq] = self._at[parents[0]]
        self._leave(parents)

    def merge(self, seq: int, parents: tuple[int, ...], differing: Sequence[frozenset[str]]) -> None:
        """A merge.

        Args:
            seq: Its seq.
            parents: Theirs, the first parent's first.
            differing: The ids that differ from each parent.
        """
        self._parents[seq] = parents
        reach = self._reach(parents)
        sides = [self._hidden(parent) for parent in parents]
        rows: dict[str, dict[int, int]] = {}
        for name, row in revised_in(self._db, sorted(reach)):
            rows.setdefault(name, {})[row] = reach[row]
        after = dict(sides[0])
        for name in sorted(rows.keys() | _differing(sides)):
            own = [side.get(name, {}) for side in sides]
            found = _after(seq, own, rows.get(name, {}), [name not in ids for ids in differing])
            if _is_tangle(own, rows.get(name, {}), found, parents[0]):
                self.tangled = seq
            if not found:
                after.pop(name, None)
            elif found != own[0]:
                after[name] = found
        self._at[seq] = after
        self._is_moved = True
        self._leave(parents)

    def settle(self, head: int) -> None:
        """Write down what is hidden at the last commit."""
        if head not in self._at:
            return
        old = {(name, row): by for name, rows in self._known_flags().items() for row, by in rows.items()}
        new = {(name, row): by for name, rows in self._at[head].items() for row, by in rows.items()}
        hide(
            self._db,
            [(new.get(key, 0), *key) for key in old.keys() | new.keys() if old.get(key) != new.get(key)],
        )

    def _leave(self, parents: Iterable[int]) -> None:
        """A commit more that goes back to these; what is hidden at one is kept until the last one has."""
        for parent in set(parents) & self._children.keys():
            self._children[parent] -= 1
            if not self._children[parent]:
                self._at.pop(parent, None)

    # --- what is known ------------------------------------------------------------------------------

    def _known_flags(self) -> Hidden:
        if self._flags is None:
            found: dict[str, dict[int, int]] = {}
            for name, row, by in hidden_rows(self._db):
                found.setdefault(name, {})[row] = by
            self._flags = found
        return self._flags

    def _hidden(self, seq: int) -> Hidden:
        """What is hidden at a commit."""
        if seq in self._at:
            return self._at[seq]
        behind = seq
        path = []
        while behind > self._known and behind not in self._at and self._parents[behind]:
            path.append(behind)
            behind = self._parents[behind][0]
        found = self._at.get(behind)
        if found is None:
            found = self._at_known(behind) if behind <= self._known else {}
        for one in (behind, *path):
            self._at[one] = found
        return found

    def _at_known(self, seq: int) -> Hidden:
        """At a commit that the sidecar had before: what merges hide that lie behind it."""
        flags = self._known_flags()
        if seq != self._known and self._was_tangled:
            self.is_certain = False
        merges = {by for rows in flags.values() for by in rows.values()}
        if seq == self._known or not merges:
            return flags
        behind = frozenset(self._behind(seq, merges))
        if behind not in self._same:
            found = {name: _by(rows, behind) for name, rows in flags.items()}
            self._same[behind] = {name: rows for name, rows in found.items() if rows}
        return self._same[behind]

    def _behind(self, seq: int, merges: set[int]) -> set[int]:
        """Those of some merges that lie behind a commit that the sidecar had before, or are it.

        All commits before one of the chain lie behind it, by the order they are in.
        """
        chain, found = 0, {seq}
        waiting = [seq]
        while waiting:
            one = waiting.pop()
            if is_on_chain(self._db, one):
                chain = max(chain, one)
            elif one > chain:
                above = set(self._above(one)) - found
                found |= above
                waiting += above
        return {by for by in merges if by <= chain or by in found}

    def _above(self, seq: int) -> tuple[int, ...]:
        if seq not in self._parents:
            self._parents[seq] = parents_of(self._db, seq)
        return self._parents[seq]

    def _reach(self, parents: Sequence[int]) -> dict[int, int]:
        """Commit → which parents it lies behind, as bits; those that lie behind all of them left out."""
        full = (1 << len(parents)) - 1
        marks: dict[int, int] = {}
        for place, seq in enumerate(parents):
            marks[seq] = marks.get(seq, 0) | 1 << place
        waiting = [-seq for seq in marks]
        heapq.heapify(waiting)
        open_ = sum(mark != full for mark in marks.values())
        found = {}
        while open_:
            seq = -heapq.heappop(waiting)
            mark = marks.pop(seq)
            if mark != full:
                open_ -= 1
                found[seq] = mark
            for above in self._above(seq):
                before = marks.get(above)
                if before is None:
                    heapq.heappush(waiting, -above)
                    open_ += mark != full
                elif before != full and before | mark == full:
                    open_ -= 1
                marks[above] = (before or 0) | mark
        return found


def _differing(sides: Sequence[Hidden]) -> set[str]:
    """The ids of which not the same is hidden at each parent; merges hand on what they leave as it is."""
    first, found = sides[0], set()
    for side in sides[1:]:
        if side is not first:
            found |= {name for name, rows in side.items() if first.get(name) is not rows}
            found |= {name for name in first if name not in side}
    return found


def _by(rows: Mapping[int, int], merges: frozenset[int]) -> Mapping[int, int]:
    """Those that one of these merges hides; the same value where that is all of them."""
    if merges.issuperset(rows.values()):
        return rows
    return {row: by for row, by in rows.items() if by in merges}


def _after(
    seq: int, own: Sequence[Mapping[int, int]], rows: Mapping[int, int], same: Sequence[bool]
) -> dict[int, int]:
    """Row → the merge that hides it, of one id after a merge.

    Args:
        seq: The merge's.
        own: The same at each parent.
        rows: Its rows that don't lie behind every parent → behind which, as bits.
        same: Whether the id is what it is in each parent.
    """
    hidden = {row: by for side in reversed(own) for row, by in side.items()}
    if True in same:
        chosen = same.index(True)
        lost = (row for row, mark in rows.items() if not mark >> chosen & 1)
        return {row: hidden.get(row, seq) for row in lost} | dict(own[chosen])
    full = (1 << len(own)) - 1
    return {
        row: by
        for row, by in hidden.items()
        if all(row in side for place, side in enumerate(own) if rows.get(row, full) >> place & 1)
    }


def _is_tangle(
    own: Sequence[Mapping[int, int]], rows: Mapping[int, int], found: Mapping[int, int], first: int
) -> bool:
    """Whether a row comes back, is hidden by two merges, or by an old one that a parent doesn't go by.

    Args:
        own: As in `_after`.
        rows: As there.
        found: What that says.
        first: The first parent.
    """
    if any(row not in found or found[row] != by for side in own for row, by in side.items()):
        return True
    full = (1 << len(own)) - 1
    return any(
        by <= first and row not in side
        for row, by in found.items()
        for place, side in enumerate(own)
        if rows.get(row, full) >> place & 1
    )
