"""What becomes of each card in a merge: where it stands and how it reads, or that it is archived."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.lines import fault_of, first_missing, lines_of, substance
from wbmem_git.text.document import parse_document
from wbmem_git.text.ids import card_id
from wbmem_git.text.marks import remarks_of
from wbmem_git.text.titles import title_of
from wbmem_git.verbs.merge.cards import (
    OUT_OF_ORDER,
    Merged,
    between_markers,
    card_in,
    merge_card,
    merge_zone,
    renamed,
    retitled,
    say_the_same,
    with_zone,
    zone_of,
)
from wbmem_git.verbs.merge.pieces import Layout, Piece, archived_piece
from wbmem_git.verbs.merge.values import GONE_ELSEWHERE, Note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.model import ArchiveFile
    from wbmem_git.verbs.assign import Side
    from wbmem_git.verbs.merge.pieces import Place
    from wbmem_git.verbs.merge.values import Lines3, NoteKind

TWO_CARDS = "both sides made a card"


class Version(NamedTuple):
    """One side: its pages and archive, and its pages taken apart."""

    side: Side
    layout: Layout

    def card(self, name: str) -> Piece | None:
        """Its card of that name."""
        return self.layout.cards.get(name)

    def file(self, name: str) -> ArchiveFile | None:
        """Its archive file of that id."""
        return self.side.archive.get(name)


class Fate(NamedTuple):
    """A card that is on a page after the merge.

    Attributes:
        id: Its id.
        title: Its title.
        place: Where it stands.
        merged: Its lines, and why a person has to decide.
        piece: The version of it that its spacing comes from; what it would be without a conflict.
        after: The name of the card that it stands behind, "" where a side says where it stands.
    """

    id: str
    title: str
    place: Place
    merged: Merged
    piece: Piece
    after: str = ""


class Fates(NamedTuple):
    """Name → what becomes of each card that is on a page, and what has to be told."""

    cards: Mapping[str, Fate]
    notes: tuple[Note, ...]


class Settling:
    """The working state of one merge: what is settled so far."""

    def __init__(  # noqa: PLR0913, PLR0917  # three versions, and how they are merged
        self, base: Version, ours: Version, theirs: Version, lines3: Lines3, key: str, alone: bool
    ) -> None:
        self.base, self.ours, self.theirs = base, ours, theirs
        self.lines3, self.key, self.alone = lines3, key, alone
        self.cards: dict[str, Fate] = {}
        self.notes: list[Note] = []
        self.settled: set[str] = set()
        self.moved: list[str] = []
        self.heirs: set[str] = set()
        self.taken = {name for one in (base, ours, theirs) for name in (*one.layout.cards, *one.side.archive)}

    def run(self) -> Fates:
        """Settle every card of either side."""
        for mine, other in ((self.ours, self.theirs), (self.theirs, self.ours)):
            self._follow_renames(mine, other)
        for name in dict.fromkeys((*self.ours.layout.cards, *self.theirs.layout.cards)):
            if name not in self.settled:
                self._settle(name)
        for name in self.moved:
            if name in self.cards:
                self._note("moved", name, "both sides moved it; it stands where we have it")
        return Fates(self.cards, tuple(self.notes))

    # --- one card -------------------------------------------------------------------------------------

    def _settle(self, name: str) -> None:
        ours, theirs = self.ours.card(name), self.theirs.card(name)
        if ours is not None and theirs is not None:
            self._on_both(name, ours, theirs, self._place(name))
        elif ours is not None:
            self._on_one(name, ours, self.ours, self.theirs)
        elif theirs is not None:
            self._on_one(name, theirs, self.theirs, self.ours)

    def _on_both(self, name: str, ours: Piece, theirs: Piece, place: Place) -> None:
        base = self._ancestor(name, ours)
        there, here = (one.layout.places.get(name) for one in (self.theirs, self.ours))
        like = theirs if place == there != here else ours
        ours, theirs = _levelled(ours, like), _levelled(theirs, like)
        base = _levelled(base, like) if base is not None else None
        if base is None and ours.lines != theirs.lines and not say_the_same(ours, theirs):
            self._retitle(name, ours, theirs, place)
        else:
            merged = merge_card(base, ours, theirs, self.lines3)
            spaced = theirs if base is not None and ours.lines == base.lines else ours
            self._put(name, place, merged, spaced)

    def _on_one(self, name: str, piece: Piece, mine: Version, other: Version) -> None:
        """A card that only one side has on a page."""
        base, file = self.base.card(name), other.file(name)
        place = mine.layout.places[name]
        if file is not None:
            self._archived_there(name, piece, file, place, is_ours=mine is self.ours)
        elif base is None:
            self._put(name, place, Merged(piece.lines), piece)
        elif self.alone:
            if piece.lines != base.lines:
                ours, theirs = (piece, None) if mine is self.ours else (None, piece)
                told = between_markers(ours, theirs, self.lines3, GONE_ELSEWHERE)
                self._put(name, place, told, piece)
        elif not self._goes_on(piece, mine, other):
            self._put(name, place, Merged(piece.lines), piece)
            self._note("kept", name, "the other side lost it without an archive file, so it was kept")

    def _archived_there(
        self, name: str, piece: Piece, file: ArchiveFile, place: Place, *, is_ours: bool
    ) -> None:
        """On a page here, in the archive there: gone, unless that would lose what this side wrote."""
        base = self.base.card(name)
        if base is not None and _is_closed(base, piece, file):
            return
        there = archived_piece(file, self.key)
        if there is None:
            self._put(name, place, Merged(piece.lines), piece)
        elif is_ours:
            self._on_both(name, piece, there, place)
        else:
            self._on_both(name, there, piece, place)
        is_restored = base is None and self.base.file(name) is not None
        if not is_restored:
            self._note("unarchived", name, "one side archived it, the other wrote on in it: it is back")

    def _goes_on(self, piece: Piece, mine: Version, other: Version) -> bool:
        """Whether the other side renamed a card that never had an anchor: its text is under a new title."""
        card = piece.card
        if card is None or card.anchor or not card.body_lines:
            return False
        known = {*self.base.layout.cards, *mine.layout.cards, *self.heirs}
        for name, new in other.layout.cards.items():
            if name in known or new.card is None or new.card.path != card.path:
                continue
            if first_missing(card.body_lines, new.card.body_lines) is None:
                self.heirs.add(name)
                return True
        return False

    def _ancestor(self, name: str, like: Piece) -> Piece | None:
        """What both sides began with: the base's card, archived or not, also under an earlier title."""
        base, file = self.base.card(name), self.base.file(name)
        if base is not None:
            return base
        if file is not None:
            return archived_piece(file, self.key)
        for old, piece in self.base.layout.cards.items():
            ours, theirs = self.ours.file(old), self.theirs.file(old)
            if ours is not None and theirs is not None and ours.superseded_by == theirs.superseded_by == name:
                return renamed(piece, like)
        return None

    # --- two cards of one title -------------------------------------------------------------------------

    def _retitle(self, name: str, ours: Piece, theirs: Piece, place: Place) -> None:
        """Keep both; theirs gets another title. What a person wrote in either stays under the first one.

        A user zone of a card that is new to everybody would be an agent's writing (U1); and so the title
        that both sides know keeps the remarks of both.
        """
        if not (ours.is_orderly and theirs.is_orderly):
            self._put(name, place, between_markers(ours, theirs, self.lines3, TWO_CARDS), ours)
            return
        marks = zone_of(theirs)
        first = with_zone(ours, merge_zone((), zone_of(ours), marks))
        self._put(name, place, Merged(first.lines), first)
        where = self.theirs.layout.places.get(name, place)
        raw, title, other = self._free_title(theirs, where[0])
        second = retitled(with_zone(theirs, (marks[0], marks[-1]) if marks else ()), raw, other)
        self._put(other, where, Merged(second.lines), second)
        self.cards[other] = self.cards[other]._replace(title=title, after=name)
        self._note("retitled", other, f"{TWO_CARDS} {self.cards[name].title!r}, so theirs has another title")

    def _free_title(self, piece: Piece, path: str) -> tuple[str, str, str]:
        """A title that no side has or had on that page: as it is typed, as it is read, and its id."""
        heading = parse_document("\n".join(piece.lines[slice(*piece.heading)])).blocks[0]
        known = " ".join(heading.text.split())
        for n in count(2):
            raw = f"{known} ({n})"
            title = title_of(raw)
            name = card_id(self.key, path, title)
            if name not in self.taken and title != title_of(known):
                break
        self.taken.add(name)
        return raw, title, name

    # --- renamed on one side ------------------------------------------------------------------------------

    def _follow_renames(self, mine: Version, other: Version) -> None:
        """Cards that one side renamed and the other wrote on in: the edits go under the new title.

        Where that can't be without losing a line of theirs, both cards stay. So they do where only the old
        title has a user zone: the gate wouldn't look for it under the new one.
        """
        for old, piece in other.layout.cards.items():
            base, file = self.base.card(old), mine.file(old)
            if base is None or file is None or mine.card(old) is not None or _is_closed(base, piece, file):
                continue
            heir = _heir(mine, file)
            like = mine.card(heir)
            if like is None or heir in other.layout.cards or heir in self.settled:
                continue
            self.settled |= {old, heir}
            pair = (like, renamed(piece, like)) if mine is self.ours else (renamed(piece, like), like)
            place, is_known = mine.layout.places[heir], like.remarks is not None or piece.remarks is None
            merged = merge_card(renamed(base, like), *pair, self.lines3)
            if is_known and not merged.why and _has_all(merged.lines, like, piece):
                self._put(heir, place, merged, like)
                self._note("joined", heir, "renamed on one side, edited on the other: one card with both")
                continue
            if is_known and not all(one.is_orderly for one in (base, *pair)):
                self._put(heir, place, between_markers(*pair, self.lines3, OUT_OF_ORDER), like)
            else:
                zone = merge_zone(zone_of(base), *map(zone_of, pair)) if is_known else zone_of(like)
                both = with_zone(like, zone)
                self._put(heir, place, Merged(both.lines), both)
            self._put(old, other.layout.places[old], self._back(base, piece, file, mine), piece)
            self._note("joined", old, f"renamed on one side ({heir}), edited on the other: both stay")

    def _back(self, base: Piece, piece: Piece, file: ArchiveFile, mine: Version) -> Merged:
        """A card that was renamed and stays under its old title too: with what was edited before that.

        Its user zone has to be one that a side has for this title (U1).
        """
        there = archived_piece(file, self.key)
        if there is None:
            return Merged(piece.lines)
        there = _levelled(there, piece)
        pair = (there, piece) if mine is self.ours else (piece, there)
        merged = merge_card(_levelled(base, piece), *pair, self.lines3)
        card = card_in(merged.lines, piece)
        found = remarks_of(card) if card is not None else None
        if merged.why or (found.text if found is not None else None) in {piece.remarks, there.remarks}:
            return merged
        return between_markers(*pair, self.lines3, "one side renamed it, and both changed its user zone")

    # --- where ----------------------------------------------------------------------------------------------

    def _place(self, name: str) -> Place:
        """Where a card stands: who moved it has his way; where both did, ours."""
        base = self.base.layout.places.get(name)
        ours, theirs = self.ours.layout.places[name], self.theirs.layout.places[name]
        if theirs in {ours, base} or base is None:
            return ours
        if ours == base:
            return theirs
        self.moved.append(name)
        return ours

    def _put(self, name: str, place: Place, merged: Merged, piece: Piece) -> None:
        card = piece.card
        title = card.title if card is not None else ""
        self.cards[name] = Fate(name.partition("\0")[0], title, place, merged, piece)

    def _note(self, kind: NoteKind, name: str, told: str) -> None:
        fate = self.cards[name]
        self.notes.append(Note(kind, fate.place[0], fate.id, fate.title, told))


def _levelled(piece: Piece, like: Piece) -> Piece:
    """The card with a heading of the level that the other one has, since it goes where that one stands."""
    levels = [one.lines[one.heading[0]].lstrip(" ").startswith("###") for one in (piece, like)]
    return piece if levels[0] == levels[1] else renamed(piece, like)


def _heir(side: Version, file: ArchiveFile) -> str:
    """The name under which a renamed card goes on, perhaps renamed more than once; "" where it doesn't."""
    seen: set[str] = set()
    name = file.superseded_by
    while name and side.card(name) is None and name not in seen:
        seen.add(name)
        later = side.file(name)
        name = later.superseded_by if later is not None else ""
    return name


def _has_all(lines: tuple[str, ...], like: Piece, piece: Piece) -> bool:
    """Whether a merged card holds every line of one side's."""
    card = card_in(lines, like)
    if card is None or piece.card is None:
        return False
    return first_missing(piece.card.body_lines, card.body_lines) is None


def _is_closed(base: Piece, piece: Piece, file: ArchiveFile) -> bool:
    """Whether the other side's archive file says all that stands on this side's page."""
    if piece.card is None or file.card is None:
        return False
    there = remarks_of(file.card)
    text = there.text if there is not None else None
    if fault_of(base.remarks, [piece.remarks, text], text) is not None:
        return False
    mine = substance(piece.lines)
    is_untouched = mine == substance(base.lines)
    return is_untouched or first_missing(mine, substance(lines_of(file.body))) is None
