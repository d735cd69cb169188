"""How anything comes to its place: index, working files, for a commit the ref. All of it or nothing.

The order is the one that lost nothing (each step has its name in `store.steps`). Before the lock the intent
says what comes; then git's own lock of the index; HEAD is read again; the new index is made beside the old
one; the files; the new index is renamed into its place while the lock stands; the ref, by compare-and-swap;
the lock goes. Index before ref, since a stale index would take the commit back with the next one. What fails
on the way is taken back here, what is killed by the next writer (`recover`).

The files come in two ways: edits of texts (`publish`), or a stored tree by git's own checkout (`landing`).
"""

from __future__ import annotations

import errno
import os
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import GitError, WbmemError
from wbmem_git.store.index_lock import IndexLock, new_token
from wbmem_git.store.intent import Intent, IntentFile
from wbmem_git.store.steps import step
from wbmem_git.store.writer import HEAD, ref_locks
from wbmem_git.verbs.commit.as_committed import as_committed
from wbmem_git.verbs.commit.going_on import see_no_operation
from wbmem_git.verbs.commit.made import made
from wbmem_git.verbs.commit.stages import merge_heads

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Protocol

    from wbmem_git.store.intent import Touched
    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import Entry

    class Coming(Protocol):
        """How index and working files come to be what they should be; the steps are called in this order."""

        def touched(self) -> Sequence[Touched]:
            """What is about to change; copies of what working files hold lie in the writer's folder then."""

        def make_ready(self) -> None:
            """See that the index is what the plan was made on, under its lock."""

        def put_files(self) -> None:
            """Put the working files in their places."""

        def new_index(self) -> Path:
            """The new index, which knows these files; no file where there is none and nothing to put in."""

        def take_back(self) -> None:
            """Put the working files back, wherever nobody has written since."""


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


class HalfDone(WbmemError):
    """A write failed, and what it had begun couldn't be taken back here: the next writer does that."""

    def __init__(self, what: str, *errors: BaseException) -> None:
        said = next((one.strerror for one in errors if isinstance(one, OSError)), "")
        super().__init__(
            f"{what}{f': {said}' if said else ''}",
            "wbmem fix takes back what was begun, as the next write does; wbmem doctor says what hinders it",
        )


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


def _is_stored() -> None:
    """What a stored commit's objects are."""


class Moving(NamedTuple):
    """A commit that has to become HEAD.

    Attributes:
        base: What HEAD has to be; "" on an unborn branch.
        commit: What it becomes; "" where `git commit` is going to make it.
        tree: The commit's tree; where git makes it, hooks may change that.
        move: Moves HEAD by compare-and-swap; the commit's oid.
        others: Further parents. `subject`: The first line of its message.
        is_there: Whether the commit was there before: a fast-forward.
        base_tree: The base's tree. `entries`: What the commit changes in it. `trees`: What each folder above
            these becomes. They spare git work on an index that had nothing else staged.
        blob: Stores a blob; its oid.
        settle: Waits until all of it is stored.
        branch: The branch that has to be checked out; "" for any.
    """

    base: str
    commit: str
    tree: str
    move: Callable[[], str]
    others: tuple[str, ...] = ()
    subject: str = ""
    is_there: bool = False
    base_tree: str = ""
    entries: Mapping[str, Entry | None] = {}
    trees: Mapping[str, str] = {}
    blob: Callable[[bytes], str] | None = None
    settle: Callable[[], None] = _is_stored
    branch: str = ""


def place(repository: Repository, folder: Path, coming: Coming, moving: Moving | None) -> str:
    """Have it come to its place.

    Args:
        repository: Where.
        folder: One that nobody else writes in.
        coming: How index and files come.
        moving: The commit that HEAD becomes with it.

    Returns:
        The commit's oid, "" where there is none.

    Raises:
        HeadMoved: HEAD isn't what the commit was built on.
        WbmemError, OSError: It can't come there; nothing was changed.
    """
    return _Placing(repository, folder, coming, moving).run()


class _Placing:
    """One run of it."""

    def __init__(self, repository: Repository, folder: Path, coming: Coming, moving: Moving | None) -> None:
        self._repository = repository
        self._folder = folder
        self._coming = coming
        self._moving = moving
        self._intent_file = IntentFile.of(repository, str(folder))
        self._lock = IndexLock(repository.index_file(), new_token())
        self._old_index: Path | None = None
        self._commit = ""

    def run(self) -> str:
        begun = self._intent()
        self._intent_file.note(begun)
        try:
            step("noted")
            self._lock.take(str(self._folder))
            self._place()
        except BaseException as error:
            self._see_made(begun, error)
            if not self._commit:
                self._take_back(error)
                raise
            if not isinstance(error, OSError | WbmemError):
                self._finish(begun)
                raise
        self._finish(begun)
        return self._commit

    def _intent(self) -> Intent:
        repository, moving = self._repository, self._moving
        intent = Intent(
            token=self._lock.token,
            index_file=repository.index_file(),
            folder=str(self._folder),
            refs=(),
            base="",
            commit="",
            touched=tuple(self._coming.touched()),
            git_dir=repository.git_dir,
            top=repository.top,
        )
        if moving is None:
            return intent._replace(heads=merge_heads(repository.git_dir))
        intent = intent._replace(refs=ref_locks(repository, HEAD), base=moving.base, commit=moving.commit)
        if moving.commit:
            return intent._replace(is_there=moving.is_there)
        return intent._replace(others=moving.others, tree=moving.tree, subject=moving.subject)

    def _place(self) -> None:
        step("index locked")
        moving = self._moving
        if moving is not None and not _is_at(self._repository, moving):
            raise HeadMoved
        if moving is not None:
            see_no_operation(self._repository)
        step("head read")
        self._coming.make_ready()
        if moving is not None:
            moving.settle()
        step("index ready")
        self._coming.put_files()
        step("files")
        self._exchange(self._coming.new_index())
        step("index")
        if moving is not None:
            self._commit = moving.move()
            step("moved")

    def _exchange(self, new: Path) -> None:
        """Put the new index into its place; the old one is kept while it may be wanted again."""
        target = Path(os.path.realpath(self._repository.index_file()))
        kept = self._folder / "old-index"
        if not new.exists():
            return
        if target.exists():
            _second_name(target, kept)
        self._old_index = kept
        new.replace(target)

    def _see_made(self, begun: Intent, error: BaseException) -> None:
        """Ask whether the commit is made, whatever was told of it.

        Raises:
            HalfDone: That can't be told.
        """
        try:
            self._commit = self._commit or made(self._repository, begun)
        except (OSError, WbmemError) as why:
            if isinstance(error, OSError | WbmemError):
                raise HalfDone(
                    "the write failed, and whether it is committed can't be told", error, why
                ) from why
            raise error from why

    def _take_back(self, error: BaseException) -> None:
        """Put everything as it was; what can't be is left to the next writer, who finds the intent.

        Raises:
            HalfDone: Not all can be.
        """
        try:
            self._coming.take_back()
            if self._old_index is not None:
                target = Path(os.path.realpath(self._repository.index_file()))
                if self._old_index.exists():
                    self._old_index.replace(target)
                else:
                    target.unlink(missing_ok=True)
            self._lock.release()
            self._intent_file.clear()
        except (OSError, WbmemError) as why:
            if isinstance(error, OSError | WbmemError):
                raise HalfDone("the write failed, and not all of it could be taken back", error, why) from why

    def _finish(self, begun: Intent) -> None:
        """All is in its place. What fails from here on the next writer finishes."""
        with suppress(OSError, WbmemError):
            try:
                if begun.tree:
                    as_committed(self._repository, begun, self._commit)
            finally:
                self._lock.release()
            step("index unlocked")
            self._intent_file.clear()
            step("done")


def _is_at(repository: Repository, moving: Moving) -> bool:
    """Whether HEAD is what the commit was built on, and where it was. git switches under the index's lock."""
    return repository.head() == moving.base and moving.branch in {"", repository.branch_named()}


def _second_name(file: Path, name: Path) -> None:
    """A second name for a file, a copy where that can't be."""
    try:
        os.link(file, name)
    except OSError:
        name.write_bytes(file.read_bytes())
