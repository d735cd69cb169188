"""U1: what the person wrote in `user` zones."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.lines import fault_of, first_missing, lines_of
from wbmem_git.rules.wording import quote
from wbmem_git.rules.zones import earlier_ids, heirs_of, landings_of, renamed_back, zone_in, zone_on_side
from wbmem_git.text.document import bare_lines
from wbmem_git.text.marks import remarks_of, unordered_remarks, zones_of
from wbmem_git.text.names import archive_path

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Card, Change, Mark, Page, Tree
    from wbmem_git.rules.lines import Fault
    from wbmem_git.rules.zones import Heirs, Landing

TRAILER = "wbmem-remarks"
UNCONFIRMED = "unconfirmed"
_WAY_OUT = "run wbmem remarks, then git commit -m MESSAGE, without -a"
_OURS = "A user zone is the person's: an agent reads it, and writes in the model zone"
_MEANWHILE = "a person may have written it in the file meanwhile: it must not be undone"


def u1(change: Change) -> Iterator[Finding]:
    """An agent leaves every `user` zone as it is, byte for byte, and creates only empty ones.

    Why: what a person writes there is what the agent has to go by. A zone follows its card: when that is
    moved, renamed, archived or restored, its zone is there again with the same text. (Of a card that another
    one superseded, the archive file keeps the zone; the successor has its own. Where that card is restored,
    its zone is there again.)

    Several zones in one card are kept like one. Where zone marks are out of order (a page that was adopted, a
    commit past the gate) every line from the first user mark to the last is kept, from an open one to the end
    of its card, until a person puts the marks in order.

    Where the zone in the working tree differs from the last commit's, a person may have written it while the
    agent worked. That must not be undone. `wbmem remarks` commits it: run by a person as that person's words;
    run by an agent additions only (every old line is kept), under the trailer `Wbmem-Remarks: unconfirmed`,
    and it takes any other edit of a zone out of the index, never out of the file.

    In a merge a zone equals that of the only side that changed it since the merge base; where several did, it
    holds the lines of each, and an agent adds none of its own.

    How to mend: `wbmem remarks`, then commit what is staged with `git commit -m MESSAGE`: not with `-a`,
    which would take the file's zone along again.
    """
    if change.actor != "agent":
        return
    kept = _protected(change)
    kept -= {name for later in kept for name in earlier_ids(change, later)}
    is_any_gone = bool(kept - change.new.holders.keys() - change.new.archived)
    heirs = heirs_of(change) if is_any_gone else [({}, []) for _ in change.parents]
    told = [finding for name in sorted(kept) for finding in _kept(change, name, heirs)]
    yield from told
    places = {(finding.path, finding.line) for finding in told}
    for finding in _written(change, kept, heirs):
        if (finding.path, finding.line) not in places:
            yield finding
    yield from _outside_cards(change)


def _protected(change: Change) -> set[str]:
    """The ids whose zones have to be there again."""
    ids: set[str] = set()
    for parent in change.parents:
        ids |= {name for name, cards in parent.holders.items() if any(map(remarks_of, cards))}
        ids |= {
            name
            for name, file in parent.archive.items()
            if file.card is not None
            and remarks_of(file.card) is not None
            and not (file.superseded_by and _is_settled_by_successor(change, parent, name))
        }
    return ids


def _is_settled_by_successor(change: Change, parent: Tree, name: str) -> bool:
    """Whether the zone of an archived card that has a successor is that one's by now.

    It is where the card stays in the archive, and where what goes back to its title is the successor that
    took over its zone.
    """
    if name not in change.new.holders or name in change.new.archived:
        return True
    return zone_in(parent, renamed_back(change, parent, name)) is not None


def _kept(change: Change, name: str, heirs: Sequence[Heirs]) -> Iterator[Finding]:
    earlier = earlier_ids(change, name)
    sides = [zone_on_side(parent, name, earlier) for parent in change.parents]
    base = zone_on_side(change.base, name, earlier) if change.base is not None else None
    for places in landings_of(change, name, heirs):
        faults = [fault_of(base, sides, place.text, additions=_is_unconfirmed(change)) for place in places]
        if faults[0] is not None and all(faults):
            yield _changed(change, name, places[0], faults[0], _first(sides))
            return


def _changed(change: Change, name: str, place: Landing, fault: Fault, was: str) -> Finding:
    old = next(card for parent in change.parents if (card := _card_in(parent, name)) is not None)
    if place.text is None:
        last = next((line for line in reversed(lines_of(was)) if line.strip()), "")
        told = f"the user zone of {quote(old.title)} is gone; its last line was {quote(last)}"
    else:
        told = f"the user zone of {quote(old.title)} isn't as it was{_difference(fault)}"
    guarded = remarks_of(old)
    if guarded is not None and not guarded.orderly:
        told += (
            f"; its marks were out of order, so it reaches from line {guarded.line} to {guarded.end} until a "
            "person puts them in order"
        )
    return _finding(change, place.path or old.path, place.line or old.line, told, old, "zone")


def _first(sides: list[str | None]) -> str:
    return next((side for side in sides if side is not None), "")


def _difference(fault: Fault) -> str:
    parts = [
        f"without {quote(fault.lost)}" if fault.lost else "",
        f"with {quote(fault.added)}" if fault.added else "",
    ]
    said = " and ".join(part for part in parts if part)
    return f": {said}" if said else ": its blanks or the order of its lines differ"


def _card_in(tree: Tree, name: str) -> Card | None:
    if name in tree.holders:
        return tree.holders[name][0]
    return tree.archive[name].card if name in tree.archive else None


# --- what an agent writes -----------------------------------------------------------------------------


def _written(change: Change, kept: set[str], heirs: Sequence[Heirs]) -> Iterator[Finding]:
    """User zones with text that no old tree has for that card."""
    if _is_unconfirmed(change):
        return
    known = _texts_of_predecessors(change, heirs)
    for name, card, path in _new_zones(change, kept):
        zone = card.zone("user")
        if zone is None or not zone.text.strip() or zone.text in known.get(name, ()):
            continue
        if any(zone.text == zone_in(parent, name) for parent in change.parents):
            continue
        line = next(line for line in lines_of(zone.text) if line.strip())
        told = f"an agent writes in the user zone of {quote(card.title)}: {quote(line)}"
        yield _finding(change, path, zone.line, told, card, "written")


def _new_zones(change: Change, kept: set[str]) -> Iterator[tuple[str, Card, str]]:
    new = change.new
    for name in sorted(new.holders.keys() - kept):
        for card in new.holders[name]:
            yield name, card, card.path
    for name in sorted(new.archive.keys() - kept):
        archived = new.archive[name].card
        is_older = any(parent.archive.get(name) == new.archive[name] for parent in change.parents)
        if archived is not None and not is_older:
            yield name, archived, archive_path(name)


def _texts_of_predecessors(change: Change, heirs: Sequence[Heirs]) -> dict[str, set[str]]:
    """New id → the zones of the cards that go on under it."""
    texts: dict[str, set[str]] = {}
    for name, file in change.new.archive.items():
        if file.superseded_by:
            texts.setdefault(file.superseded_by, set()).update(_all_zones(change, name))
    for parent, (_, fresh) in zip(change.parents, heirs, strict=True):
        gone = parent.holders.keys() - change.new.holders.keys() - change.new.archived
        lost = {text for name in gone for text in _all_zones(change, name)}
        for card in fresh if lost else ():
            texts.setdefault(card.id, set()).update(lost)
    return texts


def _all_zones(change: Change, name: str) -> set[str]:
    zones = {zone_in(parent, name) for parent in change.parents}
    return {text for text in zones if text is not None}


# --- zones outside any card -----------------------------------------------------------------------------


def _outside_cards(change: Change) -> Iterator[Finding]:
    """User zones of a page that stand in no card: they have no id, so they stay on their page."""
    for path in sorted(change.judged):
        sides = [loose_zones(parent.pages.get(path)) for parent in change.parents]
        now = loose_zones(change.new.pages.get(path))
        base = loose_zones(change.base.pages.get(path)) if change.base is not None else Counter()
        known = {text for side in sides for text in side}
        for text in sorted(known):
            removed = min(side[text] for side in sides) < base[text]
            if (
                now[text] < max(side[text] for side in sides)
                and not removed
                and not _grown(change, text, now)
            ):
                told = f"a user zone outside any card isn't as it was: {quote(text)}"
                yield _finding(change, path, 0, told, None, text)
        for text in sorted(now.keys() - known):
            if text.strip() and not _is_unconfirmed(change):
                yield _finding(change, path, 0, f"an agent writes in a user zone: {quote(text)}", None, text)


def _grown(change: Change, text: str, now: Counter[str]) -> bool:
    """Whether unconfirmed remarks were added to a zone that kept every line."""
    if not _is_unconfirmed(change):
        return False
    return any(first_missing(lines_of(text), lines_of(other)) is None for other in now)


def loose_zones(page: Page | None) -> Counter[str]:
    """The text of every user zone of a page that stands in no card."""
    found: Counter[str] = Counter()
    for marks, first, lines in _stretches(page) if page is not None and page.marks else ():
        zones = zones_of(marks, lines, first)
        other = None if zones else unordered_remarks(marks, lines, first)
        found.update(zone.text for zone in zones if zone.name == "user")
        found.update([other.text] if other is not None else [])
    return found


def _stretches(page: Page) -> Iterator[tuple[list[Mark], int, Sequence[str]]]:
    """What stands between two cards of a page: its marks, its first line's number, its lines."""
    lines = bare_lines(page.document)
    first = page.document.body + 1
    ends = [(card.line, card.end) for card in page.cards]
    for line, end in (*ends, (len(lines) + 1, len(lines))):
        marks = [mark for mark in page.marks if first <= mark.line < line]
        if marks:
            yield marks, first, lines[first - 1 : line - 1]
        first = end + 1


# --- words ----------------------------------------------------------------------------------------------


def _is_unconfirmed(change: Change) -> bool:
    return change.trailers.get(TRAILER, "").strip().lower() == UNCONFIRMED


def _finding(  # noqa: PLR0913, PLR0917  # what a finding is made of
    change: Change, path: str, line: int, told: str, card: Card | None, key: str
) -> Finding:
    fix = f"{_WAY_OUT}. {_OURS}"
    if card is not None and _differs_in_worktree(change, card.id):
        fix = f"{_MEANWHILE}. So {_WAY_OUT}"
    return Finding(
        "U1", "hard", path, line, told, fix,
        card=card.id if card else "", title=card.title if card else "",
        last_line=card.last_line if card else "", key=key,
    )  # fmt: skip


def _differs_in_worktree(change: Change, name: str) -> bool:
    """Whether the working tree's zone of that card isn't the last commit's."""
    for page in change.worktree.values():
        for card in page.cards:
            if card.id == name:
                zone = remarks_of(card)
                return (zone.text if zone is not None else None) != zone_in(change.old, name)
    return False
