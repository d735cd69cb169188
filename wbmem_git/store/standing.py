"""How entries stand, and their order by that: when each was changed last, and what the gate said of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.store.connection import Connection

# An event that names ids is about these cards: the others of its page passed. A page as a whole, and what
# stands as its page does, is what the event says.
_STANDING_OF = """
WITH changed AS MATERIALIZED (
    SELECT entries.number, entries.id, entries.kind IN ('card', 'memory') AS is_card, weight, pages.path,
        entries.date, CASE WHEN entries.kind IN ('ledger', 'section', 'leaf') THEN pages.path END AS ledger,
        latest.seq
    FROM {wanted}
    JOIN latest ON latest.entry = entries.number JOIN pages ON pages.number = entries.page),
standing AS MATERIALIZED (
    SELECT number, id, weight, date, ledger,
        coalesce((SELECT time FROM commits WHERE commits.seq = changed.seq), 0) AS time,
        coalesce((SELECT
            CASE WHEN is_card AND ids <> '[]' AND NOT instr(ids, '"' || changed.id || '"') THEN 'passed'
            ELSE substr(event, 10) END
            FROM events WHERE events.seq = changed.seq AND page = changed.path AND event LIKE 'criteria.%'
        ), 'unknown') AS criteria
    FROM changed)
SELECT number, time, criteria FROM standing
"""
_STANDING = _STANDING_OF.format(wanted="json_each(?) AS wanted JOIN entries ON entries.number = wanted.value")
# What one commit brought (an adopted folder) is as old as it says itself; a ledger's name has its time.
_IN_ORDER = """
ORDER BY CASE criteria WHEN 'passed' THEN 0 WHEN 'warned' THEN 1 WHEN 'failed' THEN 3 ELSE 2 END,
    weight DESC, time DESC, date DESC, ledger DESC, id, number LIMIT ?
"""
_RANKED = _STANDING + _IN_ORDER
_ALL_RANKED = _STANDING_OF.format(wanted="entries") + _IN_ORDER


class Standing(NamedTuple):
    """When an entry was changed last (seconds), and what the gate said of that."""

    time: int
    criteria: str


def standings(db: Connection, numbers: Iterable[int]) -> dict[int, Standing]:
    """Number → how the entry stands, in no certain order.

    What has no history of its own (a bullet, a section) stands as its page does.
    """
    rows = db.execute(_STANDING, (json.dumps(list(numbers)),))
    return {number: Standing(time, said) for number, time, said in rows}


def ranked(db: Connection, numbers: Iterable[int], limit: int = -1) -> dict[int, Standing]:
    """These entries by what the gate said, the weight of their section, the newest, their id.

    Of what one commit changed that is the newest which says so: by its date, or its ledger's name.

    Args:
        db: The sidecar.
        numbers: The entries' numbers.
        limit: How many of them, the first ones; -1 for all.

    Returns:
        Number → how it stands, in that order.
    """
    rows = db.execute(_RANKED, (json.dumps(list(numbers)), limit))
    return {number: Standing(time, said) for number, time, said in rows}


def all_ranked(db: Connection) -> list[int]:
    """The numbers of all entries, in that order."""
    return [row[0] for row in db.execute(_ALL_RANKED, (-1,))]
