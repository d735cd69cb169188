"""A repository whose new objects go again: working files can be judged without being stored in it."""

from __future__ import annotations

import os
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import shown
from wbmem_git.store.git import failure
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.commit.new_index import own_index
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

OWN, OTHERS = "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"


@contextmanager
def scratch(repository: Repository) -> Iterator[Repository]:
    """The same repository, with an object folder of its own that is gone afterwards."""
    objects = repository.git.line("rev-parse", "--path-format=absolute", "--git-path", "objects")
    with own_folder(repository) as own:
        variables = {**repository.git.environment, OWN: str(own), OTHERS: _quoted(objects)}
        with Repository.open(repository.top, variables, inside=True) as copy:
            yield copy


def tree_with_files(repository: Repository, base: str, paths: Sequence[str]) -> str:
    """The tree `base` with these paths as the working tree has them, gone ones gone.

    Raises:
        UsageError: There is no such file, or git ignores it.
    """
    _see_there(repository, base, paths)
    with own_index(repository) as git:
        git.run("read-tree", *([base] if base else ["--empty"]))
        answer = git.ask("-c", "advice.addEmbeddedRepo=false", "add", "--all", "--", *paths)
        if answer.status:
            raise UsageError(failure("add", answer).message, "git status lists the files here")
        return git.line("write-tree")


def _see_there(repository: Repository, base: str, paths: Sequence[str]) -> None:
    known = repository.entries(repository.tree_of(base))
    for path in paths:
        there = os.path.lexists(Path(repository.top, path))
        if not there and not any(name == path or name.startswith(f"{path}/") for name in known):
            raise UsageError(
                f"{shown(path)}: no such file, in the working tree or in the last commit",
                "wbmem check --all looks at every page",
            )


def _quoted(path: str) -> str:
    """A path as that variable takes it whatever it holds: it is a list with `:` between (git 2.39)."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
