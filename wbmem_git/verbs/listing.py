"""Where a memory's pages and archive files are: looked up by name, so thousands of ledgers cost nothing."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.store.git import text_of
from wbmem_git.store.trees import Entry
from wbmem_git.text.names import ARCHIVE, GLOB_SIGNS, archived_id, kind_of
from wbmem_git.verbs.sides import ENTRY_PAGES

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wbmem_git.model import Settings
    from wbmem_git.store.repository import Repository

PAGE_KINDS = frozenset({"board", "entries"})


class Listing(Mapping[str, Entry]):
    """Path → entry of every file of a tree; a folder is read when somebody asks for what is in it.

    Attributes:
        tree: The tree's oid, "" for the empty one.
    """

    def __init__(self, repository: Repository, tree: str) -> None:
        self.tree = tree
        self._repository = repository
        self._every: dict[str, Entry] | None = None

    def __getitem__(self, path: str) -> Entry:
        found = self._repository.entry(self.tree, path)
        if found is None or found.is_tree:
            raise KeyError(path)
        return found

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def under(self, folder: str) -> list[str]:
        """The paths of the files that lie in that folder itself."""
        found = self._repository.entry(self.tree, folder)
        if found is None or not found.is_tree:
            return []
        return [f"{folder}/{name}" for name in self._repository.names(found.oid)]

    def _all(self) -> dict[str, Entry]:
        if self._every is None:
            self._every = self._repository.entries(self.tree)
        return self._every


def page_paths(settings: Settings) -> tuple[str, ...] | None:
    """Every path that a page may have; None where a board's glob leaves that open."""
    if any(not GLOB_SIGNS.isdisjoint(board) for board in settings.boards):
        return None
    named = dict.fromkeys((*ENTRY_PAGES, *settings.boards))
    return tuple(path for path in named if kind_of(path, settings) in PAGE_KINDS)


def committed(entries: Mapping[str, Entry], settings: Settings) -> list[str]:
    """The paths of pages and archive files there, and maybe others."""
    named = page_paths(settings)
    if named is None or not isinstance(entries, Listing):
        return list(entries)
    return [*(path for path in named if path in entries), *entries.under(ARCHIVE.rstrip("/"))]


def lying(repository: Repository, index: Mapping[str, Entry], settings: Settings) -> dict[str, str]:
    """Those that lie in the working tree and that git tracks, or neither tracks nor ignores.

    Args:
        repository: Whose working tree.
        index: What the index has.
        settings: They say what a page is.

    Returns:
        Path → name on disk, which is another one where git has the path in other bytes than UTF-8.
    """
    named = page_paths(settings)
    if named is None:
        told = {path: name for path, name in _told(repository).items() if _of_interest(path, settings)}
        return {path: name for path, name in told.items() if lies(repository, name)}
    there = [path for path in (*named, *_archive(repository.top)) if lies(repository, path)]
    unknown = [path for path in there if path not in index]
    known = _told(repository, *unknown) if unknown else {}
    return {path: path for path in there if path in index or path in known}


def _told(repository: Repository, *paths: str) -> dict[str, str]:
    """What git tracks, or neither tracks nor ignores, of these paths; of all where there are none."""
    options = ("-z", "--cached", "--others", "--exclude-standard")
    said = repository.git.run("ls-files", *options, *(("--", *paths) if paths else ()))
    return {text_of(path): os.fsdecode(path) for path in said.split(b"\0") if path}


def _of_interest(path: str, settings: Settings) -> bool:
    return bool(archived_id(path)) or kind_of(path, settings) in PAGE_KINDS


def _archive(top: str) -> Iterable[str]:
    try:
        names = [file.name for file in Path(top, ARCHIVE).iterdir()]
    except OSError:
        return ()
    return (path for path in (f"{ARCHIVE}{name}" for name in names) if archived_id(path))


def lies(repository: Repository, path: str) -> bool:
    """Whether anything lies at that path of the working tree, and be it a broken link."""
    return os.path.lexists(f"{repository.top}/{path}")
