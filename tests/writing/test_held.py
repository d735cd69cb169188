"""A program that holds a memory open for long: whatever others do to it meanwhile, the next write knows."""

from __future__ import annotations

import os
import shutil
import time
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from desk import NOW, Desk, desk
from pages import AGENT
from writing.faults import at, behind_a_foreign_hook, listening
from writing.states import is_clean, is_sound, written
from writing.writers import DAY, MOMENT, write

from wbmem_git.errors import GitError, Refused
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.rebuild import check, rebuild

if TYPE_CHECKING:
    from pathlib import Path


def author(it: Desk) -> str:
    return it.memory.git("log", "-1", "--format=%an <%ae>")


def test_who_writes_and_when_is_asked_each_time(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with it.workspace as workspace:
        write(workspace, 0, "one")
        assert author(it) == "Ada <ada@example.org>"
        it.memory.git("config", "user.name", "Eve")
        time.sleep(1.1)
        write(workspace, 0, "two")
    assert author(it) == "Eve <ada@example.org>"
    times = it.memory.git("log", "-2", "--format=%at %ct").split()
    assert int(times[0]) > int(times[2])
    assert int(times[1]) > int(times[3])


def test_what_others_commit_and_pack_away_meanwhile(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with it.workspace as workspace:
        write(workspace, 0, "one")
        it.memory.commit({"note.txt": "token: person\n"}, "a note")
        it.memory.git("gc", "-q", "--prune=now")
        write(workspace, 3, "two")
        it.memory.git("gc", "-q", "--prune=now")
        write(workspace, 0, "three")
    assert written(it.memory) == {"one": 1, "two": 1, "three": 1, "person": 1}
    assert is_clean(it.memory) == is_sound(it.memory) == ""


@pytest.mark.parametrize("age", ["new", "old"])
def test_what_was_in_a_pack_that_others_take_away_between_two_writes(tmp_path: Path, age: str) -> None:
    it = desk(tmp_path)
    once = _written_and_given_up(it)
    if age == "old":  # then its children stay
        os.utime(it.memory.top / ".git/objects/pack", (0, 0))
    with it.workspace as workspace:
        write(workspace, 0, "one")
        _give_up(it)
        it.memory.git("gc", "-q", "--prune=now")
        write(workspace, 0, "one")
    assert it.memory.git("rev-parse", "HEAD^{tree}") == once
    assert is_clean(it.memory) == is_sound(it.memory) == ""


@pytest.mark.parametrize("name", ["blobs", "tree", "judged", "commit", "noted", "head read"])
def test_what_was_in_a_pack_that_others_take_away_during_a_write(tmp_path: Path, name: str) -> None:
    it = desk(tmp_path)
    once = _written_and_given_up(it)
    os.utime(it.memory.top / ".git/objects/pack", (0, 0))
    with it.workspace as workspace:
        write(workspace, 0, "one")
        _give_up(it)

        def collect() -> None:
            it.memory.git("gc", "-q", "--prune=now")

        with listening(at(name, 0, collect)):
            write(workspace, 0, "one")
    assert it.memory.git("rev-parse", "HEAD^{tree}") == once
    assert is_clean(it.memory) == is_sound(it.memory) == ""


def _written_and_given_up(it: Desk) -> str:
    """Write it, have it packed, and give it up; the tree that it made."""
    write(it.workspace, 0, "one")
    it.memory.git("repack", "-q", "-a", "-d")
    tree = it.memory.git("rev-parse", "HEAD^{tree}")
    _give_up(it)
    return tree


def _give_up(it: Desk) -> None:
    it.memory.git("reset", "-q", "--hard", "HEAD~")
    it.memory.git("reflog", "expire", "--expire=now", "--all")
    it.memory.git("update-ref", "-d", "ORIG_HEAD")


def test_settings_that_others_change_judge_the_next_write(tmp_path: Path) -> None:
    it = desk(tmp_path)
    settings = it.head("wbmem.yaml").decode()
    with it.workspace as workspace:
        write(workspace, 0, "one")
        it.memory.commit(
            {"wbmem.yaml": f"{settings}boards: [boards/a.md]\n", "boards/a.md": "# A\n\n## Doing\n"}
        )
        made = workspace.new_card("On a board of others", today=DAY, page="boards/a.md", commit=True)
        assert made.path == "boards/a.md"
        it.memory.commit({"wbmem.yaml": f"{settings}agents: [ada@*]\n"}, "a person", f"--author={AGENT}")
        write(workspace, 0, "two")
    assert it.memory.git("log", "-1", "--format=%(trailers:key=Wbmem-Actor,valueonly)").strip() == ""
    assert it.verdict() == []


def test_a_hook_that_somebody_puts_there_meanwhile_runs(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with it.workspace as workspace:
        write(workspace, 0, "one")
        behind_a_foreign_hook(it)
        write(workspace, 0, "two")
    assert it.memory.read("ran.txt") == "ran\n"


def test_another_memory_in_the_place_of_the_held_one(tmp_path: Path) -> None:
    it = desk(tmp_path)
    other = desk(tmp_path / "other")
    with it.workspace as workspace:
        write(workspace, 0, "one")
        shutil.rmtree(it.memory.top)
        other.memory.top.rename(it.memory.top)
        write(workspace, 0, "two")
    assert written(it.memory) == {"two": 1}
    assert is_sound(it.memory) == ""


def test_a_child_of_the_process_that_holds_it_writes_for_itself(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with it.workspace as workspace:
        write(workspace, 0, "one")
        children = [in_child(lambda name=name: _write_some(it, name)) for name in ("a", "b")]  # type: ignore[misc]
        for number in range(5):
            write(workspace, 0, f"parent-{number}")
        assert all(map(exits_well, children))
        write(workspace, 0, "last")
    assert len(written(it.memory)) == 1 + 5 + 1 + 2 * 5
    assert set(written(it.memory).values()) == {1}
    assert is_clean(it.memory) == is_sound(it.memory) == ""


def _write_some(it: Desk, name: str) -> None:
    for number in range(5):
        assert write(it.workspace, 0, f"{name}-{number}")


def test_a_refused_write_does_no_harm_to_the_next(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with it.workspace as workspace:
        write(workspace, 0, "one")
        with pytest.raises(Refused):
            workspace.new_ledger(now=MOMENT, text="# No section at all\n", commit=True)
        write(workspace, 3, "two")
    assert written(it.memory) == {"one": 1, "two": 1}
    assert is_clean(it.memory) == ""


def test_the_sidecar_that_follows_writes_is_what_a_rebuild_makes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WBMEM_DETACH")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Bot")
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", "bot@agent.local")
    it = desk(tmp_path)
    with it.workspace as workspace:
        for number in range(8):
            write(workspace, number, f"w{number}")
            if number == 4:
                it.edit("mine\n", "mine, and more\n")
                it.memory.git("commit", "-q", "-a", "-m", "a remark")
        workspace.rename(workspace.new_card("Soft", today=DAY, commit=True).id, "Hard", now=NOW, commit=True)
        with workspace.open() as repository:
            assert check(repository) == ()


def test_a_sidecar_that_goes_or_is_built_anew_meanwhile(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WBMEM_DETACH")
    it = desk(tmp_path)
    file = it.memory.top / ".git/wbmem/sidecar.sqlite"
    with it.workspace as workspace:
        write(workspace, 0, "one")
        write(workspace, 0, "two")
        file.unlink()
        write(workspace, 0, "three")
        with Repository.open(str(it.memory.top), os.environ) as repository:
            assert check(repository) == ()
            rebuild(repository, time.monotonic)
        write(workspace, 3, "four")
        file.write_bytes(b"rubbish" * 1000)
        write(workspace, 0, "five")
        write(workspace, 0, "six")
        with workspace.open() as repository:
            assert check(repository) == ()


@pytest.mark.parametrize("warm", [True, False])
def test_what_git_cannot_store_any_more_changes_nothing(tmp_path: Path, *, warm: bool) -> None:
    """Objects are on their way while the gate judges: nothing is touched before all of them are there."""
    it = desk(tmp_path)
    places = [it.memory.top / ".git/objects" / f"{number:02x}" for number in range(256)]
    with it.workspace as workspace:
        if warm:
            write(workspace, 3, "one")
        head, index = it.memory.head(), (it.memory.top / ".git/index").read_bytes()
        missing = [place for place in places if not place.exists()]
        for place in missing:
            place.write_text("no folder")
        for number in (0, 3):
            with pytest.raises(GitError, match="hash-object failed"):
                write(workspace, number, "lost")
        assert (it.memory.head(), it.memory.git("status", "--porcelain")) == (head, "")
        assert (it.memory.top / ".git/index").read_bytes() == index
        for place in missing:
            place.unlink()
        write(workspace, 0, "two")
        write(workspace, 3, "three")
    assert written(it.memory) == {**({"one": 1} if warm else {}), "two": 1, "three": 1}
    assert is_clean(it.memory) == is_sound(it.memory) == ""
