"""Which settings judge a change: the old tree's, so that no commit loosens the rule that judges it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import SettingsUnreadable
from wbmem_git.text.names import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Settings
    from wbmem_git.store.trees import Entry
    from wbmem_git.verbs.sides import Sides


class Side(NamedTuple):
    """A commit and its tree; the commit is "" for a bare tree, both are "" for nothing at all."""

    commit: str
    tree: str


class Governing(NamedTuple):
    """The settings that judge.

    Attributes:
        settings: What they say.
        adopting: This change brings the first `wbmem.yaml` of this history.
        finding: Why an earlier version judges, "" where the old tree's does.
    """

    settings: Settings
    adopting: bool = False
    finding: str = ""


class Governors:
    """Answers for one repository, remembering what it found out about the past."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._last_good: dict[str, tuple[str, Settings] | None] = {}

    def of(self, parents: Sequence[Side], new: str) -> Governing | None:
        """Who judges a change from `parents` to the tree `new`; None where it touches no memory.

        That is the first parent's `wbmem.yaml`; where it can't be read, or is gone, the last good one of its
        history, and failing that another parent's. A history that never had one is adopted by the change that
        brings it: then the new one judges, also where an earlier attempt was never readable.

        Raises:
            SettingsUnreadable: The first parent's can't be read and no history is known.
            MissingObject: History is cut off (a shallow clone) before a good one was found.
        """
        old = [self._sides.entry(parent.tree, SETTINGS) for parent in parents]
        if old[0] is not None and (settings := self._sides.settings(old[0])) is not None:
            return Governing(settings)
        good = next(filter(None, map(self._good_of, parents)), None)
        if good is not None:
            return Governing(good[1], finding=_why(old[0], good[0]) if good[0] != parents[0].commit else "")
        if old[0] is not None and not parents[0].commit:
            raise SettingsUnreadable("the old tree's can't be read, and it has no history to look into")
        entry = self._sides.entry(new, SETTINGS)
        if entry is None and not any(old):
            return None
        settings = self._sides.settings(entry) if entry is not None else None
        if settings is None:
            from wbmem_git.text.settings import default_settings  # noqa: PLC0415  # once in a memory's life

            settings = default_settings("")
        return Governing(settings, adopting=not any(old))

    def _good_of(self, side: Side) -> tuple[str, Settings] | None:
        """The last good settings of a side's history and the commit that has them."""
        if not side.commit:
            return None
        if side.commit not in self._last_good:
            self._last_good[side.commit] = self._look_back(side)
        return self._last_good[side.commit]

    def _look_back(self, side: Side) -> tuple[str, Settings] | None:
        own = self._read(side.commit, side.tree)
        if own is not None:
            return own
        parents = self._sides.repository.commit(side.commit).parents
        if len(parents) == 1 and parents[0] in self._last_good:  # a walk forward through a bad stretch
            return self._last_good[parents[0]]
        for commit in self._versions(side.commit):
            found = self._read(commit, self._sides.repository.commit(commit).tree)
            if found is not None:
                return found
        return None

    def _read(self, commit: str, tree: str) -> tuple[str, Settings] | None:
        entry = self._sides.entry(tree, SETTINGS)
        settings = self._sides.settings(entry) if entry is not None else None
        return (commit, settings) if settings is not None else None

    def _versions(self, commit: str) -> Iterator[str]:
        """The commits up to `commit` that changed `wbmem.yaml`, newest first."""
        yield from self._sides.repository.rev_list("--topo-order", "--full-history", commit, "--", SETTINGS)


def _why(old: Entry | None, judge: str) -> str:
    what = "can't be read" if old is not None else "is gone"
    return f"{what}; the version of commit {judge[:12]} judges"
