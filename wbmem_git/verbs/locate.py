"""Which memory a folder belongs to (FORMAT §1, "Which workspace"). Home folders are never guessed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.errors import NotAMemory, NotItsOwn
from wbmem_git.store.git import Git, text_of
from wbmem_git.store.repository import Repository
from wbmem_git.store.state import FOLDER
from wbmem_git.text.names import SETTINGS
from wbmem_git.verbs.outer import Outer
from wbmem_git.verbs.workspaces import entries

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

MEMORY = "handoff"


def locate(folder: Path, environment: Mapping[str, str], *, workspace: str = "", root: str = "") -> Path:
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
        named = (folder / workspace).absolute()
        found = next(_memories(named, environment), None)
        if found is None:
            raise NotAMemory(str(named))
        return found
    found = next(_candidates(folder.absolute(), environment, root), None)
    if found is None:
        raise NotAMemory(str(folder.absolute()))
    return found


def open_memory(top: str, environment: Mapping[str, str]) -> Repository:
    """The repository whose top is the memory's folder; `with` it.

    A project that tracks `handoff/wbmem.yaml` has that file in a clone where nobody made a memory of it yet.
    git, asked there, answers for the project: nothing of ours is written into that.

    Raises:
        NotItsOwn: The folder isn't the top of a repository.
        GitError: git refuses to open it.
    """
    if not Path(top, ".git").exists():
        outer = Git(top, environment).ask("rev-parse", "--show-toplevel")
        raise NotItsOwn(top, text_of(outer.out).strip())
    repository = Repository.open(top, environment)
    if not repository.top or not Path(repository.top).samefile(top):
        repository.close()
        raise NotItsOwn(top, repository.top)
    return repository


def _candidates(folder: Path, environment: Mapping[str, str], root: str) -> Iterator[Path]:
    upward = [folder, *folder.parents]
    for place in upward:
        yield from _memories(place, environment)
    yield from _beside_main_worktree(folder, environment)
    if root:
        by_folder = {Path(entry.folder): entry.key for entry in entries(root)}
        for place in upward:
            if place in by_folder:
                yield from _memories(Path(root, by_folder[place]), environment)


def _memories(place: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """The memory that a folder is, or has."""
    for memory in (place, place / MEMORY):
        if is_memory(memory, environment):
            yield memory


def is_memory(place: Path, environment: Mapping[str, str]) -> bool:
    """Whether a folder has a `wbmem.yaml`, or is a repository that had one, however it was deleted.

    Only repositories that are called as ours, or have files of ours, are asked for their history: that of a
    project may be a long one.
    """
    if (place / SETTINGS).is_file():
        return True
    ours = place.name == MEMORY and (place / ".git").exists()
    if not ours and not (place / ".git" / FOLDER).is_dir():
        return False
    said = Git(str(place), environment).ask("rev-list", "--max-count=1", "HEAD", "--", SETTINGS)
    return said.status == 0 and said.out != b""


def _beside_main_worktree(folder: Path, environment: Mapping[str, str]) -> Iterator[Path]:
    """In a linked worktree, the same folders in the main one, upward to its top."""
    outer = Outer.of(folder, environment)
    if outer is None or not outer.is_linked:
        return
    inside = folder.resolve().relative_to(outer.top.resolve())
    for part in (inside, *inside.parents):
        yield from _memories(outer.main / part, environment)
