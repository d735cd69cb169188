"""A person who begins a merge while wbmem writes: no commit of wbmem's concludes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import Desk, desk
from writing.faults import WRITES, at, behind_a_foreign_hook, goes_on, listening, state
from writing.states import is_clean, is_sound, left_open, written

from wbmem_git.store import steps
from wbmem_git.verbs.commit.commit import Commit, tree_after
from wbmem_git.verbs.commit.going_on import OperationGoingOn
from wbmem_git.verbs.commit.landing import land
from wbmem_git.verbs.commit.writing import writing

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

MAKERS: dict[str, Callable[[Path], Desk]] = {
    "in process": desk,
    "through git": lambda folder: behind_a_foreign_hook(desk(folder)),
}
FULL = WRITES["archive"]


@pytest.mark.parametrize("how", MAKERS)
@pytest.mark.parametrize("name", [*steps.STEPS, steps.BY_GIT[0]])
def test_a_person_who_begins_a_merge_at_a_step_concludes_it(tmp_path: Path, name: str, how: str) -> None:
    it = _with_a_side(MAKERS[how](tmp_path))
    begun: list[bool] = []

    def merge() -> None:
        begun.append(it.memory.try_git("merge", "-q", "--no-ff", "--no-commit", "side").returncode == 0)

    is_told = False
    with listening(at(name, 0, merge)):
        try:
            assert FULL.do(it)
        except OperationGoingOn:
            is_told = True
    assert FULL.times(it) == (not is_told)
    assert not is_told or begun
    if begun != [True]:  # git 2.39 leaves a MERGE_HEAD where the index is locked, and nothing merged
        it.memory.try_git("merge", "--abort")
        merge()
    it.memory.git("commit", "-q", "-m", "merged")
    assert len(it.memory.git("log", "-1", "--format=%P").split()) == 2
    assert written(it.memory)["side"] == 1
    assert FULL.times(it) == (not is_told)
    assert is_clean(it.memory) == is_sound(it.memory) == ""
    assert left_open(it.memory) == []


@pytest.mark.parametrize("name", ["MERGE_HEAD", "CHERRY_PICK_HEAD"])
def test_git_makes_no_commit_when_a_merge_has_begun_just_before(tmp_path: Path, name: str) -> None:
    """`git merge` lets go of the index's lock before it writes MERGE_HEAD."""
    it = _with_a_side(MAKERS["through git"](tmp_path))
    before = state(it)
    file = it.memory.top / ".git" / name

    def begin() -> None:
        file.write_text(it.memory.git("rev-parse", "side") + "\n")

    with listening(at(steps.BY_GIT[0], 0, begin)), pytest.raises(OperationGoingOn):
        FULL.do(it)
    assert state(it) == before
    file.unlink()
    goes_on(it, FULL)


@pytest.mark.parametrize("how", MAKERS)
def test_no_merge_of_a_sync_takes_the_place_of_one_that_a_person_begins(tmp_path: Path, how: str) -> None:
    it = _with_a_side(MAKERS[how](tmp_path))
    theirs = it.memory.git("commit-tree", "-p", "HEAD", "-m", "theirs", "HEAD^{tree}")

    def merge() -> None:
        it.memory.git("merge", "-q", "--no-ff", "--no-commit", "side")

    with it.workspace.open() as repository, writing(repository):
        base = repository.head()
        tree = tree_after(repository, base, {"MEMORY.md": "# Memory\n\nlanded\n"})
        wanted = Commit(base, {}, "a merge", others=(theirs,), tree=tree)
        with listening(at("judged", 0, merge)), pytest.raises(OperationGoingOn):
            land(repository, wanted, it.workspace.judge(repository))
    it.memory.git("commit", "-q", "-m", "merged")
    assert it.memory.git("log", "-1", "--format=%P").split() == [base, it.memory.git("rev-parse", "side")]
    assert written(it.memory)["side"] == 1
    assert is_clean(it.memory) == ""


def _with_a_side(it: Desk) -> Desk:
    it.memory.git("switch", "-q", "-c", "side")
    it.memory.commit({"note.txt": "token: side\n"}, "of the side")
    it.memory.git("switch", "-q", "main")
    return it
