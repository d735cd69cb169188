"""What merges hide: the same whether history comes at once or in parts; the price follows what is new."""

from __future__ import annotations

import tracemalloc
from random import Random
from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.revisions import (
    CommitRow,
    RevisionRow,
    add_commits,
    add_revisions,
    hidden_behind,
    truncate,
)
from wbmem_git.store.sidecar import memory
from wbmem_git.verbs.past.visible import Visible

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Sequence

IDS = ("a", "b", "c")


def oid(seq: int) -> str:
    return f"{seq:040x}"


class History:
    """Commits in the sidecar's order.

    Attributes:
        parents: Of the commit numbered 1, of the one numbered 2 …
        differing: The ids that differ from each parent, of the same.
    """

    def __init__(self, parents: Sequence[tuple[int, ...]], differing: Sequence[Sequence[set[str]]]) -> None:
        self.parents = parents
        self.differing = differing
        self.chain = set()
        seq = len(parents)
        while seq:
            self.chain.add(seq)
            seq = parents[seq - 1][0] if parents[seq - 1] else 0

    def append(self, db: sqlite3.Connection, first: int, last: int, *, tangled: int, told: bool) -> Visible:
        visible = Visible(db, first - 1, tangled)
        coming = range(first, last + 1)
        if told:
            visible.expect({oid(seq): tuple(map(oid, self.parents[seq - 1])) for seq in coming})
        for seq in coming:
            parents = self.parents[seq - 1]
            differing = [frozenset(ids) for ids in self.differing[seq - 1]]
            above = " ".join(map(str, parents))
            row = CommitRow(seq, oid(seq), above, int(seq in self.chain), seq, "", "human", "")
            add_commits(db, [row])
            own = frozenset.intersection(*differing) if parents else frozenset(IDS)
            add_revisions(db, [RevisionRow(name, seq, "edited", "", "") for name in sorted(own)])
            if len(parents) > 1:
                visible.merge(seq, parents, differing)
            else:
                visible.follow(seq, parents)
        if visible.is_certain:
            visible.settle(last)
        return visible


def drawn(chance: Random) -> History:
    """A history with branches and merges; it is numbered as the sidecar numbers it."""
    above: list[tuple[int, ...]] = [()]
    states = [dict.fromkeys(IDS, 0)]
    tips = [0]
    for number in range(1, 30):
        place = chance.randrange(len(tips))
        state = dict(states[tips[place]])
        if len(tips) > 1 and chance.random() < 0.4:
            other = tips[place - 1]
            for name in IDS:
                state[name] = chance.choice((state[name], states[other][name]))
            parents: tuple[int, ...] = (tips[place], other)
            third = tips[place - 2]
            if chance.random() < 0.3 and third not in parents:  # an octopus
                parents = (*parents, third)
                for name in IDS:
                    state[name] = chance.choice((state[name], state[name], states[third][name]))
        else:
            parents = (tips[place],)
            state[chance.choice(IDS)] = number
            if len(tips) < 3 and chance.random() < 0.4:
                tips.append(tips[place])
        above.append(parents)
        states.append(state)
        tips[place] = number
    order: dict[int, int] = {}

    def put(commit: int) -> None:
        if commit not in order:
            for parent in above[commit]:
                put(parent)
            order[commit] = len(order) + 1

    put(tips[0])
    return History(
        [tuple(order[parent] for parent in above[commit]) for commit in order],
        [
            [
                {name for name in IDS if states[commit][name] != states[parent][name]}
                for parent in above[commit]
            ]
            for commit in order
        ],
    )


@pytest.mark.parametrize("seed", range(60))
def test_random_histories_hide_the_same_in_parts_and_at_once(seed: int) -> None:
    chance = Random(seed)
    history = drawn(chance)
    last = len(history.parents)
    whole = memory()
    history.append(whole, 1, last, tangled=0, told=False)
    expected = set(hidden_behind(whole, 0))
    told = memory()
    history.append(told, 1, last, tangled=0, told=True)
    assert set(hidden_behind(told, 0)) == expected
    parts = memory()
    middle = chance.choice(sorted(history.chain))
    first = history.append(parts, 1, middle, tangled=0, told=True)
    if middle < last:
        second = history.append(parts, middle + 1, last, tangled=first.tangled, told=True)
        assert not second.is_certain or set(hidden_behind(parts, 0)) == expected


def with_merges(number: int) -> History:
    """A chain that merges a commit each time, and takes its own side."""
    parents: list[tuple[int, ...]] = [()]
    differing: list[list[set[str]]] = [[]]
    for _ in range(number):
        last = len(parents)
        parents += [(last,), (last,), (last + 1, last + 2)]
        theirs = {f"theirs {last}"}
        differing += [[{"ours"}], [theirs], [set(), theirs]]
    return History(parents, differing)


def test_what_merges_cost_grows_with_their_number_and_not_with_its_square() -> None:
    history, db = with_merges(600), memory()
    tracemalloc.start()
    try:
        history.append(db, 1, len(history.parents), tangled=0, told=True)
        _, peak_bytes = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak_bytes < 6_000_000  # 46 MB where each merge keeps all that is hidden


def one_more_merge(number: int) -> tuple[int, int]:
    """What a further merge costs behind so many: (questions asked of the sidecar, steps these took there)."""
    history, db = with_merges(number), memory()
    last = len(history.parents)
    history.append(db, 1, last, tangled=0, told=True)
    assert len(hidden_behind(db, 0)) == number
    parents = [*history.parents, (last,), (last - 3,), (last + 1, last + 2)]
    longer = History(parents, [*history.differing, [{"x"}], [{"y"}], [set(), {"y"}]])
    asked: list[str] = []
    steps: list[None] = []
    db.set_trace_callback(asked.append)
    db.set_progress_handler(lambda: steps.append(None), 1)
    visible = longer.append(db, last + 1, last + 3, tangled=0, told=True)
    assert visible.is_certain
    db.set_progress_handler(None, 0)
    truncate(db, last)
    return len(asked), len(steps)


def test_a_merge_onto_a_long_history_does_not_walk_through_it() -> None:
    assert one_more_merge(10) == one_more_merge(300)
