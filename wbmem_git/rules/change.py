"""Assembling what the rules look at from parsed values, the same way for the gate and for tests."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.model import Change, Tree
from wbmem_git.rules.lines import lines_of
from wbmem_git.text.ids import card_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wbmem_git.model import Actor, ArchiveFile, Card, File, Page, Settings


def build_tree(  # noqa: PLR0913  # one keyword for each field of a tree
    *,
    commit: str = "",
    oid: str = "",
    files: Mapping[str, File],
    pages: Mapping[str, Page],
    archived: frozenset[str] = frozenset(),
    archive: Mapping[str, ArchiveFile] | None = None,
    settings: Settings | None = None,
    has_settings: bool = False,
) -> Tree:
    """One side of a change; who holds which id is worked out from the pages.

    A card without an anchor has the id that `parse_page` computes; where a card of another page holds that
    one already (it moved there), it has the next free one, as `wbmem fix` would give it.
    """
    holders: dict[str, list[Card]] = {}
    pages = _apart(pages, settings.workspace) if settings is not None else pages
    for path in sorted(pages):
        for card in pages[path].cards:
            holders.setdefault(card.id, []).append(card)
    return Tree(
        commit=commit,
        oid=oid,
        files=files,
        pages=pages,
        holders={card_id: tuple(cards) for card_id, cards in holders.items()},
        archived=archived,
        archive=archive or {},
        settings=settings,
        has_settings=has_settings,
    )


def build_change(  # noqa: PLR0913  # one keyword for each thing that a door knows
    *,
    parents: Sequence[Tree],
    new: Tree,
    base: Tree | None = None,
    actor: Actor,
    settings: Settings,
    worktree: Mapping[str, Page] | None = None,
    trailers: Mapping[str, str] | None = None,
    message: str = "",
    old_settings_finding: str = "",
) -> Change:
    """A change, with what it judges, what lines it adds and whether it adopts a folder worked out."""
    judged = frozenset(_judged(parents, new))
    return Change(
        parents=tuple(parents),
        new=new,
        base=base,
        actor=actor,
        settings=settings,
        judged=judged,
        added=_added(parents, new, judged),
        adopting=new.has_settings and not any(parent.has_settings for parent in parents),
        worktree=worktree or {},
        trailers=trailers or {},
        message=message,
        old_settings_finding=old_settings_finding,
    )


def _apart(pages: Mapping[str, Page], key: str) -> Mapping[str, Page]:
    """The pages, with another id for each card without an anchor whose computed id stands on another page."""
    held = {card.anchor for page in pages.values() for card in page.cards if card.anchor}
    clashing = {
        path
        for path, page in pages.items()
        if any(not card.anchor and card.id in held for card in page.cards)
    }
    return (
        {
            path: _renumbered(page, key, held) if path in clashing else page
            for path, page in sorted(pages.items())
        }
        if clashing
        else pages
    )


def _renumbered(page: Page, key: str, held: set[str]) -> Page:
    cards = []
    reached: dict[str, int] = {}
    for card in page.cards:
        name = card.id
        while not card.anchor and name in held:
            reached[card.title] = n = reached.get(card.title, 1) + 1
            name = card_id(key, card.path, card.title, n)
        held.add(name)
        cards.append(card._replace(id=name))
    return page._replace(cards=tuple(cards))


def all_lines(tree: Tree, paths: frozenset[str]) -> dict[str, tuple[tuple[int, str], ...]]:
    """Path → every line (number, text) that the tree has there."""
    return {
        path: tuple(enumerate(lines_of(file.text), 1))
        for path, file in sorted(tree.files.items())
        if path in paths and file.text is not None
    }


def _judged(parents: Sequence[Tree], new: Tree) -> Iterator[str]:
    paths = {path for tree in (new, *parents) for path in tree.files}
    for path in paths:
        mine = _blob(new, path)
        if all(_blob(parent, path) != mine for parent in parents):
            yield path


def _blob(tree: Tree, path: str) -> tuple[str, str] | None:
    """What stands there: the blob and whether it is a file, a symbolic link or a submodule."""
    file = tree.files.get(path)
    return None if file is None else (file.oid, file.mode[:2])


def _added(
    parents: Sequence[Tree], new: Tree, judged: frozenset[str]
) -> dict[str, tuple[tuple[int, str], ...]]:
    known = {
        line
        for parent in parents
        for file in parent.files.values()
        if file.text is not None
        for line in lines_of(file.text)
    }
    return {
        path: tuple((number, line) for number, line in lines if line not in known)
        for path, lines in all_lines(new, judged).items()
    }
