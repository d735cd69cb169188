"""What a refresh left alone of the past: SQLite itself notes which rows went."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.revisions import MOST_EVENTS

if TYPE_CHECKING:
    from wbmem_git.store.connection import Connection

WATCH = "CREATE TEMP TABLE IF NOT EXISTS forgotten (of TEXT, seq INTEGER)"
UNWATCH = "DROP TRIGGER IF EXISTS temp.forgotten_{0}"
TABLES = ("commits", "events")
TRIGGER = (
    "CREATE TEMP TRIGGER forgotten_{0} AFTER DELETE ON main.{0}"
    " BEGIN INSERT INTO forgotten VALUES ('{0}', old.seq); END"
)


class Kept(NamedTuple):
    """The stretch of the past that is what it was.

    Attributes:
        last: The seq of the last commit that stayed where it is, 0 for none.
        undone: How many events of later commits went.
        events: How many of the newest events are now of commits up to it.
    """

    last: int
    undone: int
    events: int


def watch(db: Connection) -> int:
    """Note from now on what goes; the seq of the last commit as yet. In a transaction."""
    if not _is_watched(db):
        for statement in (WATCH, *map(UNWATCH.format, TABLES), *map(TRIGGER.format, TABLES)):
            db.execute(statement)
    db.execute("DELETE FROM temp.forgotten")
    (last,) = db.execute("SELECT coalesce(max(seq), 0) FROM commits").fetchone()
    return int(last)


def kept(db: Connection, last: int) -> Kept:
    """What stayed since `watch`, which gave `last`. Noting goes on: to begin and end it takes its time."""
    if not _is_watched(db):  # the triggers went with their tables, which were made anew
        return Kept(0, 0, 0)
    (first,) = db.execute("SELECT min(seq) FROM temp.forgotten WHERE of = 'commits'").fetchone()
    if first is not None:
        last = min(last, first - 1)
    gone = db.execute(
        "SELECT count(*) FROM temp.forgotten WHERE of = 'events' AND seq > ?", (last,)
    ).fetchone()
    return kept_now(db, Kept(last, gone[0], 0))


def kept_now(db: Connection, stayed: Kept) -> Kept:
    """The same, with as many events as are of these commits now: newer ones may have come meanwhile."""
    (every,) = db.execute("SELECT count(*) FROM events").fetchone()
    (new,) = db.execute("SELECT count(*) FROM events WHERE seq > ?", (stayed.last,)).fetchone()
    return stayed._replace(events=max(0, min(every, MOST_EVENTS) - new))


def _is_watched(db: Connection) -> bool:
    (watched,) = db.execute("SELECT count(*) FROM sqlite_temp_master WHERE type = 'trigger'").fetchone()
    return int(watched) == len(TABLES)
