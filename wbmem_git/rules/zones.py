"""Where a card's user zone stands in a tree: it follows renames, archiving and restoring."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.heirs import fresh_cards, renames
from wbmem_git.text.marks import remarks_of
from wbmem_git.text.names import archive_path

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbmem_git.model import Card, Change, Tree

    Heirs = tuple[dict[str, Card], list[Card]]
    """Of one parent: under which new card each renamed one goes on, and every new card."""


RENAMED = "renamed"
"""The reason of an archive file whose card goes on under another title."""


class Landing(NamedTuple):
    """Where a zone may stand in the new tree: page or archive file, line, and its text (None: no zone)."""

    path: str
    line: int
    text: str | None


def zone_in(tree: Tree, name: str) -> str | None:
    """What the person wrote in a card of a tree, on its page or in its archive file; None without a zone."""
    archived = tree.archive[name].card if name in tree.archive else None
    cards = tree.holders.get(name) or ((archived,) if archived is not None else ())
    return next((zone.text for card in cards if (zone := remarks_of(card))), None)


def earlier_ids(change: Change, name: str) -> list[str]:
    """In a merge, the ids of a card before one side renamed it: another side still has it so."""
    found: list[str] = []
    for side in change.parents if len(change.parents) > 1 else ():
        names = [name] if name in side.holders else []
        for later in names:
            names += [
                old for old, file in side.archive.items() if file.superseded_by == later and old not in names
            ]
        found += names[1:]
    return [
        old
        for old in found
        if any(old in side.holders and name not in side.holders for side in change.parents)
    ]


def zone_on_side(tree: Tree, name: str, earlier: list[str]) -> str | None:
    """The zone of a card on one side of a merge, under an earlier title where it has that there."""
    known = name in tree.holders or name in tree.archive
    return zone_in(tree, name if known else next((old for old in earlier if old in tree.holders), name))


def renamed_back(change: Change, parent: Tree, name: str) -> str:
    """The id of a parent's card that goes back to the title of the archived card `name`; "" where none does.

    Both were archived as renamed: `name` then, perhaps with other titles between, and that card now.
    """
    was = parent.archive.get(name)
    if was is None or was.reason.strip() != RENAMED:
        return ""
    for later in sorted(parent.holders.keys() - change.new.holders.keys()):
        file = change.new.archive.get(later)
        if file is None or file.superseded_by != name or file.reason.strip() != RENAMED:
            continue
        if was.superseded_by == later or was.superseded_by in parent.archived:
            return later
    return ""


def heirs_of(change: Change) -> list[Heirs]:
    """For each parent, what may go on with the text of its cards that are gone."""
    return [(renames(change, parent), fresh_cards(change, parent)) for parent in change.parents]


def landings_of(change: Change, name: str, heirs: Sequence[Heirs]) -> list[list[Landing]]:
    """Where the zone of a card has to stand now: in each of these groups, on one of its places.

    A renamed card has it under its new title, and in its archive file too.
    """
    new = change.new
    if name in new.holders:
        return [[_on_page(card) for card in new.holders[name]]]
    if name not in new.archive:
        return [_under_other_titles(change, name, heirs) or [Landing("", 0, None)]]
    file = new.archive[name]
    zone = remarks_of(file.card) if file.card is not None else None
    archived = Landing(archive_path(name), zone.line if zone else 1, zone.text if zone else None)
    successors = [_on_page(card) for card in new.holders.get(file.superseded_by, ())]
    is_rename = successors and not any(file.superseded_by in parent.holders for parent in change.parents)
    return [successors, [archived]] if is_rename else [[archived]]


def _under_other_titles(change: Change, name: str, heirs: Sequence[Heirs]) -> list[Landing]:
    """New cards under whose titles a card that is gone may go on: C2 tells about the card."""
    found: list[Landing] = []
    for parent, (renamed, fresh) in zip(change.parents, heirs, strict=True):
        for old in parent.holders.get(name, ()):
            zone = remarks_of(old)
            same = [card for card in fresh if card.path == old.path and _has_zone(card, zone and zone.text)]
            found += [_on_page(card) for card in ([renamed[name]] if name in renamed else same)]
    return found


def _has_zone(card: Card, text: str | None) -> bool:
    zone = remarks_of(card)
    return zone is not None and zone.text == text


def _on_page(card: Card) -> Landing:
    zone = remarks_of(card)
    return Landing(card.path, zone.line if zone else card.line, zone.text if zone else None)
