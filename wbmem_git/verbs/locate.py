"""Which memory a folder belongs to (FORMAT §1, "Which workspace"). Home folders are never guessed."""

from __future__ import annotations

import os
from errno import EBADF, ELOOP, ENOENT, ENOTDIR
from stat import S_ISDIR, S_ISREG
from typing import TYPE_CHECKING

from wbmem_git.errors import NotAMemory, NotItsOwn
from wbmem_git.store.git import Git, text_of
from wbmem_git.store.place import plain_place
from wbmem_git.store.state import FOLDER
from wbmem_git.text.names import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wbmem_git.store.repository import Repository

MEMORY = "handoff"
LOOK_UPWARD = "wbmem init makes one; Workspace.find(folder, environment) looks in the folders above too"
NOTHING = (EBADF, ELOOP, ENOENT, ENOTDIR)


def locate(folder: str, environment: Mapping[str, str], *, workspace: str = "", root: str = "") -> str:
    """The top of the memory that is meant.

    Args:
        folder: Where the user is.
        environment: The variables of this process.
        workspace: The workspace or memory that was named, "" for none: then it is looked for.
        root: `$WBMEM_ROOT`, "" where there is none.

    Raises:
        NotAMemory: There is none.
    """
    if workspace:
        named = _absolute(os.path.join(folder, workspace))
        found = next(_memories(named, environment), "")
        if not found:
            raise NotAMemory(named)
        return found
    start = _absolute(folder)
    found = next(_candidates(start, environment, root), "")
    if not found:
        raise NotAMemory(start)
    return found


def memory_of(folder: str, environment: Mapping[str, str]) -> str:
    """The memory that a folder is, or has as its `handoff/`; the folder itself where it is neither."""
    return next(_memories(folder, environment), folder)


def open_memory(top: str, environment: Mapping[str, str]) -> Repository:
    """The repository whose top is the memory's folder; `with` it.

    A project that tracks `handoff/wbmem.yaml` has that file in a clone where nobody made a memory of it yet.
    git, asked there, answers for the project: nothing of ours is written into that.

    Raises:
        NotAMemory: There is none.
        NotItsOwn: The folder isn't the top of a repository.
        GitError: git refuses to open it.
    """
    if not _mode(os.path.join(top, ".git")):
        if not _mode(os.path.join(top, SETTINGS)):
            raise NotAMemory(top, LOOK_UPWARD)
        outer = Git(top, environment).ask("rev-parse", "--show-toplevel")
        raise NotItsOwn(top, text_of(outer.out).strip())
    from wbmem_git.store.repository import Repository

    place = plain_place(top, environment)
    if place is not None:
        return Repository(*place)
    repository = Repository.open(top, environment)
    if not repository.top or not os.path.samefile(repository.top, top):
        repository.close()
        raise NotItsOwn(top, repository.top)
    return repository


def _absolute(path: str) -> str:
    """The path from the root; links and `..` stay, for what is above a link isn't what is above its aim."""
    whole = path if os.path.isabs(path) else os.path.join(os.getcwd(), path)
    parts = whole.split(os.sep)
    return os.sep + os.sep.join(part for part in parts if part not in {"", os.curdir})


def _mode(path: str) -> int:
    """What is there (`st_mode`), 0 where nothing is; what can't be looked at is an error, and not nothing."""
    try:
        return os.stat(path).st_mode
    except OSError as error:
        if error.errno in NOTHING:
            return 0
        raise
    except ValueError:  # a name that no file can have
        return 0


def _upward(folder: str) -> list[str]:
    """A folder and all that it lies in."""
    places = [folder]
    while (above := os.path.dirname(folder)) != folder:
        folder = above
        places.append(folder)
    return places


def _candidates(folder: str, environment: Mapping[str, str], root: str) -> Iterator[str]:
    upward = _upward(folder)
    for place in upward:
        yield from _memories(place, environment)
    yield from _beside_main_worktree(folder, environment)
    if root:
        from wbmem_git.verbs.workspaces import entries  # only where nothing is found upward

        by_folder = {_absolute(entry.folder): entry.key for entry in entries(root)}
        for place in upward:
            if place in by_folder:
                yield from _memories(os.path.join(root, by_folder[place]), environment)


def _memories(place: str, environment: Mapping[str, str]) -> Iterator[str]:
    """The memory that a folder is, or has."""
    for memory in (place, os.path.join(place, MEMORY)):
        if is_memory(memory, environment):
            yield memory


def is_memory(place: str, environment: Mapping[str, str]) -> bool:
    """Whether a folder has a `wbmem.yaml`, or is a repository that had one, however it was deleted.

    Only repositories that are called as ours, or have files of ours, are asked for their history: that of a
    project may be a long one.
    """
    if S_ISREG(_mode(os.path.join(place, SETTINGS))):
        return True
    git_dir = os.path.join(place, ".git")
    ours = os.path.basename(place) == MEMORY and _mode(git_dir) != 0
    if not ours and not S_ISDIR(_mode(os.path.join(git_dir, FOLDER))):
        return False
    said = Git(place, environment).ask("rev-list", "--max-count=1", "HEAD", "--", SETTINGS)
    return said.status == 0 and said.out != b""


def _beside_main_worktree(folder: str, environment: Mapping[str, str]) -> Iterator[str]:
    """In a linked worktree, the same folders in the main one, upward to its top."""
    from pathlib import Path  # only where nothing is found upward

    from wbmem_git.verbs.outer import Outer

    place = Path(folder)
    outer = Outer.of(place, environment)
    if outer is None or not outer.is_linked:
        return
    inside = place.resolve().relative_to(outer.top.resolve())
    for part in (inside, *inside.parents):
        yield from _memories(str(outer.main / part), environment)
