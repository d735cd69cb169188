"""C5, A1: an id is on a page or in the archive, and what is archived stays as it is."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.lines import first_missing, first_new, lines_of, same_text, substance
from wbmem_git.rules.scope import other_key
from wbmem_git.rules.wording import quote, shown_by
from wbmem_git.text.ids import Drawn, card_id
from wbmem_git.text.marks import remarks_of
from wbmem_git.text.names import archive_path, archived_id

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Card, Change, Severity, Tree


def c5(change: Change) -> Iterator[Finding]:
    """An id is on a page or in `archive/`, never both.

    Why: an archived card is closed; the same id on a page is either a restored card whose archive file was
    left behind, or a new card that would go by the history of an old one.

    What is legal: a restored card, that is one on a page whose archive file is gone, however that was done
    (`wbmem restore`, `git revert`, renaming back).

    How to mend: a new card of an archived title has two ways out: bring the old one back (`wbmem restore
    ID`), or take another title, as `Login (2)`. A card that was just archived has to leave its page.
    """
    for card in _both(change):
        already = any(card.id in parent.holders and card.id in parent.archived for parent in change.parents)
        yield _double(change, card)._replace(already=already)
    for card, archived in _skipping(change):
        yield _new_of_archived_title(change, card, archived)


def _both(change: Change) -> Iterator[Card]:
    for name in sorted(change.new.holders.keys() & change.new.archived):
        yield change.new.holders[name][0]


def _double(change: Change, card: Card) -> Finding:
    if any(card.id in parent.holders for parent in change.parents):
        path = archive_path(card.id)
        return Finding.of_card(
            "C5",
            card,
            f"card {quote(card.title)} is archived in {path} and still stands on {card.path}",
            f"take the card off {card.path}, or leave {path} out of the commit",
        )
    return _new_of_archived_title(change, card, card.id)


def _skipping(change: Change) -> Iterator[tuple[Card, str]]:
    """New cards whose anchor steps over an archived id of their title."""
    below: dict[tuple[str, str], tuple[Drawn, list[str]]] = {}
    for name, cards in change.new.holders.items():
        if name in change.new.archived or any(_knows(parent, name) for parent in change.parents):
            continue
        for card in cards:
            place = (card.path, card.title)
            if place not in below:
                archived: list[str] = []
                below[place] = Drawn(_below_archived(change, *place, archived)), archived
            held, found = below[place]
            if name not in held and found:
                yield card, found[0]


def _below_archived(change: Change, path: str, title: str, archived: list[str]) -> Iterator[str]:
    """The ids of that title up to the first that no card has; what is archived there goes into `archived`."""
    for n in count(1):
        name = card_id(change.settings.workspace, path, title, n)
        if name in change.new.archived:
            archived.append(name)
        if name not in change.new.holders or archived:
            return
        yield name


def _knows(tree: Tree, name: str) -> bool:
    return name in tree.holders or name in tree.archived


def _new_of_archived_title(change: Change, card: Card, archived: str) -> Finding:
    later = _later(change.new, archived)
    if later is not None:
        told = f"; it is {quote(later.title)} now, {later.path}:{later.line}"
        way_out = f"write to that one, {later.id}"
    else:
        told, way_out = "", f"bring that one back (wbmem restore {archived}, in the place of this card)"
    return Finding.of_card(
        "C5",
        card,
        f"a card {quote(card.title)} of {card.path} is in the archive already: {archived}{told}",
        f"{way_out}, or give this one another title: {quote(_free_title(change, card))}",
    )


def _later(tree: Tree, name: str) -> Card | None:
    """The card on a page under which an archived one goes on."""
    seen: set[str] = set()
    while name in tree.archived and name not in seen:
        seen.add(name)
        file = tree.archive.get(name)
        name = file.superseded_by if file is not None else ""
    return next(iter(tree.holders.get(name, ())), None) if name not in seen else None


def _free_title(change: Change, card: Card) -> str:
    key = change.settings.workspace
    number = 2
    while _knows(change.new, card_id(key, card.path, f"{card.title} ({number})")):
        number += 1
    return f"{card.title} ({number})"


# --- A1 ---------------------------------------------------------------------------------------------


def a1(change: Change) -> Iterator[Finding]:
    """An archive file isn't edited and doesn't vanish, except when its card is restored.

    Why: the archive is what makes taking a card off a board safe. It holds the card as it stood. So the
    commit that restores a card puts it back with every line that the archive file holds of it, in order (user
    zones are U1's); a person who leaves one out is told, an agent is refused. The next commit may edit it as
    any card. A card that is renamed back to the title of an archived one comes with the text that it has by
    now.

    In a merge, where both sides archived one card differently, the archive file equals one of them and holds
    every line of the other's card. Where only one side archived it, the file is that side's, and may hold
    what the other wrote on its page besides. A merge archives no card anew: that is the next commit's to do.

    How to mend: leave the file as it was. To change what it says, bring the card back (`wbmem restore ID`),
    commit that, edit it on its page, and archive it again.
    """
    told: set[str] = set()
    for parent in change.parents:
        if other_key(change, parent):  # W1 tells it
            continue
        for path, file in sorted(parent.files.items()):
            name = archived_id(path)
            if not name or path in told or same_text(file, change.new.files.get(path)):
                continue
            fault = _fault(change, parent, path, name)
            if fault is not None:
                told.add(path)
                yield fault


def _fault(change: Change, parent: Tree, path: str, name: str) -> Finding | None:
    now = change.new.files.get(path)
    archived = parent.archive.get(name)
    title = archived.title if archived is not None else name
    severity: Severity = "hard"
    if now is None and name in change.new.holders:
        told, fix = _restored_badly(change, parent, path, name)
        severity = "hard" if change.actor == "agent" else "soft"
    elif now is None:
        told = f"{path}, the archive file of {quote(title)}, is gone, and the card is on no page"
        fix = f"keep the file, or bring the card back with wbmem restore {name}"
    elif len(change.parents) > 1:
        told = _badly_merged(change, parent, path, title)
        fix = (
            f"bring the card back (wbmem restore {name}), put the lines of both sides into it, commit the "
            "merge so, and archive it in the next commit; or take the side whose file holds the lines of both"
        )
    else:
        told = f"{path}, the archive file of {quote(title)}, was edited"
        fix = f"leave it as it was; to change the card: wbmem restore {name}, edit it there, archive it again"
    if not told:
        return None
    return Finding(
        "A1", severity, path, 0 if now is None else 1, told, f"{fix}; {shown_by(parent, path)}",
        card=name, title=title, key=f"{name} edited",
    )  # fmt: skip


def _restored_badly(change: Change, parent: Tree, path: str, name: str) -> tuple[str, str]:
    """What a restored card lacks of what was archived, and what to do; "" where it lacks nothing.

    Where a side of a merge has it on a page already, that side answered for it.
    """
    from wbmem_git.rules.zones import renamed_back  # few commits restore a card

    archived = parent.archive.get(name)
    was = archived.card if archived is not None else None
    if was is None or any(name in side.holders for side in change.parents):
        return "", ""
    wanted, cards = _lines_to_restore(was), change.new.holders[name]
    missing = [first_missing(wanted, substance(card.lines[1:])) for card in cards]
    if None in missing or renamed_back(change, parent, name):
        return "", ""
    told = (
        f"{path} is gone and the card is back at {cards[0].path}:{cards[0].line}, "
        f"but without its line {quote(missing[0] or '')}"
    )
    return told, (
        f"put the whole card back as it was archived, commit that, and edit it then: wbmem restore {name} "
        "--commit, then commit this; a cherry-pick or a revert is aborted before and begun again after"
    )


def _lines_to_restore(card: Card) -> list[str]:
    """An archived card's non-blank lines below its heading, without anchor, zone marks, and the person's own.

    Those are U1's.
    """
    remarks = remarks_of(card)
    left_out = set(range(remarks.line, remarks.end + 1)) if remarks is not None else set()
    left_out |= {mark.line for mark in card.marks if mark.kind != "metadata" and mark.alone}
    return substance(
        line for number, line in enumerate(card.lines[1:], card.line + 1) if number not in left_out
    )


# --- merges -----------------------------------------------------------------------------------------


def _badly_merged(change: Change, parent: Tree, path: str, title: str) -> str:
    """What is wrong with a merge's archive file that isn't this parent's; "" where nothing is."""
    having = [side for side in change.parents if path in side.files]
    if len(having) == 1:
        lacking = _lost_of_page(change, parent, path)
        what = f"one side of the merge archived {quote(title)} and the other didn't"
    else:
        lacking = _lost_of_archive(change, parent, path)
        what = f"the sides of the merge archived {quote(title)} differently"
    return f"{what}, and {path} {lacking}" if lacking else ""


def _lost_of_page(change: Change, parent: Tree, path: str) -> str:
    """How the only side's archive file was changed, beside taking in what the other sides have on a page."""
    name = archived_id(path)
    was, now = parent.archive.get(name), change.new.archive.get(name)
    if was is None or now is None or was._replace(body="", card=None) != now._replace(body="", card=None):
        return "isn't the file of the side that archived it: its front matter differs"
    cards = [card for side in change.parents for card in side.holders.get(name, ())]
    sides = [substance(lines_of(was.body)), *(substance(card.lines) for card in cards)]
    mine = substance(lines_of(now.body))
    for side in sides:
        line = first_missing(side, mine)
        if line is not None:
            return f"lacks the line {quote(line)}"
    added = first_new(mine, sides)
    return "" if added is None else f"has the line {quote(added)}, which no side has"


def _lost_of_archive(change: Change, parent: Tree, path: str) -> str:
    """What the merged archive file lacks of one parent's; "" where it holds both.

    A side that left the base's file as it was has nothing to lose: the other side restored the card and
    archived it anew.
    """
    file, now = parent.files[path], change.new.files[path]
    if not any(same_text(side.files.get(path), now) for side in change.parents):
        return "equals neither side's"
    if change.base is not None and same_text(change.base.files.get(path), file):
        return ""
    mine = parent.archive.get(archived_id(path))
    card = mine.card if mine is not None else None
    lines = card.lines if card is not None else lines_of(file.text or "")
    line = first_missing(substance(lines), substance(lines_of(now.text or "")))
    return "" if line is None else f"lacks the line {quote(line)}"
