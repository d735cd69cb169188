"""Stage edits: each in the index and in the working file, all of them or none.

The index and the file get an edit of their own, so what a person changed in the file and didn't stage stays
unstaged and untouched. Blobs are written as they are: the index's text is already what git would store, and a
working file keeps its own line ends (`core.autocrlf`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.verbs.commit.publish import publish
from wbmem_git.verbs.commit.working_files import CannotTakeEdit

if TYPE_CHECKING:
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.cards import Edits
    from wbmem_git.verbs.three_trees import Versions

__all__ = ["CannotTakeEdit", "stage"]


def stage(repository: Repository, versions: Versions, index: Edits, file: Edits) -> None:
    """Apply `index` to the index and `file` to the working files (path → whole text, None: gone).

    Raises:
        CannotTakeEdit: A file was changed meanwhile, is a symbolic link or lies behind one.
        DiskRefuses: Something can't be written; nothing was changed.
        GitError: git can't write the index.
    """
    publish(repository, versions, index, file)
