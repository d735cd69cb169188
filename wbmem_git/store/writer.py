"""Objects and refs of a repository, written by git itself through children that stay.

`git hash-object -w` stores blobs, trees and commits, one child a kind; `git update-ref --stdin` moves a ref
by compare-and-swap. So the object format, compression, fsync settings, shared permissions, reftable and
`reference-transaction` hooks are git's own affair.

What an object is called is known before it is stored, so who wants to goes on meanwhile (`ahead`). Whoever
asks another git for something waits until all is there (`Git.waiting`); a commit does (`settle`) before
anything is touched.
"""

from __future__ import annotations

import hashlib
import os
from collections import deque
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple, Self

from wbmem_git.errors import GitError, WbmemError
from wbmem_git.store.commits import parse_ident
from wbmem_git.store.git import CHUNK_BYTES, Answer, Git, failure, text_of
from wbmem_git.store.index_lock import locked_since
from wbmem_git.store.objects import KEPT, Object
from wbmem_git.store.packs import PackFolder
from wbmem_git.store.patience import tries
from wbmem_git.store.steps import step
from wbmem_git.store.trees import TREE, Entry, raw_name

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import RawEntry

UTF_8 = "i18n.commitEncoding=UTF-8"
"""For a git that makes a commit: in another encoding it would only say that the message is in it."""
HEAD = "HEAD"
TRIES, FIRST_PAUSE_S, LONGEST_PAUSE_S = 9, 0.01, 1.6
"""Between tries to move a ref that is locked; git itself waits for a tenth of a second in each."""
MOST_WAITING = 64
"""So many objects are given to a child before its answers are read: both fit into its pipes."""
_TREE_MODE = b"40000"


class RefMoved(GitError):
    """A ref doesn't name what it should any more; it wasn't moved."""

    def __init__(self, ref: str) -> None:
        super().__init__(f"{ref} was moved meanwhile: it stays where it is", "try again")


class RefLocked(GitError):
    """Another program has the lock of a ref, and didn't let go of it in time; it wasn't moved."""

    def __init__(self, path: str) -> None:
        since = locked_since(path)
        super().__init__(
            f"another git has kept {path}{f' since {since}' if since else ''}; nothing was committed",
            "try again when it has finished; wbmem doctor says whether it still runs",
        )


class NewCommit(NamedTuple):
    """A commit object to be.

    Attributes:
        tree: Its tree's oid. `parents`: Oids, the first parent first.
        author, committer: As `git var GIT_AUTHOR_IDENT` says them.
        message: The whole message, as it is stored.
    """

    tree: str
    parents: tuple[str, ...]
    author: str
    committer: str
    message: str


class _Waiting(NamedTuple):
    """An object that a child was given, by the file that it reads it from."""

    oid: str
    kind: str
    path: str
    data: bytes


class Writer:
    """Writes into one repository; `with` it, so that its children end.

    Args:
        repository: Which one.
        folder: One that nobody else writes in; git reads the new objects from files there.
        ahead: Whether an object may be on its way still when we say what it is called.

    Attributes:
        folders: What each folder has become that `tree` changed last: folder → oid; an empty one isn't there.
    """

    def __init__(self, repository: Repository, folder: str, *, ahead: bool = False) -> None:
        self._repository = repository
        self._folder = folder
        self._messages = os.path.join(folder, "messages")
        self._ahead = ahead
        self._children = repository.children if repository.is_held else {}
        self._blobs: set[str] = set()
        self._waiting: dict[str, deque[_Waiting]] = {}
        self._given: list[_Waiting] = []
        self._packs = PackFolder()
        self._number = 0
        self._was_told = False
        self.folders: dict[str, str] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if error is None:
            self.close()
            return
        with suppress(WbmemError, OSError):  # what went wrong first is told
            self.close()

    def close(self) -> None:
        """End the children; where the repository is held those stay with it that store objects.

        Raises:
            GitError: Something couldn't be stored.
        """
        try:
            self.settle()
        finally:
            self._end_children()

    def _end_children(self) -> None:
        is_same = not self._given or self._packs == self._repository.packs
        is_kept = self._repository.is_held and is_same
        kept = dict(self._children) if is_kept else {}
        kept.pop("ref", None)
        while self._children:
            kind, child = self._children.popitem()
            if kind not in kept:
                child.close()
        self._children.update(kept)

    def blob(self, data: bytes) -> str:
        """Store a blob; its oid."""
        oid = blob_oid(self._repository, data)
        if oid not in self._blobs:
            self._blobs.add(self._store("blob", data))
        return oid

    def tree(self, base: str, edits: Mapping[str, Entry | None]) -> str:
        """Store the trees that a tree becomes with these entries at these paths (None: gone); the top's oid.

        Args:
            base: The tree's oid, "" for an empty one.
            edits: By whole path.
        """
        changed = _by_folder(edits)
        self.folders = {}
        for depth in range(max(map(_depth, changed), default=0), 0, -1):
            for folder in [one for one in changed if _depth(one) == depth]:
                above, _, name = folder.rpartition("/")
                oid = self._folder_tree(base, folder, changed[folder])
                own = changed[above]
                self.folders |= {folder: oid} if oid else {}
                if oid and own.get(name) is None:
                    own[name] = (_TREE_MODE, bytes.fromhex(oid))
                elif not oid and self._tree_at(base, folder):
                    own.setdefault(name, None)
        self.folders[""] = self._folder_tree(base, "", changed.get("", {})) or self._store("tree", b"")
        return self.folders[""]

    def _folder_tree(self, base: str, folder: str, changed: Mapping[str, RawEntry | None]) -> str:
        """The tree of one folder with these entries; "" where nothing is left in it."""
        oid = self._tree_at(base, folder)
        old = self._repository.tree(oid) if oid else {}
        by_name = {raw_name(old, name): entry for name, entry in changed.items()}
        if all(old.get(name) == entry for name, entry in by_name.items()):
            return oid
        new = self._repository.ordered.of(oid, old).with_entries(by_name)
        if not new.entries:
            return ""
        oid = self._store("tree", new.data)
        self._repository.remember(oid, new.entries)
        self._repository.ordered.keep(oid, new)
        return oid

    def _tree_at(self, base: str, folder: str) -> str:
        """The tree that a folder is in that tree; "" where it is none."""
        found = self._repository.entry(base, folder) if folder else Entry(TREE, base)
        return found.oid if found is not None and found.is_tree else ""

    def commit(self, wanted: NewCommit, *, sign: bool = False) -> str:
        """Store a commit object; its oid. Nothing names it yet.

        Args:
            wanted: What it says.
            sign: Whether git signs it, as it is configured to.

        Raises:
            GitError: It can't be stored, or signed.
        """
        message = wanted.message.encode("utf-8", "surrogateescape")
        if sign:
            return self._commit_tree(wanted, message)
        head = [f"tree {wanted.tree}", *(f"parent {oid}" for oid in wanted.parents)]
        head += [f"author {wanted.author}", f"committer {wanted.committer}", "", ""]
        return self._store("commit", "\n".join(head).encode("utf-8", "surrogateescape") + message)

    def _commit_tree(self, wanted: NewCommit, message: bytes) -> str:
        git = self._repository.git
        variables = {**_variables("AUTHOR", wanted.author), **_variables("COMMITTER", wanted.committer)}
        named = Git(git.folder, {**git.environment, **variables}, inside=True)
        parents = [word for oid in wanted.parents for word in ("-p", oid)]
        return text_of(
            named.run("-c", UTF_8, "commit-tree", "-S", wanted.tree, *parents, "-F", "-", stdin=message)
        ).strip()

    # --- refs ---------------------------------------------------------------------------------------

    def ready(self, reason: str) -> None:
        """Start the child that moves a ref, so that nobody waits for it under a lock.

        Args:
            reason: For the reflog.
        """
        self._children["ref"] = self._repository.git.start(
            *("update-ref", "-m", reason, "--stdin"),
            kept=self._repository.writers_lock,
            messages=self._messages,  # hooks may say more than a pipe holds, and what they leave running too
        )

    def move(self, ref: str, new: str, old: str, reason: str) -> None:
        """Move a ref by compare-and-swap.

        Args:
            ref: `HEAD`, or a whole name; a symbolic one moves what it names.
            new: The commit.
            old: What it has to name now, "" where it must not be there yet.
            reason: For the reflog.

        Raises:
            RefMoved: It names something else.
            RefLocked: Another program has its lock all the time.
            GitError: git can't, or a hook refuses.
        """
        self._was_told = False
        for number in tries(FIRST_PAUSE_S, LONGEST_PAUSE_S, most=TRIES):
            if "ref" not in self._children:
                self.ready(reason)
            if self._swap(ref, new, old):
                return
            refused = self._ended()
            now = self._repository.git.ask("rev-parse", "--verify", "--quiet", ref)
            named = text_of(now.out).strip() if now.status == 0 else ""
            if named == new or (self._was_told and named and self._repository.is_ancestor(new, named)):
                return  # it came there, and maybe somebody is on top already
            if named != old:
                raise RefMoved(ref)
            lock = self._lock(ref)
            if not lock:
                raise GitError(refused.message, "wbmem doctor looks at what lies here")
            if number == TRIES - 1:
                raise RefLocked(lock)

    def _swap(self, ref: str, new: str, old: str) -> bool:
        """Whether git has moved the ref. Whatever stops us, git has done with it when this ends."""
        expected = old or "0" * len(new)
        try:
            if self._tell("ref", f"start\nupdate {ref} {new} {expected}\nprepare\n", 2).count(b"\n") < 2:
                return False
            step("ref locked")
            self._was_told = True
            if not self._tell("ref", "commit\n", lines=1):
                return False
            self._children.pop("ref").close()
        except BaseException:
            if "ref" in self._children:
                self._children.pop("ref").close()
            raise
        return True

    def _lock(self, ref: str) -> str:
        """The lock that somebody has of that ref, or of HEAD's branch; "" for none."""
        return next((path for path in ref_locks(self._repository, ref) if os.path.lexists(path)), "")

    # --- children -----------------------------------------------------------------------------------

    def _store(self, kind: str, data: bytes) -> str:
        """Have an object stored; its oid.

        Raises:
            GitError: git can't store it, or an earlier one; the message carries its words.
        """
        if "\n" in self._folder:
            return self._store_alone(kind, data)
        if sum(map(len, self._waiting.values())) >= MOST_WAITING:
            self.settle()
        self._number += 1
        path = os.path.join(self._folder, f"new-{kind}-{self._number}")
        with open(path, "wb") as file:
            file.write(data)
        if not self._given:
            self._see_packs(path)
        if kind not in self._children:
            self._children[kind] = self._repository.git.start(
                *("hash-object", "-w", "-t", kind, "--no-filters", "--stdin-paths")
            )
        new = _Waiting(object_oid(self._repository, kind, data), kind, path, data)
        self._given.append(new)
        self._waiting.setdefault(kind, deque()).append(new)
        self._repository.git.waiting = self.settle
        if kind in KEPT:
            self._repository.objects.remember(Object(new.oid, kind, data))
        self._say(kind, f"{path}\n")
        if not self._ahead:
            self.settle()
        return new.oid

    def settle(self) -> None:
        """Wait until all is stored that was given to be.

        Raises:
            GitError: Something can't be; the message carries git's words.
        """
        self._repository.git.waiting = None
        waiting, self._waiting = self._waiting, {}
        try:
            for kind, some in waiting.items():
                self._see_stored(kind, some)
        except BaseException:
            for kind, some in waiting.items():
                for new in some:
                    self._repository.objects.forget(new.oid)
                if kind in self._children:
                    self._children.pop(kind).close()  # its answers would be taken for later ones
            raise
        self._see_none_packed_away()

    def _see_packs(self, new: str) -> None:
        """Before the first object of a write: no child goes on that knew of a pack which may be gone since.

        Args:
            new: A file that was written just now.
        """
        self._repository.git.settle()
        self._packs = PackFolder.of(self._repository.common_dir)
        if self._packs != self._repository.packs:
            self._let_go()
        is_sure = self._packs.is_sure(os.stat(new).st_mtime_ns)
        self._repository.packs = self._packs if is_sure else None

    def _see_none_packed_away(self) -> None:
        """Where packs came or went since the first object of this write, store all of it once more."""
        now = PackFolder.of(self._repository.common_dir)
        if not self._given or now == self._packs:
            return
        self._packs = now
        self._let_go()
        for new in self._given:
            self._store_alone(new.kind, new.data)

    def _let_go(self) -> None:
        """End the children that store objects."""
        for kind in [one for one in self._children if one != "ref"]:
            self._children.pop(kind).close()

    def _see_stored(self, kind: str, waiting: deque[_Waiting]) -> None:
        """Wait for these, of one child; what it doesn't answer another one tells, or stores."""
        said = self._hear(kind, lines=len(waiting)).decode().split("\n")[:-1]
        for oid, new in zip(said, list(waiting), strict=False):
            if oid != new.oid:
                raise GitError(f"git stored a {kind} as {oid or 'nothing'}, and not as {new.oid}")
            waiting.popleft()
            os.unlink(new.path)
        if waiting:
            self._children.pop(kind).close()
        while waiting:
            self._store_alone(kind, waiting[0].data)
            waiting.popleft()

    def _store_alone(self, kind: str, data: bytes) -> str:
        """The same by a child of its own, which tells why it fails."""
        git = self._repository.git
        return text_of(git.run("hash-object", "-w", "-t", kind, "--stdin", stdin=data)).strip()

    def _tell(self, kind: str, text: str, lines: int) -> bytes:
        """What a child answers, so many lines; fewer where it ended instead."""
        return self._hear(kind, lines) if self._say(kind, text) else b""

    def _say(self, kind: str, text: str) -> bool:
        """Tell a child something; False where it has ended."""
        try:
            os.write(self._children[kind].stdin, text.encode("utf-8", "surrogateescape"))
        except BrokenPipeError:
            return False
        return True

    def _hear(self, kind: str, lines: int) -> bytes:
        """So many lines of a child; fewer where it has ended."""
        said = b""
        while said.count(b"\n") < lines:
            chunk = os.read(self._children[kind].stdout, CHUNK_BYTES)
            if not chunk:
                break
            said += chunk
        return said

    def _ended(self) -> GitError:
        """What the child that moves a ref said before it ended."""
        status = self._children.pop("ref").close()
        with open(self._messages, "rb") as file:
            return failure("update-ref", Answer(status, b"", file.read(CHUNK_BYTES)))


def store_blob(repository: Repository, data: bytes) -> str:
    """The oid of a blob of these bytes, which is there afterwards; git is only started where it wasn't.

    A repository that is held long remembers what may be pruned by now: there git is asked always.
    """
    oid = blob_oid(repository, data)
    if not repository.is_held and repository.objects.find(oid) is not None:
        return oid
    return repository.hash_object(data, write=True)


def blob_oid(repository: Repository, data: bytes) -> str:
    """What a blob of these bytes is called."""
    return object_oid(repository, "blob", data)


def object_oid(repository: Repository, kind: str, data: bytes) -> str:
    """What an object of that kind and these bytes is called."""
    head = hashlib.new(repository.object_format, b"%b %d\0" % (kind.encode(), len(data)))
    head.update(data)
    return head.hexdigest()


def ref_locks(repository: Repository, ref: str) -> tuple[str, ...]:
    """The files that git makes while it moves a ref, and the branch that it names."""
    locks = [os.path.join(repository.git_dir if ref == HEAD else repository.common_dir, f"{ref}.lock")]
    if ref == HEAD:
        try:
            with open(
                os.path.join(repository.git_dir, HEAD), encoding="utf-8", errors="surrogateescape"
            ) as file:
                said = file.readline().strip()
        except OSError:
            said = ""
        named = said.removeprefix("ref: ")
        if named != said:
            locks.append(os.path.join(repository.common_dir, f"{named}.lock"))
    return tuple(locks)


def _by_folder(edits: Mapping[str, Entry | None]) -> dict[str, dict[str, RawEntry | None]]:
    """Folder → name → what is to stand there."""
    changed: dict[str, dict[str, RawEntry | None]] = {}
    for path, entry in edits.items():
        folder, _, name = path.rpartition("/")
        raw = None if entry is None else (entry.mode.lstrip("0").encode(), bytes.fromhex(entry.oid))
        changed.setdefault(folder, {})[name] = raw
        while folder:
            folder = folder.rpartition("/")[0]
            changed.setdefault(folder, {})
    return changed


def _depth(folder: str) -> int:
    return folder.count("/") + 1 if folder else 0


def _variables(whose: str, ident: str) -> dict[str, str]:
    """An identity as git takes it from the environment."""
    said = parse_ident(ident)
    return {
        f"GIT_{whose}_NAME": said.name,
        f"GIT_{whose}_EMAIL": said.email,
        f"GIT_{whose}_DATE": f"@{said.time} {said.zone}",
    }
