"""`wbmem trace`: one entry whole, with its cues, its neighbours and its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import UnknownId
from wbmem_git.store import questions
from wbmem_git.store.standing import ranked
from wbmem_git.verbs.discretion import discreet, masked
from wbmem_git.verbs.expand import DISCIPLINE, Hit, entry_json, hits_of
from wbmem_git.verbs.resolve import Unread, absent, goes_on, resolve
from wbmem_git.verbs.versions import newest, version_json

if TYPE_CHECKING:
    from wbmem_git.store.connection import Connection
    from wbmem_git.store.questions import Entry
    from wbmem_git.store.versions import Version
    from wbmem_git.verbs.reader import Ground
    from wbmem_git.verbs.resolve import Resolved

MOST_NEIGHBORS = 10
MOST_VERSIONS = 100
WIDEST = 200
"""A tag or cue that more entries have tells nothing about any two of them."""


class Neighbor(NamedTuple):
    """An entry that shares tags or cues with another one.

    Attributes:
        hit: The entry.
        shared: The tags and cues that both have, as the first one writes them.
        weight: The sum over these of 1 / (how many entries have it): what is rare counts more.
    """

    hit: Hit
    shared: tuple[str, ...]
    weight: float


class Traced(NamedTuple):
    """An entry with what belongs to it."""

    hit: Hit
    text: str
    tags: tuple[str, ...]
    neighbors: tuple[Neighbor, ...]
    versions: tuple[Version, ...]
    degraded: str
    hint: str


def trace(ground: Ground, wanted: str, *, neighbor_limit: int = 6) -> Traced:
    """What an id names, whole.

    Args:
        ground: The sidecar.
        wanted: An id or its beginning, a page's path, a ledger's stem.
        neighbor_limit: How many entries that share tags and cues; at most 10, 0 for none.

    Raises:
        UnknownId: Nothing answers to it. AmbiguousId: Several ids begin so.
    """
    db = ground.db
    meant = resolve(db, wanted)
    found = [one for one in questions.with_id(db, meant.id) if not _is_untitled(one)]
    if not found:
        raise _no_entry(db, wanted, meant)
    entry = found[0]
    hit = next(hits_of(db, [entry.number]))
    limit = max(0, min(neighbor_limit, MOST_NEIGHBORS))
    past = newest(db, meant.history, MOST_VERSIONS + 1)
    older = f"older versions: wbmem versions {meant.id[4:12]}; " if len(past) > MOST_VERSIONS else ""
    successor = goes_on(db, meant.id)
    further = f"renamed, it goes on as {successor}: wbmem trace {successor[4:12]}; " if successor else ""
    text = questions.text_of(db, entry.number)
    return Traced(
        hit,
        text,
        tuple(filter(discreet(text), questions.tags_of(db, entry.number))),
        tuple(_neighbors(db, entry, {version.id for version in past}, limit)) if limit else (),
        past[:MOST_VERSIONS],
        ground.past,
        f"{further}{older}a cue or tag of this entry leads on: wbmem expand CUE; {DISCIPLINE}",
    )


def as_json(found: Traced) -> dict[str, Any]:
    """The object of CONTRACTS §3."""
    said: dict[str, Any] = {
        "ok": True,
        "entry": {**entry_json(found.hit), "text": found.text},
        "cues": list(found.hit.cues),
        "tags": list(found.tags),
        "neighbors": [
            {**entry_json(one.hit), "shared": list(one.shared), "weight": round(one.weight, 6)}
            for one in found.neighbors
        ],
        "versions": [version_json(version) for version in found.versions],
        "degraded": found.degraded or None,
        "hint": found.hint,
    }
    return masked(said)


def _is_untitled(entry: Entry) -> bool:
    """Whether it is a card without a title: its id is its page's, and names the page."""
    return not entry.title and entry.id == entry.page_id and entry.kind in {"card", "memory"}


def _no_entry(db: Connection, wanted: str, meant: Resolved) -> UnknownId:
    why = absent(db, wanted, meant.id)
    if not meant.path or isinstance(why, Unread):
        return why
    return UnknownId(wanted, f"{meant.path} as a whole is no entry: wbmem show {meant.path} shows it")


def _neighbors(db: Connection, entry: Entry, once: set[str], limit: int) -> list[Neighbor]:
    """The heaviest first; what weighs the same in the order of `expand`.

    Left out is what the entry consists of or stands in, and what it was `once`, before it was renamed.
    """
    weights: dict[int, float] = {}
    shared: dict[int, list[str]] = {}
    itself = questions.parts_of(db, entry, once)
    for one in questions.shared_with(db, entry.number, WIDEST):
        for number in one.entries - itself:
            weights[number] = weights.get(number, 0.0) + 1 / (len(one.entries) + 1)
            shared.setdefault(number, []).append(one.name)
    heaviest = sorted(weights.values(), reverse=True)[:limit]
    least = heaviest[-1] if heaviest else 0.0
    order = ranked(db, [number for number, weight in weights.items() if weight >= least])
    numbers = sorted(order, key=lambda number: -weights[number])
    return [
        Neighbor(hit, tuple(dict.fromkeys(shared[hit.entry.number])), weights[hit.entry.number])
        for hit in hits_of(db, numbers[:limit])
    ]
