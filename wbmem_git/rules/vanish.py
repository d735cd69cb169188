"""C2: a card that stood on a page and stands nowhere any more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.closing import lacking
from wbmem_git.rules.heirs import fresh_cards, gone_cards, renames
from wbmem_git.rules.lines import first_missing
from wbmem_git.rules.prose import lost_pages
from wbmem_git.rules.scope import other_key
from wbmem_git.rules.wording import quote, shown_by
from wbmem_git.text.names import archive_path, kind_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Card, Change, Tree


def c2(change: Change) -> Iterator[Finding]:
    """No card vanishes: every id on a page of the old tree is on a page of the new one, or in the archive.

    Why: the board is the only truth about what goes on. A card that is dropped while a page is rewritten,
    that an unclosed code fence or comment swallows, whose heading loses a blank, or that a merge leaves out,
    is forgotten for good, and nobody notices.

    What is legal: edit a card, move it within the page, to another column, board or entry page; archive it
    (`archive/<id>.md` with its title and page, time, reason and every line that it had); rename it with
    `wbmem rename`, or by hand and then `wbmem fix`. A card that never had an anchor and whose text goes on
    under a new title of its page was renamed, and is reported so; of an agent it takes two lines in common,
    or one of 40 characters, and no user zone that the old card lacked. In a merge that title is new to every
    side, or one side renamed it so. A merge has to keep the cards of every side; what one side edited and
    then archived, or renamed, while the other left it alone or wrote on in it, is kept by that.

    Pages are kept too. `PLAN.md` isn't deleted or renamed. Another board or entry page may go where every
    line of it outside cards stands on a page that is left. One without cards isn't emptied (of an agent's
    several lines bare headings are no rest). While a page has cards, `boards:` in wbmem.yaml goes on naming
    it: nobody would notice a later loss.

    How to mend: a finding names the card's title, its last line, and what swallowed it. Put the card back, or
    archive it: `wbmem archive ID --reason …`; `wbmem archive --missing --reason …` archives all that are
    gone, with their text from the last commit. A page's own lines go to another page before it is deleted.
    """
    told: set[tuple[str, str]] = set()
    for parent in change.parents:
        if other_key(change, parent):  # W1 tells it
            continue
        found = [
            finding
            for finding in (*_missing(change, parent), *_namesakes(change, parent))
            if (finding.card, finding.severity) not in told
        ]
        told |= {(finding.card, finding.severity) for finding in found}
        yield from found
    yield from lost_pages(change)
    yield from _unguarded(change)


def _missing(change: Change, parent: Tree) -> Iterator[Finding]:
    """What is to be said of a parent's cards whose ids are on no page."""
    followed = renames(change, parent)
    gone = gone_cards(change.new, parent)
    last = [card for card in gone if card.id not in followed and card.id not in change.new.archived][1:][-1:]
    for card in gone:
        if card.id in followed:
            yield _renamed(card, followed[card.id])
        elif card.id not in change.new.archived:
            yield _vanished(change, parent, card, closing=card in last)
        elif lacks := lacking(change, card, change.new.archive.get(card.id)):
            yield _archived_badly(change, parent, card, lacks)


def _renamed(card: Card, new: Card) -> Finding:
    told = f"{quote(card.title)} was renamed {quote(new.title)}: it had no anchor, and its text goes on there"
    fix = "wbmem fix gives every card an anchor, so that it is known by more than its title"
    return Finding.of_card("C2", card, told, fix)._replace(severity="soft", path=new.path, line=new.line)


def _vanished(change: Change, parent: Tree, card: Card, *, closing: bool) -> Finding:
    """`closing`: it is the last one of several, and tells what archives them all."""
    from wbmem_git.rules.traces import trace_of  # patterns that only a vanished card needs

    trace = trace_of(change, parent, card)
    told = f"card {quote(card.title)} is gone; its last line was {quote(card.last_line)}{trace.told}"
    lying = change.lying.get(card.id)
    if lying is not None and not lacking(change, card, lying):
        path = archive_path(card.id)
        return Finding.of_card(
            "C2", card, told, f"{path} lies there and fits: git add {path}, and commit it too"
        )
    first = f"{trace.fix}; or " if trace.fix else ""
    reason = f"renamed --superseded-by {trace.successor}" if trace.successor else '"…"'
    archive = f"wbmem archive {card.id} --reason {reason}"
    every = '; all that are gone: wbmem archive --missing --reason "…"' if closing else ""
    fix = f"{first}put it back ({shown_by(parent, card.path)}), or archive it: {archive}{every}"
    return Finding.of_card("C2", card, told, fix)


def _archived_badly(change: Change, parent: Tree, card: Card, lacks: str) -> Finding:
    path = archive_path(card.id)
    archive = f'wbmem archive {card.id} --reason "…"'
    fix = f"put the card back on its page as it was, take the archive file out, and run {archive}"
    if any(path in side.files for side in change.parents):  # A1 takes that file and no other in a merge
        fix = (
            "put the card back on its page with the lines of both sides, take the archive file out, commit "
            f"the merge so, and in the next commit: {archive}"
        )
    return Finding.of_card(
        "C2",
        card,
        f"card {quote(card.title)} is gone and {path} {lacks}; its last line was {quote(card.last_line)}",
        f"{fix}; {shown_by(parent, card.path)}",
    )._replace(path=path, line=1)


def _namesakes(change: Change, parent: Tree) -> Iterator[Finding]:
    """Cards that shared one id, of which fewer are left: the id that still stands can't speak for all."""
    shared = {
        card_id: cards
        for card_id, cards in parent.holders.items()
        if len(cards) > 1 and card_id in change.new.holders
    }
    fresh = fresh_cards(change, parent) if shared else []
    for card_id, cards in shared.items():
        titles = {card.title for card in cards}
        left = [*change.new.holders[card_id], *(card for card in fresh if card.title in titles)]
        lost = [card for card in cards if not _goes_on(card, left)]
        for card in lost[: max(0, len(cards) - len(left))]:
            yield Finding.of_card(
                "C2",
                card,
                f"one of {len(cards)} cards {quote(card.title)} that share an id is gone; "
                f"its last line was {quote(card.last_line)}",
                f"put it back ({shown_by(parent, card.path)}), run wbmem fix so that each has an id "
                "of its own, then archive it",
            )._replace(key=f"{card.id} {card.last_line}")


def _goes_on(card: Card, left: Sequence[Card]) -> bool:
    return any(first_missing(card.body_lines, other.body_lines) is None for other in left)


def _unguarded(change: Change) -> Iterator[Finding]:
    """Boards that the new settings name no more: no later commit is judged with their cards."""
    settings = change.new.settings
    if settings is None or settings.boards == change.settings.boards:
        return
    for path, page in sorted(change.new.pages.items()):
        if page.cards and kind_of(path, settings) not in {"board", "entries"}:
            yield Finding(
                "C2",
                "hard",
                path,
                0,
                f"`boards:` in wbmem.yaml names {path} no more: from the next commit on nobody notices "
                f"when one of its {len(page.cards)} cards vanishes",
                "name it under `boards:` again; or first move its cards to a board, or archive them",
                key="unguarded",
            )
