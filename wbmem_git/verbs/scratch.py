"""A repository whose new objects go again: working files can be judged without being stored in it."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from wbmem_git.store.repository import Repository
from wbmem_git.store.state import private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

OWN, OTHERS = "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES"


@contextmanager
def scratch(repository: Repository) -> Iterator[Repository]:
    """The same repository, with an object folder of its own that is gone afterwards."""
    folder = Path(private_folder(repository.git_dir))
    folder.mkdir(parents=True, exist_ok=True)
    objects = repository.git.line("rev-parse", "--path-format=absolute", "--git-path", "objects")
    with TemporaryDirectory(prefix="objects-", dir=folder) as own:
        variables = {**repository.git.environment, OWN: own, OTHERS: _quoted(objects)}
        with Repository.open(repository.top, variables, inside=True) as copy:
            yield copy


def _quoted(path: str) -> str:
    """A path as that variable takes it whatever it holds: it is a list with `:` between (git 2.39)."""
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
