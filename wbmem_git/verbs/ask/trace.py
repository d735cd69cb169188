"""`wbmem trace`: one entry whole, with its cues, its neighbours and its history."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import UnknownId
from wbmem_git.store import entries
from wbmem_git.store.standing import ranked
from wbmem_git.verbs.ask.archived import Archived, archived
from wbmem_git.verbs.ask.expand import DISCIPLINE, Hit, entry_json, hits_of
from wbmem_git.verbs.ask.resolve import Unread, absent, resolve
from wbmem_git.verbs.ask.versions import newest, version_json
from wbmem_git.verbs.discretion import discreet, hold_secrets, masked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.entries import Entry
    from wbmem_git.store.versions import Version
    from wbmem_git.verbs.ask.resolve import Resolved
    from wbmem_git.verbs.reader import Ground

LED_ON = "a cue or tag of this entry leads on: wbmem expand CUE"
NOWHERE = "it has no tag and no cue: wbmem recall WORDS finds what is said elsewhere"
MOST_NAMES = 100
"""How many tags, and how many cues, of a page's parts are told."""
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
    archived: Archived = Archived()


def trace(ground: Ground, wanted: str, *, neighbor_limit: int = 6) -> Traced:
    """What an id names, whole. A page, or a ledger's section, has the tags and cues of its parts, too.

    Args:
        ground: The sidecar.
        wanted: An id or its beginning, a page's path, a ledger's stem.
        neighbor_limit: How many entries that share tags and cues; at most 10, 0 for none.

    Raises:
        UnknownId: Nothing answers to it. AmbiguousId: Several ids begin so.
    """
    db = ground.db
    meant = resolve(db, wanted)
    found = [one for one in entries.with_id(db, meant.id) if not _is_untitled(one)]
    if not found:
        raise _no_entry(db, wanted, meant)
    entry = found[0]
    hit = next(hits_of(db, [entry.number]))
    limit = max(0, min(neighbor_limit, MOST_NEIGHBORS))
    past = newest(db, meant.history, MOST_VERSIONS + 1)
    parts = [entry.number, *entries.within(db, entry)]
    tags, cues = _names(db, parts)
    became = archived(db, meant.id)
    return Traced(
        hit._replace(cues=cues),
        entries.text_of(db, entry.number),
        tags,
        tuple(_neighbors(db, entry, parts, {version.id for version in past}, limit)) if limit else (),
        past[:MOST_VERSIONS],
        ground.past,
        "; ".join(_hints(meant, became, len(past) > MOST_VERSIONS, bool(tags or cues))),
        became,
    )


def _names(db: Connection, numbers: Sequence[int]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The tags and the cues of an entry and its parts, each once, in their order."""
    texts = [entries.text_of(db, number) for number in numbers]
    secret = hold_secrets(texts[:1])  # the first one has the lines of all
    tags: dict[str, None] = {}
    cues: dict[str, None] = {}
    for number, text in zip(numbers, texts, strict=True):
        is_safe = discreet(text) if secret else None
        tags |= dict.fromkeys(filter(is_safe, entries.tags_of(db, number)))
        cues |= dict.fromkeys(filter(is_safe, entries.cues_of(db, number)))
    return tuple(tags)[:MOST_NAMES], tuple(cues)[:MOST_NAMES]


def _hints(meant: Resolved, became: Archived, is_long: bool, is_led_on: bool) -> Iterator[str]:
    """How to go on from here."""
    if meant.before:
        yield f"{meant.before} is {meant.id} since this memory got another workspace key"
    if became.successor:
        what = "renamed, it goes on as" if became.is_renamed else "superseded by"
        yield f"{what} {became.successor}: wbmem trace {became.successor[4:12]}"
    if is_long:
        yield f"older versions: wbmem versions {meant.id[4:12]}"
    yield LED_ON if is_led_on else NOWHERE
    yield DISCIPLINE


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
    return masked(said | found.archived.as_json())


def _is_untitled(entry: Entry) -> bool:
    """Whether it is a card without a title: its id is its page's, and names the page."""
    return not entry.title and entry.id == entry.page_id and entry.kind in {"card", "memory"}


def _no_entry(db: Connection, wanted: str, meant: Resolved) -> UnknownId:
    why = absent(db, wanted, meant.id)
    if not meant.path or isinstance(why, Unread):
        return why
    return UnknownId(wanted, f"{meant.path} as a whole is no entry: wbmem show {meant.path} shows it")


def _neighbors(
    db: Connection, entry: Entry, parts: Sequence[int], once: set[str], limit: int
) -> list[Neighbor]:
    """Of an entry and its parts, the heaviest first; what weighs the same in the order of `expand`.

    Left out is what the entry consists of or stands in, and what it was `once`, before it was renamed.
    """
    weights: dict[int, float] = {}
    shared: dict[int, list[str]] = {}
    itself = entries.parts_of(db, entry, once)
    for one in entries.shared_with(db, parts, WIDEST):
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
