"""Edits of texts come to their places: in the index, in the working files, and for a commit in HEAD.

The index and the files get each an edit of their own, so what a person changed there beside it stays.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.intent import Touched
from wbmem_git.store.steps import step
from wbmem_git.store.writer import blob_oid, store_blob
from wbmem_git.verbs.commit.new_index import NewIndex, new_entries
from wbmem_git.verbs.commit.placing import disk_refusing, place
from wbmem_git.verbs.commit.touched import digest, told
from wbmem_git.verbs.commit.working_files import CannotTakeEdit, prepare, put_back, replace_all
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.cards import Edits
    from wbmem_git.verbs.commit.new_index import NewEntries
    from wbmem_git.verbs.commit.placing import Moving
    from wbmem_git.verbs.commit.working_files import Replacement
    from wbmem_git.verbs.three_trees import Versions


def publish(
    repository: Repository, versions: Versions, index: Edits, file: Edits, moving: Moving | None = None
) -> str:
    """Apply `index` to the index and `file` to the working files (path → whole text, None: gone).

    Args:
        repository: Where.
        versions: What the edits were made on.
        index: The index's edits.
        file: The working files'.
        moving: The commit that HEAD becomes with it.

    Returns:
        The commit's oid, "" where there is none.

    Raises:
        CannotTakeEdit: A file was changed meanwhile, is a symbolic link or lies behind one.
        HeadMoved: HEAD isn't what the commit was built on.
        DiskRefuses: Something can't be written.
        GitError: git can't write the index, or move the ref.
    """
    for path in versions.file.unreadable.intersection(index):
        raise CannotTakeEdit(path, "it isn't a file that can be read as UTF-8 text", "wbmem explain E1")
    with disk_refusing(), own_folder(repository) as folder:
        blob = moving.blob if moving is not None else None
        new = new_entries(versions.staged.entries, index, blob or (lambda data: store_blob(repository, data)))
        writes = [prepare(repository, versions, path, text, folder) for path, text in file.items()]
        step("waiting")
        return place(repository, folder, _Edits(repository, versions, folder, new, writes, moving), moving)


class _Edits:
    """How they come: files by renaming, the index with entries exchanged."""

    def __init__(  # noqa: PLR0913, PLR0917  # all that an edit is
        self,
        repository: Repository,
        versions: Versions,
        folder: Path,
        new: NewEntries,
        writes: Sequence[Replacement],
        moving: Moving | None,
    ) -> None:
        self._repository = repository
        self._versions = versions
        self._folder = folder
        self._old = {path: versions.staged.entries.get(path) for path in new}
        self._new = new
        self._writes = writes
        self._moving = moving
        self._index: NewIndex
        self._done: list[Replacement] = []

    def touched(self) -> Sequence[Touched]:
        """Every path of either edit."""
        head, files = self._versions.head.entries, {write.path: write for write in self._writes}
        found = []
        for path in dict.fromkeys((*self._new, *files)):
            write, old = files.get(path), self._old.get(path)
            found.append(
                Touched(
                    path=path,
                    head=told(head.get(path)),
                    old=told(old),
                    new=told(self._new.get(path, old)),
                    is_file=write is not None,
                    before=write.kept if write is not None else "",
                    after=digest(write.after) if write is not None else "",
                )
            )
        return found

    def make_ready(self) -> None:
        """See that the index has what was read.

        Raises:
            ChangedMeanwhile: It hasn't.
        """
        self._index = NewIndex(self._repository, self._folder)
        self._index.see(self._old, blob_oid(self._repository, b""))
        if self._index.by_git:
            self._index.put(self._new)

    def put_files(self) -> None:
        """Put the new texts in their places.

        Raises:
            CannotTakeEdit: One can't be put there.
        """
        replace_all(self._repository, self._writes, self._done)

    def new_index(self) -> Path:
        """The new index, with what it knows of the working files as they are now."""
        index, new, moving = self._index, self._new, self._moving
        seen = {
            write.path: found
            for write in self._writes
            if (entry := new.get(write.path)) is not None
            and write.after is not None
            and blob_oid(self._repository, write.after) == entry.oid
            and (found := write.seen()) is not None
        }
        if not index.by_git:
            is_known = moving is not None and moving.entries == new and index.is_tree(moving.base_tree)
            index.put(new, seen, moving.trees if moving is not None and is_known else {})
        if index.by_git or any(entry is not None and path not in seen for path, entry in new.items()):
            index.refresh()
        return index.path

    def take_back(self) -> None:
        """Put back what the files held."""
        put_back(self._repository, self._done, self._folder)
