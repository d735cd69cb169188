"""git's lock of the index, as git and others see it."""

from __future__ import annotations

import errno
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.index_lock import IndexLock, IndexLocked, lock_path, new_token, token_in

if TYPE_CHECKING:
    from collections.abc import Callable

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


@pytest.mark.parametrize("has_links", [True, False])
def test_who_is_interrupted_just_behind_taking_it_lets_go_of_it(
    memory: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, has_links: bool
) -> None:
    ours = lock(memory)
    make = os.link if has_links else os.open
    monkeypatch.setattr(os, "link", _interrupting(make) if has_links else _refusing)
    if not has_links:
        monkeypatch.setattr(os, "write", _full)
    with pytest.raises(KeyboardInterrupt if has_links else OSError):
        ours.take(str(tmp_path))
    assert not Path(ours.path).exists()
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.undo()
    lock(memory).take(str(other), 0)


def _interrupting(make: Callable[..., object]) -> Callable[..., None]:
    def interrupted(*args: object) -> None:
        make(*args)
        raise KeyboardInterrupt

    return interrupted


def _refusing(*_: object) -> None:
    raise PermissionError(1, "Operation not permitted")


def _full(*_: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_only_the_lock_of_that_writer_counts_as_left_by_it(memory: Memory, tmp_path: Path) -> None:
    ours, index = lock(memory), str(memory.top / ".git/index")
    assert IndexLock.left(index, ours.token) is None
    ours.take(str(tmp_path))
    assert IndexLock.left(index, new_token()) is None
    left = IndexLock.left(index, ours.token)
    assert left is not None
    Path(ours.path).unlink()
    Path(ours.path).write_text(ours.token)  # another file, whatever it says
    (tmp_path / "taken").write_text("")
    left.release()
    assert Path(ours.path).exists()


def test_an_index_behind_a_link_is_locked_where_it_lies(memory: Memory, tmp_path: Path) -> None:
    memory.commit({"PLAN.md": "p\n"})
    index = memory.top / ".git/index"
    index.rename(tmp_path / "elsewhere")
    index.symlink_to(tmp_path / "elsewhere")
    assert lock_path(str(index)) == f"{tmp_path.resolve() / 'elsewhere'}.lock"
