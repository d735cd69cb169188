"""Under which new card the text of one that is gone goes on: what a rename is taken for without an anchor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.rules.lines import first_missing
from wbmem_git.text.marks import remarks_of

if TYPE_CHECKING:
    from wbmem_git.model import Card, Change, Tree

ENOUGH_CHARACTERS = 40
"""A body of one line says that an agent renamed a card where it has so many."""


def gone_cards(new: Tree, parent: Tree) -> list[Card]:
    """The cards of a parent whose ids are on no page of the new tree, in page order."""
    gone = parent.holders.keys() - new.holders.keys()
    cards = [card for card_id in gone for card in parent.holders[card_id]]
    return sorted(cards, key=lambda card: (card.path, card.line))


def fresh_cards(change: Change, parent: Tree) -> list[Card]:
    """The cards whose ids a parent has on no page, in page order."""
    return [
        card
        for path in sorted(change.new.pages)
        for card in change.new.pages[path].cards
        if card.id not in parent.holders
    ]


def may_succeed(change: Change, old: Card, new: Card) -> bool:
    """Whether a card may be another one under a new title.

    It is new to every parent; or, in a merge, one of them renamed it: the base has the old card and not the
    new one, and who has the new one has the old one no more. What merely stands on another side as well was
    written there for itself.
    """
    having = [parent for parent in change.parents if new.id in parent.holders]
    if not having:
        return True
    return (
        change.base is not None
        and old.id in change.base.holders
        and new.id not in change.base.holders
        and all(old.id not in parent.holders for parent in having)
    )


def renames(change: Change, parent: Tree) -> dict[str, Card]:
    """Old id → new card, for cards that never had an anchor and whose text goes on under a new title.

    Each new card takes the text of one old card: the longest texts choose first, and choose what fits them
    closest, so that two cards can't hide behind one.
    """
    gone = [
        card
        for card in gone_cards(change.new, parent)
        if not card.anchor and card.body_lines and card.id not in change.new.archived
    ]
    free = [card for card in fresh_cards(change, parent) if card.path in {old.path for old in gone}]
    found: dict[str, Card] = {}
    for old in sorted(gone, key=lambda card: -len(card.body_lines)):
        fitting = [card for card in free if _goes_on(change, old, card)]
        if fitting:
            found[old.id] = min(fitting, key=lambda card: len(card.body_lines))
            free.remove(found[old.id])
    return found


def _goes_on(change: Change, old: Card, new: Card) -> bool:
    return (
        new.path == old.path
        and new.title != old.title
        and first_missing(old.body_lines, new.body_lines) is None
        and may_succeed(change, old, new)
        and (change.actor != "agent" or _is_plain(change, old, new))
    )


def _is_plain(change: Change, old: Card, new: Card) -> bool:
    """Whether there is enough in common to take an agent's word for a rename: a line `- [ ] todo` is not.

    In a merge it isn't the merge's doing where a side has the new card.
    """
    if any(new.id in parent.holders for parent in change.parents):
        return True
    if remarks_of(new) is not None and remarks_of(old) is None:
        return False
    return len(old.body_lines) > 1 or len("".join(old.body_lines)) >= ENOUGH_CHARACTERS
