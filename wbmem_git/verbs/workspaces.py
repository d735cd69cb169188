"""`$WBMEM_ROOT/workspaces.json`: which workspaces there are on this machine, and where."""

from __future__ import annotations

import json
from fcntl import LOCK_EX, flock
from pathlib import Path
from typing import NamedTuple

from wbmem_git.store.state import write_atomically

NAME = "workspaces.json"
LOCK = ".workspaces.lock"
VERSION = 1


class Entry(NamedTuple):
    """A workspace: its key, its folder, and its memory's folder."""

    key: str
    folder: str
    memory: str


def entries(root: str) -> tuple[Entry, ...]:
    """What is recorded; nothing where the file isn't there or is damaged."""
    try:
        stored = json.loads(Path(root, NAME).read_text(encoding="utf-8"))
        return tuple(Entry(*(str(row[name]) for name in Entry._fields)) for row in stored["workspaces"])
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def record(root: str, entry: Entry) -> bool:
    """Add a workspace, or say where it is now; whether that could be done. One writer at a time."""
    if entry in entries(root):
        return True
    try:
        Path(root).mkdir(parents=True, exist_ok=True)
        with Path(root, LOCK).open("ab") as lock:
            flock(lock.fileno(), LOCK_EX)
            return write_atomically(str(Path(root, NAME)), _text(root, entry))
    except OSError:
        return False


def _text(root: str, entry: Entry) -> str:
    others = (known for known in entries(root) if known.memory != entry.memory)
    rows = sorted({*others, entry}, key=lambda row: (row.folder, row.key))
    stored = {"version": VERSION, "workspaces": [row._asdict() for row in rows]}
    return json.dumps(stored, ensure_ascii=False, indent=1) + "\n"
