"""What status reads of the past: who changed what last, and what some commits changed."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.store.connection import Connection

_LAST = """
    SELECT id, oid, time, author, actor FROM entries
    JOIN latest ON latest.entry = entries.number JOIN commits USING (seq)
    WHERE id IN (SELECT value FROM json_each(?))
"""
_TOUCHED = """
    SELECT id, path FROM revisions JOIN commits ON commits.seq = revisions.seq
    WHERE oid IN (SELECT value FROM json_each(?))
"""


class LastChange(NamedTuple):
    """A commit: its oid, when it was committed, its author's name, whether an agent or a person made it."""

    commit: str
    time: int
    author: str
    actor: str


def last_changes(db: Connection, ids: Iterable[str]) -> dict[str, LastChange]:
    """The commit that changed each of these entries last; what no commit has is left out."""
    rows = db.execute(_LAST, (json.dumps(list(ids)),))
    return {row[0]: LastChange(*row[1:]) for row in rows}


def touched(db: Connection, commits: Iterable[str]) -> tuple[set[str], set[str]]:
    """The ids and the paths that these commits changed something of."""
    rows = db.execute(_TOUCHED, (json.dumps(list(commits)),)).fetchall()
    return {row[0] for row in rows}, {row[1] for row in rows}
