"""HEAD that is detached: what is committed there is on no branch, so nothing is; reading is as ever."""

from __future__ import annotations

import shlex
import subprocess
from typing import TYPE_CHECKING

import pytest
from desk import NOW, Desk, desk
from memory import Memory
from pages import archived, card, id_of
from writing.faults import WRITES, behind_a_foreign_hook, state
from writing.writers import MOMENT, write

from wbmem_git.store import steps
from wbmem_git.store.state import read_mark
from wbmem_git.verbs.commit.going_on import OperationGoingOn
from wbmem_git.verbs.on_branch import OnNoBranch
from wbmem_git.verbs.write.order import Order

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

CARD = WRITES["card"]
NEW = "git -C HERE switch -c NAME goes on from here in a new branch"


@pytest.fixture
def it(tmp_path: Path) -> Desk:
    return desk(tmp_path)


def refused(it: Desk) -> OnNoBranch:
    """What a write is told; nothing is changed by it."""
    before = state(it)
    with pytest.raises(OnNoBranch, match="HEAD is detached") as caught:
        CARD.do(it)
    assert state(it) == before
    return caught.value


def follow(it: Desk, hint: str, name: str = "mine") -> None:
    """Type the first command of a hint; nothing is lost by it."""
    before = it.memory.head()
    typed = hint.partition("; ")[0].partition(" (")[0].partition(" goes")[0].partition(" ends")[0]
    subprocess.run(shlex.split(typed.replace("NAME", name)), cwd="/", check=True, capture_output=True)
    assert it.memory.git("for-each-ref", "--contains", before, "refs/heads")


def test_where_head_is_detached_nothing_is_committed_and_the_way_out_is_told(it: Desk) -> None:
    it.memory.git("checkout", "-q", "--detach")
    hint = refused(it).hint
    assert hint == f"git -C {it.memory.top} switch main (it is at this commit)"
    follow(it, hint)
    assert CARD.do(it)


def test_a_commit_of_the_past_goes_on_in_a_branch_of_its_own(it: Desk) -> None:
    it.memory.commit({"x.txt": "x"})
    it.memory.git("checkout", "-q", "HEAD~1")
    hint = refused(it).hint
    assert hint == f"{NEW}; git -C {it.memory.top} switch main goes on where that one is".replace(
        "HERE", str(it.memory.top)
    )
    follow(it, hint)
    assert CARD.do(it)
    assert it.memory.git("branch", "--show-current") == "mine"


def test_what_a_person_committed_on_no_branch_is_kept_by_the_way_out(it: Desk) -> None:
    it.memory.git("checkout", "-q", "--detach")
    it.memory.commit({"x.txt": "x"})
    hint = refused(it).hint
    assert hint == NEW.replace("HERE", str(it.memory.top))
    follow(it, hint)
    assert CARD.do(it)


def test_a_bisect_is_told_as_that(it: Desk) -> None:
    for name in "abc":
        it.memory.commit({f"{name}.txt": "x"})
    it.memory.git("bisect", "start", "HEAD", "HEAD~3")
    assert refused(it).hint.startswith(f"git -C {it.memory.top} bisect reset ")


def test_a_rebase_that_goes_on_is_told_as_that(it: Desk) -> None:
    it.memory.commit({"x.txt": "x"})
    it.memory.git("-c", "sequence.editor=sed -i s/^pick/edit/", "rebase", "-q", "-i", "HEAD~1")
    with pytest.raises(OperationGoingOn, match="a rebase"):
        CARD.do(it)
    with pytest.raises(OnNoBranch) as caught:
        it.workspace.sync(now=MOMENT)
    assert "finish what is being rebased" in caught.value.hint


def test_in_a_linked_worktree_the_branch_of_another_one_is_not_named(it: Desk, tmp_path: Path) -> None:
    it.memory.git("worktree", "add", "-q", "--detach", str(tmp_path / "side"))
    side = Desk.of(Memory(tmp_path / "side"))
    hint = refused(side).hint
    assert hint == NEW.replace("HERE", str(side.memory.top))
    follow(side, hint)
    assert CARD.do(side)


def test_a_branch_that_has_no_commit_yet_is_one(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.git("checkout", "-q", "--orphan", "fresh")
    assert write(it.workspace, 3, "one")


COMMITTING: dict[str, Callable[[Desk], object]] = {
    "new card": lambda it: write(it.workspace, 0, "one"),
    "new entry": lambda it: write(it.workspace, 2, "one"),
    "new ledger": lambda it: write(it.workspace, 3, "one"),
    "write": lambda it: it.workspace.write(Order("log", "- one", MOMENT)),
    "fix": lambda it: it.workspace.fix(now=NOW, commit=True),
    "archive": lambda it: it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True),
    "restore": lambda it: it.workspace.restore(id_of("Gone"), commit=True),
    "rename": lambda it: it.workspace.rename(id_of("Beta"), "Betty", now=NOW, commit=True),
    "remarks": lambda it: it.workspace.remarks(),
    "rekey": lambda it: it.workspace.rekey("other-12345678"),
    "sync": lambda it: it.workspace.sync(now=MOMENT),
}


@pytest.mark.parametrize("verb", COMMITTING)
def test_every_command_that_commits_refuses(it: Desk, verb: str) -> None:
    """Each has something to commit."""
    path, text = archived("Gone", card("Gone"))
    it.memory.commit({path: text})
    if verb == "fix":
        it.memory.commit({"PLAN.md": it.memory.read("PLAN.md") + "\n### Fresh\n\n- x\n"})
    it.memory.git("checkout", "-q", "--detach")
    if verb == "remarks":
        it.edit("mine\n", "mine\nand more\n")
    before = state(it)
    with pytest.raises(OnNoBranch):
        COMMITTING[verb](it)
    assert state(it) == before
    it.memory.git("checkout", "-q", "main")
    if verb != "sync":
        COMMITTING[verb](it)
        assert it.memory.git("rev-list", "--count", f"{before[0]}..HEAD") == "1"


def test_what_asks_and_what_only_stages_works_as_ever(it: Desk) -> None:
    it.memory.git("checkout", "-q", "--detach")
    assert it.workspace.status().branch == ""
    assert it.workspace.audit().open == ()
    assert it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=False).commit == ""
    assert [one.split()[0] for one in it.staged()] == ["M", "A"]


@pytest.mark.parametrize("foreign", [False, True], ids=["in process", "by git"])
@pytest.mark.parametrize("name", ["loaded", "judged", "noted"])
def test_who_is_detached_while_a_write_goes_on_gets_no_commit(
    it: Desk, monkeypatch: pytest.MonkeyPatch, name: str, foreign: bool
) -> None:
    it = behind_a_foreign_hook(it) if foreign else it
    before = state(it)

    def detach(passed: str) -> None:
        if passed == name:
            it.memory.git("checkout", "-q", "--detach")

    monkeypatch.setattr(steps, "listener", detach)
    with pytest.raises(OnNoBranch):
        CARD.do(it)
    assert state(it) == before


def test_who_switches_while_a_write_goes_on_gets_it_where_he_is(
    it: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    it.memory.git("branch", "other")

    def switch(passed: str) -> None:
        if passed == "noted":
            it.memory.git("checkout", "-q", "other")

    monkeypatch.setattr(steps, "listener", switch)
    assert CARD.do(it)
    assert it.memory.git("rev-list", "--count", "main..other") == "1"


def test_who_switches_right_behind_a_write_finds_nothing_lost_there(
    it: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What audit is told of a commit is told of the branch that has it."""
    it.workspace.audit()
    it.memory.git("checkout", "-q", "-b", "other")
    it.workspace.audit()
    it.memory.git("checkout", "-q", "main")

    def switch(passed: str) -> None:
        if passed == "done":
            it.memory.git("checkout", "-q", "other")

    monkeypatch.setattr(steps, "listener", switch)
    made = CARD.do(it)
    monkeypatch.setattr(steps, "listener", None)
    marks = [read_mark(str(it.memory.top / ".git"), name) for name in ("main", "other")]
    assert marks == [made, it.memory.head()]
    assert it.workspace.audit().lost == ()
