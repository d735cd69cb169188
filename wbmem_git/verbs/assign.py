"""Which id each card gets: the pure heart of `wbmem fix`.

A card's anchor may be missing, stale (it belongs to another title: a rename or a copy) or double. What the
old tree knows decides; nothing here reads a file or writes one.
"""

from __future__ import annotations

from collections import deque
from itertools import count, islice
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.ids import Drawn, card_id

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from wbmem_git.model import ArchiveFile, Card, Page

Place = tuple[str, int]
"""Where a card stands: its page and its heading's line."""


class Side(NamedTuple):
    """One version of the memory, as far as ids go: its pages, and its archive by id."""

    pages: Mapping[str, Page]
    archive: Mapping[str, ArchiveFile]

    @property
    def cards(self) -> Iterator[Card]:
        """Every card, page by page."""
        return (card for path in sorted(self.pages) for card in self.pages[path].cards)


class Renamed(NamedTuple):
    """A card that got another title: the old tree's card with its page, and the new card with its new id."""

    page: Page
    old: Card
    new: Card
    new_id: str


class Assignment(NamedTuple):
    """What `assign` found.

    Attributes:
        ids: Place → id, for every card whose anchor has to be written or changed.
        renamed: Old cards that have to be archived, with their successors.
        restored: Archived ids that are on a page again, since a card was renamed back to their title.
        left: Cards that get no id, with the archived id of their title: a person has to say what is meant.
    """

    ids: Mapping[Place, str]
    renamed: tuple[Renamed, ...]
    restored: tuple[str, ...]
    left: tuple[tuple[Card, str], ...]


def assign(
    new: Side,
    old: Sequence[Side],
    key: str,
    known: Sequence[Side] = (),
    disowned: Collection[str] = (),
) -> Assignment:
    """Give every card of `new` the id that it should have.

    Args:
        new: The version to mend. Its archive says which ids are taken by archived cards.
        old: HEAD's version, and in a merge the other heads'.
        key: The workspace key.
        known: Versions whose ids a card of the same text keeps too (the index, while the file is mended).
        disowned: Ids that no card keeps for having had them: they came past the gate.
    """
    return _Assigning(new, old, key, known, frozenset(disowned)).run()


def claimed(card: Card) -> str:
    """The id that a card claims: its anchor, else the only one that stands elsewhere in it, else ""."""
    if card.anchor:
        return card.anchor
    anchors = [mark.value for mark in card.marks if mark.kind == "anchor" and mark.alone]
    return anchors[0] if len(anchors) == 1 else ""


def earlier_id(archive: Mapping[str, ArchiveFile], present: str, title: str) -> str:
    """The archived id of that title whose successors lead to the present id: a card renamed back; else ""."""
    for name in archive if present else ():
        at, seen = name, set[str]()
        while at in archive and at not in seen and archive[name].title == title:
            seen.add(at)
            at = archive[at].superseded_by
            if at == present:
                return name
    return ""


class _Assigning:
    """The working state of one assignment: who has which id so far."""

    def __init__(
        self, new: Side, old: Sequence[Side], key: str, known: Sequence[Side], disowned: frozenset[str]
    ) -> None:
        self.new, self.old, self.key = new, old, key
        self.cards = list(new.cards)
        self.head: dict[str, tuple[Page, Card]] = {}
        every = (card for side in (*known, *old) for card in side.cards)
        self.known = [card for card in every if card.id not in disowned]
        self.titles = {(card.title, card.id) for card in self.known}
        self.computed: dict[tuple[str, str], Drawn] = {}
        self.reached: dict[tuple[str, str], int] = {}
        for side in old:
            for card in side.cards:
                self.head.setdefault(card.id, (side.pages[card.path], card))
        self.taken: dict[str, Card] = {}
        self.got: dict[Place, str] = {}
        self.restored: list[str] = []
        self.left: list[tuple[Card, str]] = []
        self.reserved = {card.id for side in known for card in side.cards}

    def run(self) -> Assignment:
        self._keep()
        open_cards = [card for card in self.cards if _place(card) not in self.got]
        for same in (_by_text, _by_place):
            open_cards = list(self._unrecognised(open_cards, same))
        for card in open_cards:
            self._compute(card)
        ids = {
            _place(card): name
            for card in self.cards
            if (name := self.got.get(_place(card), "")) and name != card.anchor
        }
        return Assignment(ids, tuple(self._renamed()), tuple(self.restored), tuple(self.left))

    def _keep(self) -> None:
        """Let every card keep an id that is its title's; of two with one id HEAD's own keeps it."""
        claims: dict[str, list[Card]] = {}
        for card in self.cards:
            name = claimed(card)
            if name and self._fits(name, card):
                claims.setdefault(name, []).append(card)
        for name, cards in claims.items():
            self._give(min(cards, key=lambda card: self._distance(name, card)), name)

    def _fits(self, name: str, card: Card) -> bool:
        """Whether C1 lets the card have that id: computed from its title, or the old tree has it so."""
        if any(name in side.archive and side.archive[name].title == card.title for side in self.old):
            return True
        if (card.title, name) in self.titles:
            return True
        place = (card.path, card.title)
        if place not in self.computed:
            most = len(self.new.pages[card.path].cards) + len(self.new.archive) + 1
            ids = (card_id(self.key, *place, n) for n in count(1))
            self.computed[place] = Drawn(islice(ids, most))
        return name in self.computed[place]

    def _distance(self, name: str, card: Card) -> tuple[bool, bool, bool]:
        """How far a card is from HEAD's card of that id: the nearest of several keeps the id."""
        if name not in self.head:
            return (False, False, False)
        _, head = self.head[name]
        return (card.title != head.title, card.path != head.path, card.body_lines != head.body_lines)

    def _unrecognised(self, cards: Iterable[Card], same: Callable[[Card], object]) -> Iterator[Card]:
        """Give each card the id of a known one that stands nowhere in the new version; what has none is left.

        Args:
            cards: Without an id so far.
            same: What a card and a known one have in common, beside their title.
        """
        cards = list(cards)
        waiting: dict[tuple[str, object], deque[str]] = {}
        for other in self.known if cards else ():
            waiting.setdefault((other.title, same(other)), deque()).append(other.id)
        for card in cards:
            ids = waiting.get((card.title, same(card)), deque()) if card.title else deque()
            while ids and not self._is_free(ids[0]):  # and it never will be again
                ids.popleft()
            if ids:
                self._give(card, ids[0])
            else:
                yield card

    def _compute(self, card: Card) -> None:
        """Give the card the first free id of its title, unless that title is archived."""
        if not card.title:
            return
        earlier = earlier_id(self.new.archive, claimed(card), card.title)
        first = card_id(self.key, card.path, card.title)
        if earlier and earlier not in self.taken:
            self.restored.append(earlier)
            self._give(card, earlier)
        elif first in self.new.archive:
            self.left.append((card, first))
        else:
            self._give(card, self._next_free(card))

    def _next_free(self, card: Card) -> str:
        """The first free id of its title; the numbers below the last one given stay taken."""
        place = (card.path, card.title)
        while True:
            self.reached[place] = n = self.reached.get(place, 0) + 1
            name = card_id(self.key, *place, n)
            if self._is_free(name, reserving=True):
                return name

    def _is_free(self, name: str, *, reserving: bool = False) -> bool:
        return (
            name not in self.taken
            and name not in self.new.archive
            and not (reserving and name in self.reserved)
        )

    def _give(self, card: Card, name: str) -> None:
        self.taken[name] = card
        self.got[_place(card)] = name

    def _renamed(self) -> Iterator[Renamed]:
        """Stale anchors whose old id no other card has: each old card once, with its successor."""
        seen: set[str] = set()
        for card in self.cards:
            claim, name = claimed(card), self.got.get(_place(card), "")
            found = self.head.get(claim) if name and claim != name else None
            if found is None or claim in self.taken or claim in self.new.archive or claim in seen:
                continue
            seen.add(claim)
            yield Renamed(*found, card, name)


def _by_text(card: Card) -> object:
    """Its body; where it has none, its page."""
    return card.body_lines or card.path


def _by_place(card: Card) -> object:
    return card.path


def _place(card: Card) -> Place:
    return (card.path, card.line)
