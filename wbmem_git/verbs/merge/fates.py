"""What becomes of each card in a merge: where it stands and how it reads, or that it is archived."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.rules.lines import first_missing
from wbmem_git.verbs.merge.cards import Merged, between_markers, merge_card, renamed, say_the_same
from wbmem_git.verbs.merge.fate import Fates, is_closed, levelled
from wbmem_git.verbs.merge.namesakes import retitle, with_references
from wbmem_git.verbs.merge.pieces import archived_piece
from wbmem_git.verbs.merge.renames import follow_renames, tell_of_two_renames
from wbmem_git.verbs.merge.values import GONE_ELSEWHERE

if TYPE_CHECKING:
    from wbmem_git.model import ArchiveFile
    from wbmem_git.verbs.merge.fate import LaidOut
    from wbmem_git.verbs.merge.pieces import Piece, Place
    from wbmem_git.verbs.merge.values import First, Lines3


def settle_cards(
    sides: tuple[LaidOut, LaidOut, LaidOut], lines3: Lines3, key: str, *, alone: bool, first: First = "ours"
) -> Fates:
    """Settle every card of either side.

    Args:
        sides: Base, ours, theirs.
        lines3: Merges three texts.
        key: The workspace key.
        alone: Whether the sides are single pages, as a merge driver sees them.
        first: Whose card keeps its title where both sides made one.
    """
    return _Settling(Fates(sides, lines3, key, first), alone).run()


class _Settling:
    """The working state of one merge."""

    def __init__(self, fates: Fates, alone: bool) -> None:
        self.fates, self._alone = fates, alone
        self._moved: list[str] = []
        self._heirs: set[str] = set()

    def run(self) -> Fates:
        """First what both sides made anew: other cards may refer to what gets another title."""
        fates = self.fates
        ours, theirs = fates.ours.layout.cards, fates.theirs.layout.cards
        for name in [name for name in ours if name in theirs and self._ancestor(name, ours[name]) is None]:
            self._settle(name)
            fates.settled.add(name)
        if fates.first == "ours":
            fates.theirs = with_references(fates.theirs, fates.base, fates.retitled)
        else:
            fates.ours = with_references(fates.ours, fates.base, fates.retitled)
        for mine, other in ((fates.ours, fates.theirs), (fates.theirs, fates.ours)):
            follow_renames(fates, mine, other)
        for name in dict.fromkeys((*ours, *theirs)):
            if name not in fates.settled:
                self._settle(name)
        tell_of_two_renames(fates)
        for name in self._moved:
            if name in fates.cards:
                fates.note("moved", name, "both sides moved it; it stands where we have it")
        return fates

    # --- one card -------------------------------------------------------------------------------------

    def _settle(self, name: str) -> None:
        ours, theirs = self.fates.ours.card(name), self.fates.theirs.card(name)
        if ours is not None and theirs is not None:
            self._on_both(name, ours, theirs, self._place(name))
        elif ours is not None:
            self._on_one(name, ours, self.fates.ours, self.fates.theirs)
        elif theirs is not None:
            self._on_one(name, theirs, self.fates.theirs, self.fates.ours)

    def _on_both(self, name: str, ours: Piece, theirs: Piece, place: Place) -> None:
        base = self._ancestor(name, ours)
        there, here = (one.layout.places.get(name) for one in (self.fates.theirs, self.fates.ours))
        like = theirs if place == there != here else ours
        at_home = (ours if here else levelled(ours, like)), (theirs if there else levelled(theirs, like))
        ours, theirs = levelled(ours, like), levelled(theirs, like)
        base = levelled(base, like) if base is not None else None
        if base is None and ours.lines != theirs.lines and not say_the_same(ours, theirs):
            retitle(self.fates, name, *at_home, place)
        else:
            merged = merge_card(base, ours, theirs, self.fates.lines3)
            spaced = theirs if base is not None and ours.lines == base.lines else ours
            self.fates.put(name, place, merged, spaced)

    def _on_one(self, name: str, piece: Piece, mine: LaidOut, other: LaidOut) -> None:
        """A card that only one side has on a page."""
        base, file = self.fates.base.card(name), other.file(name)
        place = mine.layout.places[name]
        if file is not None:
            self._archived_there(name, piece, file, place, is_ours=mine is self.fates.ours)
        elif base is None:
            self.fates.put(name, place, Merged(piece.lines), piece)
        elif self._alone:
            if piece.lines != base.lines:
                ours, theirs = (piece, None) if mine is self.fates.ours else (None, piece)
                told = between_markers(ours, theirs, self.fates.lines3, GONE_ELSEWHERE)
                self.fates.put(name, place, told, piece)
        elif not self._goes_on(piece, mine, other):
            self.fates.put(name, place, Merged(piece.lines), piece)
            whose = "theirs" if mine is self.fates.ours else "ours"
            self.fates.note("kept", name, f"{whose} lost it without an archive file, so it was kept")

    def _archived_there(
        self, name: str, piece: Piece, file: ArchiveFile, place: Place, *, is_ours: bool
    ) -> None:
        """On a page here, in the archive there: gone, unless that would lose what this side wrote."""
        base = self.fates.base.card(name)
        if base is not None and is_closed(base, piece, file):
            return
        there = archived_piece(file, self.fates.key)
        if there is None:
            self.fates.put(name, place, Merged(piece.lines), piece)
        elif is_ours:
            self._on_both(name, piece, there, place)
        else:
            self._on_both(name, there, piece, place)
        is_restored = base is None and self.fates.base.file(name) is not None
        if not is_restored:
            self.fates.note("unarchived", name, "one side archived it, the other wrote on in it: it is back")

    def _goes_on(self, piece: Piece, mine: LaidOut, other: LaidOut) -> bool:
        """Whether the other side renamed a card that never had an anchor: its text is under a new title."""
        card = piece.card
        if card is None or card.anchor or not card.body_lines:
            return False
        known = {*self.fates.base.layout.cards, *mine.layout.cards, *self._heirs}
        for name, new in other.layout.cards.items():
            if name in known or new.card is None or new.card.path != card.path:
                continue
            if first_missing(card.body_lines, new.card.body_lines) is None:
                self._heirs.add(name)
                return True
        return False

    def _ancestor(self, name: str, like: Piece) -> Piece | None:
        """What both sides began with: the base's card, archived or not, also under an earlier title."""
        base, file = self.fates.base.card(name), self.fates.base.file(name)
        if base is not None:
            return base
        if file is not None:
            return archived_piece(file, self.fates.key)
        for old, piece in self.fates.base.layout.cards.items():
            ours, theirs = self.fates.ours.file(old), self.fates.theirs.file(old)
            if ours is not None and theirs is not None and ours.superseded_by == theirs.superseded_by == name:
                return renamed(piece, like)
        return None

    def _place(self, name: str) -> Place:
        """Where a card stands: who moved it has his way; where both did, ours."""
        base = self.fates.base.layout.places.get(name)
        ours, theirs = self.fates.ours.layout.places[name], self.fates.theirs.layout.places[name]
        if theirs in {ours, base} or base is None:
            return ours
        if ours == base:
            return theirs
        self._moved.append(name)
        return ours
