"""A writer that is killed in one worktree, and the next one in another: each worktree stays its own."""

from __future__ import annotations

import os
import shutil
import signal
from typing import TYPE_CHECKING

import pytest
from children import in_child
from desk import Desk, desk
from memory import Memory
from writing.faults import WRITES, goes_on
from writing.states import is_clean, left_open

from wbmem_git.store import steps

if TYPE_CHECKING:
    from pathlib import Path

MADE = ("moved", "index unlocked")


def _side(it: Desk, folder: Path, *options: str) -> Desk:
    """A second worktree, a commit ahead: its board isn't the first one's."""
    it.memory.git("worktree", "add", "-q", *options, str(folder))
    side = Desk.of(Memory(folder))
    side.edit("mine\n", "mine\nby the side\n")
    side.memory.git("commit", "-q", "-a", "-m", "side")
    return side


def _killed(it: Desk, name: str) -> None:
    def die(passed: str) -> None:
        if passed == name:
            os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        steps.listener = die
        WRITES["card"].do(it)

    assert os.waitstatus_to_exitcode(os.waitpid(in_child(work), 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("name", ["index locked", "files", "index", "ref locked", *MADE])
def test_what_was_killed_in_a_worktree_is_recovered_there_whoever_writes_next(
    tmp_path: Path, name: str
) -> None:
    it = desk(tmp_path)
    side = _side(it, tmp_path / "side", "-b", "side")
    before = side.memory.git("rev-parse", "HEAD")
    _killed(side, name)
    goes_on(it, WRITES["card"])
    assert (side.memory.git("rev-parse", "HEAD") != before) == (name in MADE)
    assert is_clean(side.memory) == ""
    assert left_open(it.memory) == []
    assert WRITES["card"].times(side) == (name in MADE)
    assert name in MADE or WRITES["card"].do(side)
    assert WRITES["card"].times(side) == 1


def test_a_commit_that_no_branch_has_stays_made_whoever_writes_next(tmp_path: Path) -> None:
    it = desk(tmp_path)
    side = _side(it, tmp_path / "side", "-b", "side")
    _killed(side, "moved")
    made = side.memory.git("rev-parse", "HEAD")
    (it.memory.top / ".git/worktrees/side/HEAD").write_text(f"{made}\n")  # git's own lock of the index stands
    it.memory.git("branch", "-q", "-D", "side")
    assert WRITES["card"].do(it)
    assert WRITES["card"].times(side) == 1
    assert is_clean(side.memory) == ""


def test_what_was_killed_in_the_main_worktree_is_recovered_there(tmp_path: Path) -> None:
    it = desk(tmp_path)
    side = _side(it, tmp_path / "side", "-b", "side")
    _killed(it, "index")
    assert WRITES["card"].do(side)
    assert is_clean(it.memory) == is_clean(side.memory) == ""
    assert left_open(it.memory) == []


def test_a_worktree_that_is_moved_after_the_kill_is_recovered_where_it_lies(tmp_path: Path) -> None:
    it = desk(tmp_path)
    side = _side(it, tmp_path / "side", "-b", "side")
    _killed(side, "index")
    it.memory.git("worktree", "move", str(side.memory.top), str(tmp_path / "moved"))
    goes_on(it, WRITES["card"])
    assert is_clean(Memory(tmp_path / "moved")) == ""


@pytest.mark.parametrize("how", ["removed", "deleted", "another's"])
def test_a_worktree_that_is_gone_after_the_kill_stands_in_nobodys_way(tmp_path: Path, how: str) -> None:
    it = desk(tmp_path)
    side = _side(it, tmp_path / "side", "-b", "side")
    _killed(side, "index")
    if how == "removed":
        it.memory.git("worktree", "remove", "--force", str(side.memory.top))
    else:
        shutil.rmtree(side.memory.top)
    if how == "another's":
        Memory.create(side.memory.top).commit({"PLAN.md": "another's\n"})
    goes_on(it, WRITES["card"])
    assert how != "another's" or side.memory.read("PLAN.md") == "another's\n"
