"""A card that one side renamed and the other wrote on in: the edits go under the new title, or both stay."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.rules.lines import first_missing
from wbmem_git.text.marks import remarks_of
from wbmem_git.verbs.merge.cards import (
    OUT_OF_ORDER,
    Merged,
    between_markers,
    card_in,
    merge_card,
    merge_zone,
    renamed,
    with_zone,
    zone_of,
)
from wbmem_git.verbs.merge.fate import is_closed, levelled
from wbmem_git.verbs.merge.pieces import archived_piece

if TYPE_CHECKING:
    from wbmem_git.model import ArchiveFile
    from wbmem_git.verbs.merge.fate import Fates, LaidOut
    from wbmem_git.verbs.merge.pieces import Piece


def follow_renames(fates: Fates, mine: LaidOut, other: LaidOut) -> None:
    """Cards that one side renamed and the other wrote on in: the edits go under the new title.

    Where that can't be without losing a line of theirs, both cards stay. So they do where only the old
    title has a user zone: the gate wouldn't look for it under the new one.
    """
    for old, piece in other.layout.cards.items():
        base, file = fates.base.card(old), mine.file(old)
        if base is None or file is None or mine.card(old) is not None or is_closed(base, piece, file):
            continue
        heir = _heir(mine, file)
        like = mine.card(heir)
        if like is None or heir in other.layout.cards or heir in fates.settled:
            continue
        fates.settled |= {old, heir}
        pair = (like, renamed(piece, like)) if mine is fates.ours else (renamed(piece, like), like)
        place, is_known = mine.layout.places[heir], like.remarks is not None or piece.remarks is None
        merged = merge_card(renamed(base, like), *pair, fates.lines3)
        if is_known and not merged.why and _has_all(merged.lines, like, piece):
            fates.put(heir, place, merged, like)
            fates.note("joined", heir, "renamed on one side, edited on the other: one card with both")
            continue
        if is_known and not all(one.is_orderly for one in (base, *pair)):
            fates.put(heir, place, between_markers(*pair, fates.lines3, OUT_OF_ORDER), like)
        else:
            zone = merge_zone(zone_of(base), *map(zone_of, pair)) if is_known else zone_of(like)
            both = with_zone(like, zone)
            fates.put(heir, place, Merged(both.lines), both)
        fates.put(old, other.layout.places[old], _back(fates, base, piece, file, mine), piece)
        fates.note("joined", old, f"renamed on one side ({heir}), edited on the other: both stay")


def tell_of_two_renames(fates: Fates) -> None:
    """Cards that both sides renamed, each otherwise: both stay, and a person may want to know."""
    for old, piece in fates.base.layout.cards.items():
        files = [side.file(old) for side in (fates.ours, fates.theirs)]
        sides = (fates.ours, fates.theirs)
        heirs = [_heir(side, file) for side, file in zip(sides, files, strict=True) if file is not None]
        if len(set(heirs)) > 1 and all(heir in fates.cards for heir in heirs):
            title = piece.card.title if piece.card is not None else ""
            told = f"both sides renamed {title!r}, ours to {fates.cards[heirs[0]].title!r}: both stay"
            fates.note("joined", heirs[1], told)


def _back(fates: Fates, base: Piece, piece: Piece, file: ArchiveFile, mine: LaidOut) -> Merged:
    """A card that was renamed and stays under its old title too: with what was edited before that.

    Its user zone has to be one that a side has for this title (U1).
    """
    there = archived_piece(file, fates.key)
    if there is None:
        return Merged(piece.lines)
    there = levelled(there, piece)
    pair = (there, piece) if mine is fates.ours else (piece, there)
    merged = merge_card(levelled(base, piece), *pair, fates.lines3)
    card = card_in(merged.lines, piece)
    found = remarks_of(card) if card is not None else None
    if merged.why or (found.text if found is not None else None) in {piece.remarks, there.remarks}:
        return merged
    return between_markers(*pair, fates.lines3, "one side renamed it, and both changed its user zone")


def _heir(side: LaidOut, file: ArchiveFile) -> str:
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
