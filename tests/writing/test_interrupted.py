"""A write that is interrupted between two of its steps, and ref locks of which nobody says whose they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import Desk, desk
from writing.faults import WRITES, goes_on, state
from writing.states import left_open

from wbmem_git.store.intent import Intent, IntentFile
from wbmem_git.verbs.commit import recover, working_files

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


@pytest.mark.parametrize("what", ["card", "archive"])
@pytest.mark.parametrize("name", ["move", "_link"])
def test_an_interrupt_just_behind_a_file_takes_it_back(
    tmp_path: Path, what: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = desk(tmp_path)
    put: Callable[[Path, Path], None] = getattr(working_files, name)
    times: list[int] = []

    def interrupted(waiting: Path, target: Path) -> None:
        put(waiting, target)
        times.append(1)
        if len(times) == 1:
            raise KeyboardInterrupt

    before = state(it)
    monkeypatch.setattr(working_files, name, interrupted)
    if (what, name) == ("card", "_link"):
        assert WRITES[what].do(it)  # it makes no new file
        return
    with pytest.raises(KeyboardInterrupt):
        WRITES[what].do(it)
    monkeypatch.undo()
    assert state(it) == before
    assert left_open(it.memory) == []
    goes_on(it, WRITES[what])


@pytest.mark.parametrize("is_deleting", [True, False])
def test_an_empty_lock_of_a_ref_is_kept_while_somebody_deletes_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_deleting: bool
) -> None:
    it = desk(tmp_path)
    monkeypatch.setattr(recover, "SETTLED_S", 0.01)
    locks = _left_by_a_killed_one(it)
    packed = it.memory.top / ".git/packed-refs.lock"
    if is_deleting:
        packed.touch()
    with it.workspace.open() as repository:
        assert recover.recover(repository)
    assert [lock.exists() for lock in locks] == [is_deleting] * 2


def _left_by_a_killed_one(it: Desk) -> list[Path]:
    git_dir = it.memory.top / ".git"
    locks = [git_dir / "HEAD.lock", git_dir / "refs/heads/main.lock"]
    refs = tuple(map(str, locks))
    intent = Intent("wbmem 1 x\n", f"{git_dir}/index", "", refs, it.memory.head(), "1" * 40, ())
    IntentFile(str(git_dir)).note(intent)
    for lock in locks:
        lock.touch()
    return locks
