"""Two new cards of one title: both stay, theirs gets another one, and what they say of it follows."""

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
    """Keep both; theirs gets another title. What a person wrote in either stays under the first one.

    A user zone of a card that is new to everybody would be an agent's writing (U1); and so the title
    that both sides know keeps the remarks of both.
    """
    if not (ours.is_orderly and theirs.is_orderly):
        fates.put(name, place, between_markers(ours, theirs, fates.lines3, TWO_CARDS), ours)
        return
    marks = zone_of(theirs)
    first = with_zone(ours, merge_zone((), zone_of(ours), marks))
    fates.put(name, place, Merged(first.lines), first)
    where = fates.theirs.layout.places.get(name, place)
    raw, title, other = _free_title(fates, theirs, where[0])
    second = retitled(with_zone(theirs, (marks[0], marks[-1]) if marks else ()), raw, other)
    fates.put(other, where, Merged(second.lines), second)
    fates.cards[other] = fates.cards[other]._replace(title=title, after=name)
    fates.retitled[name] = other
    fates.note("retitled", other, f"{TWO_CARDS} {fates.cards[name].title!r}, so theirs has another title")


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


def with_references(fates: Fates) -> LaidOut:
    """Their side with the new ids wherever they speak of a card that has another title now.

    A line that the base has too, and one of a user zone, stays as it is.
    """
    theirs, ids = fates.theirs, fates.retitled
    if not ids:
        return theirs
    cards = {
        name: _referring(piece, fates.base.card(name), ids)
        for name, piece in theirs.layout.cards.items()
        if name not in ids
    }
    return theirs._replace(layout=theirs.layout._replace(cards={**theirs.layout.cards, **cards}))


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
