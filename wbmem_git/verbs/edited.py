"""Which pages are edited and not committed: a question is answered from HEAD, and that is said."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.store.git import CHUNK_BYTES, text_of

if TYPE_CHECKING:
    from wbmem_git.store.git import Git

PAGE = ".md"
STATUS = ("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
"""What git is asked for; `rows` reads the answer."""


class EditedPages:
    """`git status`, at work while a question is answered."""

    def __init__(self, git: Git) -> None:
        """Start it.

        Args:
            git: Starts git at the top of the working tree.

        Raises:
            GitError: git can't be started.
        """
        self._child = git.start(*STATUS)

    def paths(self) -> tuple[str, ...]:
        """The pages that the index or the working tree has otherwise than HEAD, also new ones.

        To be asked once. Nothing where git refuses.
        """
        try:
            chunks = iter(lambda: os.read(self._child.stdout, CHUNK_BYTES), b"")
            said = b"".join(chunks)
        finally:
            status = self._child.close()
        return tuple(sorted(path for _, path in rows(said) if path.endswith(PAGE))) if status == 0 else ()


def rows(said: bytes) -> list[tuple[str, str]]:
    """What git says when it is asked for `STATUS`: of index and working tree a letter each, and the path."""
    return [(row[:2], row[3:]) for row in text_of(said).split("\0") if row]
