"""Many writers at once, and a person with git beside them: all that anybody was told is done is there."""

from __future__ import annotations

from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from desk import Desk, desk
from writing.faults import behind_a_foreign_hook
from writing.states import is_clean, is_sound, left_open, taken_out, written
from writing.writers import Told, agent, command, person

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from pathlib import Path

WRITERS = 4


def at_once(folder: Path, works: dict[str, Callable[[Told], None]]) -> list[str]:
    """Do each of the works in a process of its own, all at once; what they were told is done."""
    tolds = {who: Told(folder / who) for who in works}
    children = [in_child(partial(work, tolds[who])) for who, work in works.items()]
    assert [exits_well(child) for child in children] == [True] * len(children)
    return [token for told in tolds.values() for token in told.all()]


def holds_all(it: Desk, told: list[str]) -> None:
    """Whatever was told is done is in HEAD once, and nothing else; nobody left anything behind."""
    assert written(it.memory) == Counter(told)
    assert taken_out(it.memory) == []
    assert is_clean(it.memory) == ""
    assert left_open(it.memory) == []
    assert is_sound(it.memory) == ""


@pytest.mark.parametrize("writes", [20, pytest.param(100, marks=pytest.mark.slow)])
def test_every_write_of_four_writers_and_a_person_is_in_head(tmp_path: Path, writes: int) -> None:
    it = desk(tmp_path)
    works = _works(it.memory.top, writes, agent, pause_s=0.05)
    told = at_once(tmp_path, works)
    assert len(told) == (WRITERS + 1) * writes
    holds_all(it, told)


@pytest.mark.parametrize("writes", [5, pytest.param(100, marks=pytest.mark.slow)])
def test_every_write_behind_a_hook_of_somebody_elses_is_in_head(tmp_path: Path, writes: int) -> None:
    it = behind_a_foreign_hook(desk(tmp_path))
    told = at_once(tmp_path, _works(it.memory.top, writes, agent, pause_s=0.05))
    assert len(told) == (WRITERS + 1) * writes
    holds_all(it, told)


@pytest.mark.parametrize("writes", [3, pytest.param(100, marks=pytest.mark.slow)])
def test_every_command_of_four_shells_and_a_person_behind_hooks_is_in_head(
    tmp_path: Path, writes: int
) -> None:
    it = desk(tmp_path, "hooks")
    told = at_once(tmp_path, _works(it.memory.top, writes, command, pause_s=0.3))
    assert len(told) == (WRITERS + 1) * writes
    holds_all(it, told)
    assert it.verdict() == []


@pytest.mark.parametrize("writes", [4, pytest.param(100, marks=pytest.mark.slow)])
def test_every_write_leaves_what_a_person_has_staged_and_typed(tmp_path: Path, writes: int) -> None:
    it = desk(tmp_path)
    it.edit("mine\n", "mine, staged\n")
    it.memory.git("add", "PLAN.md")
    it.edit("mine, staged\n", "mine, staged and typed\n")
    works = _works(it.memory.top, writes, agent, pause_s=0)
    del works["person"]
    told = at_once(tmp_path, works)
    assert written(it.memory) == Counter(told)
    assert len(told) == WRITERS * writes
    assert b"staged" not in it.head()
    assert it.staged_text() == it.head().replace(b"mine\n", b"mine, staged\n")
    assert it.file() == it.head().replace(b"mine\n", b"mine, staged and typed\n")
    assert is_sound(it.memory) == ""


def _works(
    top: Path, writes: int, how: Callable[[Path, Told, str, Iterable[int]], None], pause_s: float
) -> dict[str, Callable[[Told], None]]:
    """Four that write that way, and a person."""

    def writer(who: str) -> Callable[[Told], None]:
        return lambda told: how(top, told, who, range(writes))

    works = {who: writer(who) for who in (f"agent{number}" for number in range(WRITERS))}
    works["person"] = lambda told: person(top, told, "person", range(writes), pause_s)
    return works
