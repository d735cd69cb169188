"""Derived files at the top of the working tree: written whole or not at all, never through a link."""

from __future__ import annotations

import errno
import os
import stat
from typing import NamedTuple

from wbmem_git.store.state import private_folder, read_bytes, read_text, write_atomically, write_new


class Note(NamedTuple):
    """What we put there last: which file it is, of which commit, and how many lines it has."""

    inode: int
    size: int
    time_ns: int
    lines: int
    head: str


def may_stand(top: str, name: str) -> bool:
    """Whether there is a plain file of that name, or nothing yet."""
    try:
        there = os.lstat(os.path.join(top, name))
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return stat.S_ISREG(there.st_mode)


def read_view(top: str, name: str) -> bytes:
    """What stands there, nothing where there is no file."""
    try:
        return read_bytes(os.path.join(top, name), os.O_NOFOLLOW)
    except OSError:
        return b""


def put_view(top: str, git_dir: str, name: str, data: bytes) -> bool:
    """Put a file in its place; whether it stands there now.

    It is written in the git folder, where nobody looks, and beside its place only where that is another
    file system.
    """
    target = os.path.join(top, name)
    beside = os.path.join(top, f".{name}.{os.getpid()}.tmp")
    for temporary in (os.path.join(private_folder(git_dir), f"{name}.{os.getpid()}.tmp"), beside):
        try:
            write_new(temporary, data)
            os.replace(temporary, target)
        except OSError as error:
            _unlink(temporary)
            if error.errno != errno.EXDEV:
                return False
        else:
            return True
    return False


def middle(data: bytes, first: int, count: int) -> bytes:
    """So many lines, without so many before them."""
    start = _behind(data, 0, first)
    total = data.count(b"\n", start)
    if total - count > count:
        return data[start : _behind(data, start, count)]
    end = len(data)
    for _ in range(total - count):
        end = data.rindex(b"\n", start, end)
    return data[start : data.rindex(b"\n", start, end) + 1] if count else b""


def _behind(data: bytes, start: int, lines: int) -> int:
    for _ in range(lines):
        start = data.index(b"\n", start) + 1
    return start


# --- what was put there last ----------------------------------------------------------------------------


def remember(top: str, git_dir: str, name: str, lines: int, head: str) -> None:
    """Note what was just put there."""
    try:
        there = os.lstat(os.path.join(top, name))
    except OSError:
        return
    note = Note(there.st_ino, there.st_size, there.st_mtime_ns, lines, head)
    write_atomically(_note_path(git_dir, name), " ".join(map(str, note)) + "\n")


def untouched(top: str, git_dir: str, name: str) -> Note | None:
    """What is noted of the file that stands there; None where that is another one, or was written to."""
    words = read_text(_note_path(git_dir, name)).split()
    try:
        *numbers, head = words
        inode, size, time_ns, lines = map(int, numbers)
        there = os.lstat(os.path.join(top, name))
    except (OSError, ValueError):
        return None
    is_same = (there.st_ino, there.st_size, there.st_mtime_ns) == (inode, size, time_ns)
    return Note(inode, size, time_ns, lines, head) if is_same else None


def _note_path(git_dir: str, name: str) -> str:
    return os.path.join(private_folder(git_dir), f"{name}.note")


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
