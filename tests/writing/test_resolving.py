"""`wbmem resolve` that is stopped, or that somebody gives the merge up under: all of it, or nothing."""

from __future__ import annotations

import os
import signal
from functools import partial
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from desk import BOARD, Desk, desk
from pages import card, id_of
from writing.faults import at, listening, state
from writing.states import is_clean, is_sound, left_open
from writing.writers import write

from wbmem_git.errors import WbmemError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

STEPS = (
    *("locked", "waiting", "noted", "index locked", "head read", "index ready", "file", "files", "index"),
    *("index unlocked", "done"),
)
DONE = STEPS.index("index unlocked")


def merging(folder: Path) -> Desk:
    """Both sides have a new card in the same place: git leaves that unmerged, and nobody has to decide."""
    it = desk(folder)
    later = "## Later\n"
    for branch, title in (("side", "Theirs"), ("main", "Ours")):
        it.memory.git("switch", "-q", *(["-c"] if branch == "side" else []), branch)
        it.memory.commit({"PLAN.md": BOARD.replace(later, f"{card(title)}\n{later}")}, title)
    assert it.memory.try_git("merge", "-q", "side").returncode == 1
    return it


def test_these_are_its_steps(tmp_path: Path) -> None:
    it = merging(tmp_path)
    names: list[str] = []
    with listening(names.append):
        assert it.workspace.resolve().then == "git commit"
    assert tuple(dict.fromkeys(names)) == STEPS


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fail() -> None:
    raise OSError


def _interrupt() -> None:
    raise KeyboardInterrupt


@pytest.mark.parametrize("stop", [_kill, _fail, _interrupt])
@pytest.mark.parametrize("name", STEPS)
def test_one_that_is_stopped_at_a_step_is_done_or_is_not(
    tmp_path: Path, name: str, stop: Callable[[], None]
) -> None:
    it = merging(tmp_path)
    before = state(it)

    def work() -> None:
        with listening(at(name, 0, stop)):
            it.workspace.resolve()

    is_done = STEPS.index(name) >= DONE
    assert exits_well(in_child(work)) == (is_done and stop is _fail)
    if stop is not _kill:
        assert (state(it) == before) == (not is_done)
        assert left_open(it.memory) == []
    settled = it.workspace.resolve()
    assert (settled.left, settled.then) == ((), "git commit")
    _concluded(it)


@pytest.mark.parametrize("name", STEPS)
def test_a_merge_that_a_person_gives_up_at_a_step_is_given_up(tmp_path: Path, name: str) -> None:
    it = merging(tmp_path)
    ours = it.head()
    given_up: list[bool] = []

    def give_up() -> None:
        given_up.append(it.memory.try_git("merge", "--abort").returncode == 0)

    with listening(at(name, 0, give_up)):
        settled = it.workspace.resolve()
    if given_up == [True]:
        assert it.file() == ours
        assert is_clean(it.memory) == ""
        assert settled.operation == "" or STEPS.index(name) >= DONE
        assert write(it.workspace, 0, "one")
    else:
        assert settled.then == "git commit"
        _concluded(it)


def test_nothing_is_staged_of_a_merge_that_was_given_up(tmp_path: Path) -> None:
    """Also where the file says already what it should."""
    it = merging(tmp_path)
    it.workspace.resolve()
    text = it.file()
    it.memory.git("checkout", "-m", "PLAN.md")
    (it.memory.top / "PLAN.md").write_bytes(text)
    with listening(at("waiting", 0, partial(_give_up, it))):
        assert it.workspace.resolve().operation == ""
    assert is_clean(it.memory) == ""


def _give_up(it: Desk) -> None:
    it.memory.git("merge", "--abort")


def test_what_a_killed_one_did_stays_where_a_person_has_given_up_the_merge_since(tmp_path: Path) -> None:
    it = desk(tmp_path)
    for branch in ("side", "main"):
        it.memory.git("switch", "-q", *(["-c"] if branch == "side" else []), branch)
        it.memory.commit({"PLAN.md": BOARD.replace("sharpen the saw", branch)}, branch)
    ours = it.head()
    assert it.memory.try_git("merge", "-q", "side").returncode == 1

    def work() -> None:
        with listening(at("index", 0, _kill)):
            it.workspace.resolve("PLAN.md", "ours")

    assert not exits_well(in_child(work))
    assert it.file() == ours
    (it.memory.top / ".git/index.lock").unlink()
    it.memory.git("merge", "--abort")
    assert it.workspace.resolve().operation == ""
    assert it.file() == ours
    assert is_clean(it.memory) == ""


def test_what_cannot_be_settled_now_is_told(tmp_path: Path) -> None:
    it = merging(tmp_path)
    before = state(it)

    def stage() -> None:
        it.memory.git("add", "PLAN.md")

    with listening(at("waiting", 0, stage)):
        try:
            it.workspace.resolve()
        except WbmemError as error:
            pytest.fail(error.message)
    assert it.staged_text() == it.file() == before[2]["PLAN.md"]


def _concluded(it: Desk) -> None:
    it.memory.git("commit", "-q", "-m", "merged")
    text = it.head().decode()
    assert all(id_of(title) in text for title in ("Ours", "Theirs"))
    assert is_clean(it.memory) == is_sound(it.memory) == ""
    assert left_open(it.memory) == []
    assert write(it.workspace, 0, "one")
