"""Commits of the past, one after the other: of which is it certain that the gate would refuse nothing?

The whole gate takes 10 ms and more to judge one on a large board. Nearly all of a long history passed every
gate on its way, and that takes much less to tell: by the shortcuts of `verbs.past.verdicts`, which miss
nothing. Whatever isn't certain the whole gate judges, so what is found, and how it is told, is its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.git import text_of
from wbmem_git.store.history import steps
from wbmem_git.store.trees import Entry
from wbmem_git.text.names import SETTINGS
from wbmem_git.text.settings import default_settings
from wbmem_git.verbs.past.doings import Doing, Doings
from wbmem_git.verbs.past.pages import PastPages
from wbmem_git.verbs.past.tree import PastTree
from wbmem_git.verbs.past.verdicts import Harmless, Judge, Past

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Settings
    from wbmem_git.store.history import Difference, Facts, Step
    from wbmem_git.verbs.gate import Gate

NOTHING_USUAL = Doing([], [])


class Passed(NamedTuple):
    """A commit of the past.

    Attributes:
        facts: What it says.
        differences: What it changed, beside its first parent.
        is_harmless: Whether it is certain that the gate finds nothing hard that is its own doing.
        edited: The ids of the cards that it changed, where the tree has the same cards as before, and nothing
            was archived; else None.
    """

    facts: Facts
    differences: Sequence[Difference]
    is_harmless: bool
    edited: frozenset[str] | None


def harmless(gate: Gate, wanted: Sequence[str]) -> Iterator[Passed]:
    """Commits, parents before children.

    Args:
        gate: The one that judges those that aren't harmless: it reads the settings.
        wanted: Which, as `git rev-list` takes them.
    """
    listed = gate.repository.git.run("rev-list", "--topo-order", "--reverse", "--parents", *wanted)
    commits = {}
    for line in text_of(listed).splitlines():
        oid, *parents = line.split(" ")
        commits[oid] = tuple(parents)
    if commits:
        walk = Walk(gate)
        for step in steps(gate.repository, commits, walk.is_read):
            yield Passed(step.facts, step.differences[0], *walk.look(step))


class Walk:
    """Goes from commit to commit."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self._readers: dict[tuple[str, tuple[str, ...]], _Reader] = {}
        self._blobs: dict[str, str] = {}
        self._last = _Reader(gate, default_settings(""))

    def is_read(self, path: str) -> bool:
        """Whether the text at that path will probably be looked into."""
        return self._last.pages.is_read(path)

    def look(self, step: Step) -> Harmless:
        """Whether it is certain that the gate finds nothing hard in a commit that is its own doing."""
        facts = step.facts
        before = self._settings_of(facts.parents[0]) if facts.parents else ""
        changed = (one.new for one in step.differences[0] if one.path == SETTINGS)
        self._blobs[facts.oid] = next(changed, before)
        settings = self._gate.sides.settings(Entry("100644", before)) if before else None
        if len(facts.parents) != 1 or settings is None:
            return Harmless(False)
        self._last = self._reader(settings)
        return self._last.look(step, before)

    def _reader(self, settings: Settings) -> _Reader:
        """What reads pages of that key, where these are the boards."""
        key = settings.workspace, settings.boards
        if key not in self._readers:
            self._readers[key] = _Reader(self._gate, settings)
        return self._readers[key]

    def _settings_of(self, oid: str) -> str:
        """The blob of a commit's settings, "" for none."""
        if oid not in self._blobs:
            repository = self._gate.repository
            entry = repository.entry(repository.tree_of(oid), SETTINGS)
            self._blobs[oid] = entry.oid if entry is not None and entry.is_file else ""
        return self._blobs[oid]


class _Reader:
    """Reads pages that have one key, and judges what changed them."""

    def __init__(self, gate: Gate, settings: Settings) -> None:
        repository = gate.repository
        self.pages = PastPages(settings, repository.blob, lambda *_: ())
        self._doings = Doings(settings, self.pages)
        self._tree = PastTree(repository, settings, self.pages.kind)
        self._judge = Judge(repository, settings, self.pages, gate)

    def look(self, step: Step, before: str) -> Harmless:
        """Whether it is certain that the gate finds nothing hard in a commit with one parent.

        Args:
            step: What was read of it.
            before: The blob of its parent's settings.
        """
        self.pages.begin(step)
        doing = self._doings.usual(step, 0) or NOTHING_USUAL
        found = self._judge.harmless(Past(0, step.facts, doing, before), step, self._tree)
        self._tree.advance(step)
        return found
