"""What a path is, and how files are named."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wbmem_git.text.dates import is_day
from wbmem_git.text.ids import is_id
from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Container
    from datetime import datetime

    from wbmem_git.model import PageKind, Settings

SETTINGS = "wbmem.yaml"
BOARD = "PLAN.md"
PROFILE = "USER.md"
CANDIDATES = "USER-CANDIDATES.md"
ARCHIVE = "archive/"
GLOB_SIGNS = frozenset("*?[")
"""A board that is named without any of these is one path."""

_FIXED: dict[str, PageKind] = {
    SETTINGS: "settings",
    "MEMORY.md": "entries",
    "PINNED.md": "entries",
    PROFILE: "entries",
    CANDIDATES: "candidates",
}
_LEDGER = pattern(r"handoff-([0-9]{4})([0-9]{2})([0-9]{2})-([0-9]{2})([0-9]{2})([0-9]{2})(?:-[b-z])?\.md")
_LOG = pattern(r"log/([0-9]{4})-([0-9]{2})-([0-9]{2})\.md")
_SUFFIXES = ("", *(f"-{letter}" for letter in "bcdefghijklmnopqrstuvwxyz"))


def kind_of(path: str, settings: Settings) -> PageKind:
    """What the file at `path` is.

    The fixed names and folders come first, so no glob makes a board of a ledger, a log or an archive file.
    """
    return _kind_of(path, settings.boards)


@lru_cache(maxsize=16384)
def _kind_of(path: str, boards: tuple[str, ...]) -> PageKind:
    if path in _FIXED:
        return _FIXED[path]
    folder = path.partition("/")[0] if "/" in path else ""
    if folder == "archive":
        return _kind_in_archive(path)
    if folder == "summary":
        return "summary"
    if folder == "log":
        return "log" if is_log(path) else "other"
    if is_ledger(path):
        return "ledger"
    if not path.startswith(".") and "/." not in path and any(_names(board, path) for board in boards):
        return "board"
    return "other"


def _names(board: str, path: str) -> bool:
    if GLOB_SIGNS.isdisjoint(board):
        return board == path
    from wbmem_git.text.globs import path_matches  # most memories name each of their boards

    return path_matches(board, path)


def _kind_in_archive(path: str) -> PageKind:
    if archived_id(path):
        return "archive"
    return "archived-log" if path.startswith("archive/log/") and path.endswith(".md") else "other"


def archive_path(card: str) -> str:
    """Where the card or entry with that id is archived."""
    return f"archive/{card}.md"


def archived_id(path: str) -> str:
    """The id whose archive file `path` is, "" for any other path."""
    if not (path.startswith(ARCHIVE) and path.endswith(".md")):
        return ""
    name = path[len(ARCHIVE) : -len(".md")]
    return name if is_id(name) else ""


def is_log(path: str) -> bool:
    """Whether `path` is `log/YYYY-MM-DD.md` with a real date."""
    match = _LOG.fullmatch(path)
    return match is not None and is_day(*map(int, match.groups()))


def is_ledger(path: str) -> bool:
    """Whether `path` is `handoff-YYYYMMDD-HHMMSS(-[b-z])?.md` with a real date and time."""
    match = _LEDGER.fullmatch(path)
    if match is None:
        return False
    year, month, day, hour, minute, second = map(int, match.groups())
    return is_day(year, month, day) and hour < 24 and minute < 60 and second < 60


def ledger_order(path: str) -> str:
    """The key that sorts ledgers oldest first: the stem, so that `…00` comes before `…00-b`."""
    return path.removesuffix(".md")


def next_ledger_name(taken: Container[str], when: datetime) -> str:
    """The first free ledger name at `when` (UTC): the bare second, `-b` … `-z`, then the next second."""
    from datetime import timedelta  # only writers of ledgers pay for it

    while True:
        stem = f"handoff-{when:%Y%m%d-%H%M%S}"
        for suffix in _SUFFIXES:
            name = f"{stem}{suffix}.md"
            if name not in taken:
                return name
        when += timedelta(seconds=1)
