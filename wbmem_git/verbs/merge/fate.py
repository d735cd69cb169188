"""What is known of each card while a merge is settled: the three sides, and what became of it so far."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.lines import fault_of, first_missing, lines_of, substance
from wbmem_git.text.marks import remarks_of
from wbmem_git.verbs.merge.cards import renamed
from wbmem_git.verbs.merge.values import Note

if TYPE_CHECKING:
    from wbmem_git.model import ArchiveFile
    from wbmem_git.verbs.assign import Side
    from wbmem_git.verbs.merge.cards import Merged
    from wbmem_git.verbs.merge.pieces import Layout, Piece, Place
    from wbmem_git.verbs.merge.values import First, Lines3, NoteKind


class LaidOut(NamedTuple):
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


class Fates:
    """Name → what becomes of each card that is on a page, and what has to be told.

    Attributes:
        base, ours, theirs: The three sides.
        lines3: Merges three texts. key: The workspace key.
        first: Whose card keeps its title where both sides made one.
        cards: What is settled so far, and on a page.
        notes: What has to be told.
        settled: Names that need no further look.
        retitled: Name → the id of the other side's new card of that title, which has another one now.
        taken: Every name that some side has or had, and those given since.
    """

    def __init__(
        self, sides: tuple[LaidOut, LaidOut, LaidOut], lines3: Lines3, key: str, first: First = "ours"
    ) -> None:
        self.base, self.ours, self.theirs = base, ours, theirs = sides
        self.lines3, self.key, self.first = lines3, key, first
        self.cards: dict[str, Fate] = {}
        self.notes: list[Note] = []
        self.settled: set[str] = set()
        self.retitled: dict[str, str] = {}
        self.taken = {name for one in (base, ours, theirs) for name in (*one.layout.cards, *one.side.archive)}

    def put(self, name: str, place: Place, merged: Merged, piece: Piece) -> None:
        """Have a card on a page."""
        card = piece.card
        title = card.title if card is not None else ""
        self.cards[name] = Fate(name.partition("\0")[0], title, place, merged, piece)

    def note(self, kind: NoteKind, name: str, told: str) -> None:
        """Tell something of a card that is on a page."""
        fate = self.cards[name]
        self.notes.append(Note(kind, fate.place[0], fate.id, fate.title, told))


def levelled(piece: Piece, like: Piece) -> Piece:
    """The card with a heading of the level that the other one has, since it goes where that one stands."""
    levels = [one.lines[one.heading[0]].lstrip(" ").startswith("###") for one in (piece, like)]
    return piece if levels[0] == levels[1] else renamed(piece, like)


def is_closed(base: Piece, piece: Piece, file: ArchiveFile) -> bool:
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
