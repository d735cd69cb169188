"""Whose hooks make git itself commit."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.repository import Repository
from wbmem_git.verbs.commit.foreign_hooks import foreign_hooks
from wbmem_git.verbs.hooks.install import install

if TYPE_CHECKING:
    from memory import Memory


def hook(folder: Path, name: str, mode: int = 0o755) -> None:
    folder.mkdir(exist_ok=True)
    (folder / name).write_text("#!/bin/sh\n")
    (folder / name).chmod(mode)


def found(memory: Memory) -> list[str]:
    with Repository.open(str(memory.top), os.environ) as repository:
        return [Path(path).name for path in foreign_hooks(repository, repository.variables())]


def test_our_own_and_what_git_passes_over_dont(memory: Memory) -> None:
    assert found(memory) == []
    hook(memory.top / ".git/hooks", "pre-push")
    hook(memory.top / ".git/hooks", "post-commit", 0o644)
    hook(memory.top / ".git/hooks", "pre-commit.sample")
    assert found(memory) == []
    with Repository.open(str(memory.top), os.environ) as repository:
        install(repository, os.environ)
    assert found(memory) == []


@pytest.mark.parametrize("name", ["pre-commit", "prepare-commit-msg", "commit-msg", "post-commit"])
def test_another_ones_does_alone_and_behind_ours(memory: Memory, name: str) -> None:
    hook(memory.top / ".git/hooks", name)
    assert found(memory) == [name]
    with Repository.open(str(memory.top), os.environ) as repository:
        install(repository, os.environ)
    assert found(memory) == [f"{name}.before-wbmem"]


@pytest.mark.parametrize("place", ["hooks", "relative", "~/hooks"])
def test_in_the_folder_that_is_configured(memory: Memory, place: str) -> None:
    folder = memory.top / place if not place.startswith("~") else None
    hook(folder or Path(os.environ["HOME"], "hooks"), "commit-msg")
    memory.git("config", "core.hooksPath", str(folder) if place == "hooks" else place)
    assert found(memory) == ["commit-msg"]


def test_hooks_of_the_configuration(memory: Memory) -> None:
    memory.git("config", "hook.mine.command", "true")
    memory.git("config", "hook.mine.event", "pre-push")
    assert found(memory) == []
    memory.git("config", "--add", "hook.mine.event", "pre-commit")
    assert found(memory) == ["hook.mine.event"]
