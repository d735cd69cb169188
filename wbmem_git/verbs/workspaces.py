"""`$WBMEM_ROOT/workspaces.json`: which workspaces there are on this machine, and where."""

from __future__ import annotations

import json
from pathlib import Path
from typing import NamedTuple

from wbmem_git.store.state import write_atomically

NAME = "workspaces.json"
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
    """Add a workspace, or say where it is now; whether that could be done."""
    others = (known for known in entries(root) if known.memory != entry.memory)
    rows = sorted({*others, entry}, key=lambda row: (row.folder, row.key))
    text = json.dumps(
        {"version": VERSION, "workspaces": [row._asdict() for row in rows]}, ensure_ascii=False, indent=1
    )
    return entry in entries(root) or write_atomically(str(Path(root, NAME)), text + "\n")
