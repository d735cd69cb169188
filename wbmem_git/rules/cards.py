"""C1, C3, C4: anchors, ids and zones of the cards that a commit writes."""

from __future__ import annotations

import re
from bisect import bisect
from itertools import count
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.lookalikes import ANCHOR
from wbmem_git.rules.scope import cards_of, judged_pages, pages_of
from wbmem_git.rules.wording import quote
from wbmem_git.text.ids import Drawn, card_id

FREE_NUMBERS = 8

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wbmem_git.model import Card, Change, Mark, Page, Severity


# --- C1 ---------------------------------------------------------------------------------------------


def c1(change: Change) -> Iterator[Finding]:
    """Each card has one anchor, on the first non-blank line below its heading, and it is this card's own.

    Why: the anchor is what a card is known by when it moves or its text changes. An id is computed from page
    and title (`wbmem fix` does it), or is one that the old tree, page or archive, has for that title: so a
    card keeps its id wherever it moves. Of namesakes each has an id of its own.

    An agent has to write the anchor; where a person leaves it out it is only told, and `wbmem fix` adds it.
    A wrong anchor is refused for everybody: it makes one card pass for another. A card that was there
    without an anchor before isn't this commit's doing.

    How to mend: `wbmem fix` adds missing anchors, gives a copy its own, and turns a changed title into a
    rename: a new anchor, with the old card archived under its old id. A card needs a title.
    """
    for page in pages_of(change):
        yield from _stray_anchors(change, page)
    namesakes: Namesakes = {}
    for card in cards_of(change):
        fault = _title_fault(card) or _anchor_fault(change, card, namesakes)
        if fault is not None:
            severity, line, message, fix = fault
            yield Finding("C1", severity, card.path, line, message, fix, card=card.id, title=card.title)


_Fault = tuple["Severity", int, str, str]
Namesakes = dict[tuple[str, str], Drawn]
"""(page, title) → the ids that cards of that title may have."""


def _title_fault(card: Card) -> _Fault | None:
    if card.title:
        return None
    fix = f"write a title behind `{card.lines[0].strip() or '###'}`, or make its text part of the card above"
    return "hard", card.line, "a card without a title", fix


def _anchor_fault(change: Change, card: Card, namesakes: Namesakes) -> _Fault | None:
    anchors = [mark for mark in card.marks if mark.kind == "anchor"]
    if len(anchors) > 1:
        places = ", ".join(str(mark.line) for mark in anchors)
        told = f"card {quote(card.title)} has {len(anchors)} anchors (lines {places})"
        return "hard", anchors[1].line, told, _two_anchors(change, card, anchors[1])
    if not card.anchor and anchors:
        told = (
            f"the anchor of card {quote(card.title)} stands at line {anchors[0].line}, not below its heading"
        )
        return "hard", anchors[0].line, told, "wbmem fix puts it there"
    if not card.anchor:
        if any(mark.kind == "anchor-like" for mark in card.marks):
            return None  # C4 or C7 tells what is wrong with it
        severity: Severity = "hard" if change.actor == "agent" else "soft"
        return severity, card.line, f"card {quote(card.title)} has no anchor", "wbmem fix adds it"
    return None if _is_own(change, card, namesakes) else _stale(change, card, anchors[0].line)


def _two_anchors(change: Change, card: Card, second: Mark) -> str:
    old = _old_title(change, second.value)
    if old and old != card.title and second.value not in change.new.holders:
        return f"the second one is that of {quote(old)}: put its heading back above line {second.line}"
    return "keep the one below the heading"


def _is_own(change: Change, card: Card, namesakes: Namesakes) -> bool:
    """Whether the anchor is one that C1 takes for that title on that page."""
    for parent in change.parents:  # before any digest: most cards stood there, and OpenSSL takes 8 ms to load
        if any(held.title == card.title for held in parent.holders.get(card.anchor, ())):
            return True
        archived = parent.archive.get(card.anchor)
        if archived is not None and archived.title == card.title:
            return True
    place = (card.path, card.title)
    if place not in namesakes:
        namesakes[place] = Drawn(_namesake_ids(change, *place))
    return card.anchor in namesakes[place]


def _namesake_ids(change: Change, path: str, title: str) -> Iterator[str]:
    """The ids that cards of that title may have: those that some tree knows, and a few free ones behind them.

    More than one, since what took the numbers between may be on no side of this change.
    """
    trees = (change.new, *change.parents)
    free = 0
    for n in count(1):
        name = card_id(change.settings.workspace, path, title, n)
        free = 0 if any(name in tree.holders or name in tree.archived for tree in trees) else free + 1
        if free > FREE_NUMBERS:
            return
        yield name


def _stale(change: Change, card: Card, line: int) -> _Fault:
    old = _old_title(change, card.anchor)
    holders = change.new.holders[card.anchor]
    other = next((one for one in holders if (one.path, one.line) != (card.path, card.line)), None)
    if other is not None and other.title == old:
        told = f"card {quote(card.title)} carries the anchor of {quote(old)} ({other.path}:{other.line})"
        return "hard", line, told, "wbmem fix gives it one of its own"
    if old:
        told = f"card {quote(card.title)} carries the anchor of {quote(old)}: a new title has a new id"
        fix = f"wbmem fix makes it a rename and archives {quote(old)}; or write the old title again"
        return "hard", line, told, fix
    told = f"the anchor of card {quote(card.title)} is neither its own nor one that it had: {card.anchor}"
    return "hard", line, told, "wbmem fix gives it its own"


def _old_title(change: Change, wanted: str) -> str:
    """The title that an old tree has for an id, on a page or in the archive; "" where none knows it."""
    for parent in change.parents:
        if wanted in parent.holders:
            return parent.holders[wanted][0].title
        if wanted in parent.archive:
            return parent.archive[wanted].title
    return ""


def _stray_anchors(change: Change, page: Page) -> Iterator[Finding]:
    """Anchors that stand in no card."""
    for mark in page.marks:
        if mark.kind == "anchor":
            old = _old_title(change, mark.value)
            whose = f"the anchor of {quote(old)}" if old else "an anchor"
            yield Finding(
                "C1",
                "hard",
                page.path,
                mark.line,
                f"{whose} stands outside any card",
                "an anchor stands below its card's heading: put the heading above it, or take the line out",
                key=f"stray {mark.value}",
            )


# --- C3 ---------------------------------------------------------------------------------------------


def c3(change: Change) -> Iterator[Finding]:
    """An id stands once on all boards and entry pages; of namesakes on a page at most one lacks its anchor.

    Why: two cards with one id are one card for everything that follows ids. Namesakes are legal (`### Tasks`
    under every phase), but only their anchors tell them apart.

    A merge that brings one id together on two pages answers for it, although each page is one side's.

    How to mend: `wbmem fix` gives each its own anchor; of two cards with one id the one on the old page keeps
    it. `wbmem fix --retitle` gives namesakes different titles instead.
    """
    written = frozenset(judged_pages(change))
    for name, cards in change.new.holders.items():
        if len(cards) == 1:
            continue
        new = all(len(parent.holders.get(name, ())) < 2 for parent in change.parents)
        keeper = min(cards, key=lambda card: (not _was_there(change, card), card.path, card.line))
        for card in cards:
            if card != keeper and (new or card.path in written):
                yield _finding(
                    "C3",
                    card,
                    card.line,
                    f"card {quote(card.title)} has the id of {quote(keeper.title)} at "
                    f"{keeper.path}:{keeper.line}: {name}",
                    "wbmem fix gives it an anchor of its own; or take one of the two out",
                )
    for page in pages_of(change):
        yield from _namesakes(page)


def _was_there(change: Change, card: Card) -> bool:
    """Whether an old tree has that id under that title on that page."""
    return any(
        held.path == card.path and held.title == card.title
        for parent in change.parents
        for held in parent.holders.get(card.id, ())
    )


def _namesakes(page: Page) -> Iterator[Finding]:
    """Cards without an anchor behind the first of that title."""
    first: dict[str, Card] = {}
    for card in page.cards:
        if card.anchor or not card.title:
            continue
        if card.title in first:
            yield _finding(
                "C3",
                card,
                card.line,
                f"{quote(card.title)} has no anchor, and neither has its namesake "
                f"at line {first[card.title].line}",
                "wbmem fix gives each its own; wbmem fix --retitle gives them titles of their own",
            )
        first.setdefault(card.title, card)


# --- C4 ---------------------------------------------------------------------------------------------


def c4(change: Change) -> Iterator[Finding]:
    """Zones are balanced and not nested, one of each at most in a card; an anchor is alone on its line.

    Why: a zone that isn't closed swallows what follows, and nobody knows whose text it is. A card ends at the
    next heading of its level or above, and so does a zone.

    How to mend: each `<!-- user -->` has its `<!-- /user -->` before the next heading, each `<!-- model -->`
    its `<!-- /model -->`; a second remark goes into the zone that is there. An anchor has a line of its own.
    """
    for page in pages_of(change):
        for marks in _outside(page):
            for line, key, message, fix in _zone_faults(marks):
                yield Finding("C4", "hard", page.path, line, message, fix, key=key)
    for card in cards_of(change):
        for line, key, message, fix in _zone_faults(card.marks):
            yield _finding("C4", card, line, f"card {quote(card.title)}: {message}", fix, key)


def _outside(page: Page) -> Iterator[list[Mark]]:
    """The marks outside any card, cut where a card stands between them."""
    starts = sorted(card.line for card in page.cards)
    stretches: dict[int, list[Mark]] = {}
    for mark in page.marks:
        stretches.setdefault(bisect(starts, mark.line), []).append(mark)
    return iter(stretches.values())


def _zone_faults(marks: Iterable[Mark]) -> Iterator[tuple[int, str, str, str]]:
    """What is wrong with zone marks and anchors: (line, key, message, fix)."""
    opened: list[Mark] = []
    seen: set[str] = set()
    for mark in marks:
        if mark.kind == "anchor-like" and not mark.alone and re.fullmatch(ANCHOR, mark.value):
            told = f"the anchor isn't alone on its line: {quote(mark.value)}"
            yield mark.line, "anchor", told, "put what else stands there on a line of its own"
        elif mark.kind == "open":
            if opened:
                outer = opened[-1]
                told = f"`<!-- {mark.value} -->` opens inside the {outer.value} zone of line {outer.line}"
                yield mark.line, f"nested {mark.value}", told, f"write `<!-- /{outer.value} -->` above it"
            elif mark.value in seen:
                fix = f"put its text into the {mark.value} zone that is there already"
                yield mark.line, f"second {mark.value}", f"a second {mark.value} zone", fix
            seen.add(mark.value)
            opened.append(mark)
        elif mark.kind == "close" and all(mark.value != other.value for other in opened):
            told = f"`<!-- /{mark.value} -->` closes no {mark.value} zone"
            fix = f"write `<!-- {mark.value} -->` where it begins, or take the line out"
            yield mark.line, f"close {mark.value}", told, fix
        elif mark.kind == "close":
            opened.remove(next(other for other in reversed(opened) if other.value == mark.value))
    for mark in opened:
        told = f"the {mark.value} zone of line {mark.line} is never closed"
        yield mark.line, f"open {mark.value}", told, f"write `<!-- /{mark.value} -->` where it ends"


def _finding(  # noqa: PLR0913, PLR0917  # what a finding is made of
    rule: str, card: Card, line: int, message: str, fix: str, key: str = ""
) -> Finding:
    return Finding(rule, "hard", card.path, line, message, fix, card=card.id, title=card.title, key=key)
