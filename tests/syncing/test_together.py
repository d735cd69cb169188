"""Several processes in two clones at once: each writes or syncs, and all that was acknowledged is there."""

from __future__ import annotations

import os
from datetime import date
from typing import TYPE_CHECKING

from children import exits_well, in_child
from syncing.clones import NOW, Pair

from wbmem_git.verbs.sync.sync import AlwaysSlower
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from syncing.clones import Clone


CARDS, SYNCS = 6, 4


def test_writers_and_syncs_at_once_lose_nothing(tmp_path: Path) -> None:
    pair = Pair.of(tmp_path)
    clones = {"ada": pair.ada, "bo": pair.bo}
    working = [in_child(_writing(it, name)) for name, it in clones.items()]
    working += [in_child(_syncing(it)) for it in (pair.ada, pair.ada, pair.bo)]
    assert [exits_well(child) for child in working] == [True] * len(working)
    for it in (pair.ada, pair.bo, pair.ada):
        it.sync()
    for it in clones.values():
        titles = {line for line in it.memory.read("PLAN.md").split("\n") if line.startswith("### Card ")}
        assert titles == {f"### Card {n} of {name}" for n in range(CARDS) for name in clones}
        assert it.clean()
        it.memory.git("fsck", "--strict")
    assert pair.ada.memory.head() == pair.bo.memory.head() == pair.tip()


def _writing(it: Clone, name: str) -> Callable[[], None]:
    def work() -> None:
        for number in range(CARDS):
            title = f"Card {number} of {name}"
            assert _own(it).new_card(title, today=date(2026, 9, 14), commit=True).commit

    return work


def _syncing(it: Clone) -> Callable[[], None]:
    def work() -> None:
        for _ in range(SYNCS):
            try:
                _own(it).sync(now=NOW)
            except AlwaysSlower:
                continue

    return work


def _own(it: Clone) -> Workspace:
    return Workspace(it.memory.top, dict(os.environ))
