"""The sidecar as a file: `<git dir>/wbmem/sidecar.sqlite`. The only module that imports SQLite.

Everything in it comes back from git, so no state of the file is an error: what can't be used is built anew.
"""

from __future__ import annotations

import os
import sqlite3
from functools import cache

SCHEMAS = ("schema.sql", "words.sql")


@cache
def schema() -> str:
    """Every table, as SQL."""
    folder = os.path.dirname(os.path.abspath(__file__))
    places = (os.path.join(folder, name) for name in SCHEMAS)
    return "".join(_text(place) for place in places if os.path.exists(place))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def memory() -> sqlite3.Connection:
    """A sidecar in memory, with every table and nothing in them."""
    return _with_tables(_connect(":memory:"))


def _connect(path: str) -> sqlite3.Connection:
    """Transactions begin and end where we say so; a reader's lock keeps the threads apart."""
    return sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)


def _with_tables(db: sqlite3.Connection) -> sqlite3.Connection:
    db.executescript(schema())
    return db


def get_meta(db: sqlite3.Connection, key: str) -> str:
    """What is kept under a name, "" where nothing is."""
    row = db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
    return "" if row is None else str(row[0])


def set_meta(db: sqlite3.Connection, key: str, value: str) -> None:
    """Keep a value under a name."""
    db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))
