"""What lies in the way of a tree that comes: working files with changes of their own."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import shown
from wbmem_git.store.git import Git, text_of
from wbmem_git.store.trees import SYMLINK
from wbmem_git.verbs.listing import lies

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import Entry
    from wbmem_git.verbs.commit.new_index import NewEntries

MOST_TOLD = 5


class NotCommittedYet(UsageError):
    """Files that the other side changed too have changes that no commit has; nothing was changed."""

    def __init__(self, paths: Iterable[str]) -> None:
        every = [shown(path) for path in paths]
        more = f" and {len(every) - MOST_TOLD} more" if len(every) > MOST_TOLD else ""
        super().__init__(
            f"not committed here, and changed on the other side too: {', '.join(every[:MOST_TOLD])}{more}; "
            "nothing was changed",
            "commit it (git add, git commit; what stands in a user zone: wbmem remarks), then: wbmem sync",
        )


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
        elif entry.mode == SYMLINK and place.is_symlink():
            found |= {path: entry} if os.fsencode(place.readlink()) == repository.blob(entry.oid) else {}
    return found
