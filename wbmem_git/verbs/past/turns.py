"""What became of a card or an entry between two trees: where it stood and stands, and what that is called."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.change import build_change, build_tree
from wbmem_git.verbs.past.cuts import unlike

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wbmem_git.model import Actor, Card, Page, Settings
    from wbmem_git.verbs.past.readings import Held, Reading

RENAMED = "renamed"
REKEYED = "rekeyed"
"""The card is the same, under the id that another workspace key makes."""


class Stand(NamedTuple):
    """A card on a page of a tree."""

    path: str
    blob: str
    held: Held


class Turn(NamedTuple):
    """A card or entry that a commit did something to.

    Attributes:
        id: Which one.
        before: Where it stood on the pages that differ from the first parent's. after: Where it stands there.
        was_archived: Its archive file's blob before, "" for none. archived: Now.
    """

    id: str
    before: tuple[Stand, ...]
    after: tuple[Stand, ...]
    was_archived: str = ""
    archived: str = ""


def joined(turns: Sequence[Turn]) -> Turn:
    """What became of a card since all parents: where it stood, the first of them tells that has it."""
    had = next((turn for turn in turns if turn.before or turn.was_archived), turns[0])
    return turns[0]._replace(before=had.before, was_archived=had.was_archived)


def unlike_ids(old: Reading, new: Reading) -> set[str]:
    """The ids of the cards that two versions of a page don't hold alike."""
    if old.is_apart and new.is_apart:
        gone, came = unlike(old.cards, new.cards)
        return {held.id for held in (*gone, *came)}
    return {held.id for held in (*old.cards, *new.cards)}


def states(stands: Iterable[Stand]) -> list[tuple[str, str, bytes, bool]]:
    return sorted((s.path, s.held.column, s.held.digest, s.held.superseded) for s in stands)


def kind_here(turn: Turn, renames: Mapping[str, str]) -> str:
    """What became of a card that stands on a page."""
    if turn.id in renames:
        return RENAMED
    if not turn.before:
        return "restored" if turn.was_archived else "created"
    if turn.archived and states(turn.before) == states(turn.after):
        return "archived"
    old, new = turn.before[0], turn.after[0]
    if new.held.superseded and not old.held.superseded:
        return "superseded"
    return "edited" if (old.path, old.held.column) == (new.path, new.held.column) else "moved"


def without_anchor(
    old: Mapping[str, Page], new: Mapping[str, Page], settings: Settings, actor: Actor
) -> Iterator[tuple[str, Card]]:
    """(old id, new card) of cards that never had an anchor and whose text goes on under a new title."""
    from wbmem_git.rules.heirs import renames

    trees = [build_tree(files={}, pages=pages, settings=settings, has_settings=True) for pages in (old, new)]
    change = build_change(parents=trees[:1], new=trees[1], actor=actor, settings=settings)
    yield from renames(change, trees[0]).items()
