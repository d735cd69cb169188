"""What questions read of the present: entries, how each stands, and what its tags and cues lead to."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator

CRITERIA = ("passed", "warned", "unknown", "failed")
"""What the gate said of an entry as it stands, the best first."""
OF_A_PAGE = ("section", "leaf", "board", "ledger", "log")
"""Kinds of entries that have no history but their page's."""
LAST_CHARACTER = "\U0010ffff"

_STANDING_OF_PAGES = """
WITH changed AS MATERIALIZED (
    SELECT pages.number, pages.path,
        (SELECT seq FROM revisions WHERE id = pages.id AND hidden = 0 ORDER BY seq DESC LIMIT 1) AS seq
    FROM json_each(?) AS wanted JOIN pages ON pages.number = wanted.value)
SELECT number,
    coalesce((SELECT time FROM commits WHERE commits.seq = changed.seq), 0),
    coalesce((SELECT substr(event, 10) FROM events
        WHERE events.seq = changed.seq AND page = changed.path AND event LIKE 'criteria.%'), 'unknown')
FROM changed
"""
_STANDING_OF_ENTRIES = """
WITH changed AS MATERIALIZED (
    SELECT entries.number, pages.path,
        (SELECT seq FROM revisions WHERE id = entries.id AND hidden = 0 ORDER BY seq DESC LIMIT 1) AS seq
    FROM json_each(?) AS wanted JOIN entries ON entries.number = wanted.value
    JOIN pages ON pages.number = entries.page)
SELECT number,
    coalesce((SELECT time FROM commits WHERE commits.seq = changed.seq), 0),
    coalesce((SELECT substr(event, 10) FROM events
        WHERE events.seq = changed.seq AND page = changed.path AND event LIKE 'criteria.%'), 'unknown')
FROM changed WHERE seq IS NOT NULL
"""
_ENTRY = (
    "SELECT entries.number, entries.id, entries.kind, pages.path, pages.id, pages.layer, line, end, section,"
    " title, preview, status, date, weight, successor"
    " FROM entries JOIN pages ON pages.number = entries.page"
)


class Standing(NamedTuple):
    """When an entry was changed last (seconds), and what the gate said of that."""

    time: int
    criteria: str


class Candidate(NamedTuple):
    """As much of an entry as its rank depends on."""

    number: int
    page: int
    kind: str
    id: str
    weight: float


class Entry(NamedTuple):
    """An entry as the sidecar has it; `page_id` is that of its page as a whole."""

    number: int
    id: str
    kind: str
    path: str
    page_id: str
    layer: str
    line: int
    end: int
    section: str
    title: str
    preview: str
    status: str
    date: str
    weight: float
    successor: str


# --- entries ----------------------------------------------------------------------------------------------


def entries(db: sqlite3.Connection, numbers: Iterable[int]) -> Iterator[Entry]:
    """The entries of these numbers, in that order."""
    for number in numbers:
        row = db.execute(f"{_ENTRY} WHERE entries.number = ?", (number,)).fetchone()
        if row is not None:
            yield Entry(*row)


def with_id(db: sqlite3.Connection, name: str) -> list[Entry]:
    """Every entry of that id, in the order of pages and lines; a page as a whole comes first."""
    rows = db.execute(f"{_ENTRY} WHERE entries.id = ? ORDER BY pages.path, entries.place", (name,))
    return [Entry(*row) for row in rows]


def text_of(db: sqlite3.Connection, number: int) -> str:
    """The whole text of an entry."""
    row = db.execute("SELECT text FROM entries WHERE number = ?", (number,)).fetchone()
    return "" if row is None else str(row[0])


def parts_of(db: sqlite3.Connection, entry: Entry) -> set[int]:
    """What has its id, stands within its lines (a section's bullets), or around them; itself too."""
    rows = db.execute(
        "SELECT number FROM entries WHERE id = ? UNION SELECT number FROM entries"
        " WHERE page = (SELECT page FROM entries WHERE number = ?)"
        " AND (line >= ? AND end <= ? OR line <= ? AND end >= ?)",
        (entry.id, entry.number, entry.line, entry.end, entry.line, entry.end),
    )
    return {row[0] for row in rows}


def page_of(db: sqlite3.Connection, path: str) -> tuple[str, str] | None:
    """The id and the blob of the page at a path; None where there is none."""
    row = db.execute("SELECT id, blob FROM pages WHERE path = ?", (path,)).fetchone()
    return None if row is None else (row[0], row[1])


def page_with_id(db: sqlite3.Connection, name: str) -> tuple[str, str] | None:
    """The path and the blob of the page that has this id as a whole; None where there is none."""
    row = db.execute("SELECT path, blob FROM pages WHERE id = ? ORDER BY path", (name,)).fetchone()
    return None if row is None else (row[0], row[1])


def ids_from(db: sqlite3.Connection, beginning: str, limit: int) -> list[str]:
    """At most `limit` ids that begin so, of the present and of the past, in order."""
    asked = (beginning, beginning + LAST_CHARACTER)
    found: set[str] = set()
    for table in ("entries", "pages", "revisions"):
        rows = db.execute(
            f"SELECT DISTINCT id FROM {table} WHERE id >= ? AND id < ? ORDER BY id LIMIT {limit}",  # noqa: S608
            asked,
        )
        found.update(row[0] for row in rows)
    return sorted(found)[:limit]


# --- how they stand, and their order ------------------------------------------------------------------------


def ranked(db: sqlite3.Connection, numbers: Iterable[int]) -> list[tuple[Candidate, Standing]]:
    """These entries by what the gate said (`CRITERIA`), the weight of their section, the newest, their id."""
    rows = db.execute(
        "SELECT entries.number, page, kind, entries.id, weight"
        " FROM json_each(?) AS wanted JOIN entries ON entries.number = wanted.value",
        (json.dumps(list(numbers)),),
    )
    found = [Candidate(*row) for row in rows]
    standings = _standings(db, found)
    order = {name: place for place, name in enumerate(CRITERIA)}

    def rank(one: Candidate) -> tuple[int, float, int, str, int]:
        standing = standings[one.number]
        return (order[standing.criteria], -one.weight, -standing.time, one.id, one.number)

    return [(one, standings[one.number]) for one in sorted(found, key=rank)]


def _standings(db: sqlite3.Connection, found: list[Candidate]) -> dict[int, Standing]:
    """By number of entry: its own, where its id has a history, else its page's."""
    by_page = _read(db, _STANDING_OF_PAGES, sorted({one.page for one in found}))
    own = _read(db, _STANDING_OF_ENTRIES, [one.number for one in found if one.kind not in OF_A_PAGE])
    return {one.number: own.get(one.number) or by_page[one.page] for one in found}


def _read(db: sqlite3.Connection, sql: str, numbers: list[int]) -> dict[int, Standing]:
    if not numbers:
        return {}
    return {row[0]: Standing(row[1], row[2]) for row in db.execute(sql, (json.dumps(numbers),))}


# --- tags and cues ------------------------------------------------------------------------------------------


def tags_of(db: sqlite3.Connection, number: int) -> tuple[str, ...]:
    """The tags of an entry, in the order in which it has them."""
    rows = db.execute("SELECT tag FROM tags WHERE entry = ? ORDER BY nth", (number,))
    return tuple(row[0] for row in rows)


def cues_of(db: sqlite3.Connection, number: int) -> tuple[str, ...]:
    """The cues of an entry, in the order in which it has them."""
    rows = db.execute("SELECT cue FROM cues WHERE entry = ? ORDER BY nth", (number,))
    return tuple(row[0] for row in rows)


def leading_from(db: sqlite3.Connection, names: Iterable[str]) -> set[int]:
    """The entries that have one of these tags or cues (folded)."""
    asked = json.dumps(list(names))
    rows = db.execute(
        "SELECT entry FROM tags WHERE folded IN (SELECT value FROM json_each(?1))"
        " UNION SELECT entry FROM cues WHERE folded IN (SELECT value FROM json_each(?1))",
        (asked,),
    )
    return {row[0] for row in rows}


def leading_from_beginning(db: sqlite3.Connection, folded: str) -> set[int]:
    """The entries with a tag or a cue that begins so."""
    ends = (folded, folded + LAST_CHARACTER)
    rows = db.execute(
        "SELECT entry FROM tags WHERE folded >= ? AND folded < ?"
        " UNION SELECT entry FROM cues WHERE folded >= ? AND folded < ?",
        (*ends, *ends),
    )
    return {row[0] for row in rows}


def names(db: sqlite3.Connection) -> list[str]:
    """Every tag and cue there is, folded, each once."""
    rows = db.execute("SELECT DISTINCT folded FROM tags UNION SELECT DISTINCT folded FROM cues")
    return [row[0] for row in rows]


class Shared(NamedTuple):
    """A tag or cue of one entry: as it is written there, and the others that have it, if they are few."""

    name: str
    entries: frozenset[int]


def shared_with(db: sqlite3.Connection, number: int, most: int) -> list[Shared]:
    """The tags, then the cues of an entry, each with the other entries that have it.

    Args:
        db: The sidecar.
        number: The entry.
        most: What more entries than this have tells no neighbours, and is left out.
    """
    found = []
    for table, column in (("tags", "tag"), ("cues", "cue")):
        mine = db.execute(
            f"SELECT folded, {column} FROM {table} WHERE entry = ? ORDER BY nth",  # noqa: S608
            (number,),
        ).fetchall()
        for folded, name in mine:
            rows = db.execute(
                f"SELECT entry FROM {table} WHERE folded = ? LIMIT ?",  # noqa: S608
                (folded, most + 1),
            ).fetchall()
            if len(rows) <= most:
                found.append(Shared(name, frozenset(row[0] for row in rows) - {number}))
    return found
