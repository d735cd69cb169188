"""One page of which a side has other ids, since it was rekeyed: as a driver sees it, from the page alone."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.ids import card_id
from wbmem_git.text.names import kind_of
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.rekeyed import exchanged

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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
    if not set(_ANCHOR.findall(base)).difference(_ANCHOR.findall(ours)):
        return UnderOneKey(base, theirs, is_apart=False)
    kind, key = kind_of(path, settings), settings.workspace
    was, here, there = (parse_page(path, text, key, kind).cards for text in (base, ours, theirs))
    ids = dict(_other_ids(was, here, there, key))
    is_apart = any(card.anchor in ids for card in there)
    return UnderOneKey(exchanged(base, ids), exchanged(theirs, ids), is_apart)


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
