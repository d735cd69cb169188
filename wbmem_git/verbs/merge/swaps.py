"""A title that is another card's by now, since a merge of two cards of one title gave one of them another.

Who then edits, archives or renames the card as it was before means the one that has another title since. So
base and that side are looked at with the card under its later name.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.document import parse_document
from wbmem_git.text.ids import card_id
from wbmem_git.text.marks import remarks_of
from wbmem_git.verbs.merge.archive import MergedArchive
from wbmem_git.verbs.merge.cards import merge_zone, retitled, with_zone, zone_of
from wbmem_git.verbs.merge.namesakes import with_references
from wbmem_git.verbs.merge.pieces import archived_piece, read_again

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.model import Card
    from wbmem_git.verbs.assign import Side
    from wbmem_git.verbs.merge.fate import LaidOut
    from wbmem_git.verbs.merge.pieces import Piece, Place, Section
    from wbmem_git.verbs.merge.values import NoteKind

NUMBERS = 30
"""How many cards of one title, with numbers, are looked for."""
Sides = tuple["LaidOut", "LaidOut", "LaidOut"]


class Swaps(NamedTuple):
    """Of each side: id of a card of the base → its id there, where another card has its title by now."""

    ours: Mapping[str, str] = {}
    theirs: Mapping[str, str] = {}


class Told(NamedTuple):
    """What is to be told of a card, if it is on a page afterwards."""

    kind: NoteKind
    name: str
    told: str


def is_after(title: str, first: str) -> bool:
    """Whether a title is `first` with a number behind it, as a merge makes one."""
    number = title.removeprefix(first).strip(" ()")
    return title == f"{first} ({number})" and number.isdecimal()


def said_in(card: Card) -> list[str]:
    """The lines of a card but for heading, metadata and user zone, which a merge leaves where it was."""
    remarks = remarks_of(card)
    own = set(remarks.text.splitlines()) if remarks is not None else set()
    return [line for line in card.body_lines if line not in own]


def asked(base: Side, side: Side, other: Side, key: str, *, alone: bool = False) -> set[str]:
    """The cards that both sides changed, and of whose title the one has another card with a number.

    Args:
        base: The merge base.
        side: The one.
        other: The other side.
        key: The workspace key.
        alone: Whether the sides are single pages: then that card may be anywhere.
    """
    was, now, there = ({card.id: card for card in one.cards} for one in (base, side, other))
    found: set[str] = set()
    for name, card in was.items():
        is_same = name in there and there[name].lines == card.lines
        is_other = now[name].lines != card.lines if name in now else name in side.archive
        if is_same or not is_other:
            continue
        later = (card_id(key, card.path, f"{card.title} ({n})") for n in range(2, NUMBERS))
        if alone or any((one in now or one in side.archive) and one not in was for one in later):
            found.add(name)
    return found


def by_text(base: Side, side: Side, other: Side, key: str) -> dict[str, str]:
    """What pages alone tell: nothing of a card is left under its title, most of it under a later one."""
    was, now = ({card.id: card for card in one.cards} for one in (base, side))
    found: dict[str, str] = {}
    for name in sorted(asked(base, side, other, key)):
        card = was[name]
        mine, there = said_in(card), now.get(name) or side.archive[name].card
        if not mine or there is None or set(mine).intersection(said_in(there)):
            continue
        for later in now.values():
            is_new = later.id not in was and later.path == card.path
            shared = set(mine).intersection(said_in(later))
            if is_new and is_after(later.title, card.title) and 2 * len(shared) > len(set(mine)):
                found[name] = later.id
    return found


def unswapped(versions: Sides, swaps: Swaps, key: str, *, alone: bool) -> tuple[Sides, tuple[Told, ...]]:
    """Base, ours and theirs with each card under one name on all three.

    Where a card can't be followed the base loses it: then there are two new cards of one title.

    Args:
        versions: Base, ours, theirs.
        swaps: Which cards have another name.
        key: The workspace key.
        alone: Whether the sides are single pages: then a card that is gone there may be anywhere.
    """
    work = _Following([*versions], key, alone)
    for name in {**swaps.ours, **swaps.theirs}:
        if versions[0].card(name) is not None:
            work.follow(name, (swaps.ours.get(name, ""), swaps.theirs.get(name, "")))
    base, ours, theirs = work.sides
    return (base, ours, theirs), tuple(work.told)


class _Following:
    """The three sides while cards are put under other names."""

    def __init__(self, sides: list[LaidOut], key: str, alone: bool) -> None:
        self.sides, self._key, self._alone = sides, key, alone
        self.told: list[Told] = []

    def follow(self, name: str, now: tuple[str, str]) -> None:
        """One card of the base, and its id on both sides ("": the same)."""
        if all(now):
            self._on_both(name, *now)
        else:
            here = 1 if now[0] else 2
            self._on_one(name, now[0] or now[1], here, 3 - here)

    def _on_both(self, name: str, ours: str, theirs: str) -> None:
        like, base = self.sides[1].card(ours), self.sides[0].card(name)
        is_one = ours == theirs and self.sides[2].card(ours) is not None
        piece = self._under(base, like, ours) if is_one and base is not None else None
        self.sides[0] = _with(self.sides[0], name, ours, piece)

    def _on_one(self, name: str, now: str, here: int, there: int) -> None:
        """`here` is the side on which the card has another name."""
        side, other, base = self.sides[here], self.sides[there], self.sides[0].card(name)
        piece, file = other.card(name), other.file(name)
        if base is None or (piece is None and self._alone):
            return
        if piece is None and file is not None and not file.superseded_by:
            piece = archived_piece(file, self._key)
        is_free = now not in other.layout.cards and now not in other.side.archive
        like = self._like(side, now) if is_free else None
        new = [self._under(one, like, now) if one is not None else None for one in (base, piece)]
        if None in new:
            self.sides[0] = _with(self.sides[0], name)
            self._renamed(name, now, there)
            return
        place = self.sides[0].layout.places[name]
        self._bring_back(name, here, place)
        if piece is not None:
            self._keep_remarks(name, here, (base, piece))
        self.sides[0] = _with(self.sides[0], name, now, new[0])
        self.sides[there] = _with(_without_file(other, name), name, now, new[1], place)
        self.sides[there] = with_references(self.sides[there], self.sides[0], {name: now})
        is_gone = name not in other.layout.cards
        kind: NoteKind = "unarchived" if is_gone else "retitled"
        what = " and archived there" if is_gone else ""
        title = base.card.title if base.card is not None else ""
        told = f"it was {title!r} on one side{what}; under that title stands another card now"
        self.told.append(Told(kind, now, told))

    def _bring_back(self, name: str, here: int, place: Place) -> None:
        """Have the card on its page that took the title: its file can't close the other one too (C2)."""
        side = self.sides[here]
        file = side.file(name)
        piece = archived_piece(file, self._key) if file is not None and side.card(name) is None else None
        if piece is not None:
            self.sides[here] = _with(_without_file(side, name), name, name, piece, place)
            told = "archived on one side, where it has the title of the other side's card: it is back"
            self.told.append(Told("unarchived", name, told))

    def _renamed(self, name: str, now: str, there: int) -> None:
        """A card that the other side renamed: that one's archive file gives way to the card of its title."""
        file = self.sides[there].file(name)
        if file is not None and file.superseded_by:
            self.sides[there] = _without_file(self.sides[there], name)
            told = f"it was {file.title!r} on one side, and renamed there ({file.superseded_by}): both stay"
            self.told.append(Told("joined", now, told))

    def _like(self, side: LaidOut, name: str) -> Piece | None:
        file = side.file(name)
        return side.card(name) or (archived_piece(file, self._key) if file is not None else None)

    def _under(self, piece: Piece, like: Piece | None, name: str) -> Piece | None:
        """The card with the other one's heading, anchor and user zone; None where that can't be made."""
        if like is None or not (piece.is_orderly and like.is_orderly):
            return None
        heading = parse_document("\n".join(like.lines[slice(*like.heading)])).blocks[0]
        named = retitled(piece, " ".join(heading.text.split()), name)
        read = read_again(named, self._key, name)
        return read_again(with_zone(read, zone_of(like)), self._key, name) if read is not None else None

    def _keep_remarks(self, name: str, here: int, others: tuple[Piece, Piece]) -> None:
        """What a person wrote stays under the title that both know (U1)."""
        side = self.sides[here]
        piece = side.card(name)
        if piece is None or not piece.is_orderly:
            return
        zone = merge_zone(*map(zone_of, (*others, piece)))
        if zone != zone_of(piece):
            new = read_again(with_zone(piece, zone), self._key, name)
            self.sides[here] = _with(side, name, name, new or piece)


def _with(
    side: LaidOut, name: str, new: str = "", piece: Piece | None = None, place: Place | None = None
) -> LaidOut:
    """The side with a card under another name, or without it; `place` is for one that stood nowhere."""
    layout = side.layout
    cards, places = dict(layout.cards), dict(layout.places)
    cards.pop(name, None)
    where = places.pop(name, place)
    if piece is not None and where is not None:
        cards[new], places[new] = piece, where
    pages = {}
    for path, sections in layout.pages.items():
        named = {key: _names(section, name, cards, new) for key, section in sections.items()}
        pages[path] = {key: section._replace(cards=named[key]) for key, section in sections.items()}
    return side._replace(layout=layout._replace(pages=pages, cards=cards, places=places))


def _names(section: Section, name: str, cards: Mapping[str, Piece], new: str) -> tuple[str, ...]:
    named = (new if card == name else card for card in section.cards)
    return tuple(card for card in named if card in cards)


def _without_file(side: LaidOut, name: str) -> LaidOut:
    archive = MergedArchive({name: "gone"}, side.side.archive, {})
    return side._replace(side=side.side._replace(archive=archive))
