"""Staging: all of an edit or nothing, and nobody else's text."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from desk import NOW, Desk, desk
from pages import card, id_of

from wbmem_git.errors import GitError
from wbmem_git.store import index_lock, steps
from wbmem_git.verbs.commit.publish import publish
from wbmem_git.verbs.commit.working_files import CannotTakeEdit
from wbmem_git.verbs.commit.writing import writing
from wbmem_git.verbs.three_trees import load

if TYPE_CHECKING:
    from pathlib import Path

NEW = {"PLAN.md": "# Plan\n\n## Doing\n", "archive/x.md": "x\n", "MEMORY.md": None}


def state(it: Desk) -> tuple[str, dict[str, bytes]]:
    files = {
        str(path.relative_to(it.memory.top)): path.read_bytes()
        for path in sorted(it.memory.top.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }
    return it.memory.git("ls-files", "-s"), files


def umask() -> int:
    """This process's, which can't be read without being set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def staged(it: Desk) -> None:
    with it.workspace.open() as repository:
        publish(repository, load(repository), NEW, NEW)


def test_texts_new_files_and_deletions_at_once(tmp_path: Path) -> None:
    it = desk(tmp_path)
    staged(it)
    assert it.staged() == ["D MEMORY.md", "M PLAN.md", "A archive/x.md"]
    assert it.memory.git("diff", "--name-only") == ""
    assert not (it.memory.top / "MEMORY.md").exists()
    assert not [path for path in it.memory.top.rglob("*.tmp") if ".git" not in path.parts]
    assert (it.memory.top / "archive/x.md").stat().st_mode & 0o777 == 0o666 & ~umask()


def test_a_lock_that_stays_stops_it_and_tells_since_when(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = desk(tmp_path)
    lock = it.memory.top / ".git/index.lock"
    before = state(it)
    with it.workspace.open() as repository:
        versions = load(repository)
        lock.touch()
        os.utime(lock, (0, 0))
        monkeypatch.setattr(index_lock, "WAIT_S", 0.0)
        with pytest.raises(GitError, match="kept the index locked since 00:00:00"):
            publish(repository, versions, NEW, NEW)
    assert lock.exists()
    lock.unlink()
    assert state(it) == before


def test_a_lock_that_goes_is_waited_for(tmp_path: Path) -> None:
    it = desk(tmp_path)
    lock = it.memory.top / ".git/index.lock"
    with it.workspace.open() as repository:
        versions = load(repository)
        lock.touch()
        script = f"import os, time; time.sleep(0.3); os.unlink({str(lock)!r})"
        child = subprocess.Popen([sys.executable, "-c", script])
        publish(repository, versions, NEW, NEW)
        assert child.wait() == 0
    assert it.staged() == ["D MEMORY.md", "M PLAN.md", "A archive/x.md"]


@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_file_that_changes_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    it = desk(tmp_path)
    with it.workspace.open() as repository:
        versions = load(repository)
        for path in ("PLAN.md", "MEMORY.md"):
            versions.file.read(path)
        before = state(it)

        def late(name: str) -> None:
            if name == "index ready":
                it.memory.write("PLAN.md", "written by another\n")

        if moment == "before":
            it.memory.write("PLAN.md", "written by another\n")
        else:
            monkeypatch.setattr(steps, "listener", late)
        with pytest.raises(CannotTakeEdit, match="another program changed it just now"):
            publish(repository, versions, NEW, NEW)
    assert it.file() == b"written by another\n"
    assert state(it) == (before[0], {**before[1], "PLAN.md": b"written by another\n"})


def test_a_new_file_that_another_program_made_meanwhile_is_not_overwritten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = desk(tmp_path)
    with it.workspace.open() as repository:
        versions = load(repository)
        before = state(it)
        real = repository.worktree_file
        monkeypatch.setattr(
            repository, "worktree_file", lambda path: None if path == "archive/x.md" else real(path)
        )
        monkeypatch.setattr(os, "link", _linking_after(it.memory.top / "archive/x.md"))
        with pytest.raises(CannotTakeEdit, match=r"archive/x.md: File exists"):
            publish(repository, versions, NEW, NEW)
    assert state(it) == (before[0], {**before[1], "archive/x.md": b"theirs\n"})


def _linking_after(target: Path) -> object:
    real = os.link

    def link(source: Path, destination: Path) -> None:
        target.write_text("theirs\n")
        real(source, destination)

    return link


def test_a_symbolic_link_is_never_written_through(tmp_path: Path) -> None:
    it = desk(tmp_path)
    elsewhere = tmp_path / "elsewhere.md"
    elsewhere.write_bytes(it.file())
    (it.memory.top / "PLAN.md").unlink()
    (it.memory.top / "PLAN.md").symlink_to(elsewhere)
    before = it.memory.git("ls-files", "-s")
    with pytest.raises(CannotTakeEdit, match="isn't a file that can be read"):
        staged(it)
    it.memory.git("add", "PLAN.md")
    with pytest.raises(CannotTakeEdit, match="isn't a file that can be read"):
        staged(it)
    assert elsewhere.read_text().startswith("# Plan")
    assert it.memory.git("ls-files", "-s", "MEMORY.md") in before


def test_a_file_left_out_by_a_sparse_checkout_stays_out(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"boards/side.md": "# S\n\n## Doing\n\n### Far\naway\n"})
    it.memory.commit({"wbmem.yaml": it.head("wbmem.yaml").decode() + "boards: [boards/*.md]\n"})
    for options in ([], ["--sparse-index"]):
        it.memory.git("sparse-checkout", "set", "--cone", *options, "log")
        assert not (it.memory.top / "boards").exists()
        report = it.workspace.fix(now=NOW)
        assert [one.title for one in report.done] == ([] if options else ["Far"])
        assert not (it.memory.top / "boards").exists()
        assert "D" not in it.memory.git("status", "--porcelain")
        if not options:
            it.memory.git("commit", "-q", "-m", "anchored")
            assert b"<!-- memory:" in it.head("boards/side.md")


def test_an_intent_to_add_is_no_version_of_the_index(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write("PINNED.md", "# Pinned\n\n## Tabs\n")
    it.memory.git("add", "-N", "PINNED.md")
    assert [one.staged for one in it.workspace.fix(now=NOW).done] == [False]
    it.memory.git("commit", "-q", "-a", "-m", "pinned")
    assert it.verdict() == []


def test_one_wbmem_writes_at_a_time(tmp_path: Path) -> None:
    it = desk(tmp_path)
    code = (
        "import os, sys; from datetime import date; from wbmem_git.workspace import Workspace;"
        f"w = Workspace({str(it.memory.top)!r}, dict(os.environ));"
        "print(w.new_card(sys.argv[1], today=date(2026, 9, 14), commit=True).commit)"
    )
    with it.workspace.open() as repository, writing(repository):
        children = [
            subprocess.Popen([sys.executable, "-c", code, f"Card {n}"], stdout=subprocess.PIPE, text=True)
            for n in range(4)
        ]
        time.sleep(0.5)
        assert [child.poll() for child in children] == [None] * 4
    assert all(child.communicate()[0].strip() and child.returncode == 0 for child in children)
    assert it.clean()
    assert [it.head().count(f"### Card {n}\n".encode()) for n in range(4)] == [1] * 4


def test_a_wbmem_that_is_killed_leaves_no_lock(tmp_path: Path) -> None:
    it = desk(tmp_path)
    code = (
        "import os, time; from wbmem_git.workspace import Workspace;"
        "from wbmem_git.verbs.commit.writing import writing;"
        f"r = Workspace({str(it.memory.top)!r}, dict(os.environ)).open(); c = writing(r); c.__enter__();"
        "print('held', flush=True); time.sleep(60)"
    )
    child = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    with child:
        assert child.stdout.readline() == "held\n"
        child.kill()
    it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True)
    assert card("Beta").encode() not in it.head()
