"""Lines of `supersedes`: which cards one replaces, and that one truth stands at the head of each line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.wording import quote
from wbmem_git.text.ids import is_id

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from wbmem_git.model import Card, Severity, Tree

_PARTS = r"[,，、;；\s]+"


class Fault(NamedTuple):
    """What is wrong with the metadata line of a card; `key` tells two faults of one card apart."""

    card: Card
    told: str
    fix: str
    key: str
    severity: Severity = "hard"


def superseded_by(card: Card) -> tuple[str, ...]:
    """The ids that a card says it supersedes, as written."""
    values = [value for key, value in card.metadata.pairs if key == "supersedes"]
    return tuple(part for value in values for part in re.split(_PARTS, value) if part)


def is_current(card: Card) -> bool:
    """Whether the card's status is `current`, or missing."""
    return card.metadata.get("status", "current") in {"", "current"}


def bad_targets(new: Tree, card: Card) -> Iterator[Fault]:
    """What a card says it supersedes and is no card, neither on a page nor in the archive."""
    for name in superseded_by(card):
        if not is_id(name):
            told = f"card {quote(card.title)}: supersedes {quote(name)}, which isn't an id"
        elif name not in new.holders and name not in new.archived:
            told = f"card {quote(card.title)}: supersedes {name}, which is on no page and not in the archive"
        else:
            continue
        fix = "write the whole id of the card that it replaces (wbmem status lists them)"
        yield Fault(card, told, fix, f"supersedes {name}")


def bad_lines(new: Tree, written: Collection[str]) -> Iterator[Fault]:
    """Circles, and lines with more than one current card, as far as a page in `written` has part in them."""
    heads: dict[str, list[Card]] = {}
    for card in (card for cards in new.holders.values() for card in cards):
        names = superseded_by(card)
        if not names:
            continue
        below = _reached(new, names)
        if card.id in below and card.path in written:
            told = f"card {quote(card.title)} supersedes itself, through {len(below)} cards"
            yield Fault(card, told, "take one `supersedes` of the circle out", "circle")
        if not is_current(card):
            continue
        for name in names:
            heads.setdefault(name, []).append(card)
        for other in _current_below(new, below - {card.id}):
            if card.path in written or other.path in written:
                yield _two_current(card, other, card if card.path in written else other)
    for cards in heads.values():
        if len(cards) > 1 and any(card.path in written for card in cards):
            yield _two_heads(cards, written)


def _reached(new: Tree, names: Sequence[str]) -> set[str]:
    """Every id that is superseded, directly or through others, on pages or in the archive."""
    reached: set[str] = set()
    left = list(names)
    while left:
        name = left.pop()
        if name in reached:
            continue
        reached.add(name)
        archived = new.archive[name].card if name in new.archive else None
        for card in (*new.holders.get(name, ()), *((archived,) if archived is not None else ())):
            left.extend(superseded_by(card))
    return reached


def _current_below(new: Tree, names: set[str]) -> Iterator[Card]:
    return (card for name in sorted(names) for card in new.holders.get(name, ()) if is_current(card))


def _two_current(card: Card, other: Card, at: Card) -> Fault:
    return Fault(
        at,
        f"{quote(card.title)} supersedes {quote(other.title)} ({other.path}:{other.line}), "
        "and both are current",
        f"write `status: superseded` into the metadata line of {quote(other.title)}, or archive it: "
        f'wbmem archive {other.id} --superseded-by {card.id} --reason "…"',
        f"current {card.id} {other.id}",
    )


def _two_heads(cards: Sequence[Card], written: Collection[str]) -> Fault:
    at = next(card for card in reversed(cards) if card.path in written)
    titles = " and ".join(quote(card.title) for card in cards)
    told = f"{titles} supersede the same card, and all are current"
    fix = "where only one of them holds, give the others `status: superseded`"
    return Fault(at, told, fix, "heads", "soft")
