"""The repository whose hook this is, and what is asked of git first, while Python still loads the gate.

git starts a hook at the top of the working tree and names its own folder in GIT_DIR wherever that isn't
plainly `.git`. So there it needn't be asked; `git write-tree` and `git cat-file` run beside our imports.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

from wbmem_git.store.git import Git
from wbmem_git.store.repository import Repository

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wbmem_git.store.git import Child

ELSEWHERE = ("GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR")
TREE_BYTES = 128


class Here:
    """An open repository, and the `git write-tree` that is running in it."""

    def __init__(self, repository: Repository, writing: Child) -> None:
        self.repository = repository
        self._writing = writing

    def tree(self) -> str:
        """The tree that git would commit now. To be asked once.

        Raises:
            GitError: The index can't be written as a tree.
        """
        said = os.read(self._writing.stdout, TREE_BYTES)
        if self._writing.close() == 0 and said.endswith(b"\n"):
            return said.decode().strip()
        return self.repository.write_tree()  # an index that is locked or unmerged: it waits, or says why


@contextmanager
def here(variables: Mapping[str, str]) -> Iterator[Here]:
    """Open the repository of a hook that runs before a commit.

    Args:
        variables: The hook's environment; its index is the one that git named there.
    """
    git = Git(".", variables, inside=True)
    writing = git.start("write-tree")
    try:
        with opened(git, variables) as repository:
            repository.objects.start()
            yield Here(repository, writing)
    finally:
        writing.close()


def opened(git: Git, variables: Mapping[str, str]) -> Repository:
    """The repository whose hook this is; git is asked only where it isn't plain which one that is."""
    top = os.getcwd()
    git_dir = os.path.join(top, ".git")
    plain = not any(name in variables for name in ELSEWHERE) and os.path.isdir(git_dir)
    object_format = _object_format(git_dir) if plain else ""
    if not object_format:
        return Repository.open(".", variables, inside=True)
    return Repository(git, top, git_dir, git_dir, object_format)


def _object_format(git_dir: str) -> str:
    """`sha1` where the configuration surely says nothing else, "" where git has to be asked."""
    try:
        with open(os.path.join(git_dir, "config"), "rb") as file:
            said = file.read().lower()
    except OSError:
        return ""
    return "sha1" if b"objectformat" not in said and b"include" not in said else ""
