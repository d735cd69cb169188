"""The user zones of a page, those of its cards and those that stand in no card, each under a name."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.lines import lines_of
from wbmem_git.text.document import without_end
from wbmem_git.verbs.edits import Splice

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Card, Page
    from wbmem_git.verbs.assign import Side


class Held(NamedTuple):
    """What may hold a user zone: a card, or a place of a page outside any card.

    Attributes:
        name: The card's id, or `PLAN.md#1` for the first zone outside the cards of that page.
        title: The card's, "" for a place outside.
        path: The page. line: The heading's, or the opening mark's.
        lines: The zone with its marks; none where there is no zone.
        text: The lines between the marks.
        balanced: Whether its zone marks are in order; where they aren't, nothing is known of its zone.
        splice: Where the zone stands, or would be put in.
    """

    name: str
    title: str
    path: str
    line: int
    lines: tuple[str, ...]
    text: tuple[str, ...]
    balanced: bool
    splice: Splice

    def exchanged(self, lines: Sequence[str]) -> Splice:
        """The edit that makes these lines of it."""
        return self.splice._replace(lines=tuple(lines))


def held(side: Side) -> dict[str, Held]:
    """Everything that may hold a user zone, by name; of two cards with one id the first."""
    found: dict[str, Held] = {}
    for path in sorted(side.pages):
        page = side.pages[path]
        for one in (*map(_in_card, page.cards), *_outside(page)):
            found.setdefault(one.name, one)
    return found


def _in_card(card: Card) -> Held:
    zone = card.zone("user")
    balanced = bool(card.zones) or not any(mark.kind in {"open", "close"} for mark in card.marks)
    if zone is None:
        last = max(number for number, text in enumerate(card.lines, card.line) if text.strip())
        splice = Splice(last + 1, 0, ())
        return Held(card.id, card.title, card.path, card.line, (), (), balanced, splice)
    lines = card.lines[zone.line - card.line : zone.end - card.line + 1]
    splice = Splice(zone.line, len(lines), ())
    text = tuple(lines_of(zone.text))
    return Held(card.id, card.title, card.path, card.line, lines, text, balanced, splice)


def _outside(page: Page) -> Iterator[Held]:
    marks = [mark for mark in page.marks if mark.kind in {"open", "close"}]
    pairs = [
        (opened.line, closed.line)
        for opened, closed in pairwise(marks)
        if (opened.kind, closed.kind, opened.value, closed.value) == ("open", "close", "user", "user")
    ]
    for number, (start, end) in enumerate(pairs, 1):
        lines = tuple(map(without_end, page.document.lines[start - 1 : end]))
        splice = Splice(start, len(lines), ())
        yield Held(
            f"{page.path}#{number}", "", page.path, start, lines, lines[1:-1], balanced=True, splice=splice
        )
