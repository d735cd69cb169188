"""Which commits gave a memory another workspace key by the book: their tree is the old one, rekeyed.

Such a commit takes no card away, and what was found of a card before it is found of the same card after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.names import SETTINGS, archive_path, archived_id

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wbmem_git.model import Settings
    from wbmem_git.verbs.rekeyed import Memory, Rekeyed
    from wbmem_git.verbs.sides import Sides


class Rekey(NamedTuple):
    """A commit that gave another key: that key, and old id → new id."""

    commit: str
    key: str
    ids: Mapping[str, str]


class Rekeys:
    """Answers for one repository, each step once."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides
        self._known: dict[tuple[str, str], Mapping[str, str] | None] = {}

    def ids(self, old: str, new: str) -> Mapping[str, str] | None:
        """Old id → new id where the tree `new` is the tree `old` under another key; None where it isn't."""
        if (old, new) not in self._known:
            self._known[old, new] = self._compare(old, new)
        return self._known[old, new]

    def of(self, commit: str) -> Rekey | None:
        """What a commit with one parent did to the key; None for any other commit."""
        record = self._sides.repository.commit(commit)
        if len(record.parents) != 1:
            return None
        ids = self.ids(self._sides.repository.tree_of(record.parents[0]), record.tree)
        settings = self._settings(record.tree)
        return Rekey(commit, settings.workspace, ids) if ids is not None and settings is not None else None

    def since(self, old: str, new: str) -> tuple[Rekey, ...]:
        """Those that the commit `new` has and `old` hasn't ("": all of its history), oldest first."""
        limits = [f"^{old}"] if old else []
        wanted = ("--topo-order", "--reverse", "--full-history", new, *limits, "--", SETTINGS)
        found = map(self.of, self._sides.repository.rev_list(*wanted))
        return tuple(rekey for rekey in found if rekey is not None)

    def _compare(self, old: str, new: str) -> Mapping[str, str] | None:
        before, after = self._settings(old), self._settings(new)
        if before is None or after is None or before.workspace == after.workspace:
            return None
        from wbmem_git.verbs.rekeyed import rekeyed  # once in a memory's life

        try:
            made = rekeyed(memory_of(self._sides, old, before), after.workspace)
        except ValueError:
            return None
        return made.ids if self._is_made(old, new, made) else None

    def _is_made(self, old: str, new: str, made: Rekeyed) -> bool:
        """Whether a tree differs from another one by just these edits, modes and all."""
        repository = self._sides.repository
        if repository.differing(old, new).keys() != made.edits.keys():
            return False
        sources = {archive_path(now): archive_path(was) for was, now in made.ids.items()}
        for path, text in made.edits.items():
            entry = repository.entry(new, path)
            if entry is None or text is None:
                if entry is not None or text is not None:
                    return False
                continue
            source = repository.entry(old, sources.get(path, path))
            if source is None or entry.mode != source.mode or self._sides.file(entry).data != text.encode():
                return False
        return True

    def _settings(self, tree: str) -> Settings | None:
        entry = self._sides.entry(tree, SETTINGS)
        return self._sides.settings(entry) if entry is not None else None


def memory_of(sides: Sides, tree: str, settings: Settings) -> Memory:
    """A tree as far as its key goes. What can't be read as text isn't there."""
    from wbmem_git.verbs.rekeyed import Memory

    entry = sides.entry(tree, SETTINGS)
    text = sides.file(entry).text if entry is not None else None
    archive = dict(_archive(sides, tree))
    return Memory(settings.workspace, text or "", sides.pages(tree, settings), archive)


def _archive(sides: Sides, tree: str) -> Iterator[tuple[str, str]]:
    for path, entry in sides.repository.entries(tree, "archive").items():
        name = archived_id(path)
        text = sides.file(entry).text if name and entry.is_file else None
        if text is not None:
            yield name, text


def followed(rekeys: tuple[Rekey, ...]) -> dict[str, str]:
    """Id → what it is after all of these, one after the other."""
    found: dict[str, str] = {}
    for rekey in rekeys:
        found = {was: rekey.ids.get(now, now) for was, now in found.items()}
        found = {**rekey.ids, **found}
    return found
