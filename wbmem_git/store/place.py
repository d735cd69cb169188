"""Where a repository lies, told from its files where they leave no doubt, and by git everywhere else.

A warm question needs to know no more, and git takes it longer to start than all that is asked. Plain is what
`git init` makes and `git clone` leaves: then git would say the same, and would not refuse it as somebody
else's (safe.directory).
"""

from __future__ import annotations

import os
from stat import S_ISDIR
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.git import Git, is_oid

if TYPE_CHECKING:
    from collections.abc import Mapping

UNUSUAL = (b"[extensions", b"include", b"worktree", b"\\\n", b"\r")
"""What in a repository's own configuration may make git see it otherwise."""
USUAL = (b"repositoryformatversion = 0", b"bare = false")
HEADS = "ref: refs/"


class Place(NamedTuple):
    """A repository that nobody has opened; the names are `Repository`'s."""

    git: Git
    top: str
    git_dir: str
    common_dir: str
    object_format: str


def plain_place(folder: str, environment: Mapping[str, str]) -> Place | None:
    """The repository whose top a folder is; None where git has to say whether it is one, and which.

    Args:
        folder: The folder.
        environment: The variables of this process.
    """
    try:
        top = os.path.realpath(folder)
        git_dir = os.path.join(top, ".git")
        plain = _is_ours(top) and _is_ours(git_dir) and _is_whole(git_dir) and _is_usual(git_dir)
    except (OSError, ValueError):
        return None
    return Place(Git(folder, environment), top, git_dir, git_dir, "sha1") if plain else None


def _is_ours(folder: str) -> bool:
    """Whether it is a folder, no link to one, and belongs to whom this process runs as."""
    found = os.lstat(folder)
    return S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _is_whole(git_dir: str) -> bool:
    """Whether git would take it for a repository, and for a main worktree's."""
    with open(os.path.join(git_dir, "HEAD"), encoding="utf-8") as file:
        head = file.readline().rstrip("\n")
    parts = all(os.path.isdir(os.path.join(git_dir, name)) for name in ("objects", "refs"))
    linked = os.path.lexists(os.path.join(git_dir, "commondir"))
    return (head.startswith(HEADS) or is_oid(head)) and parts and not linked


def _is_usual(git_dir: str) -> bool:
    with open(os.path.join(git_dir, "config"), "rb") as file:
        said = file.read().lower()
    once = all(said.count(one.partition(b" ")[0]) == said.count(one) == 1 for one in USUAL)
    return once and not any(one in said for one in UNUSUAL)
