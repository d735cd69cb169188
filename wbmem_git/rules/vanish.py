"""C2: a card that stood on a page and stands nowhere any more."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.lines import first_missing, lines_of, same_text, substance
from wbmem_git.rules.wording import quote, shown_by
from wbmem_git.text.names import SETTINGS, archive_path, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import ArchiveFile, Card, Change, Tree

_TIME = re.compile(r"\d{4}-\d{2}-\d{2}")


def c2(change: Change) -> Iterator[Finding]:
    """No card vanishes: every id on a page of the old tree is on a page of the new one, or in the archive.

    Why: the board is the only truth about what goes on. A card that is dropped while a page is rewritten,
    that an unclosed code fence or comment swallows, whose heading loses a blank, or that a merge leaves out,
    is forgotten for good, and nobody notices.

    What is legal: edit a card, move it within the page, to another column, board or entry page; archive it
    (`archive/<id>.md` with time, reason and every line that it had); rename it with `wbmem rename`, or by
    hand and then `wbmem fix`. A card that never had an anchor and whose text goes on under a new title of its
    page was renamed, and is reported so. A merge has to keep the cards of every side; what one side edited
    and then archived, or renamed, while the other left it alone or wrote on in it, is kept by that.

    How to mend: a finding names the card's title, its last line, and what swallowed it. Put the card back, or
    archive it: `wbmem archive ID --reason …`; `wbmem archive --missing --reason …` archives all that are
    gone, with their text from the last commit.
    """
    told: set[tuple[str, str]] = set()
    for parent in change.parents:
        found = [
            finding
            for finding in (*_missing(change, parent), *_namesakes(change, parent))
            if (finding.card, finding.severity) not in told
        ]
        told |= {(finding.card, finding.severity) for finding in found}
        yield from found
    yield from _unguarded(change)


def _missing(change: Change, parent: Tree) -> Iterator[Finding]:
    """What is to be said of a parent's cards whose ids are on no page."""
    followed = renames(change, parent)
    gone = _gone(change.new, parent)
    last = [card for card in gone if card.id not in followed and card.id not in change.new.archived][1:][-1:]
    for card in gone:
        if card.id in followed:
            yield _renamed(card, followed[card.id])
        elif card.id in change.new.archived:
            yield from _archived_badly(change, parent, card)
        else:
            yield _vanished(change, parent, card, closing=card in last)


def _gone(new: Tree, parent: Tree) -> list[Card]:
    """The cards of a parent whose ids are on no page of the new tree, in page order."""
    gone = parent.holders.keys() - new.holders.keys()
    cards = [card for card_id in gone for card in parent.holders[card_id]]
    return sorted(cards, key=lambda card: (card.path, card.line))


def renames(change: Change, parent: Tree) -> dict[str, Card]:
    """Old id → new card, for cards that never had an anchor and whose text goes on under a new title.

    Each new card takes the text of one old card: the longest texts choose first, and choose what fits them
    closest, so that two cards can't hide behind one.
    """
    gone = [
        card
        for card in _gone(change.new, parent)
        if not card.anchor and card.body_lines and card.id not in change.new.archived
    ]
    free = [card for card in fresh_cards(change, parent) if card.path in {old.path for old in gone}]
    found: dict[str, Card] = {}
    for old in sorted(gone, key=lambda card: -len(card.body_lines)):
        fitting = [
            card
            for card in free
            if card.path == old.path
            and card.title != old.title
            and first_missing(old.body_lines, card.body_lines) is None
        ]
        if fitting:
            found[old.id] = min(fitting, key=lambda card: len(card.body_lines))
            free.remove(found[old.id])
    return found


def fresh_cards(change: Change, parent: Tree) -> list[Card]:
    """The cards whose ids a parent has on no page, in page order."""
    return [
        card
        for path in sorted(change.new.pages)
        for card in change.new.pages[path].cards
        if card.id not in parent.holders
    ]


def _renamed(card: Card, new: Card) -> Finding:
    return Finding(
        "C2",
        "soft",
        new.path,
        new.line,
        f"{quote(card.title)} was renamed {quote(new.title)}: it had no anchor, and its text goes on there",
        "wbmem fix gives every card an anchor, so that it is known by more than its title",
        card=card.id,
        title=card.title,
        last_line=card.last_line,
    )


def _vanished(change: Change, parent: Tree, card: Card, *, closing: bool) -> Finding:
    """`closing`: it is the last one of several, and tells what archives them all."""
    from wbmem_git.rules.traces import trace_of  # noqa: PLC0415  # patterns that only a vanished card needs

    trace = trace_of(change, parent, card)
    first = f"{trace.fix}; or " if trace.fix else ""
    reason = f"renamed --superseded-by {trace.successor}" if trace.successor else '"…"'
    archive = f"wbmem archive {card.id} --reason {reason}"
    every = '; all that are gone: wbmem archive --missing --reason "…"' if closing else ""
    return Finding(
        "C2",
        "hard",
        card.path,
        card.line,
        f"card {quote(card.title)} is gone; its last line was {quote(card.last_line)}{trace.told}",
        f"{first}put it back ({shown_by(parent, card.path)}), or archive it: {archive}{every}",
        card=card.id,
        title=card.title,
        last_line=card.last_line,
    )


def _archived_badly(change: Change, parent: Tree, card: Card) -> Iterator[Finding]:
    """What an archive file lacks to stand for the card."""
    path = archive_path(card.id)
    file = change.new.archive.get(card.id)
    lacking = ""
    if file is None or file.id != card.id:
        lacking = "isn't an archive file of that id"
    elif not _TIME.match(file.archived_at):
        lacking = "lacks the time (`archived_at:`)"
    elif not file.reason.strip():
        lacking = "lacks a reason (`reason:`)"
    else:
        line = first_missing(substance(card.lines), substance(lines_of(file.body)))
        if line is not None and not _settled_by_other_side(change, card, file):
            lacking = f"lacks its line {quote(line)}"
    if lacking:
        yield Finding(
            "C2",
            "hard",
            path,
            1,
            f"card {quote(card.title)} is gone and {path} {lacking}; "
            f"its last line was {quote(card.last_line)}",
            "put the card back on its page as it was, take the archive file out, and run "
            f'wbmem archive {card.id} --reason "…"; {shown_by(parent, card.path)}',
            card=card.id,
            title=card.title,
            last_line=card.last_line,
        )


def _settled_by_other_side(change: Change, card: Card, file: ArchiveFile) -> bool:
    """Whether, in a merge, another side archived the card and nothing of this side's text is lost by it.

    Either that side edited the card before, and this side left it as the base has it; or that side renamed
    it, and this side's text goes on under the new title.
    """
    path = archive_path(card.id)
    archived = change.new.files.get(path)
    if not any(same_text(other.files.get(path), archived) for other in change.parents if path in other.files):
        return False
    base = change.base.holders.get(card.id, ()) if change.base is not None else ()
    if any(before.lines == card.lines for before in base):
        return True
    successors = change.new.holders.get(_present_id(change.new, file), ())
    return any(first_missing(card.body_lines, after.body_lines) is None for after in successors)


def _present_id(tree: Tree, file: ArchiveFile) -> str:
    """The id under which a card goes on that was renamed, perhaps more than once."""
    passed: set[str] = set()
    while file.superseded_by in tree.archive and file.superseded_by not in passed:
        passed.add(file.superseded_by)
        file = tree.archive[file.superseded_by]
    return file.superseded_by


def _namesakes(change: Change, parent: Tree) -> Iterator[Finding]:
    """Cards that shared one id, of which fewer are left: the id that still stands can't speak for all."""
    for card_id, cards in parent.holders.items():
        if len(cards) == 1 or card_id not in change.new.holders:
            continue
        titles = {card.title for card in cards}
        left = [
            *change.new.holders[card_id],
            *(card for card in fresh_cards(change, parent) if card.title in titles),
        ]
        lost = [
            card
            for card in cards
            if all(first_missing(card.body_lines, c.body_lines) is not None for c in left)
        ]
        for card in lost[: max(0, len(cards) - len(left))]:
            yield Finding(
                "C2",
                "hard",
                card.path,
                card.line,
                f"one of {len(cards)} cards {quote(card.title)} that share an id is gone; "
                f"its last line was {quote(card.last_line)}",
                f"put it back ({shown_by(parent, card.path)}), run wbmem fix so that each has an id "
                "of its own, then archive it",
                card=card.id,
                title=card.title,
                last_line=card.last_line,
                key=f"{card.id} {card.last_line}",
            )


def _unguarded(change: Change) -> Iterator[Finding]:
    """Boards that the new settings name no more: no later commit is judged with their cards."""
    settings = change.new.settings
    if settings is None or SETTINGS not in change.judged or settings.boards == change.settings.boards:
        return
    for path, page in sorted(change.new.pages.items()):
        if page.cards and kind_of(path, settings) not in {"board", "entries"}:
            yield Finding(
                "C2",
                "soft",
                path,
                0,
                f"`boards:` in wbmem.yaml names {path} no more: from the next commit on nobody notices "
                f"when one of its {len(page.cards)} cards vanishes",
                "name it under `boards:` again, or move its cards to a board",
                key="unguarded",
            )
