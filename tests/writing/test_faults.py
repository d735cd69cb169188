"""A write that is stopped between any two of its steps: killed, by a full disk, by a disk that fails.

`store.steps` names the points; each is tried with each fault. And at each a person does something: commits
with git, types into the page that is being written.
"""

from __future__ import annotations

import ast
import errno
import os
import signal
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

import pytest
from children import in_child
from desk import Desk, desk
from writing.faults import WRITES, at, behind_a_foreign_hook, goes_on, listening, state
from writing.states import is_clean, is_sound, left_open, written

import wbmem_git
from wbmem_git.errors import WbmemError
from wbmem_git.store import steps
from wbmem_git.verbs.commit.commit import Commit, tree_after
from wbmem_git.verbs.commit.landing import land
from wbmem_git.verbs.commit.writing import writing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

DISK = {"full": errno.ENOSPC, "failing": errno.EIO}
MADE = steps.STEPS.index("moved")
"""From here on the commit is made: whoever asked for it has to be told so."""
FULL = "archive"
"""The write that passes every step: it changes one file, adds another and takes text away."""

WAITS, FOLLOWS = steps.BY_GIT
GITS = [name for name in steps.STEPS if name not in {"commit", "ref locked", "marked"}]
GITS[GITS.index("moved") : GITS.index("moved") + 1] = [WAITS, "moved", FOLLOWS]
"""What a write passes that `git commit` makes."""
LANDING = [name for name in steps.STEPS if name not in {"loaded", "waiting", "file"}]
LANDING.insert(LANDING.index("files"), WAITS)
"""What a tree passes that is there already; git checks it out."""
GITS_LANDING = [name for name in LANDING if name in GITS]
GITS_LANDING.insert(GITS_LANDING.index("moved") + 1, FOLLOWS)
"""What such a tree passes that `git commit` commits; it passes the waiting twice."""


# --- what passes which step -------------------------------------------------------------------------


def passed(it: Desk, do: Callable[[Desk], str]) -> list[str]:
    """The steps of one write, in order."""
    names: list[str] = []
    with listening(names.append):
        assert do(it)
    return names


def in_source() -> set[str]:
    """Every name that the package calls `step` with."""
    calls = (
        node
        for path in Path(wbmem_git.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "step"
    )
    return {str(arg.value) for call in calls for arg in call.args if isinstance(arg, ast.Constant)}


def test_every_step_in_the_source_is_one_that_the_sweep_tries(tmp_path: Path) -> None:
    assert in_source() == {*steps.STEPS, *steps.BY_GIT}
    names = passed(desk(tmp_path), WRITES[FULL].do)
    assert list(dict.fromkeys(names)) == list(steps.STEPS)
    names = passed(behind_a_foreign_hook(desk(tmp_path / "other")), WRITES[FULL].do)
    assert list(dict.fromkeys(names)) == GITS
    names = passed(desk(tmp_path / "third"), _land)
    assert list(dict.fromkeys(names)) == LANDING
    names = passed(behind_a_foreign_hook(desk(tmp_path / "fourth")), _land)
    assert list(dict.fromkeys(names)) == GITS_LANDING
    assert names.count(WAITS) == 2


# --- faults -----------------------------------------------------------------------------------------


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _fail() -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


@cache
def passes(what: str) -> tuple[str, ...]:
    """The steps that a write passes, each as often as it does."""
    with TemporaryDirectory() as folder:
        return tuple(passed(desk(Path(folder)), WRITES[what].do))


def turns_of(folder: Path, name: str, what: str) -> Iterator[tuple[int, Desk]]:
    """A new desk for each time that the write passes the step."""
    for turn in range(passes(what).count(name)):
        yield turn, desk(folder / str(turn))


@pytest.mark.parametrize("what", WRITES)
@pytest.mark.parametrize("name", steps.STEPS)
def test_a_write_that_is_killed_at_a_step_is_done_or_is_not(tmp_path: Path, name: str, what: str) -> None:
    for turn, it in turns_of(tmp_path, name, what):

        def work(it: Desk = it, turn: int = turn) -> None:
            with listening(at(name, turn, _kill)):
                WRITES[what].do(it)

        child = in_child(work)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == -signal.SIGKILL
        assert WRITES[what].times(it) == (steps.STEPS.index(name) >= MADE)
        goes_on(it, WRITES[what])


@pytest.mark.parametrize("name", GITS)
def test_a_write_through_git_that_is_stopped_at_a_step_is_done_or_is_not(tmp_path: Path, name: str) -> None:
    wanted = WRITES[FULL]
    for number, stop in enumerate((_kill, _fail)):
        it = behind_a_foreign_hook(desk(tmp_path / str(number)))

        def work(it: Desk = it, stop: Callable[[], None] = stop) -> None:
            with listening(at(name, 0, stop)):
                wanted.do(it)

        before = state(it)
        is_made = GITS.index(name) >= GITS.index("moved")
        ended = os.waitstatus_to_exitcode(os.waitpid(in_child(work), 0)[1])
        assert ended == (-signal.SIGKILL if stop is _kill else 0 if is_made else 1)
        assert wanted.times(it) == is_made
        assert stop is _kill or is_made or state(it) == before
        goes_on(it, wanted)


@pytest.mark.parametrize("disk", DISK)
@pytest.mark.parametrize("name", steps.STEPS)
def test_a_disk_that_fails_at_a_step_is_told_and_leaves_nothing_half_done(
    tmp_path: Path, name: str, disk: str
) -> None:
    wanted = WRITES[FULL]
    for turn, it in turns_of(tmp_path, name, FULL):
        before = state(it)

        def fail() -> None:
            raise OSError(DISK[disk], os.strerror(DISK[disk]))

        with listening(at(name, turn, fail)):
            if steps.STEPS.index(name) >= MADE:
                assert wanted.do(it) == it.memory.head() != before[0]
                assert is_clean(it.memory) == ""
            else:
                with pytest.raises(WbmemError, match=os.strerror(DISK[disk])):
                    wanted.do(it)
                assert state(it) == before
        assert left_open(it.memory) == []
        goes_on(it, wanted)


# --- a person beside it -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", steps.STEPS)
def test_a_person_who_commits_at_a_step_keeps_the_commit_and_the_write_is_done(
    tmp_path: Path, name: str
) -> None:
    it = desk(tmp_path)
    told: list[bool] = []

    def commit() -> None:
        it.memory.write("note.txt", "token: person\n")
        tries = (it.memory.try_git(*args) for args in (("add", "note.txt"), ("commit", "-qm", "note")))
        told.append(all(one.returncode == 0 for one in tries))

    with listening(at(name, 0, commit)):
        assert WRITES[FULL].do(it)
    assert WRITES[FULL].times(it) == 1
    assert written(it.memory)["person"] == told[0]
    if not told[0]:
        commit()
    assert told[-1]
    assert is_clean(it.memory) == ""
    assert is_sound(it.memory) == ""


@pytest.mark.parametrize("name", steps.STEPS)
def test_what_a_person_types_at_a_step_stays(tmp_path: Path, name: str) -> None:
    it = desk(tmp_path)
    with listening(at(name, 0, lambda: it.edit("mine\n", "mine\ntyped just now\n"))):
        said = ""
        try:
            assert WRITES[FULL].do(it)
        except WbmemError as error:
            said = error.message
    assert not said or "nothing was changed" in said
    assert WRITES[FULL].times(it) == (not said)
    assert b"typed just now\n" in it.file()
    assert b"typed just now\n" not in it.head()
    it.memory.git("commit", "-q", "-a", "-m", "what was typed")
    assert it.verdict() == []


# --- a tree that is there already -------------------------------------------------------------------


@pytest.mark.parametrize("name", LANDING)
def test_a_tree_that_is_stopped_on_its_way_is_committed_or_is_not(tmp_path: Path, name: str) -> None:
    is_made = LANDING.index(name) >= LANDING.index("moved")
    for number, stop in enumerate((_kill, _fail)):
        _stopped_on_its_way(desk(tmp_path / str(number)), at(name, 0, stop), is_made=is_made)


@pytest.mark.parametrize(("name", "turn"), [*((name, 0) for name in GITS_LANDING), (WAITS, 1)])
def test_so_is_one_that_git_commits(tmp_path: Path, name: str, turn: int) -> None:
    is_made = GITS_LANDING.index(name) >= GITS_LANDING.index("moved")
    for number, stop in enumerate((_kill, _fail)):
        it = behind_a_foreign_hook(desk(tmp_path / str(number)))
        _stopped_on_its_way(it, at(name, turn, stop), is_made=is_made)


def _stopped_on_its_way(it: Desk, listener: Callable[[str], None], *, is_made: bool) -> None:
    before = state(it)

    def work() -> None:
        with listening(listener):
            _land(it)

    ended = os.waitstatus_to_exitcode(os.waitpid(in_child(work), 0)[1])
    assert ended in {-signal.SIGKILL, 0 if is_made else 1}
    assert (it.memory.head() != before[0]) == is_made
    assert ended == -signal.SIGKILL or is_made or state(it) == before
    assert is_made or _land(it)
    with it.workspace.open() as repository, writing(repository):
        assert repository.head() == it.memory.head()
    assert it.head("MEMORY.md") == it.file("MEMORY.md") == b"# Memory\n\nlanded\n"
    assert is_clean(it.memory) == is_sound(it.memory) == ""
    assert left_open(it.memory) == []


def _land(it: Desk) -> str:
    with it.workspace.open() as repository, writing(repository):
        base = repository.head()
        tree = tree_after(repository, base, {"MEMORY.md": "# Memory\n\nlanded\n"})
        return land(repository, Commit(base, {}, "a tree", tree=tree), it.workspace.judge(repository))
