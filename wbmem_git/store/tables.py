"""Every row of a sidecar as values that tell nothing of row numbers: two that say the same are equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Mapping

    Row = tuple[object, ...]
    Names = Mapping[str, Mapping[object, object]]

NUMBER = "number"
"""The column whose values depend on the order in which rows were written."""
VIRTUAL = "CREATE VIRTUAL TABLE"


def rows(db: sqlite3.Connection) -> dict[str, list[Row]]:
    """Table → its rows, sorted; what a row names by number is named by what it says; events as they stand."""
    listed = db.execute(
        "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
    )
    virtual = {name: sql.upper().startswith(VIRTUAL) for name, sql in listed}
    own = tuple(f"{name}_" for name, is_virtual in virtual.items() if is_virtual)
    pages = dict(db.execute("SELECT number, path FROM pages"))
    places = db.execute("SELECT number, page, place FROM entries")
    names = {
        "pages": pages,
        "entries": {number: f"{pages.get(page)} {place}" for number, page, place in places},
    }
    found: dict[str, list[Row]] = {}
    for name, is_virtual in virtual.items():
        if is_virtual:
            found[name] = _terms(db, name, names)
        elif not name.startswith(own):
            found[name] = _plain(db, name, names)
    return found


def _plain(db: sqlite3.Connection, table: str, names: Names) -> list[Row]:
    columns = [column for _, column, *_ in db.execute(f'PRAGMA table_info("{table}")')]
    keys = db.execute(f'PRAGMA foreign_key_list("{table}")').fetchall()
    named: dict[str, Mapping[object, object]] = {
        column: names[target] for _, _, target, column, *_ in keys if target in names
    }
    kept = [column for column in columns if column != NUMBER]
    ordered = f" ORDER BY {NUMBER}" if NUMBER in columns else ""
    listed = ", ".join(f'"{column}"' for column in kept)
    told = [
        tuple(
            named[column].get(value, value) if column in named else value
            for column, value in zip(kept, row, strict=True)
        )
        for row in db.execute(f'SELECT {listed} FROM "{table}"{ordered}')  # noqa: S608  # our own names
    ]
    return told if table == "events" else sorted(told, key=repr)


def _terms(db: sqlite3.Connection, table: str, names: Names) -> list[Row]:
    """Which term stands where, as full text has it."""
    db.execute(f"CREATE VIRTUAL TABLE temp.terms USING fts5vocab(main, '{table}', 'instance')")
    try:
        entries = names["entries"]
        return sorted(
            (
                (term, entries.get(number, number), column, place)
                for term, number, column, place in db.execute("SELECT * FROM temp.terms")
            ),
            key=repr,
        )
    finally:
        db.execute("DROP TABLE temp.terms")
