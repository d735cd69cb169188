"""M1: what the metadata lines of cards and entries say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.scope import cards_of
from wbmem_git.rules.wording import quote
from wbmem_git.text.ids import is_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Card, Change, Tree

STATUSES = ("current", "compressed", "superseded", "retracted")
DATES = ("date", "expiry", "valid_from", "protect_until")
_DATE = re.compile(
    r"(\d{4})-(\d{2})-(\d{2})"
    r"(?:[T ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?",
    re.ASCII,
)
_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_PARTS = re.compile(r"[,，、;；\s]+")


def m1(change: Change) -> Iterator[Finding]:
    """Statuses are known words, dates parse, `supersedes` leads to a card, without a circle, to one truth.

    Why: an old decision that is still served as current is worse than none. `status` (current, compressed,
    superseded, retracted; missing is current), `date`, `expiry`, `valid_from`, `protect_until` decide what
    recall, carry and injection show. Recall leaves out an entry of which this doesn't hold, and says so.

    `supersedes` names ids on a page or in the archive of the new tree. In a line of `supersedes` one entry is
    current: the one that supersedes, and not what it supersedes. Two current ones that supersede the same are
    told, and not refused.

    How to mend: mend the metadata line that is named. What was superseded gets `status: superseded`, or is
    archived with `wbmem archive ID --superseded-by NEW --reason …`.
    """
    for card in cards_of(change):
        yield from _values(card)
        yield from _targets(change.new, card)
    yield from _lines_of_supersedes(change)


def _values(card: Card) -> Iterator[Finding]:
    for key, value in card.metadata.pairs:
        if key == "status" and value not in STATUSES:
            told = f"card {quote(card.title)}: status {quote(value)} isn't known"
            yield _finding(card, told, f"write one of {', '.join(STATUSES)}", "status")
        elif key in DATES and not is_date(value):
            told = f"card {quote(card.title)}: {key} {quote(value)} isn't a date"
            yield _finding(card, told, f"write `{key}: YYYY-MM-DD`", key)


def is_date(text: str) -> bool:
    """Whether `text` is a day (`2026-09-14`) of the calendar, with or without a time."""
    match = _DATE.fullmatch(text)
    if match is None:
        return False
    year, month, day = map(int, match.groups())
    if not (year and 1 <= month <= 12):
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _MONTH_DAYS[month - 1] + leap


def superseded_by(card: Card) -> tuple[str, ...]:
    """The ids that a card says it supersedes, as written."""
    values = [value for key, value in card.metadata.pairs if key == "supersedes"]
    return tuple(part for value in values for part in _PARTS.split(value) if part)


def _targets(new: Tree, card: Card) -> Iterator[Finding]:
    for name in superseded_by(card):
        if not is_id(name):
            told = f"card {quote(card.title)}: supersedes {quote(name)}, which isn't an id"
        elif name not in new.holders and name not in new.archived:
            told = f"card {quote(card.title)}: supersedes {name}, which is on no page and not in the archive"
        else:
            continue
        fix = "write the whole id of the card that it replaces (wbmem status lists them)"
        yield _finding(card, told, fix, f"supersedes {name}")


def _lines_of_supersedes(change: Change) -> Iterator[Finding]:
    written = {card.path for card in cards_of(change)}
    heads: dict[str, list[Card]] = {}
    for card in (card for cards in change.new.holders.values() for card in cards):
        names = superseded_by(card)
        if not names:
            continue
        below = _reached(change.new, names)
        if card.id in below and card.path in written:
            told = f"card {quote(card.title)} supersedes itself, through {len(below)} cards"
            yield _finding(card, told, "take one `supersedes` of the circle out", "circle")
        if not is_current(card):
            continue
        for name in names:
            heads.setdefault(name, []).append(card)
        for other in _current_below(change.new, below - {card.id}):
            if card.path in written or other.path in written:
                yield _two_current(card, other, card if card.path in written else other)
    for cards in heads.values():
        if len(cards) > 1 and any(card.path in written for card in cards):
            yield _two_heads(cards, written)


def is_current(card: Card) -> bool:
    """Whether the card's status is `current`, or missing."""
    return card.metadata.get("status", "current") in {"", "current"}


def _reached(new: Tree, names: tuple[str, ...]) -> set[str]:
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


def _two_current(card: Card, other: Card, at: Card) -> Finding:
    return _finding(
        at,
        f"{quote(card.title)} supersedes {quote(other.title)} ({other.path}:{other.line}), "
        "and both are current",
        f"write `status: superseded` into the metadata line of {quote(other.title)}, or archive it: "
        f'wbmem archive {other.id} --superseded-by {card.id} --reason "…"',
        f"current {card.id} {other.id}",
    )


def _two_heads(cards: list[Card], written: set[str]) -> Finding:
    at = next(card for card in reversed(cards) if card.path in written)
    titles = " and ".join(quote(card.title) for card in cards)
    told = f"{titles} supersede the same card, and all are current"
    fix = "where only one of them holds, give the others `status: superseded`"
    return _finding(at, told, fix, "heads")._replace(severity="soft")


def _finding(card: Card, message: str, fix: str, key: str) -> Finding:
    line = card.metadata.line or card.line
    return Finding(
        "M1", "hard", card.path, line, message, fix,
        card=card.id, title=card.title, last_line=card.last_line, key=key,
    )  # fmt: skip
