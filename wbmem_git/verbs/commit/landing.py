"""A tree that is there already becomes index and working files, and its commit HEAD: git's own checkout.

`git read-tree -m -u` touches what differs between two trees and nothing else, whatever kind of file it is,
and refuses where a file has changes of its own. These are told before it starts.
"""

from __future__ import annotations

from pathlib import Path, PurePosixPath
from shutil import copyfile
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import shown
from wbmem_git.store.git import Git, failure, text_of
from wbmem_git.store.index_lock import IndexLock, new_token
from wbmem_git.store.journal import HELD, Journal, Touched, Writing
from wbmem_git.store.steps import step
from wbmem_git.store.trees import Entry
from wbmem_git.store.writer import HEAD, RefMoved, Writer, ref_locks
from wbmem_git.verbs.commit.commit import OURS, Commit, commit
from wbmem_git.verbs.commit.new_index import index_info, update_index
from wbmem_git.verbs.commit.publish import HeadMoved, digest, disk_refusing, told
from wbmem_git.verbs.listing import lies
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit.commit import Judge
    from wbmem_git.verbs.commit.new_index import NewEntries
    from wbmem_git.verbs.commit.publish import Moving

MOST_TOLD = 5


class NotCommittedYet(UsageError):
    """Files that the other side changed too have changes that no commit has; nothing was changed."""

    def __init__(self, paths: Iterable[str]) -> None:
        every = [shown(path) for path in paths]
        more = f" and {len(every) - MOST_TOLD} more" if len(every) > MOST_TOLD else ""
        super().__init__(
            f"not committed here, and changed on the other side too: {', '.join(every[:MOST_TOLD])}{more}; "
            "nothing was changed",
            "commit it (git add, git commit), then: wbmem sync",
        )


def land(repository: Repository, wanted: Commit, judge: Judge) -> str:
    """Commit a tree that is stored, and have index and working files follow; the commit's oid.

    Raises:
        NotCommittedYet: Files that it changes have changes of their own.
        HeadMoved: HEAD isn't what it was built on.
        Refused: The gate refuses; nothing was changed.
        NotCommitted: A hook or git refuses; nothing was changed.
    """

    def stage(moving: Moving | None) -> None:
        parents, new = (wanted.base, *wanted.others), wanted.tree
        if moving is None:
            _check_out(repository, parents, new, "", lambda: None)
        else:
            _check_out(repository, parents, new, moving.commit, moving.move)

    return commit(repository, wanted, judge, stage)


def fast_forward(repository: Repository, base: str, target: str, reason: str) -> tuple[str, ...]:
    """Have HEAD, index and working files follow a descendant of HEAD; what hooks behind it said.

    Args:
        repository: Where.
        base: What HEAD names; "" on an unborn branch, where git's own merge does it.
        target: The descendant.
        reason: For the reflog.

    Raises:
        NotCommittedYet: Files that it changes have changes of their own.
        HeadMoved: HEAD isn't `base`.
        GitError: git refuses.
    """
    if not base:
        see_free(repository, "", repository.tree_of(target))
        return _lines(
            _hooked(repository).run("merge", "--quiet", "--ff-only", "--no-overwrite-ignore", target)
        )
    with own_folder(repository) as folder, Writer(repository, str(folder)) as writer:

        def move() -> None:
            try:
                writer.move(HEAD, target, base, reason)
            except RefMoved:
                raise HeadMoved from None

        with disk_refusing():
            _check_out(repository, (base,), repository.tree_of(target), target, move)
    answer = _hooked(repository).ask("hook", "run", "--ignore-missing", "post-merge", "--", "0")
    return _lines(answer.err) if answer.status == 0 else ()


def _hooked(repository: Repository) -> Git:
    """A git whose hooks know that they run under our lock, and see what they would see elsewhere."""
    variables = {name: value for name, value in repository.git.environment.items() if name not in OURS}
    git = Git(repository.top, variables, inside=True)
    git.environment = {**variables, HELD: repository.common_dir}
    return git


def _lines(said: bytes) -> tuple[str, ...]:
    return tuple(line for line in text_of(said).splitlines() if line.strip())


def _check_out(
    repository: Repository, parents: tuple[str, ...], new: str, oid: str, move: Callable[[], None]
) -> None:
    """Index and working files become those of a tree, and HEAD the commit; all of it or nothing.

    Args:
        repository: Where.
        parents: HEAD's commit, and the further parents of one that `move` makes.
        new: The tree.
        oid: The commit, "" where `move` makes it.
        move: Moves HEAD.
    """
    with own_folder(repository) as folder:
        _Checkout(repository, folder, parents, new).run(oid, move)


class _Checkout:
    """One run of it: git's index is locked while git works on a copy; then the copy takes its place."""

    def __init__(self, repository: Repository, folder: Path, parents: tuple[str, ...], new: str) -> None:
        self._repository = repository
        self._folder = folder
        self._base, self._parents = parents[0], parents
        self._old, self._new = repository.tree_of(self._base), new
        self._back = self._old
        self._journal = Journal(repository.common_dir)
        self._lock = IndexLock(repository.index_file(), new_token())
        variables = {**repository.git.environment, "GIT_INDEX_FILE": str(folder / "index")}
        self._git = Git(repository.top, variables, inside=True)
        self._is_placed = self._has_moved = False

    def run(self, oid: str, move: Callable[[], None]) -> None:
        """What is killed on the way the next writer takes back."""
        there = see_free(self._repository, self._old, self._new)
        self._back = self._tree_to_go_back_to(there)
        self._journal.note(
            Writing(
                token=self._lock.token,
                index_file=self._repository.index_file(),
                folder=str(self._folder),
                refs=ref_locks(self._repository, HEAD),
                base=self._base,
                commit=oid,
                touched=tuple(self._touched()),
                git_dir=self._repository.git_dir,
                top=self._repository.top,
            )
        )
        try:
            step("noted")
            self._lock.take(str(self._folder))
            self._place(there, move)
        except BaseException:
            if not self._is_made(oid):
                self._take_back()
            self._finish()
            raise
        self._finish()

    def _place(self, there: NewEntries, move: Callable[[], None]) -> None:
        step("index locked")
        if self._repository.head() != self._base:
            raise HeadMoved
        self._copy_index()
        update_index(self._git, index_info(self._repository, there))
        self._follow(self._old, self._new)
        self._is_placed = True
        step("files")
        self._put_index()
        step("checked out")
        move()
        self._has_moved = True
        step("moved")

    def _is_made(self, oid: str) -> bool:
        """Whether the commit is in HEAD's history; HEAD may have become somebody else's commit."""
        head = self._repository.head()
        if head in {self._base, ""}:
            return False
        if self._has_moved:
            return True
        if oid:
            return self._repository.is_ancestor(oid, head)
        return self._repository.commit(head).parents == self._parents

    def _tree_to_go_back_to(self, there: NewEntries) -> str:
        """The old tree, but for what working files said already: git takes none of those back."""
        if not there:
            return self._old
        with own_folder(self._repository) as folder, Writer(self._repository, str(folder)) as writer:
            return writer.tree(self._old, there)

    def _take_back(self) -> None:
        """Put everything as it was; where that fails the next writer finds the journal."""
        if self._is_placed:
            self._follow(self._new, self._back)
            if (self._folder / "old-index").exists():
                copyfile(self._folder / "old-index", self._folder / "index")
            self._put_index()

    def _finish(self) -> None:
        self._lock.release()
        self._journal.clear()

    def _copy_index(self) -> None:
        """The index as it is now; it knows of working files that were only touched."""
        if Path(self._repository.index_file()).exists():
            copyfile(self._repository.index_file(), self._folder / "index")
            copyfile(self._repository.index_file(), self._folder / "old-index")
        self._git.ask("update-index", "-q", "--refresh")

    def _put_index(self) -> None:
        self._git.ask("update-index", "-q", "--refresh")
        copyfile(self._folder / "index", self._folder / "new-index")
        (self._folder / "new-index").replace(Path(self._repository.index_file()).resolve())

    def _follow(self, old: str, new: str) -> None:
        """Have the copy and the working files follow from one tree to another.

        Raises:
            GitError: git can't; it changes all or nothing.
        """
        answer = self._git.ask("read-tree", "-m", "-u", old, new)
        if answer.status:
            raise failure("read-tree", answer)

    def _touched(self) -> Iterator[Touched]:
        """What changes, each file with a copy of what it holds."""
        differing = self._repository.differing(self._old, self._new)
        for number, (path, (old, new)) in enumerate(differing.items()):
            data = self._repository.worktree_file(path)
            kept = f"kept-{number}" if data is not None else ""
            if data is not None:
                (self._folder / kept).write_bytes(data)
            is_file = (old or new or Entry("", "")).is_file and (new or old or Entry("", "")).is_file
            after = self._repository.blob(new.oid) if new is not None and is_file else None
            yield Touched(path, told(old), told(old), told(new), is_file, kept, digest(after))


def see_free(repository: Repository, old: str, new: str) -> NewEntries:
    """See that no file that differs between two trees has changes of its own; none is changed.

    Returns:
        What says already what the new tree says: that is no obstacle.

    Raises:
        NotCommittedYet: One has.
    """
    coming = {path: after for path, (_, after) in repository.differing(old, new).items()}
    said = repository.git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    changed = [path for one in said.split(b"\0") if one and (path := text_of(one[3:])) in coming]
    changed += [path for path in coming if path not in changed and _is_new_and_ignored(repository, old, path)]
    there = _there_already(repository, {path: coming[path] for path in changed})
    odd = sorted({*set(changed).difference(there), *_instead_of_folders(repository, old, coming)})
    if odd:
        raise NotCommittedYet(odd)
    return there


def _is_new_and_ignored(repository: Repository, old: str, path: str) -> bool:
    """Whether a file lies there that git neither tracks nor tells of; a folder that it knows is none."""
    known = repository.entry(old, path) if old else None
    if known is not None and known.is_tree:
        return _lies_as_file(repository, path)
    return known is None and lies(repository, path)


def _instead_of_folders(repository: Repository, old: str, coming: NewEntries) -> Iterator[str]:
    """What isn't tracked and lies where a file that comes needs a folder; git would take it away."""
    needed = {
        str(folder) for path, entry in coming.items() if entry for folder in PurePosixPath(path).parents
    }
    for folder in needed.difference({"."}):
        known = repository.entry(old, folder) if old else None
        if (known is None or known.is_tree) and _lies_as_file(repository, folder):
            yield folder


def _lies_as_file(repository: Repository, path: str) -> bool:
    """Whether something lies there that is no folder; a link to one is none."""
    place = Path(repository.top, path)
    return place.is_symlink() or (place.exists() and not place.is_dir())


def _there_already(repository: Repository, wanted: Mapping[str, Entry | None]) -> dict[str, Entry | None]:
    """Those paths whose working file says what is wanted there."""
    git = Git(repository.top, repository.git.environment, inside=True)
    found: dict[str, Entry | None] = {}
    for path, entry in wanted.items():
        place = Path(repository.top, path)
        if entry is None:
            found |= {} if lies(repository, path) else {path: None}
        elif entry.is_file and place.is_file() and not place.is_symlink():
            answer = git.ask("hash-object", "--", path)
            if answer.status == 0 and text_of(answer.out).strip() == entry.oid:
                found[path] = entry
    return found
