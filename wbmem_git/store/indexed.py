"""What `index.json` and the index lines read of the sidecar: entries of the present, and how each stands."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.store.connection import Connection


class Row(NamedTuple):
    """An entry as a view needs it; `time` (seconds) is that of the commit that last changed it, else 0."""

    number: int
    id: str
    kind: str
    path: str
    page_id: str
    layer: str
    place: int
    line: int
    title: str
    sentence: str
    status: str
    date: str
    shown: str
    seq: int
    time: int


_STANDING = """
WITH of_kind AS MATERIALIZED (
    SELECT number, path, id, layer,
        (SELECT seq FROM revisions WHERE id = pages.id AND hidden = 0 ORDER BY seq DESC LIMIT 1) AS seq
    FROM pages WHERE kind = ?1 ORDER BY substr(path, 1, length(path) - 3) DESC LIMIT ?2),
standing AS MATERIALIZED (
    SELECT entries.number, of_kind.number AS page,
        coalesce(
            CASE WHEN kind IN ('card', 'memory', 'archive') THEN
                (SELECT seq FROM revisions WHERE id = entries.id AND hidden = 0 ORDER BY seq DESC LIMIT 1)
            END,
            of_kind.seq, 0) AS seq
    FROM of_kind JOIN entries ON entries.page = of_kind.number AND ?3 IN ('', kind))
"""
_SHOWN = """
SELECT entries.number, entries.id, entries.kind, path, of_kind.id, layer, place, line, title, sentence,
    status, date, shown, standing.seq,
    coalesce((SELECT time FROM commits WHERE commits.seq = standing.seq), 0)
FROM {standing} AS standing
JOIN entries ON entries.number = standing.number JOIN of_kind ON of_kind.number = entries.page
ORDER BY path, place
"""
_ROWS = _STANDING + _SHOWN.format(standing="standing")
_NEWEST = """,
newest AS MATERIALIZED (
    SELECT standing.number, standing.seq
    FROM standing JOIN entries ON entries.number = standing.number
    JOIN of_kind ON of_kind.number = standing.page LEFT JOIN commits ON commits.seq = standing.seq
    ORDER BY coalesce(commits.time, 0) DESC, date DESC, path, place LIMIT ?4)
"""
_NEWEST_ROWS = _STANDING + _NEWEST + _SHOWN.format(standing="newest")


def rows(db: Connection, kind: str, last: int = -1, only: str = "") -> list[Row]:
    """The entries of all pages of a kind, by path and place.

    Args:
        db: The sidecar.
        kind: The pages' kind.
        last: Only those of so many pages, the last ones by path without its `.md`, which is how ledgers are
            ordered; -1 for all.
        only: Only entries of that kind.
    """
    return [Row(*row) for row in db.execute(_ROWS, (kind, last, only))]


def newest_rows(db: Connection, kind: str, most: int) -> list[Row]:
    """So many of these, by path and place: those that a commit changed last, at one time the later date."""
    return [Row(*row) for row in db.execute(_NEWEST_ROWS, (kind, -1, "", most))]


def names(db: Connection, name: str, numbers: Iterable[int]) -> list[tuple[str, str, int]]:
    """(as written, folded, number of the entry) of every tag, or cue, of these entries, in no certain order.

    Args:
        db: The sidecar.
        name: `tag` or `cue`.
        numbers: The entries.
    """
    return db.execute(
        f"SELECT {name}, folded, entry FROM json_each(?) AS wanted JOIN {name}s ON entry = wanted.value",  # noqa: S608
        (json.dumps(list(numbers)),),
    ).fetchall()


def versions(db: Connection, ids: Iterable[str], most: int) -> dict[str, list[str]]:
    """Id → the commits that changed it, the newest first, at most so many; ids without any are left out."""
    found = {
        name: sorted(map(int, seqs.split(",")), reverse=True)
        for name, seqs in db.execute(
            "SELECT value, (SELECT group_concat(seq) FROM (SELECT seq FROM revisions"
            " WHERE id = wanted.value AND hidden = 0 ORDER BY seq DESC LIMIT ?2))"
            " FROM json_each(?1) AS wanted",
            (json.dumps(list(ids)), most),
        )
        if seqs
    }
    oids = dict(
        db.execute(
            "SELECT seq, oid FROM json_each(?) AS wanted JOIN commits ON seq = wanted.value",
            (json.dumps(sorted({seq for seqs in found.values() for seq in seqs})),),
        )
    )
    return {name: [oids[seq] for seq in seqs] for name, seqs in found.items()}
