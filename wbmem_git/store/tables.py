"""Every row of a sidecar as values that tell nothing of row numbers: two that say the same are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterator, Mapping

    Row = tuple[object, ...]
    Names = Mapping[str, Mapping[object, object]]

NUMBER = "number"
"""The column whose values depend on the order in which rows were written."""
OF_THE_FILE = "format"
FULL_TEXT = ("word", "postings")


def rows(db: sqlite3.Connection) -> dict[str, list[Row]]:
    """Table → its rows, sorted; what a row names by number is named by what it says; events as they stand."""
    listed = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    names = _names(db)
    found: dict[str, list[Row]] = {}
    for (table,) in listed.fetchall():
        if not table.startswith(FULL_TEXT):
            told = list(_meta(db) if table == "meta" else _plain(db, table, names))
            found[table] = told if table == "events" else sorted(told, key=repr)
    return found


def _names(db: sqlite3.Connection) -> Names:
    """Table → number of a row → what it says instead."""
    pages = dict(db.execute("SELECT number, path FROM pages"))
    places = db.execute("SELECT number, page, place FROM entries")
    return {
        "pages": pages,
        "entries": {number: f"{pages.get(page)} {place}" for number, page, place in places},
    }


def _plain(db: sqlite3.Connection, table: str, names: Names) -> Iterator[Row]:
    columns = [column for _, column, *_ in db.execute(f'PRAGMA table_info("{table}")')]
    keys = db.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()
    named = {column: names[target] for _, _, target, column, *_ in keys if target in names}
    kept = [column for column in columns if column != NUMBER]
    ordered = f" ORDER BY {NUMBER}" if NUMBER in columns else ""
    asked = ", ".join(f'"{column}"' for column in kept)
    for row in db.execute(f'SELECT {asked} FROM "{table}"{ordered}'):  # noqa: S608  # our own names
        yield tuple(
            named[column].get(value, value) if column in named else value
            for column, value in zip(kept, row, strict=True)
        )


def _meta(db: sqlite3.Connection) -> Iterator[Row]:
    yield from db.execute("SELECT key, value FROM meta WHERE key <> ?", (OF_THE_FILE,))
