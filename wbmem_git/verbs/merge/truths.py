"""What each side says for itself and both together can't: a line of `supersedes` with two truths (M1)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.model import Tree
from wbmem_git.rules.supersedes import bad_lines, bad_targets
from wbmem_git.rules.wording import command, pathspec
from wbmem_git.verbs.merge.values import Conflict

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Card
    from wbmem_git.rules.supersedes import Fault
    from wbmem_git.verbs.assign import Side

WORD = "supersedes"


def contradictions(merged: Side, sides: Sequence[Side]) -> tuple[Conflict, ...]:
    """What M1 refuses of the cards of a merge, and of no side of it, each where it is to be mended.

    Args:
        merged: Pages and archive after the merge.
        sides: Ours and theirs.
    """
    if not says_of_others(merged):
        return ()
    known = {_known(fault) for side in sides for fault in _faults(side)}
    new = [fault for fault in _faults(merged) if _known(fault) not in known]
    return tuple(map(_conflict, sorted(new, key=lambda fault: (fault.card.path, fault.card.line))))


def says_of_others(side: Side) -> bool:
    """Whether a card on a page says that it supersedes another one."""
    return any(card.metadata.get(WORD, "") for card in side.cards)


def _faults(side: Side) -> Iterator[Fault]:
    holders: dict[str, list[Card]] = {}
    for card in side.cards:
        holders.setdefault(card.id, []).append(card)
    cards = {name: tuple(held) for name, held in holders.items()}
    archived = frozenset(side.archive)
    tree = Tree("", "", {}, side.pages, cards, archived, side.archive, None, has_settings=True)
    for fault in bad_lines(tree, side.pages):
        if fault.severity == "hard":
            yield fault
    for card in side.cards:
        yield from bad_targets(tree, card)


def _known(fault: Fault) -> tuple[str, str]:
    return fault.card.id, fault.key


def _conflict(fault: Fault) -> Conflict:
    card = fault.card
    way_out = f"{fault.fix}, then: {command('git', 'add', pathspec(card.path))}"
    return Conflict(card.path, card.metadata.line or card.line, card.id, card.title, fault.told, way_out)
