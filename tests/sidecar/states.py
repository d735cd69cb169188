"""Everything that is derived, so that two sidecars can be compared: every table and every view."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wbmem_git.store.tables import rows
from wbmem_git.verbs.events_view import events_jsonl
from wbmem_git.verbs.index_view import index_json, index_lines

if TYPE_CHECKING:
    from sqlite3 import Connection

State = dict[str, list[Any]]


def state_of(db: Connection) -> State:
    """Each table without the numbers that rows happen to have, and each view."""
    found: State = {name: list(told) for name, told in rows(db).items()}
    found["meta"] = [row for row in found["meta"] if row[0] != "format"]  # only a file has one
    found["index.json"] = "".join(index_json(db)).splitlines()
    found["index lines"] = list(index_lines(db))
    found["events.jsonl"] = list(events_jsonl(db))
    return found


def differences(one: State, other: State) -> list[str]:
    """What only one of them has, as lines: a failure is read by a person."""
    found = []
    for name in one:
        if one[name] != other[name]:
            told = [(f"- {row}", row not in other[name]) for row in one[name]]
            told += [(f"+ {row}", row not in one[name]) for row in other[name]]
            found += [f"{name}: {text}" for text, only in told if only] or [f"{name}: in another order"]
    return found
