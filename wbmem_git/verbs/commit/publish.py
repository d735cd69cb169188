"""Put what a verb planned in its place: index, working files, for a commit the ref. All of it or nothing.

The order is the one that lost nothing (each step has its name in `store.steps`). Before the lock everything
lies ready: objects, the new files, the journal. Then git's own lock of the index; HEAD is read again; the new
index is made beside the old one; the files; the new index is renamed into its place while the lock stands;
the ref, by compare-and-swap; the lock goes. Index before ref, since a stale index would take the commit back
with the next one. What fails on the way is taken back here, what is killed by the next writer (`recover`).
"""

from __future__ import annotations

import errno
import hashlib
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import GitError, WbmemError
from wbmem_git.store.index_lock import IndexLock, new_token
from wbmem_git.store.journal import Journal, Touched, Writing
from wbmem_git.store.steps import step
from wbmem_git.store.writer import HEAD, blob_oid, ref_locks, store_blob
from wbmem_git.verbs.commit.new_index import NewIndex, new_entries
from wbmem_git.verbs.commit.working_files import CannotTakeEdit, prepare, put_back, replace_all
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import Entry
    from wbmem_git.verbs.cards import Edits
    from wbmem_git.verbs.commit.new_index import NewEntries
    from wbmem_git.verbs.commit.working_files import Write
    from wbmem_git.verbs.three_trees import Versions


class HeadMoved(GitError):
    """Another commit landed while ours was made; nothing was committed."""

    def __init__(self) -> None:
        super().__init__("another commit landed meanwhile: nothing was committed", "try again")


class DiskRefuses(WbmemError):
    """The system doesn't let something be written; nothing was changed."""

    def __init__(self, error: OSError) -> None:
        place = f"{error.filename}: " if isinstance(error.filename, str) else ""
        full = error.errno in {errno.ENOSPC, errno.EDQUOT}
        super().__init__(
            f"nothing was changed: {place}{error.strerror or type(error).__name__}",
            "make room (df -h . tells how full the disk is)"
            if full
            else "wbmem doctor looks at what lies here",
        )


class Moving(NamedTuple):
    """A commit that exists, and has to become HEAD.

    Attributes:
        base: What HEAD has to be. `commit`: What it becomes; "" where `git commit` is going to say that.
        blob: Stores a blob; its oid.
        move: Moves HEAD by compare-and-swap.
        base_tree: The base's tree. `entries`: What the commit changes in it. `trees`: What each folder above
            these becomes. They spare git work on an index that had nothing else staged.
    """

    base: str
    commit: str
    blob: Callable[[bytes], str]
    move: Callable[[], None]
    base_tree: str
    entries: NewEntries
    trees: Mapping[str, str]


class Placing(NamedTuple):
    """All that goes into its place: the index's entries, before and after; the working files; the ref."""

    old: NewEntries
    new: NewEntries
    writes: Sequence[Write]
    moving: Moving | None


def publish(
    repository: Repository, versions: Versions, index: Edits, file: Edits, moving: Moving | None = None
) -> None:
    """Apply `index` to the index and `file` to the working files (path → whole text, None: gone).

    Args:
        repository: Where.
        versions: What the edits were made on.
        index: The index's edits.
        file: The working files'.
        moving: The commit that HEAD becomes with it.

    Raises:
        CannotTakeEdit: A file was changed meanwhile, is a symbolic link or lies behind one.
        HeadMoved: HEAD isn't what the commit was built on.
        DiskRefuses: Something can't be written.
        GitError: git can't write the index, or move the ref.
    """
    for path in versions.file.unreadable.intersection(index):
        raise CannotTakeEdit(path, "it isn't a file that can be read as UTF-8 text", "wbmem explain E1")
    with disk_refusing(), own_folder(repository) as folder:
        store = moving.blob if moving is not None else lambda data: store_blob(repository, data)
        entries = versions.staged.entries
        new = new_entries(entries, index, store)
        writes = [prepare(repository, versions, path, text, folder) for path, text in file.items()]
        step("waiting")
        placing = Placing({path: entries.get(path) for path in new}, new, writes, moving)
        _Publication(repository, folder, placing).run(_touched(versions, placing))


@contextmanager
def disk_refusing() -> Iterator[None]:
    """Tell a failure of the system as one of ours.

    Raises:
        DiskRefuses: There was one.
    """
    try:
        yield
    except OSError as error:
        raise DiskRefuses(error) from error


class _Publication:
    """One run of it."""

    def __init__(self, repository: Repository, folder: Path, placing: Placing) -> None:
        self._repository = repository
        self._folder = folder
        self._placing = placing
        self._journal = Journal.of(repository, str(folder))
        self._lock = IndexLock(repository.index_file(), new_token())
        self._done: list[Write] = []
        self._old_index: Path | None = None

    def run(self, touched: tuple[Touched, ...]) -> None:
        moving = self._placing.moving
        self._journal.note(
            Writing(
                token=self._lock.token,
                index_file=self._repository.index_file(),
                folder=str(self._folder),
                refs=ref_locks(self._repository, HEAD) if moving is not None else (),
                base=moving.base if moving is not None else "",
                commit=moving.commit if moving is not None else "",
                touched=touched,
                git_dir=self._repository.git_dir,
                top=self._repository.top,
            )
        )
        try:
            step("noted")
            self._lock.take(str(self._folder))
            self._place()
        except BaseException as error:
            if not self._is_made():
                self._take_back()
                raise
            if not isinstance(error, OSError | WbmemError):
                self._finish()
                raise
        self._finish()

    def _place(self) -> None:
        step("index locked")
        moving = self._placing.moving
        if moving is not None and self._repository.head() != moving.base:
            raise HeadMoved
        step("head read")
        index = NewIndex(self._repository, self._folder)
        index.see(self._placing.old, blob_oid(self._repository, b""))
        if index.by_git:
            index.put(self._placing.new)
        step("index ready")
        replace_all(self._repository, self._placing.writes, self._done)
        step("files")
        self._complete(index)
        self._exchange(index.path)
        step("index")
        if moving is not None:
            moving.move()
            step("moved")

    def _complete(self, index: NewIndex) -> None:
        """The new index, with what it knows of the working files as they are now."""
        new, moving = self._placing.new, self._placing.moving
        seen = {
            write.path: found
            for write in self._placing.writes
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

    def _exchange(self, new: Path) -> None:
        """Put the new index into its place; the old one is kept while it may be wanted again."""
        place = Path(os.path.realpath(self._repository.index_file()))
        kept = self._folder / "old-index"
        if not new.exists():
            return  # no index there yet, and nothing to put into it
        if place.exists():
            _second_name(place, kept)
        self._old_index = kept
        new.replace(place)

    def _is_made(self) -> bool:
        """Whether HEAD is the commit, whatever was told of it."""
        moving = self._placing.moving
        if moving is None:
            return False
        head = self._repository.head()
        if moving.commit:
            return head == moving.commit
        return head != moving.base and self._repository.tree_of(head) == moving.trees.get("")

    def _take_back(self) -> None:
        """Put everything as it was; what can't be is left to the next writer, who finds the journal."""
        try:
            put_back(self._repository, self._done, self._folder)
            if self._old_index is not None:
                place = Path(os.path.realpath(self._repository.index_file()))
                if self._old_index.exists():
                    self._old_index.replace(place)
                else:
                    place.unlink(missing_ok=True)
            self._lock.release()
            self._journal.clear()
        except OSError:
            return

    def _finish(self) -> None:
        """All is in its place. What fails from here on the next writer finishes."""
        with suppress(OSError):
            self._lock.release()
            step("index unlocked")
            self._journal.clear()
            step("done")


def _second_name(file: Path, name: Path) -> None:
    """A second name for a file, a copy where that can't be."""
    try:
        os.link(file, name)
    except OSError:
        name.write_bytes(file.read_bytes())


def _touched(versions: Versions, placing: Placing) -> tuple[Touched, ...]:
    files = {write.path: write for write in placing.writes}
    found = []
    for path in dict.fromkeys((*placing.new, *files)):
        write = files.get(path)
        old = placing.old.get(path)
        found.append(
            Touched(
                path=path,
                head=told(versions.head.entries.get(path)),
                old=told(old),
                new=told(placing.new.get(path, old)),
                is_file=write is not None,
                before=write.kept if write is not None else "",
                after=digest(write.after) if write is not None else "",
            )
        )
    return tuple(found)


def told(entry: Entry | None) -> str:
    """An entry as the journal has it."""
    return "" if entry is None else f"{entry.mode} {entry.oid}"


def digest(data: bytes | None) -> str:
    """A file's content as the journal has it."""
    return "" if data is None else hashlib.sha256(data).hexdigest()
