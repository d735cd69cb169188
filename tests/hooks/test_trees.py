"""The tree that is checked is the tree that git commits, in every way of committing, wherever one stands."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

import pytest
from hooks.gated import gate, install_hooks, keep_stamps, kept_stamp, tree
from memory import Memory
from pages import SETTINGS, board, card

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

THREE = board(card("A"), card("B"), card("C"))
FOUR = board(card("A"), card("B"), card("C"), card("D"))


class Desk(NamedTuple):
    """A place to commit from: a worktree's top and the folder in it where one stands."""

    memory: Memory
    folder: Path

    def git(self, *args: str, stdin: str = "", check: bool = True) -> subprocess.CompletedProcess[str]:
        done = subprocess.run(
            ["git", *args], cwd=self.folder, input=stdin, capture_output=True, text=True, check=False
        )
        if check and done.returncode:
            raise AssertionError(f"git {' '.join(args)}\n{done.stdout}{done.stderr}")
        return done

    def path(self, name: str) -> str:
        return os.path.relpath(self.memory.top / name, self.folder)


@pytest.fixture(params=["main worktree", "linked worktree", "subfolder"])
def desk(request: pytest.FixtureRequest, memory: Memory, tmp_path: Path) -> Desk:
    memory.write("log/2026-01-01.md", "- began\n")
    memory.write("other.md", "old\n")
    gate(memory)
    keep_stamps(memory)
    if request.param == "main worktree":
        return Desk(memory, memory.top)
    if request.param == "subfolder":
        return Desk(memory, memory.top / "log")
    memory.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "linked"))
    linked = Memory(tmp_path / "linked")
    return Desk(linked, linked.top)


def plain(desk: Desk) -> None:
    desk.memory.write("PLAN.md", THREE)
    desk.git("add", desk.path("PLAN.md"))
    desk.memory.write("PLAN.md", FOUR)
    desk.git("commit", "-qm", "plain")


def all_tracked(desk: Desk) -> None:
    desk.memory.write("PLAN.md", THREE)
    desk.memory.write("other.md", "new\n")
    desk.git("commit", "-qam", "all")


def patch(desk: Desk) -> None:
    desk.memory.write("PLAN.md", FOUR)
    desk.memory.write("other.md", "new\n")
    desk.git("commit", "-q", "-p", "-m", "patch", stdin="s\ny\nn\nn\nn\n")


def include(desk: Desk) -> None:
    desk.memory.write("PLAN.md", THREE)
    desk.git("add", desk.path("PLAN.md"))
    desk.memory.write("other.md", "new\n")
    desk.git("commit", "-q", "-i", desk.path("other.md"), "-m", "include")


def only(desk: Desk) -> None:
    desk.memory.write("other.md", "new\n")
    desk.git("add", desk.path("other.md"))
    desk.memory.write("PLAN.md", THREE)
    desk.git("commit", "-q", "--only", desk.path("PLAN.md"), "-m", "only")


def path(desk: Desk) -> None:
    desk.memory.write("log/2026-01-01.md", "- began\n- went on\n")
    desk.memory.write("PLAN.md", THREE)
    desk.git("add", "-A", desk.path("."))
    desk.memory.write("other.md", "new\n")
    desk.git("commit", "-qm", "path", "--", desk.path("other.md"))


def intent_to_add(desk: Desk) -> None:
    desk.memory.write("new.md", "new\n")
    desk.git("add", "-N", desk.path("new.md"))
    desk.memory.write("PLAN.md", THREE)
    desk.git("add", desk.path("PLAN.md"))
    desk.git("commit", "-qm", "intent to add")


def sparse(desk: Desk) -> None:
    desk.git("sparse-checkout", "set", "--cone", "--sparse-index", "archive")
    desk.memory.write("PLAN.md", THREE)
    desk.git("commit", "-qam", "sparse")


def split_index(desk: Desk) -> None:
    desk.git("update-index", "--split-index")
    desk.memory.write("PLAN.md", THREE)
    desk.git("commit", "-qam", "split index")


def after_a_conflict(desk: Desk) -> None:
    for branch, line in (("theirs", "theirs\n"), ("ours", "ours\n")):
        desk.git("checkout", "-q", "-b", branch)
        desk.memory.write("other.md", line)
        desk.git("commit", "-qam", branch)
        desk.git("checkout", "-q", "--detach", "HEAD~1")
    desk.git("checkout", "-q", "ours")
    assert desk.git("merge", "-q", "theirs", check=False).returncode == 1
    desk.memory.write("other.md", "both\n")
    desk.git("commit", "-qam", "after a conflict")


def branches(desk: Desk, *names: str) -> None:
    start = desk.git("rev-parse", "HEAD").stdout.strip()
    for name in names:
        desk.git("checkout", "-q", "-b", name, start)
        desk.memory.write(f"{name}.md", f"{name}\n")
        desk.git("add", "-A", desk.path("."))
        desk.git("commit", "-qm", name)
    desk.git("checkout", "-q", "-b", "trunk", start)
    desk.memory.write("PLAN.md", THREE)
    desk.git("commit", "-qam", "trunk")


def octopus(desk: Desk) -> None:
    branches(desk, "left", "right")
    desk.git("merge", "-q", "--no-edit", "left", "right")


def clean_merge(desk: Desk) -> None:
    branches(desk, "left")
    desk.git("merge", "-q", "--no-edit", "left")


def amend(desk: Desk) -> None:
    desk.memory.write("PLAN.md", THREE)
    desk.git("commit", "-qam", "before")
    desk.memory.write("PLAN.md", FOUR)
    desk.git("commit", "-qa", "--amend", "-m", "amended")


def unborn(desk: Desk) -> None:
    desk.git("checkout", "-q", "--orphan", "new-root")
    desk.memory.write("PLAN.md", THREE)
    desk.git("commit", "-qam", "first")


WAYS = (
    plain, all_tracked, patch, include, only, path, intent_to_add, sparse, split_index,
    after_a_conflict, octopus, clean_merge, amend, unborn,
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
def test_the_checked_tree_is_the_committed_tree(way: Callable[[Desk], None], desk: Desk) -> None:
    way(desk)
    stamp = kept_stamp(desk.memory)
    assert stamp.passed
    assert stamp.new == tree(desk.memory)
    parents = desk.memory.git("rev-parse", "HEAD@{1}" if way is amend else "HEAD^@").split()
    assert sorted(stamp.parents) == sorted(tree(desk.memory, parent) for parent in parents)
    assert desk.memory.git("log", "-1", "--format=%an <%ae>") == stamp.author


@pytest.mark.parametrize("way", [plain, all_tracked, path, amend])
def test_so_it_is_where_objects_are_sha256(way: Callable[[Desk], None], tmp_path: Path) -> None:
    memory = Memory.create(tmp_path / "long", "--object-format=sha256")
    memory.write("log/2026-01-01.md", "- began\n")
    memory.write("other.md", "old\n")
    keep_stamps(gate(memory))
    way(Desk(memory, memory.top))
    stamp = kept_stamp(memory)
    assert len(stamp.new) == 64
    assert stamp.new == tree(memory)


@pytest.mark.parametrize("way", [plain, all_tracked, unborn])
def test_so_it_is_where_git_has_a_place_of_its_own(way: Callable[[Desk], None], tmp_path: Path) -> None:
    """`git init --separate-git-dir`, as in a submodule: `.git` is a file."""
    memory = Memory.create(tmp_path / "apart", "--separate-git-dir", str(tmp_path / "elsewhere.git"))
    memory.write("other.md", "old\n")
    keep_stamps(gate(memory))
    way(Desk(memory, memory.top))
    assert kept_stamp(memory).new == tree(memory)


def test_a_commit_with_git_dir_and_work_tree_given_apart(tmp_path: Path) -> None:
    memory = Memory.create(tmp_path / "tree")
    memory.write("other.md", "old\n")
    keep_stamps(gate(memory))
    memory.write("PLAN.md", THREE)
    place = tmp_path / "somewhere"
    place.mkdir()
    subprocess.run(
        ["git", f"--git-dir={memory.top}/.git", f"--work-tree={memory.top}", "commit", "-qam", "apart"],
        cwd=place,
        check=True,
    )
    assert kept_stamp(memory).new == tree(memory)


def test_the_first_commit_of_all_is_checked(memory: Memory) -> None:
    install_hooks(memory)
    keep_stamps(memory)
    memory.write("wbmem.yaml", SETTINGS)
    memory.write("PLAN.md", board(card("A")))
    memory.git("add", "-A")
    memory.git("commit", "-qm", "first")
    stamp = kept_stamp(memory)
    assert (stamp.new, stamp.parents) == (tree(memory), ())
