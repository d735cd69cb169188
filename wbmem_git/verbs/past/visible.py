"""Which rows of the past a merge hides: history simplification, as `git log -- PATH` does it, for each id.

    A──B──C──M      A created the card x, B and D edited it. M has it as C has it: for x, M is TREESAME to C,
     ╲      ╱       and history goes on along C. What D did to x didn't come about: M hides the row (x, D),
      D────╯        and `versions` doesn't tell it.

Where a card or page is after a merge what it is in no parent, each parent's past counts. Where it is the same
in several, history follows the first of them.

A row has room for one merge that hides it: it is hidden at every commit that this merge lies behind. So what
is hidden at an older commit is known without being kept for each. Not any more where a row comes back, or
where two merges hid it, each on a side of its own: that is a tangle.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.revisions import hidden_behind, hidden_of, hide, is_on_chain, parents_of, revised_in
from wbmem_git.verbs.past.ancestry import behind, left_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from collections.abc import Set as AbstractSet

    from wbmem_git.store.connection import Connection

    Hidden = Mapping[int, int]
    """The hidden rows of an id, each by its commit → the merge that hides it."""
    State = Mapping[str, Hidden]
    """Id → what is hidden of it at a commit; only ids of which that isn't what the sidecar had before."""


class Side(NamedTuple):
    """An id, as one parent of a merge has it.

    Attributes:
        hidden: What is hidden of it there.
        lacks: Its rows that don't lie behind that parent, but behind another one.
        is_same: Whether the id is after the merge what it is there: TREESAME.
    """

    hidden: Hidden
    lacks: AbstractSet[int]
    is_same: bool


class Visible:
    """What is hidden at each commit of a stretch of history.

    Attributes:
        is_certain: False where something depends on an older commit at which what is hidden can't be told any
            more, because of a tangle: history has to be read from its beginning.
        tangled: The last merge that made one; 0 for none.
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
        self._before: dict[str, Hidden] = {}
        self._at: dict[int, State] = {}
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

    def merge(self, seq: int, parents: tuple[int, ...], differing: Sequence[AbstractSet[str]]) -> None:
        """A merge.

        Args:
            seq: Its seq.
            parents: Theirs, the first parent's first.
            differing: The ids that differ from each parent.
        """
        self._parents[seq] = parents
        states = [self._state(parent) for parent in parents]
        lacking = left_out(parents, self._above)
        rows: dict[str, set[int]] = {}
        for name, row in revised_in(self._db, sorted(frozenset[int]().union(*lacking))):
            rows.setdefault(name, set()).add(row)
        after = dict(states[0])
        for name in sorted(rows.keys() | _unlike(states)):
            own = rows.get(name, set())
            sides = [
                Side(self._hidden(state, name), own & lacks, name not in ids)
                for state, lacks, ids in zip(states, lacking, differing, strict=True)
            ]
            found = _after(seq, sides)
            if _is_tangle(sides, found):
                self.tangled = seq
            if found != self._hidden_before(name):
                after[name] = found
            else:
                after.pop(name, None)
        self._at[seq] = after
        self._is_moved = True
        self._leave(parents)

    def settle(self, head: int) -> None:
        """Write down what is hidden at the last commit, where that isn't what was."""
        changes = []
        for name, new in self._at.get(head, {}).items():
            old = self._hidden_before(name)
            rows = old.keys() | new.keys()
            changes += [(new.get(row, 0), name, row) for row in rows if old.get(row) != new.get(row)]
        hide(self._db, changes)

    def _leave(self, parents: Iterable[int]) -> None:
        """A commit more that goes back to these; what is hidden at one is kept until the last one has."""
        for parent in set(parents) & self._children.keys():
            self._children[parent] -= 1
            if not self._children[parent]:
                self._at.pop(parent, None)

    # --- what is known ------------------------------------------------------------------------------

    def _hidden(self, state: State, name: str) -> Hidden:
        """What is hidden of an id."""
        found = state.get(name)
        return self._hidden_before(name) if found is None else found

    def _hidden_before(self, name: str) -> Hidden:
        """The same at the last commit that the sidecar had before."""
        if not self._known:
            return {}
        if name not in self._before:
            self._before[name] = hidden_of(self._db, name)
        return self._before[name]

    def _state(self, seq: int) -> State:
        """What is hidden at a commit."""
        if seq in self._at:
            return self._at[seq]
        one, path = seq, []
        while one > self._known and one not in self._at and self._parents[one]:
            path.append(one)
            one = self._parents[one][0]
        found = self._at.get(one)
        if found is None:
            found = self._state_before(one) if one <= self._known else {}
        for each in (one, *path):
            self._at[each] = found
        return found

    def _state_before(self, seq: int) -> State:
        """At a commit that the sidecar had before: what merges hide that don't lie behind it isn't hidden."""
        if seq == self._known:
            return {}
        if self._was_tangled:
            self.is_certain = False
        chain, further = behind(seq, self._above, lambda one: is_on_chain(self._db, one))
        found: dict[str, dict[int, int]] = {}
        for name, row, by in hidden_behind(self._db, chain):
            if by not in further:
                found.setdefault(name, dict(self._hidden_before(name))).pop(row)
        return found

    def _above(self, seq: int) -> tuple[int, ...]:
        if seq not in self._parents:
            self._parents[seq] = parents_of(self._db, seq)
        return self._parents[seq]


def _unlike(states: Sequence[State]) -> set[str]:
    """The ids of which not the same may be hidden at each parent; merges hand on what they leave as it is."""
    first, found = states[0], set()
    for state in states[1:]:
        if state is not first:
            found |= {name for name, hidden in state.items() if first.get(name) is not hidden}
            found |= {name for name in first if name not in state}
    return found


def _after(seq: int, sides: Sequence[Side]) -> Hidden:
    """What is hidden of an id after a merge."""
    hidden = {row: by for side in reversed(sides) for row, by in side.hidden.items()}
    same = next((side for side in sides if side.is_same), None)
    if same is not None:
        return {row: hidden.get(row, seq) for row in same.lacks} | dict(same.hidden)
    return {
        row: by
        for row, by in hidden.items()
        if all(row in side.hidden or row in side.lacks for side in sides)
    }


def _is_tangle(sides: Sequence[Side], found: Hidden) -> bool:
    """Whether a row comes back that was hidden, or is hidden by two merges."""
    return any(found.get(row) != by for side in sides for row, by in side.hidden.items())
