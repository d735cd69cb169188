"""Commits with a finding that waits to be closed: which commits come after them, and what stood before."""

from __future__ import annotations

from sys import intern
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from wbmem_git.model import Settings
    from wbmem_git.verbs.gate import Gate

NONE: Final[frozenset[str]] = frozenset()


class Before(NamedTuple):
    """What stood on pages before a commit.

    Attributes:
        settings: Those that judged it.
        ids: The cards that every parent has.
        plain: Those without an anchor, of any parent.
    """

    settings: Settings
    ids: frozenset[str]
    plain: frozenset[str]


class Origins:
    """Answers for a walk through commits, parents before children."""

    def __init__(self, gate: Gate, at: str, known: Collection[str]) -> None:
        """Nothing is visited yet.

        Args:
            gate: Judged the commits.
            at: A commit that comes after all that are known before the walk; "" for none.
            known: These.
        """
        self._gate = gate
        self._known = frozenset(known)
        self._behind: dict[str, frozenset[str]] = {at: self._known} if at else {}
        self._before: dict[str, Before] = {}

    def follow(self, oid: str, parents: Sequence[str], waiting: Collection[str]) -> frozenset[str]:
        """Those among `waiting` that a commit comes after."""
        found = NONE
        for parent in parents:
            further = self._behind_of(parent) if parent not in waiting else self._behind_of(parent) | {parent}
            found = found | further if found else further
        if any(origin not in waiting for origin in found):
            found = frozenset(origin for origin in found if origin in waiting)
        self._behind[oid] = found
        return found

    def _behind_of(self, commit: str) -> frozenset[str]:
        """Those that a commit comes after; of one that lies before the walk git tells."""
        found = self._behind.get(commit)
        if found is None:
            is_ancestor = self._gate.repository.is_ancestor
            found = frozenset(origin for origin in self._known if is_ancestor(origin, commit))
            self._behind[commit] = found
        return found

    def before(self, origin: str) -> Before:
        """What stood on pages before one of them."""
        if origin not in self._before:
            commit = self._gate.repository.commit(origin)
            parents = self._gate.sides_of(commit.parents)
            governing = self._gate.governors.of(parents, commit.tree)
            assert governing is not None  # noqa: S101  # it judged this commit before
            judging = governing.settings
            pages = [self._gate.sides.pages(parent.tree, judging) for parent in parents]
            cards = [[card for page in each.values() for card in page.cards] for each in pages]
            ids = [{intern(card.id) for card in each} for each in cards]
            plain = frozenset(card.id for each in cards for card in each if not card.anchor)
            everywhere = frozenset(ids[0].intersection(*ids[1:]))
            self._before[origin] = Before(judging, everywhere, plain)
        return self._before[origin]
