"""A write that is interrupted between two of its steps, and ref locks of which nobody says whose they are."""

from __future__ import annotations

import sys
from contextlib import contextmanager, suppress
from itertools import count
from typing import TYPE_CHECKING

import pytest
from desk import Desk, desk
from writing.faults import WRITES, at, behind_a_foreign_hook, goes_on, listening, state
from writing.states import left_open

from wbmem_git.store import steps
from wbmem_git.store.intent import Intent, IntentFile
from wbmem_git.verbs.commit import recover

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FULL = WRITES["archive"]

MADE = steps.STEPS.index("moved")
MAKERS: dict[str, Callable[[Path], Desk]] = {
    "in process": desk,
    "through git": lambda folder: behind_a_foreign_hook(desk(folder)),
}


def _interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("how", MAKERS)
@pytest.mark.parametrize("name", steps.STEPS)
def test_an_interrupt_at_a_step_leaves_it_done_or_undone(tmp_path: Path, name: str, how: str) -> None:
    turns = 2 if name == "file" else 1
    for turn in range(turns):
        it = MAKERS[how](tmp_path / str(turn))
        before, is_interrupted = state(it), False
        with listening(at(name, turn, _interrupt)):
            try:
                FULL.do(it)
            except KeyboardInterrupt:
                is_interrupted = True
        is_made = not is_interrupted or steps.STEPS.index(name) >= MADE
        assert FULL.times(it) == is_made
        assert is_made or state(it) == before
        assert left_open(it.memory) == []
        goes_on(it, FULL)


NAMING = {"link", "rename", "replace", "unlink"}
"""The calls that put a file in its place, or take one away."""


@contextmanager
def interrupted_behind(number: int) -> Iterator[list[str]]:
    """Ctrl-C just behind the call of that number that names a file anew; which it was, once it came."""
    calls, hit = count(), []

    def look(_: object, event: str, called: object) -> None:
        name = getattr(called, "__name__", "")
        if event == "c_return" and name in NAMING and next(calls) == number:
            hit.append(name)
            sys.setprofile(None)
            raise KeyboardInterrupt

    sys.setprofile(look)
    try:
        yield hit
    finally:
        sys.setprofile(None)


def test_an_interrupt_just_behind_any_file_leaves_it_done_or_undone(tmp_path: Path) -> None:
    seen: set[str] = set()
    for number in count():
        it = desk(tmp_path / str(number))
        before = state(it)
        with suppress(KeyboardInterrupt), interrupted_behind(number) as hit:
            FULL.do(it)
        if not hit:
            break
        seen.update(hit)
        assert FULL.times(it) or state(it) == before, number
        assert left_open(it.memory) == []
        goes_on(it, FULL)
    assert seen >= {"link", "replace", "unlink"}


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
