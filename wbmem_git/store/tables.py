"""Every row of a sidecar as values that tell nothing of row numbers: two that say the same are equal."""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING
from zlib import decompress

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from wbmem_git.store.connection import Connection

    Row = tuple[object, ...]
    Names = Mapping[str, Mapping[object, object]]

NUMBER = "number"
"""The column whose values depend on the order in which rows were written."""
OF_THE_FILE = "format"
NUMBERS = "I"  # how `store.words` keeps numbers of entries


def rows(db: Connection) -> dict[str, list[Row]]:
    """Table → its rows, sorted; what a row names by number is named by what it says; events as they stand."""
    listed = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    names = _names(db)
    found: dict[str, list[Row]] = {}
    for (table,) in listed.fetchall():
        told = list(SPECIAL[table](db, names) if table in SPECIAL else _plain(db, table, names))
        found[table] = told if table == "events" else sorted(told, key=repr)
    return found


def _names(db: Connection) -> Names:
    """Table → number of a row → what it says instead."""
    pages = dict(db.execute("SELECT number, path FROM pages"))
    places = db.execute("SELECT number, page, place FROM entries")
    return {
        "pages": pages,
        "entries": {number: f"{pages.get(page)} {place}" for number, page, place in places},
        "word_pages": dict(db.execute("SELECT number, path FROM word_pages")),
    }


def _plain(db: Connection, table: str, names: Names) -> Iterator[Row]:
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


def _meta(db: Connection, _: Names) -> Iterator[Row]:
    yield from db.execute("SELECT key, value FROM meta WHERE key <> ?", (OF_THE_FILE,))


# --- full text: whose row it is stands in front; whether it is settled is left out ------------------------


def _words(db: Connection, names: Names) -> Iterator[Row]:
    for number, page, *told in db.execute(
        "SELECT number, page, kind, status, valid_from, expiry, date, head, length FROM words"
    ):
        yield names["entries"].get(number, number), names["word_pages"].get(page, page), *told


def _word_terms(db: Connection, names: Names) -> Iterator[Row]:
    for number, terms, weights in db.execute("SELECT number, terms, weights FROM word_terms"):
        yield names["entries"].get(number, number), *sorted(zip(_inflated(terms), weights, strict=True))


def _postings(db: Connection, names: Names) -> Iterator[Row]:
    for term, numbers, weights in db.execute("SELECT term, numbers, weights FROM postings"):
        for number, weight in zip(array(NUMBERS, numbers), weights, strict=True):
            yield term, names["entries"].get(number, number), weight
    unsettled = "SELECT number, terms, weights FROM words JOIN word_terms USING (number) WHERE settled = 0"
    for number, terms, weights in db.execute(unsettled):
        for term, weight in zip(_inflated(terms), weights, strict=True):
            yield term, names["entries"].get(number, number), weight


def _inflated(terms: bytes) -> list[str]:
    text = decompress(terms).decode()
    return text.split("\n") if text else []


SPECIAL: dict[str, Callable[[Connection, Names], Iterator[Row]]] = {
    "meta": _meta,
    "words": _words,
    "word_terms": _word_terms,
    "postings": _postings,
}
