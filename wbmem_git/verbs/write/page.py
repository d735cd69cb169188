"""`wbmem write plan`: a whole board, or a whole entry page, as it is given."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING

from wbmem_git.text.defused import defused
from wbmem_git.text.names import archive_path, kind_of
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.cards import fixed
from wbmem_git.verbs.headings import ArchivedTitle
from wbmem_git.verbs.three_trees import edited
from wbmem_git.verbs.write.order import Proposal, given, like, see_page

if TYPE_CHECKING:
    from wbmem_git.verbs.cards import Fixed
    from wbmem_git.verbs.three_trees import Versions
    from wbmem_git.verbs.write.order import Order


def page_proposal(versions: Versions, order: Order) -> Proposal:
    """The page as it is given, every card with its anchor; a card with another title is renamed.

    An anchor that isn't the page's own becomes plain text, and its card gets one of its own. Line ends and
    BOM stay those of the page.

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
            raise ArchivedTitle(card.title, archived)
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
    return defused(text, anchors=known | {card.id for card in titled.cards}, zones=True)


def _own_edits(found: Fixed, path: str) -> list[str]:
    """The edits that belong to this page: its own, and archive files of its cards; other pages stay."""
    here = {name for (page, _), name in found.assignment.ids.items() if page == path}
    own = [archive_path(one.old.id) for one in found.assignment.renamed if one.new.path == path]
    own += [archive_path(name) for name in found.assignment.restored if name in here]
    return [name for name in (path, *own) if name in found.edits]
