"""git's lock of the index, as git and others see it."""

from __future__ import annotations

import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.index_lock import IndexLock, IndexLocked, lock_path, new_token, token_in

if TYPE_CHECKING:
    from memory import Memory


def lock(memory: Memory) -> IndexLock:
    return IndexLock(str(memory.top / ".git/index"), new_token())


def test_git_waits_for_ours_and_we_for_gits(memory: Memory, tmp_path: Path) -> None:
    memory.commit({"PLAN.md": "p\n"})
    ours = lock(memory)
    ours.take(str(tmp_path))
    assert memory.try_git("rm", "-q", "--cached", "PLAN.md").returncode
    assert token_in(ours.path) == ours.token
    other = IndexLock(str(memory.top / ".git/index"), new_token())
    with pytest.raises(IndexLocked, match="since"):
        other.take(str(tmp_path), 0.05)
    threading.Timer(0.2, ours.release).start()
    begun = time.monotonic()
    other.take(str(tmp_path), 10)
    assert time.monotonic() - begun < 5
    other.release()
    memory.git("rm", "-q", "--cached", "PLAN.md")


def test_only_ours_is_let_go_of(memory: Memory, tmp_path: Path) -> None:
    ours = lock(memory)
    ours.take(str(tmp_path))
    Path(ours.path).unlink()
    theirs = tmp_path / "theirs"
    theirs.write_text("")
    theirs.rename(ours.path)
    ours.release()
    assert Path(ours.path).exists()
    assert token_in(ours.path) == ""


def test_a_file_system_without_hard_links(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    ours = lock(memory)
    ours.take(str(tmp_path))
    assert token_in(ours.path) == ours.token
    with pytest.raises(IndexLocked):
        lock(memory).take(str(tmp_path), 0)
    ours.release()
    assert not Path(ours.path).exists()


def test_an_index_behind_a_link_is_locked_where_it_lies(memory: Memory, tmp_path: Path) -> None:
    memory.commit({"PLAN.md": "p\n"})
    index = memory.top / ".git/index"
    index.rename(tmp_path / "elsewhere")
    index.symlink_to(tmp_path / "elsewhere")
    assert lock_path(str(index)) == f"{tmp_path.resolve() / 'elsewhere'}.lock"
