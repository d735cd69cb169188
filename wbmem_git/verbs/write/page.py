"""`wbmem write plan`: a whole board, or a whole entry page, as it is given."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from wbmem_git.text.defused import defused
from wbmem_git.text.names import archive_path, kind_of
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.cards import fixed
from wbmem_git.verbs.edits import Splice, spliced
from wbmem_git.verbs.find import live_successor
from wbmem_git.verbs.headings import ArchivedTitle
from wbmem_git.verbs.three_trees import edited
from wbmem_git.verbs.write.order import Proposal, given, like, see_page

if TYPE_CHECKING:
    from collections.abc import Collection

    from wbmem_git.model import Page
    from wbmem_git.verbs.cards import Fixed
    from wbmem_git.verbs.three_trees import Versions
    from wbmem_git.verbs.write.order import Order


def page_proposal(versions: Versions, order: Order) -> Proposal:
    """The page as it is given, every card with its anchor; a card with another title is renamed.

    An anchor that isn't the page's own becomes plain text, and its card gets one of its own. One that a card
    had once, under an earlier title or workspace key, gives way to its present one. Line ends and BOM stay
    those of the page.

    Raises:
        UsageError: The text is empty, or the page is none.
        ArchivedTitle: A new card has the title of an archived one.
    """
    path = order.path
    see_page(versions, path)
    text = like(_own(versions, path, given(order.text)), versions.head.read(path))
    side = edited(versions.head, {path: text}, versions.settings).side
    now = order.now.astimezone(UTC)
    found = fixed(side, versions.old, versions.key, f"{now:%Y-%m-%dT%H:%M:%SZ}")
    for card, archived in found.assignment.left:
        if card.path == path:
            raise ArchivedTitle(card.title, archived, live_successor(versions, archived))
    wanted = {path: text} | {name: found.edits[name] for name in _own_edits(found, path)}
    edits = {name: new for name, new in wanted.items() if new != versions.head.read(name)}
    return Proposal(edits, path)


def _own(versions: Versions, path: str, text: str) -> str:
    """The text without anchors that aren't the page's own: those that it has, and those of its titles."""
    known = {
        card.id
        for version in versions.all
        if (page := version.side.pages.get(path)) is not None
        for card in page.cards
    }
    page = parse_page(path, text, versions.key, kind_of(path, versions.settings))
    bare = defused(text)
    titled = parse_page(path, bare, versions.key, page.kind)
    known |= {card.id for card in titled.cards}
    return defused(_without_earlier(versions, page, known), anchors=known, zones=True)


def _without_earlier(versions: Versions, page: Page, known: Collection[str]) -> str:
    """The text without anchors that stand below a heading of the page and were those of its card once.

    The id is archived in favour of the present one, or nobody knows it: then another workspace key made it.
    """
    now = versions.head.side.pages.get(page.path)
    present: dict[str, set[str]] = {}
    for card in now.cards if now is not None else ():
        present.setdefault(card.title, set()).add(card.id)
    lines = [
        mark.line
        for card in page.cards
        if card.anchor and card.anchor not in known and card.title in present
        for mark in card.marks
        if mark.kind == "anchor" and mark.value == card.anchor
        if _was_its(versions, card.anchor, present[card.title])
    ]
    return spliced(page.document, (Splice(line, 1, ()) for line in lines))


def _was_its(versions: Versions, name: str, present: Collection[str]) -> bool:
    """Whether an id led to one of these, by what the archive says, or is no card's at all."""
    sides = [version.side for version in versions.all]
    files = versions.head.side.archive
    seen: set[str] = set()
    if name not in files:
        return not any(name in side.archive or any(card.id == name for card in side.cards) for side in sides)
    while name in files and name not in seen:
        seen.add(name)
        name = files[name].superseded_by
    return name in present


def _own_edits(found: Fixed, path: str) -> list[str]:
    """The edits that belong to this page: its own, and archive files of its cards; other pages stay."""
    here = {name for (page, _), name in found.assignment.ids.items() if page == path}
    own = [archive_path(one.old.id) for one in found.assignment.renamed if one.new.path == path]
    own += [archive_path(name) for name in found.assignment.restored if name in here]
    return [name for name in (path, *own) if name in found.edits]
