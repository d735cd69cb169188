"""What goes wrong with the sidecar: errors of SQLite as classes that say what is to be done about it."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING

from wbmem_git.errors import WbmemError
from wbmem_git.store.sqlite import sqlite3

if TYPE_CHECKING:
    from collections.abc import Iterator

DAMAGE = frozenset(
    {
        sqlite3.SQLITE_CONSTRAINT,  # a row is there that can't be
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_FORMAT,
        sqlite3.SQLITE_NOTADB,
    }
)
WHY = {
    sqlite3.SQLITE_BUSY: "another program has it open",
    sqlite3.SQLITE_CANTOPEN: "it can't be opened",
    sqlite3.SQLITE_FULL: "the disk is full",
    sqlite3.SQLITE_IOERR: "the disk refused",
    sqlite3.SQLITE_LOCKED: "another program has it open",
    sqlite3.SQLITE_NOMEM: "there is no memory left",
    sqlite3.SQLITE_PERM: "it may not be opened",
    sqlite3.SQLITE_PROTOCOL: "another program has it open",
    sqlite3.SQLITE_READONLY: "it is read-only",
}


class SidecarUnwritable(WbmemError):
    """`why` is a few words: `the disk is full`."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the sidecar can't be written: {why}", "wbmem doctor")
        self.why = why


class SidecarUnreadable(WbmemError):
    """The disk, or somebody who has it open, doesn't let us read it; the file isn't to blame."""

    def __init__(self, why: str) -> None:
        super().__init__(f"the sidecar can't be read: {why}", "wbmem doctor")


class SidecarDamaged(WbmemError):
    """A query found what can't be in a whole file: it has to be built anew."""

    def __init__(self) -> None:
        super().__init__("the sidecar is damaged", "wbmem index --rebuild")


@contextmanager
def reading() -> Iterator[None]:
    """What is read of a sidecar within this fails as one of ours; a mistake in a query stays what it is.

    Raises:
        SidecarDamaged: The file is to blame.
        SidecarUnreadable: The disk is, or a lock.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        if is_damage(error):
            raise SidecarDamaged from error
        if code_of(error) in WHY:
            raise SidecarUnreadable(why(error)) from error
        raise


def is_damage(error: sqlite3.Error) -> bool:
    """Whether the file is to blame and not who asks, the disk or a lock."""
    return code_of(error) in DAMAGE


def code_of(error: sqlite3.Error) -> int:
    """SQLite's own; what Python itself finds wrong in a file (a text that is none) is damage."""
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_CORRUPT)) & 0xFF


def why(error: OSError | sqlite3.Error) -> str:
    """In a few words."""
    if isinstance(error, OSError):
        said = error.strerror or "the system refused"
        return f"{said} ({error.filename})" if isinstance(error.filename, str) else said
    return WHY.get(code_of(error), f"SQLite says {getattr(error, 'sqlite_errorname', type(error).__name__)}")
