"""A sync that is killed while other people's hooks run in its merge, which git makes then."""

from __future__ import annotations

import os
import signal
from typing import TYPE_CHECKING

import pytest
from children import in_child
from pages import board, card
from syncing.clones import NOW, A, B, Pair

from wbmem_git.errors import WbmemError
from wbmem_git.verbs.commit.going_on import OperationGoingOn

if TYPE_CHECKING:
    from pathlib import Path

KILLING = """#!/bin/sh
test -f .git/wbmem-pid || exit 0
kill -9 "$(cat .git/wbmem-pid)"
rm .git/wbmem-pid
exit {status}
"""


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """Both sides have something new."""
    made = Pair.of(tmp_path)
    made.ada.memory.commit({"PLAN.md": board(A, B, card("New")), "theirs.txt": "theirs\n"})
    made.ada.sync()
    made.bo.memory.commit({"x.txt": "x"})
    return made


def _killed_in_its_hook(pair: Pair, status: int) -> None:
    top = pair.bo.memory.top
    hook = top / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(KILLING.format(status=status))
    hook.chmod(0o755)

    def work() -> None:
        (top / ".git/wbmem-pid").write_text(str(os.getpid()))
        pair.bo.sync()

    assert os.waitstatus_to_exitcode(os.waitpid(in_child(work), 0)[1]) == -signal.SIGKILL


@pytest.mark.parametrize("status", [0, 1])
def test_the_next_sync_merges_what_theirs_is(pair: Pair, status: int) -> None:
    _killed_in_its_hook(pair, status)
    assert pair.bo.sync().done == ("merge" if status else "nothing")
    assert pair.bo.clean()
    assert pair.bo.memory.git("show", "HEAD:theirs.txt") == "theirs"
    assert pair.bo.memory.read("PLAN.md") == board(A, B, card("New"))
    assert pair.tip() == pair.bo.memory.head()


def test_any_other_writer_goes_on_and_no_merge_is_left_to_conclude(pair: Pair) -> None:
    _killed_in_its_hook(pair, 1)
    assert pair.bo.workspace.new_card("Mine", today=NOW.date(), column="Doing", commit=True).commit
    assert pair.bo.clean()
    assert pair.bo.memory.git("log", "-1", "--format=%P").count(" ") == 0
    assert pair.bo.sync().done == "merge"
    assert pair.bo.memory.git("show", "HEAD:theirs.txt") == "theirs"


def test_a_merge_that_a_person_began_behind_the_kill_stays_theirs(pair: Pair) -> None:
    _killed_in_its_hook(pair, 1)
    (pair.bo.memory.top / ".git/index.lock").unlink()
    pair.bo.memory.git("reset", "-q", "--hard")
    pair.bo.memory.git("merge", "-q", "--no-ff", "--no-commit", "origin/main")
    with pytest.raises(WbmemError) as told:
        pair.bo.workspace.new_card("Mine", today=NOW.date(), column="Doing", commit=True)
    assert isinstance(told.value, OperationGoingOn)
    pair.bo.memory.git("commit", "-q", "-m", "by hand")
    assert pair.bo.memory.git("show", "HEAD:theirs.txt") == "theirs"
    assert pair.bo.memory.git("log", "-1", "--format=%P").count(" ") == 1
