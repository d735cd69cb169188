"""What a killed process leaves: nothing where git would commit it, and nothing for ever."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from desk import NOW, Desk, desk
from memory import Memory
from pages import SETTINGS, board, card

from wbmem_git.verbs.commit.writing import writing
from wbmem_git.verbs.temporary import own_folder, sweep

if TYPE_CHECKING:
    from collections.abc import Iterator

ELSEWHERE = ("/dev/shm", "/tmp", "/var/tmp")
KILLED = """
import os, signal, sys
from wbmem_git.store import steps
from wbmem_git.workspace import Workspace
steps.listener = lambda name: name == "index ready" and os.kill(os.getpid(), signal.SIGKILL)
Workspace(sys.argv[1], dict(os.environ)).fix(now=sys.argv[2], commit=sys.argv[3] == "commit")
"""


def left(it: Desk) -> list[str]:
    """What lies in our private folder and isn't meant to stay."""
    private = it.memory.top / ".git/wbmem"
    folders = sorted(path.name for path in (private / "tmp").iterdir()) if (private / "tmp").is_dir() else []
    return [*folders, *(path.name for path in private.glob("*.tmp"))]


def kill(it: Desk, how: str) -> None:
    """A `wbmem fix` that is killed when it has everything ready and nothing is in its place yet."""
    it.edit("## Later\n", "## Later\n\n### New\nNext: begin\n")
    it.memory.git("add", "-A")
    command = [sys.executable, "-c", KILLED, str(it.memory.top), NOW, how]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL


@pytest.mark.parametrize("how", ["stage", "commit"])
def test_who_is_killed_leaves_nothing_that_git_add_takes(how: str, tmp_path: Path) -> None:
    it = desk(tmp_path)
    kill(it, how)
    assert left(it)
    assert not it.memory.git("ls-files", "--others")
    assert not list(it.memory.top.glob("*.tmp"))


def test_the_next_one_that_writes_takes_away_what_was_left(tmp_path: Path) -> None:
    it = desk(tmp_path)
    kill(it, "stage")
    it.workspace.fix(now=NOW)
    assert left(it) == []
    assert "### New\n<!-- memory:" in it.file().decode()


def test_a_folder_that_somebody_still_has_stays(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with it.workspace.open() as repository, own_folder(repository) as own:
        (own / "file").write_text("mine")
        with it.workspace.open() as another, writing(another):
            assert (own / "file").read_text() == "mine"
    assert left(it) == []


def test_half_written_files_of_the_dead_go_and_those_of_the_living_stay(tmp_path: Path) -> None:
    it = desk(tmp_path)
    dead = subprocess.Popen(["true"])
    dead.wait()
    private = it.memory.top / ".git/wbmem"
    private.mkdir(exist_ok=True)
    for name in (f"stamp.{dead.pid}.tmp", f"settings.{os.getpid()}.tmp", "notes.tmp"):
        (private / name).write_text("half")
    with it.workspace.open() as repository:
        sweep(repository)
    assert sorted(left(it)) == ["notes.tmp", f"settings.{os.getpid()}.tmp"]


def test_a_sweep_follows_no_link_and_minds_no_file(tmp_path: Path) -> None:
    it = desk(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "file").write_text("theirs")
    top = it.memory.top / ".git/wbmem/tmp"
    top.mkdir(parents=True)
    (top / "link").symlink_to(elsewhere)
    (top / "a file").write_text("?")
    with it.workspace.open() as repository:
        sweep(repository)
    assert (elsewhere / "file").read_text() == "theirs"


@pytest.fixture
def other_file_system(tmp_path: Path) -> Iterator[Path]:
    here = tmp_path.stat().st_dev
    others = [place for place in map(Path, ELSEWHERE) if place.is_dir() and place.stat().st_dev != here]
    if not others:
        pytest.skip("there is one file system only")
    folder = Path(tempfile.mkdtemp(dir=others[0]))
    yield folder
    shutil.rmtree(folder)


def test_a_git_folder_on_another_file_system(tmp_path: Path, other_file_system: Path) -> None:
    memory = Memory.create(tmp_path / "handoff", f"--separate-git-dir={other_file_system / 'git'}")
    old = board(card("Alpha"), card("Beta"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": old})
    (memory.top / "PLAN.md").chmod(0o640)
    memory.write("PLAN.md", old.replace("### Beta", "### Gamma"))
    memory.git("add", "-A")
    found = Desk.of(memory).workspace.fix(now=NOW)
    assert [one.what for one in found.done] == ["renamed"]
    assert "archive/mem_" in memory.git("diff", "--cached", "--name-only")
    assert not memory.git("status", "--porcelain", "--untracked-files=all").count("tmp")
    assert not memory.git("diff", "--name-only")
    assert (memory.top / "PLAN.md").stat().st_mode & 0o777 == 0o640
