"""Writers that are killed, again and again, at any moment: what they were told is done stays, and once."""

from __future__ import annotations

import os
import signal
import time
from functools import partial
from random import Random
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from desk import Desk, desk
from writing.faults import behind_a_foreign_hook
from writing.states import is_clean, is_sound, left_open, taken_out, written
from writing.writers import PATIENCE_S, Told, agent, without_end

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

AFTER_S = 0.15
"""How long a writer goes on at most after its first write: two or three writes."""


MAKERS: dict[str, Callable[[Path], Desk]] = {
    "in process": desk,
    "through git": lambda folder: behind_a_foreign_hook(desk(folder)),
}


@pytest.mark.parametrize("how", MAKERS)
@pytest.mark.parametrize("rounds", [20, pytest.param(300, marks=pytest.mark.slow)])
def test_no_write_that_was_told_is_lost_or_doubled_however_often_writers_are_killed(
    tmp_path: Path, rounds: int, how: str
) -> None:
    it, told, dice = MAKERS[how](tmp_path), Told(tmp_path / "told"), Random(rounds)
    top = it.memory.top
    for number in range(rounds):
        kill = os.kill if number % 2 else os.killpg
        _killed_at_work(partial(without_end, top, told, f"r{number}"), told, dice.uniform(0, AFTER_S), kill)
        _nothing_is_lost(it, told)
    assert exits_well(in_child(partial(agent, top, told, "last", range(4))))
    _nothing_is_lost(it, told)
    _nothing_is_left(it)


def _killed_at_work(
    work: Callable[[], None], told: Told, after_s: float, kill: Callable[[int, int], None]
) -> None:
    """Kill a writer some time after its first write: whatever lay there hasn't kept it from that one."""
    before, begun = len(told.all()), time.monotonic()

    def alone() -> None:
        os.setsid()
        work()

    child = in_child(alone)
    while len(told.all()) == before:
        assert os.waitpid(child, os.WNOHANG) == (0, 0), "the writer ended by itself"
        assert time.monotonic() < begun + PATIENCE_S, "the writer never came to write"
        time.sleep(0.002)
    time.sleep(after_s)
    kill(child, signal.SIGKILL)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL


def _nothing_is_lost(it: Desk, told: Told) -> None:
    found = written(it.memory)
    assert sorted(set(told.all()) - set(found)) == []
    assert [token for token, times in found.items() if times > 1] == []


def _nothing_is_left(it: Desk) -> None:
    """What the killed ones left is taken away by who writes next: no lock, nothing staged, nothing typed."""
    assert taken_out(it.memory) == []
    assert left_open(it.memory) == []
    assert is_clean(it.memory) == ""
    assert is_sound(it.memory) == ""
