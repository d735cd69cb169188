"""Stage edits: each in the index and in the working file, all of them or none.

The index and the file get an edit of their own, so what a person changed in the file and didn't stage stays
unstaged and untouched. Blobs are written as they are: the index's text is already what git would store, and a
working file keeps its own line ends (`core.autocrlf`).
"""

from __future__ import annotations

import errno
import hashlib
import os
import stat
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import GitError, UsageError
from wbmem_git.store.git import failure
from wbmem_git.store.repository import OID_BYTES
from wbmem_git.store.trees import Entry
from wbmem_git.text.document import decode
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from wbmem_git.store.git import Git
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.cards import Edits
    from wbmem_git.verbs.three_trees import Versions

LOCK_WAITS_S = (0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.8, 1.6)
NEW_FILE_MODE = "100644"
NAME = 40
"""How much of a file's name stands in that of a temporary one: a name has 255 bytes at most."""


class CannotTakeEdit(UsageError):
    """A working file can't take an edit; nothing was changed."""

    def __init__(self, path: str, why: str, hint: str = "") -> None:
        super().__init__(f"{path}: {why}; nothing was changed", hint)


class _Write(NamedTuple):
    """A working file to write (`after` None: to take away): what it held, and where its new text waits."""

    path: str
    target: Path
    before: bytes | None
    after: bytes | None
    waiting: Path | None


def stage(repository: Repository, versions: Versions, index: Edits, file: Edits) -> None:
    """Apply `index` to the index and `file` to the working files (path → whole text, None: gone).

    Raises:
        CannotTakeEdit: A file was changed meanwhile, is a symbolic link or lies behind one.
        GitError: git can't write the index.
    """
    for path in versions.file.unreadable.intersection(index):
        raise CannotTakeEdit(path, "it isn't a file that can be read as UTF-8 text", "wbmem explain E1")
    entries = versions.staged.entries
    info = index_info(repository, entries, index)
    undo = b"".join(_index_line(repository, path, entries.get(path)) for path in index)
    writes: list[_Write] = []
    with own_folder(repository) as folder:
        for path, text in file.items():
            writes.append(_prepare(repository, versions, path, text, folder))
        sparse = _skipped(repository.git, index)
        update_index(repository.git, info)
        _keep_skipped(repository.git, sparse)
        try:
            _replace_all(repository, writes, folder)
        except BaseException:
            update_index(repository.git, undo)
            _keep_skipped(repository.git, sparse)
            raise
    repository.git.ask("update-index", "-q", "--refresh")


# --- the index --------------------------------------------------------------------------------------


def index_info(repository: Repository, entries: Mapping[str, Entry], edits: Edits) -> bytes:
    """What `git update-index -z --index-info` reads for these edits; their blobs are stored.

    Raises:
        CannotTakeEdit: A symbolic link or a submodule stands at that path.
    """
    lines = []
    for path, text in edits.items():
        entry = entries.get(path)
        if entry is not None and not entry.is_file:
            raise CannotTakeEdit(path, "it isn't a file in git")
        mode = NEW_FILE_MODE if entry is None else entry.mode
        oid = "" if text is None else store_blob(repository, text.encode())
        lines.append(_index_line(repository, path, Entry(mode, oid) if oid else None))
    return b"".join(lines)


def store_blob(repository: Repository, data: bytes) -> str:
    """The oid of a blob of these bytes, which is there afterwards; git is only started where it wasn't."""
    oid = hashlib.new(repository.object_format, b"blob %d\0%b" % (len(data), data)).hexdigest()
    if repository.objects.find(oid) is not None:
        return oid
    return repository.hash_object(data, write=True)


def _index_line(repository: Repository, path: str, entry: Entry | None) -> bytes:
    """The line that gives a path that entry; None takes it out."""
    gone = Entry("0", "0" * (2 * OID_BYTES[repository.object_format]))
    mode, oid = entry if entry is not None else gone
    return f"{mode} {oid}\t{path}\0".encode(errors="surrogateescape")


def update_index(git: Git, info: bytes) -> None:
    """Give the index those entries, in one step; waits a while for another git that is writing it.

    Raises:
        GitError: It stays locked, or git refuses.
    """
    if not info:
        return
    for wait_s in (*LOCK_WAITS_S, 0.0):
        answer = git.ask("update-index", "-z", "--index-info", stdin=info)
        if answer.status == 0:
            return
        locked_since = _locked_since(git)
        if not locked_since:
            raise failure("update-index", answer)
        time.sleep(wait_s)
    raise GitError(
        f"another git has kept the index locked since {locked_since}; nothing was changed",
        "try again when it has finished; wbmem doctor says whether it still runs",
    )


def _locked_since(git: Git) -> str:
    """Since when another git holds the index's lock, as `14:03:12`; "" where none does."""
    index = git.environment.get("GIT_INDEX_FILE", "")
    if not index:
        index = git.line("rev-parse", "--path-format=absolute", "--git-path", "index")
    try:
        changed_s = Path(git.folder, f"{index}.lock").stat().st_mtime
    except FileNotFoundError:
        return ""
    return time.strftime("%H:%M:%S", time.localtime(changed_s))


def _skipped(git: Git, paths: Iterable[str]) -> bytes:
    """Those of the paths that a sparse checkout leaves out of the working tree, NUL-terminated."""
    said = git.run("ls-files", "-z", "-t", "--", *paths)
    return b"".join(line[2:] + b"\0" for line in said.split(b"\0") if line.startswith(b"S "))


def _keep_skipped(git: Git, paths: bytes) -> None:
    """Leave them out of the working tree still: `--index-info` forgets that (git 2.39)."""
    if paths:
        git.run("update-index", "-z", "--skip-worktree", "--stdin", stdin=paths)


# --- the working files ------------------------------------------------------------------------------


def _prepare(repository: Repository, versions: Versions, path: str, text: str | None, folder: Path) -> _Write:
    """Make sure that the file can take the edit, and write its new text into `folder`."""
    target = Path(repository.top, path)
    if os.path.realpath(target.parent) != os.path.normpath(
        Path(os.path.realpath(repository.top), path).parent
    ):
        raise CannotTakeEdit(path, "it lies behind a symbolic link")
    before = repository.worktree_file(path)
    if before is None and os.path.lexists(target):
        raise CannotTakeEdit(path, "it isn't a file that can be read")
    if (None if before is None else decode(before)) != versions.file.read(path):
        raise CannotTakeEdit(path, "another program changed it just now", "try again")
    if text is None:
        return _Write(path, target, before, None, None)
    after = text.encode() if before is not None else _as_checked_out(repository, path, text)
    target.parent.mkdir(parents=True, exist_ok=True)
    return _Write(path, target, before, after, _waiting(target, after, folder))


def _as_checked_out(repository: Repository, path: str, text: str) -> bytes:
    """A new file as git would check it out here: `core.autocrlf`, filters and all."""
    oid = store_blob(repository, text.encode())
    return repository.git.run("cat-file", "--filters", f"--path={path}", oid)


def _waiting(target: Path, data: bytes, folder: Path) -> Path:
    """The new text in a file in that folder, with the target's mode."""
    try:
        mode = stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        mode = 0o666 & ~_umask()
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:NAME]}.", suffix=".tmp", dir=folder)
    with os.fdopen(handle, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    waiting = Path(name)
    waiting.chmod(mode)
    return waiting


def _umask() -> int:
    """This process's umask, which can't be read without being set."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def _replace_all(repository: Repository, writes: Sequence[_Write], folder: Path) -> None:
    """Put every new text in its place; where one can't be put there, put the others back."""
    done: list[_Write] = []
    for write in writes:
        try:
            _replace(repository, write)
        except (OSError, CannotTakeEdit) as error:
            _put_back(done, folder)
            if isinstance(error, CannotTakeEdit):
                raise
            raise CannotTakeEdit(write.path, error.strerror or str(error)) from error
        done.append(write)


def _replace(repository: Repository, write: _Write) -> None:
    if repository.worktree_file(write.path) != write.before:
        raise CannotTakeEdit(write.path, "another program changed it just now", "try again")
    if write.waiting is not None and write.before is None:
        _link(write.waiting, write.target)
    elif write.waiting is not None:
        _move(write.waiting, write.target)
    elif write.before is not None:
        write.target.unlink()


def _link(waiting: Path, target: Path) -> None:
    """Put a new file there, unless one has come meanwhile."""
    try:
        os.link(waiting, target)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links, or another one
        _move(waiting, target)


def _move(waiting: Path, target: Path) -> None:
    """Put a text in its place at once, also where the git folder is on another file system."""
    try:
        waiting.replace(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        beside = _waiting(target, waiting.read_bytes(), target.parent)
        try:
            beside.replace(target)
        finally:
            beside.unlink(missing_ok=True)


def _put_back(writes: Sequence[_Write], folder: Path) -> None:
    for write in writes:
        if write.before is None:
            write.target.unlink(missing_ok=True)
        else:
            _move(_waiting(write.target, write.before, folder), write.target)
