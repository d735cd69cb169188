"""One page of which a side has other ids, since it was rekeyed: as a driver sees it, from the page alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.ids import card_id
from wbmem_git.text.names import kind_of
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.rekeyed import exchanged

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wbmem_git.model import Card, Settings

OTHER_KEY = "its cards have other ids on both sides: one of them has another workspace key"
NUMBERS = 50
"""How many namesakes are looked at to see whether an id is one of our key."""
_ANCHOR = re.compile(r"memory:(mem_[0-9a-f]{32})")


class UnderOneKey(NamedTuple):
    """Base and theirs with our ids where they had others, and whether theirs had any such."""

    base: str
    theirs: str
    is_apart: bool


def under_one_key(path: str, base: str, ours: str, theirs: str, settings: Settings) -> UnderOneKey:
    """Give the base's cards, and theirs, the ids that they have under our key.

    Where both sides were rekeyed only the base has others, and the page can be merged. Where one was, a card
    that it added or archived can't be told by this page: whole trees tell.

    Args:
        path: The page.
        base: Its text in the merge base.
        ours: Its text here.
        theirs: Its text there.
        settings: Ours.
    """
    known = set(_ANCHOR.findall(base))
    if known.issubset(_ANCHOR.findall(ours)) and known.issubset(_ANCHOR.findall(theirs)):
        return UnderOneKey(base, theirs, is_apart=False)
    kind, key = kind_of(path, settings), settings.workspace
    was, here, there = (parse_page(path, text, key, kind).cards for text in (base, ours, theirs))
    ids = dict(_other_ids(was, here, there, key))
    is_apart = any(card.anchor in ids for card in there)
    other = dict(_their_ids(was, there, ids, key))
    return UnderOneKey(exchanged(base, ids), exchanged(theirs, ids | other), is_apart or bool(other))


def _their_ids(
    was: Sequence[Card], there: Sequence[Card], ids: Mapping[str, str], key: str
) -> Iterator[tuple[str, str]]:
    """Their id → what it is under our key, for cards of the base that have one of another key there."""
    named = {card.anchor for card in there}
    for card in was:
        now = ids.get(card.anchor, card.anchor)
        if not now or named & {now, card.anchor}:
            continue
        own = {card_id(key, card.path, card.title, n) for n in range(1, NUMBERS)}
        for other in there:
            if other.anchor and other.title == card.title and other.anchor not in own:
                yield other.anchor, now
                break


def _other_ids(
    was: Sequence[Card], here: Sequence[Card], there: Sequence[Card], key: str
) -> Iterator[tuple[str, str]]:
    """Id → what it is now, for cards of the base of which a side has the title under another id.

    An id of our own key is none of another one: that card was archived, and its title is a new card's.
    """
    known, mine = {card.id for card in was}, {card.id for card in here}
    now: dict[str, list[str]] = {}
    for card in (*here, *there):
        named = now.setdefault(card.title, [])
        if card.id not in known and card.id not in named:
            named.append(card.id)
    for card in was:
        own = (card_id(key, card.path, card.title, n) for n in range(1, NUMBERS))
        if card.anchor and card.anchor not in mine and now.get(card.title) and card.anchor not in own:
            yield card.anchor, now[card.title].pop(0)
