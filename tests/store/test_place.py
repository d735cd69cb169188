"""Where a repository lies, without git: the same as git says, and nothing where git might say otherwise."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, desk
from memory import Memory

from wbmem_git.errors import GitError
from wbmem_git.store.place import plain_place
from wbmem_git.store.repository import Repository

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.store.place import Place


def place(top: Path) -> Place | None:
    return plain_place(str(top), dict(os.environ))


def by_git(top: Path) -> tuple[str, str, str, str]:
    with Repository.open(str(top), dict(os.environ)) as it:
        return it.top, it.git_dir, it.common_dir, it.object_format


@pytest.mark.parametrize("layout", LAYOUTS)
def test_it_is_what_git_says(layout: str, tmp_path: Path) -> None:
    top = desk(tmp_path, layout).memory.top
    found = place(top)
    assert (found is None) == (layout in {"linked worktree", "sha256"})
    assert found is None or found[1:] == by_git(top)


def test_through_a_link_it_is_the_real_one(memory: Memory, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(memory.top)
    found = place(tmp_path / "link")
    assert found is not None
    assert found[1:] == by_git(tmp_path / "link")


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("core.worktree", "/elsewhere"),
        ("core.bare", "true"),
        ("extensions.worktreeConfig", "true"),
        ("include.path", "more"),
        ("includeIf.gitdir:/.path", "more"),
        ("core.repositoryFormatVersion", "1"),
    ],
)
def test_an_unusual_configuration_is_for_git_to_read(name: str, value: str, memory: Memory) -> None:
    assert place(memory.top) is not None
    memory.git("config", name, value)
    assert place(memory.top) is None


def test_what_is_said_twice_is_for_git_to_read(memory: Memory) -> None:
    with (memory.top / ".git/config").open("a") as file:
        file.write("[core]\n\tbare\n")
    assert place(memory.top) is None


@pytest.mark.parametrize("name", ["HEAD", "objects", "refs", "config"])
def test_what_is_not_whole_is_no_repository(name: str, memory: Memory) -> None:
    (memory.top / ".git" / name).rename(memory.top / "away")
    assert place(memory.top) is None


def test_no_repository_and_a_part_of_one_are_none(memory: Memory, tmp_path: Path) -> None:
    (memory.top / "part").mkdir()
    assert place(memory.top / "part") is None
    assert place(tmp_path / "nowhere") is None
    assert place(tmp_path / "a\0name") is None


def test_a_git_folder_elsewhere_is_for_git_to_follow(tmp_path: Path) -> None:
    apart = Memory.create(tmp_path / "apart", "--separate-git-dir", str(tmp_path / "elsewhere.git"))
    assert place(apart.top) is None
    (apart.top / ".git").unlink()
    (apart.top / ".git").symlink_to(tmp_path / "elsewhere.git")
    assert place(apart.top) is None


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("folder", [".", ".git"])
def test_what_belongs_to_somebody_else_git_refuses(folder: str, memory: Memory) -> None:
    os.chown(memory.top / folder, 12345, 12345)
    assert place(memory.top) is None
    with pytest.raises(GitError, match="dubious ownership"):
        by_git(memory.top)
