"""Which entries of full text a filter keeps, where they are few: then each is scored by itself."""

from __future__ import annotations

from calendar import timegm
from time import strptime
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from wbmem_git.store.connection import Connection

FIRST_DAY, LAST_DAY = "1970-01-01", "9999-12-31"
"""The days of all times before and after them, too (`text.moments`)."""
DAY_S = 86_400
EVER = 1 << 62


class Wanted(NamedTuple):
    """What a filter asks for.

    Attributes:
        kinds: Of `words`. statuses: Likewise; none for every one.
        today: The day on which an entry has to be valid, "" for none.
        since: The first day, "" for no bound. until: The last day, likewise.
    """

    kinds: Collection[str]
    statuses: Collection[str]
    today: str
    since: str
    until: str


def few(db: Connection, wanted: Wanted, most: int) -> set[int] | None:
    """The numbers of all that a filter keeps, and of some that it doesn't.

    Args:
        db: The sidecar.
        wanted: The filter.
        most: Up to so many; None where there are more.
    """
    where, values = _where(wanted)
    if not (wanted.since or wanted.until):
        return _numbers(db, f"words.number FROM words WHERE {where}", values, most)
    days = [wanted.since or "0", wanted.until or "9"]
    dated = _numbers(
        db, f"words.number FROM words WHERE {where} AND date BETWEEN ? AND ?", [*values, *days], most
    )
    if dated is None:
        return None
    undated = _numbers(db, f"words.number FROM words WHERE {where} AND date = ''", values, most)
    if undated is None:
        undated = _changed(db, wanted, most)
    return None if undated is None else dated | undated


def may_be_kept(wanted: Wanted) -> tuple[str, list[object]]:
    """A condition on a row of `words`, and its values; what has no date meets it, whenever it was changed."""
    where, values = _where(wanted)
    if not (wanted.since or wanted.until):
        return where, values
    days = [wanted.since or "0", wanted.until or "9"]
    return f"{where} AND (words.date = '' OR words.date BETWEEN ? AND ?)", [*values, *days]


def _changed(db: Connection, wanted: Wanted, most: int) -> set[int] | None:
    """What has no date of its own, and which a commit of that time changed, itself or its page."""
    where, values = _where(wanted)
    found: set[int] = set()
    for joined in (
        "entries.id = revisions.id",
        "entries.page = (SELECT number FROM pages WHERE id = revisions.id)",
    ):
        some = _numbers(
            db,
            "DISTINCT words.number FROM commits CROSS JOIN revisions USING (seq)"
            f" CROSS JOIN entries ON {joined} CROSS JOIN words ON words.number = entries.number"
            f" WHERE commits.time BETWEEN ? AND ? AND hidden = 0 AND words.date = '' AND {where}",
            [*_times(wanted), *values],
            most,
        )
        if some is None:
            return None
        found |= some
    return found


def _numbers(db: Connection, chosen: str, values: Sequence[object], most: int) -> set[int] | None:
    rows = db.execute(
        f"SELECT {chosen} LIMIT ?",  # names of ours, and `?`
        (*values, most + 1),
    ).fetchall()
    return None if len(rows) > most else {number for (number,) in rows}


def _where(wanted: Wanted) -> tuple[str, list[object]]:
    parts = [f"words.kind IN ({_marks(wanted.kinds)})"]
    values: list[object] = [*sorted(wanted.kinds)]
    if wanted.statuses:
        parts.append(f"words.status IN ({_marks(wanted.statuses)})")
        values += sorted(wanted.statuses)
    if wanted.today:
        parts.append("words.valid_from <= ? AND (words.expiry = '' OR words.expiry >= ?)")
        values += [wanted.today, wanted.today]
    return " AND ".join(parts), values


def _marks(values: Collection[str]) -> str:
    return ", ".join("?" * len(values))


def _times(wanted: Wanted) -> tuple[int, int]:
    """From the first second of the first day to the last one of the last."""
    first = _second(wanted.since) if wanted.since > FIRST_DAY else -EVER
    last = _second(wanted.until) + DAY_S - 1 if "" < wanted.until < LAST_DAY else EVER
    return first, last


def _second(day: str) -> int:
    return timegm(strptime(day, "%Y-%m-%d"))
