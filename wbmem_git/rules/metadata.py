"""M1: what the metadata lines of cards and entries say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.scope import cards_of
from wbmem_git.rules.supersedes import Fault, bad_lines, bad_targets
from wbmem_git.rules.wording import quote
from wbmem_git.text.dates import is_date

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Card, Change

STATUSES = ("current", "compressed", "superseded", "retracted")
DATES = ("date", "expiry", "valid_from", "protect_until")


def m1(change: Change) -> Iterator[Finding]:
    """Statuses are known words, dates parse, `supersedes` leads to a card, without a circle, to one truth.

    Why: an old decision that is still served as current is worse than none. `status` (current, compressed,
    superseded, retracted; missing is current), `date`, `expiry`, `valid_from`, `protect_until` decide what
    recall, carry and injection show. Recall leaves out an entry of which this doesn't hold, and says so.

    `supersedes` names ids on a page or in the archive of the new tree. In a line of `supersedes` one entry is
    current: the one that supersedes, and not what it supersedes. Two current ones that supersede the same are
    told, and not refused.

    A merge that brings such a line together on two pages answers for it, although each page is one side's.

    How to mend: mend the metadata line that is named. What was superseded gets `status: superseded`, or is
    archived with `wbmem archive ID --superseded-by NEW --reason …`.
    """
    cards = tuple(cards_of(change))
    for card in cards:
        yield from map(_finding, _bad_values(card))
        yield from map(_finding, bad_targets(change.new, card))
    written = {card.path for card in cards}
    if len(change.parents) > 1:  # a line of both sides is the merge's doing, though each page is one side's
        written = {card.path for held in change.new.holders.values() for card in held}
    yield from map(_finding, bad_lines(change.new, written))


def _bad_values(card: Card) -> Iterator[Fault]:
    for key, value in card.metadata.pairs:
        if key == "status" and value not in STATUSES:
            told = f"card {quote(card.title)}: status {quote(value)} isn't known"
            yield Fault(card, told, f"write one of {', '.join(STATUSES)}", "status")
        elif key in DATES and not is_date(value):
            told = f"card {quote(card.title)}: {key} {quote(value)} isn't a date"
            yield Fault(card, told, f"write `{key}: YYYY-MM-DD`", key)


def _finding(fault: Fault) -> Finding:
    card = fault.card
    return Finding(
        "M1",
        fault.severity,
        card.path,
        card.metadata.line or card.line,
        fault.told,
        fault.fix,
        card=card.id,
        title=card.title,
        last_line=card.last_line,
        key=fault.key,
    )
