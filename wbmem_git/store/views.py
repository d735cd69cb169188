"""Derived files at the top of the working tree: written whole or not at all, never through a link."""

from __future__ import annotations

import errno
import os
import stat

from wbmem_git.store.state import private_folder


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
        descriptor = os.open(os.path.join(top, name), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return b""
    with open(descriptor, "rb") as file:
        return file.read()


def put_view(top: str, git_dir: str, name: str, data: bytes) -> bool:
    """Put a file in its place; whether it stands there now.

    It is written in the git folder, where nobody looks, and beside its place only where that is another
    file system.
    """
    target = os.path.join(top, name)
    beside = os.path.join(top, f".{name}.{os.getpid()}.tmp")
    for temporary in (os.path.join(private_folder(git_dir), f"{name}.{os.getpid()}.tmp"), beside):
        try:
            with open(temporary, "wb") as file:
                file.write(data)
            os.replace(temporary, target)
        except OSError as error:
            _unlink(temporary)
            if error.errno != errno.EXDEV:
                return False
        else:
            return True
    return False


def _unlink(path: str) -> None:
    try:
        os.unlink(path)
    except OSError:
        return
