"""A git repository, read through git itself: any object format, index or layout that git can open."""

from __future__ import annotations

import errno
import os
import stat
import time
from typing import TYPE_CHECKING, Any, Self

from wbmem_git.errors import GitError, MissingObject, NoIdentity, Unreadable
from wbmem_git.store.commits import parse_commit, parse_ident
from wbmem_git.store.git import CHUNK_BYTES, Git, failure, is_oid, text_of
from wbmem_git.store.objects import Objects
from wbmem_git.store.trees import compare, entry_of, is_folder, lookup, name_in, parse_tree, walk

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wbmem_git.store.commits import Commit, Ident
    from wbmem_git.store.git import Child
    from wbmem_git.store.trees import Difference, Entry, RawTree
    from wbmem_git.store.variables import Variables

OID_BYTES = {"sha1": 20, "sha256": 32}
CACHED_ENTRIES = 200_000
LOCK_WAITS_S = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4)
GITHEAD = "GITHEAD_"
NO_FILE = (errno.ENOENT, errno.ENOTDIR, errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.ENAMETOOLONG)
"""Nothing there, a link (BSD says EMLINK), a socket, or a name that no folder can hold."""
SYMBOLIC = "ref: "


class Repository:
    """An open repository; `with` it, so that its one child ends.

    Attributes:
        git: Starts git here.
        top: The top of the working tree; "" in a bare repository.
        git_dir: This worktree's git folder. `common_dir`: that of all its worktrees.
        object_format: `sha1` or `sha256`.
        objects: Its objects.
        writers_lock: The descriptor of the lock that one writer at a time holds here; -1 where we don't.
        is_held: Whether somebody goes on with it when a `with` is left; `close` ends it all the same.
        children: Those that store objects, while it is held.
        bases: Commits → their merge base, of those that are known without asking git.
        judged: (parents, tree, message) → what the gate said of a commit that this process makes.
        views_due: Views that wait, where it is held (`verbs.views_due`).
    """

    def __init__(self, git: Git, top: str, git_dir: str, common_dir: str, object_format: str) -> None:
        self.git = git
        self.top = top
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.object_format = object_format
        self.objects = Objects(git)
        self.writers_lock = -1
        self._variables: Variables | None = None
        self.is_held = False
        self.bases: dict[tuple[str, ...], str] = {}
        self.judged: dict[tuple[tuple[str, ...], str, str], Any] = {}
        self.views_due: Any = None
        self.children: dict[str, Child] = {}
        self._trees: dict[str, RawTree] = {}
        self._tops: dict[str, str] = {}
        self._cached = 0

    @classmethod
    def open(cls, folder: str, environment: Mapping[str, str], *, inside: bool = False) -> Self:
        """The repository that `folder` lies in.

        Args:
            folder: A folder of it; in a hook the current one.
            environment: The variables of this process.
            inside: Whether this is a hook of that very repository (`store.git.Git`).

        Raises:
            GitError: git finds none, or refuses to open it.
        """
        git = Git(folder, environment, inside=inside)
        answer = git.ask(
            *("rev-parse", "--show-object-format", "--path-format=absolute", "--git-dir", "--git-common-dir"),
            "--show-toplevel",  # the last one: in a bare repository it fails when all others are said
        )
        said = text_of(answer.out).removesuffix("\n").split("\n")
        if len(said) < 3:
            raise failure("rev-parse", answer)
        object_format, git_dir, common_dir, *top = said
        return cls(git, top[0] if top else "", git_dir, common_dir, object_format)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        if self._variables is not None:
            self._variables.close()
            self._variables = None  # asked again: the time is another one, and maybe the author
        if not self.is_held or error is not None:
            self.close()

    def close(self) -> None:
        """End its children; another one begins where something is read."""
        self.objects.close()
        while self.children:
            self.children.popitem()[1].close()
        if self._variables is not None:
            self._variables.close()
            self._variables = None

    # --- objects ------------------------------------------------------------------------------------

    def tree(self, oid: str) -> RawTree:
        """The entries of one tree object, as bytes: name → (mode, oid). Don't change them.

        Raises:
            MissingObject: It isn't here.
        """
        found = self._trees.get(oid)
        if found is None:
            found = parse_tree(self._read(oid, "tree"), OID_BYTES[self.object_format])
            if self._cached > CACHED_ENTRIES:
                self._trees.clear()
                self._cached = 0
            self.remember(oid, found)
        return found

    def remember(self, oid: str, tree: RawTree) -> None:
        """Keep the entries of a tree that has just been written: nobody has to read it."""
        self._trees[oid] = tree
        self._cached += len(tree)

    def blob(self, oid: str) -> bytes:
        """The bytes of a blob.

        Raises:
            MissingObject: It isn't here.
        """
        return self._read(oid, "blob")

    def commit(self, oid: str) -> Commit:
        """A commit, by its oid.

        Raises:
            MissingObject: It isn't here.
        """
        return parse_commit(oid, self._read(oid, "commit"))

    def tree_of(self, oid: str) -> str:
        """The tree that an oid means: a commit's, or the tree itself. "" stays "" (the empty tree)."""
        if not oid or oid in self._trees:
            return oid
        if oid not in self._tops:
            found = self.objects.read(oid)
            self._tops[oid] = parse_commit(oid, found.data).tree if found.kind == "commit" else oid
        return self._tops[oid]

    def entry(self, tree: str, path: str) -> Entry | None:
        """What stands at a path of a tree; None where nothing does."""
        *folders, name = path.split("/")
        for folder in folders:
            found = lookup(self.tree(tree), folder) if tree else None
            if found is None or not is_folder(found):
                return None
            tree = found[1].hex()
        raw = lookup(self.tree(tree), name) if tree else None
        return None if raw is None else entry_of(raw)

    def as_git_takes_it(self, tree: str, path: str) -> str:
        """A path as an argument of git's: a name that isn't UTF-8 as the bytes that it has in a tree.

        Args:
            tree: The tree's oid, or a commit's.
            path: As `text_of` writes it; it comes back as it is where the tree has nothing there.
        """
        if "\\x" not in path:
            return path
        found, above = self.tree_of(tree), []
        for part in path.split("/"):
            inside = self.tree(found) if found else {}
            name = name_in(inside, part)
            if name is None:
                return path
            above.append(name)
            found = inside[name][1].hex() if is_folder(inside[name]) else ""
        return os.fsdecode(b"/".join(above))

    def names(self, tree: str) -> list[str]:
        """The names in one folder, those of folders left out."""
        return [text_of(name) for name, raw in self.tree(tree).items() if not is_folder(raw)]

    def entries(self, tree: str, under: str = "") -> dict[str, Entry]:
        """Path → entry, for every file, link and submodule of a tree.

        Args:
            tree: The tree's oid, "" for the empty one.
            under: Only those in this folder (`archive`); the paths are whole ones.
        """
        prefix = ""
        if under:
            found = self.entry(tree, under)
            tree, prefix = (found.oid, f"{under}/") if found is not None and found.is_tree else ("", "")
        return dict(walk(self.tree, tree, prefix)) if tree else {}

    def differing(self, old: str, new: str) -> dict[str, Difference]:
        """Path → (old entry, new entry), wherever two trees differ; folders that are equal aren't opened."""
        return dict(sorted(compare(self.tree, old, new)))

    def _read(self, oid: str, kind: str) -> bytes:
        found = self.objects.read(oid)
        if found.kind != kind:
            raise GitError(f"object {oid} is a {found.kind}, not a {kind}")
        return found.data

    # --- commits and refs ---------------------------------------------------------------------------

    def head(self) -> str:
        """The commit that HEAD names; "" on an unborn branch."""
        said = _first_line(os.path.join(self.git_dir, "HEAD"))
        branch = said.removeprefix(SYMBOLIC)
        if branch == said:
            named = said
        elif branch.startswith("refs/heads/"):
            named = _first_line(os.path.join(self.common_dir, *branch.split("/")))
        else:
            named = ""
        return named if is_oid(named) else self._exactly("HEAD")

    def pseudo_ref(self, name: str) -> str:
        """The commit that `CHERRY_PICK_HEAD`, `REVERT_HEAD` … names; "" where there is none.

        A tag or a branch of that name, which `git rev-parse` and `git cat-file` would take for it, says
        nothing about what git is doing. (With reftable there is no file; git 2.45, the first that has it,
        tells the one from the other.)
        """
        named = _first_line(os.path.join(self.git_dir, name))
        if not named and os.path.isdir(os.path.join(self.common_dir, "reftable")):
            return self._exactly(name)
        return named if is_oid(named) else ""

    def _exactly(self, name: str) -> str:
        """What the ref of that very name says, "" where there is none."""
        answer = self.git.ask("show-ref", "--verify", "--hash", name)
        return "" if answer.status else text_of(answer.out).strip()

    def resolve(self, rev: str) -> str:
        """The oid of the commit that a revision names, as a user types it.

        Raises:
            GitError: It names none.
        """
        answer = self.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
        if answer.status:
            hint = (
                MissingObject(rev).hint if self.is_shallow() else "git log --oneline lists the commits here"
            )
            raise GitError(f"{rev!r} names no commit here", hint)
        return text_of(answer.out).strip()

    def merge_base(self, *commits: str) -> str:
        """The best common ancestor of all these commits; "" where they share none.

        Raises:
            MissingObject: The clone is too shallow to tell.
        """
        if commits in self.bases:
            return self.bases[commits]
        answer = self.git.ask("merge-base", "--octopus", *commits)
        if answer.status > 1:
            raise failure("merge-base", answer)
        if answer.status and self.is_shallow():
            raise MissingObject(f"(the merge base of {', '.join(commit[:12] for commit in commits)})")
        return text_of(answer.out).strip()

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether `old` is `new` or one of its ancestors; False where `old` isn't here any more."""
        return old == new or self.git.ask("merge-base", "--is-ancestor", old, new).status == 0

    def rev_list(self, *args: str) -> list[str]:
        """What `git rev-list ARGS` lists.

        Raises:
            GitError: git refuses.
        """
        return text_of(self.git.run("rev-list", *args)).split()

    def branch(self) -> str:
        """The branch that HEAD is on (`main`); "" where it is detached."""
        answer = self.git.ask("symbolic-ref", "--quiet", "HEAD")
        return text_of(answer.out).strip().removeprefix("refs/heads/") if answer.status == 0 else ""

    def branch_named(self) -> str:
        """The same, from git's own file where that says it."""
        said = _first_line(os.path.join(self.git_dir, "HEAD"))
        if is_oid(said):
            return ""
        named = said.removeprefix(f"{SYMBOLIC}refs/heads/")
        return named if named not in {said, "", ".invalid"} else self.branch()

    def in_a_branch(self, commit: str) -> bool:
        """Whether any branch, local or remote-tracking, has that commit; False where it is gone."""
        answer = self.git.ask(
            *("for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit),
            *("refs/heads", "refs/remotes"),
        )
        return answer.status == 0 and answer.out != b""

    def other_heads(self, variables: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """The heads that are being merged into HEAD.

        They stand in the file MERGE_HEAD; in pre-merge-commit there is none yet, and git exports a
        variable `GITHEAD_<oid>` for each (git 2.39).

        Args:
            variables: The hook's environment, in pre-merge-commit only.
        """
        named = [key.removeprefix(GITHEAD) for key in variables or {} if key.startswith(GITHEAD)]
        try:
            with open(os.path.join(self.git_dir, "MERGE_HEAD"), encoding="ascii") as file:
                named = file.read().split()
        except FileNotFoundError:
            named.sort()
        head = self.head()
        return tuple(oid for oid in named if oid != head)

    def in_rebase_or_am(self) -> bool:
        """Whether a rebase or an am is going on."""
        return any(
            os.path.isdir(os.path.join(self.git_dir, name)) for name in ("rebase-merge", "rebase-apply")
        )

    def is_shallow(self) -> bool:
        """Whether history is cut off somewhere."""
        return os.path.exists(os.path.join(self.common_dir, "shallow"))

    # --- index, working tree, configuration ---------------------------------------------------------

    def write_tree(self) -> str:
        """The tree that git would commit now, by the index that the environment names.

        `git write-tree` is right in every way of committing (tried: 15 of 15, git 2.39); no library is.

        Raises:
            GitError: The index has unmerged entries, or another process keeps it locked.
        """
        answer = self.git.ask("write-tree")
        for wait_s in LOCK_WAITS_S:
            if answer.status == 0:
                break
            locked = os.path.exists(f"{self.index_file()}.lock")
            if locked:
                time.sleep(wait_s)  # another git is writing it
            answer = self.git.ask("write-tree")  # also where the lock is gone again since git saw it
            if not locked:
                break
        if answer.status:
            raise failure("write-tree", answer)
        return text_of(answer.out).strip()

    def index_file(self) -> str:
        """The index that git uses here: the environment's, else this worktree's."""
        named = self.git.environment.get("GIT_INDEX_FILE", "")
        return os.path.join(self.git.folder, named) if named else os.path.join(self.git_dir, "index")

    def variables(self) -> Variables:
        """What git says of itself; it is asked once, and answers while something else is done."""
        if self._variables is None:
            from wbmem_git.store.variables import Variables  # noqa: PLC0415  # only who commits needs it

            self._variables = Variables(self.git)
        return self._variables

    def author_ident(self) -> Ident:
        """Who would be the author of a commit made now.

        Raises:
            NoIdentity: git knows none.
        """
        if self._variables is not None:
            return parse_ident(self._variables.ident("AUTHOR"))
        answer = self.git.ask("var", "GIT_AUTHOR_IDENT")
        if answer.status:
            raise NoIdentity
        return parse_ident(text_of(answer.out).strip())

    def worktree_file(self, path: str) -> bytes | None:
        """What a file of the working tree holds now; None where there is no file proper.

        No symbolic link is followed, neither the file nor a folder on the way to it.

        Raises:
            Unreadable: It is there, and the system doesn't let it be read.
        """
        top = os.path.realpath(self.top)
        folder = os.path.normpath(os.path.dirname(os.path.join(top, path)))
        if not self.top or os.path.commonpath((top, folder)) != top or os.path.realpath(folder) != folder:
            return None
        try:
            fd = os.open(os.path.join(self.top, path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            if error.errno in NO_FILE:
                return None
            raise Unreadable(path, error.strerror or "the system refused") from error
        try:
            return _read_whole(fd) if stat.S_ISREG(os.fstat(fd).st_mode) else None
        except OSError as error:
            raise Unreadable(path, error.strerror or "the system refused") from error
        finally:
            os.close(fd)

    def hash_object(self, data: bytes, *, write: bool = False) -> str:
        """The oid of a blob of these bytes; `write` also stores it."""
        return text_of(self.git.run("hash-object", "--stdin", *(["-w"] if write else []), stdin=data)).strip()

    def merge_texts(  # noqa: PLR0913  # what git merge-file can be told
        self,
        base: str,
        ours: str,
        theirs: str,
        *,
        union: bool = False,
        labels: tuple[str, str, str] = ("ours", "base", "theirs"),
        marker: int = 7,
    ) -> tuple[str, int]:
        """Three texts merged by lines, by `git merge-file`; and how many conflicts are left in the text.

        Args:
            base: What both sides began with. ours, theirs: what they made of it.
            ours: As above.
            theirs: As above.
            union: Keep the lines of both sides, ours first, where they conflict.
            labels: What stands beside the markers.
            marker: How many signs a marker has.

        Raises:
            GitError: git can't merge them, since one holds a NUL.
        """
        from wbmem_git.store.merging import merge_texts  # noqa: PLC0415  # only a merge needs it

        return merge_texts(self.git, (base, ours, theirs), union=union, labels=labels, marker=marker)

    def config(self, name: str) -> str:
        """A configuration value, "" where it is unset."""
        answer = self.git.ask("config", "-z", "--get", name)
        return text_of(answer.out).removesuffix("\0") if answer.status == 0 else ""

    def lines_in(self, tree: str, lines: Iterable[str]) -> set[str]:
        """Which of these lines stand as whole lines anywhere in a tree, whatever their line end.

        It reads every blob, until all lines are found: for what is seldom asked. (`git grep` knows no
        whole-line match.)
        """
        wanted = {line.encode("utf-8", "replace"): line for line in lines}
        found: set[str] = set()
        files = {entry.oid for entry in self.entries(tree).values() if entry.is_file} if wanted else set()
        for data in self.objects.read_many(sorted(files)):
            here = wanted.keys() & set(data.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n"))
            found.update(wanted.pop(line) for line in here)
            if not wanted:
                break
        return found


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""


def _read_whole(fd: int) -> bytes:
    return b"".join(iter(lambda: os.read(fd, CHUNK_BYTES), b""))
