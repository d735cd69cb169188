"""A killed writer's `git commit` is waited for; another process that has its number now is not."""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from desk import Desk, desk
from writing.faults import WRITES, behind_a_foreign_hook, goes_on

from wbmem_git.store import steps
from wbmem_git.store.index_lock import IndexLocked
from wbmem_git.store.intent import Intent, IntentFile
from wbmem_git.verbs.commit import awaited
from wbmem_git.verbs.temporary import began

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """No child is waited for longer than an instant."""
    monkeypatch.setattr(awaited, "WAIT_S", 0.1)
    return desk(tmp_path)


@pytest.fixture
def running() -> Iterator[int]:
    """The number of a process that goes on."""
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE
    ) as process:
        yield process.pid


def _left(it: Desk, child: int, child_began: str) -> None:
    git_dir = str(it.memory.top / ".git")
    base = it.memory.head()
    IntentFile(git_dir).note(
        Intent("wbmem 1 x\n", f"{git_dir}/index", git_dir, (), base, "", (), child, child_began=child_began)
    )


def test_a_process_that_has_got_the_number_since_is_not_waited_for(it: Desk, running: int) -> None:
    _left(it, running, "another start of the system 57")
    goes_on(it, WRITES["card"])


@pytest.mark.parametrize("is_known", [True, False])
def test_the_git_that_makes_the_commit_is_waited_for(it: Desk, running: int, is_known: bool) -> None:
    _left(it, running, began(running) if is_known else "")
    with pytest.raises(IndexLocked):
        WRITES["card"].do(it)


def test_two_processes_began_at_their_own_times_and_one_that_is_gone_at_none(running: int) -> None:
    assert began(running) == began(running) != ""
    assert began(running) != began(os.getpid())
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    assert began(gone.pid) == ""


def test_a_commit_through_git_notes_when_its_git_began(it: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    intent_file = IntentFile(str(it.memory.top / ".git"))
    noted: list[Intent | None] = []
    monkeypatch.setattr(
        steps, "listener", lambda name: noted.append(intent_file.read()) if name == "moved" else None
    )
    WRITES["card"].do(behind_a_foreign_hook(it))
    assert [bool(one and one.child and one.child_began) for one in noted] == [True]
