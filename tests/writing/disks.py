"""A small disk of one's own: a file system in memory that only this process and its children see."""

from __future__ import annotations

import ctypes
import os
from typing import TYPE_CHECKING

from children import exits_well, in_child

if TYPE_CHECKING:
    from pathlib import Path

PAGE_BYTES = 4096
BALLAST = "ballast"
_NEW_MOUNTS, _NEW_USER = 0x00020000, 0x10000000
_READ_ONLY, _AGAIN, _BIND = 1, 32, 4096
_PRIVATE_BELOW = 1 << 18 | 1 << 14


def mount(folder: Path, size_bytes: int) -> None:
    """Mount a disk of that size there. For a process that is going to end: only its own view is changed.

    Raises:
        OSError: Neither root nor a namespace of users may do it here.
    """
    libc = own_view()
    folder.mkdir(parents=True, exist_ok=True)
    _see(libc.mount(b"none", os.fsencode(folder), b"tmpfs", 0, b"size=%d,mode=0700" % size_bytes))


def own_view() -> ctypes.CDLL:
    """Let no other process see what this one mounts from now on.

    Raises:
        OSError: Neither root nor a namespace of users may do it here.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    _see(libc.unshare(_NEW_MOUNTS | (_NEW_USER if os.geteuid() else 0)))
    _see(libc.mount(None, b"/", None, _PRIVATE_BELOW, None))
    return libc


def read_only(folder: Path) -> None:
    """From now on nothing there can be written, by whoever looks for it by its name. `own_view` first."""
    libc, name = ctypes.CDLL(None, use_errno=True), os.fsencode(folder)
    _see(libc.mount(name, name, None, _BIND, None))
    _see(libc.mount(None, name, None, _BIND | _AGAIN | _READ_ONLY, None))


def can_make_read_only(folder: Path) -> bool:
    def work() -> None:
        own_view()
        folder.mkdir()
        read_only(folder)

    return exits_well(in_child(work))


def can_mount(folder: Path) -> bool:
    return exits_well(in_child(lambda: mount(folder, PAGE_BYTES)))


def fill(disk: Path, left_pages: int) -> None:
    """Leave so many pages free."""
    with (disk / BALLAST).open("wb", buffering=0) as ballast:
        about = os.statvfs(disk)
        os.posix_fallocate(ballast.fileno(), 0, about.f_bavail * about.f_frsize)
        ballast.truncate((about.f_bavail - left_pages) * about.f_frsize)


def empty(disk: Path) -> None:
    (disk / BALLAST).unlink()


def _see(status: int) -> None:
    if status:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
