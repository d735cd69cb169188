"""An object that isn't here: why, and what to do next, in git's words where git has some."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from wbmem_git.errors import GitError, MissingObject
from wbmem_git.store.repository import Repository

if TYPE_CHECKING:
    from pathlib import Path

    from memory import Memory


def read(top: Path, oid: str) -> GitError:
    """What comes of reading that object."""
    with Repository.open(str(top), os.environ) as repository, pytest.raises(GitError) as raised:
        repository.blob(oid)
    return raised.value


def test_an_object_that_a_whole_clone_should_have_is_for_fsck(memory: Memory) -> None:
    memory.commit({"a.md": "1"})
    oid = memory.git("rev-parse", "HEAD:a.md")
    (memory.top / ".git/objects" / oid[:2] / oid[2:]).unlink()
    error = read(memory.top, oid)
    assert isinstance(error, MissingObject)
    assert "should be" in error.message
    assert "git fsck" in error.hint
    assert "unshallow" not in error.hint


def test_a_partial_clone_whose_remote_is_away_waits_for_it(memory: Memory, tmp_path: Path) -> None:
    memory.commit({"a.md": "1"})
    memory.git("config", "uploadpack.allowFilter", "true")
    oid = memory.git("rev-parse", "HEAD:a.md")
    source = f"file://{memory.top}"
    memory.git("clone", "-q", "--bare", "--filter=blob:none", source, str(tmp_path / "part.git"))
    memory.top.rename(tmp_path / "away")
    error = read(tmp_path / "part.git", oid)
    assert "when the remote answers" in error.hint
    assert "cat-file ended" not in error.message


def test_what_git_says_of_a_damaged_object_is_told(memory: Memory) -> None:
    memory.commit({"a.md": "1"})
    oid = memory.git("rev-parse", "HEAD:a.md")
    stored = memory.top / ".git/objects" / oid[:2] / oid[2:]
    stored.chmod(0o644)
    stored.write_bytes(b"no object")
    error = read(memory.top, oid)
    assert "git fsck" in error.hint


def test_what_git_says_of_its_settings_is_told(memory: Memory) -> None:
    memory.commit({"a.md": "1"})
    oid = memory.git("rev-parse", "HEAD:a.md")
    with Repository.open(str(memory.top), os.environ) as repository:
        memory.git("config", "core.abbrev", "nonsense")
        with pytest.raises(GitError, match=r"core\.abbrev") as raised:
            repository.blob(oid)
    assert "git config --list --show-origin" in raised.value.hint
