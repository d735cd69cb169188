"""A disk that is really full, at every page: a write is done or it is told, and then nothing was changed."""

from __future__ import annotations

import shutil
from functools import partial
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from desk import desk
from writing.disks import can_mount, empty, fill, mount
from writing.faults import WRITES, goes_on, state
from writing.states import left_open

from wbmem_git.errors import WbmemError

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk

DISK_BYTES = 4 << 20


@pytest.mark.parametrize("what", WRITES)
@pytest.mark.parametrize("stride", [2, pytest.param(1, marks=pytest.mark.slow)])
def test_a_write_on_a_full_disk_is_done_or_told(tmp_path: Path, what: str, stride: int) -> None:
    if not can_mount(tmp_path / "probe"):
        pytest.skip("this process may not mount a disk of its own")
    assert exits_well(in_child(partial(_fuller_and_fuller, tmp_path / "disk", what, stride)))


def _fuller_and_fuller(disk: Path, what: str, stride: int) -> None:
    """Leave more and more room, until the write is done."""
    mount(disk, DISK_BYTES)
    told = False
    for number, pages in enumerate(range(0, 400, stride)):
        it = desk(disk / str(number))
        before = state(it)
        fill(disk, pages)
        done = _write(it, what, before)
        empty(disk)
        if done:
            break
        told = True
        assert left_open(it.memory) == []
        goes_on(it, WRITES[what])
        shutil.rmtree(disk / str(number))
    assert told, "the disk was never full"
    assert done, "there was never room"


def _write(it: Desk, what: str, before: object) -> bool:
    try:
        made = WRITES[what].do(it)
    except WbmemError:
        assert state(it) == before
        return False
    assert made == it.memory.head()
    assert WRITES[what].times(it) == 1
    return True
