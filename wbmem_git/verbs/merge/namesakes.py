"""Two new cards of one title: both stay, one gets another title, and what its side says of it follows."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from wbmem_git.text.document import parse_document
from wbmem_git.text.ids import card_id
from wbmem_git.text.titles import title_of
from wbmem_git.verbs.merge.cards import Merged, between_markers, merge_zone, retitled, with_zone, zone_of
from wbmem_git.verbs.rekeyed import exchanged

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.verbs.merge.fate import Fates, LaidOut
    from wbmem_git.verbs.merge.pieces import Piece, Place

TWO_CARDS = "both sides made a card"


def retitle(fates: Fates, name: str, ours: Piece, theirs: Piece, place: Place) -> None:
    """Keep both; that of the side whose card isn't the first gets another title.

    What a person wrote in either stays under the first one.

    A user zone of a card that is new to everybody would be an agent's writing (U1); and so the title
    that both sides know keeps the remarks of both.
    """
    if not (ours.is_orderly and theirs.is_orderly):
        fates.put(name, place, between_markers(ours, theirs, fates.lines3, TWO_CARDS), ours)
        return
    is_ours = fates.first == "ours"
    keeps, goes = (ours, theirs) if is_ours else (theirs, ours)
    places = fates.ours.layout.places.get(name, place), fates.theirs.layout.places.get(name, place)
    there, where = (place, places[1]) if is_ours else (places[1], places[0])
    marks = zone_of(goes)
    first = with_zone(keeps, merge_zone((), zone_of(ours), zone_of(theirs)))
    fates.put(name, there, Merged(first.lines), first)
    raw, title, other = _free_title(fates, goes, where[0])
    second = retitled(with_zone(goes, (marks[0], marks[-1]) if marks else ()), raw, other)
    fates.put(other, where, Merged(second.lines), second)
    fates.cards[other] = fates.cards[other]._replace(title=title, after=name)
    fates.retitled[name] = other
    whose = "theirs" if is_ours else "ours"
    fates.note("retitled", other, f"{TWO_CARDS} {fates.cards[name].title!r}, so {whose} has another title")


def _free_title(fates: Fates, piece: Piece, path: str) -> tuple[str, str, str]:
    """A title that no side has or had on that page: as it is typed, as it is read, and its id."""
    heading = parse_document("\n".join(piece.lines[slice(*piece.heading)])).blocks[0]
    known = " ".join(heading.text.split())
    for n in count(2):
        raw = f"{known} ({n})"
        title = title_of(raw)
        name = card_id(fates.key, path, title)
        if name not in fates.taken and title != title_of(known):
            break
    fates.taken.add(name)
    return raw, title, name


def with_references(side: LaidOut, base: LaidOut, ids: Mapping[str, str]) -> LaidOut:
    """A side with the new ids wherever it speaks of a card of its own that has another title now.

    A line that the base has too, and one of a user zone, stays as it is.
    """
    if not ids:
        return side
    cards = {
        name: _referring(piece, base.card(name), ids)
        for name, piece in side.layout.cards.items()
        if name not in ids
    }
    return side._replace(layout=side.layout._replace(cards={**side.layout.cards, **cards}))


def _referring(piece: Piece, base: Piece | None, ids: Mapping[str, str]) -> Piece:
    if not any(name in line for line in piece.lines for name in ids):
        return piece
    known = base.lines if base is not None else ()
    new = exchanged(piece.text, ids).split("\n")[:-1]
    lines = [line if line in known else other for line, other in zip(piece.lines, new, strict=True)]
    card = piece.card
    if card is not None:
        start = piece.heading[0]
        card = card._replace(
            lines=(*lines[start : start + len(card.lines)], *card.lines[len(lines) - start :])
        )
    return piece._replace(lines=tuple(lines), card=card)
