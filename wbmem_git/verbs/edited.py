"""Which pages are edited and not committed: a question is answered from HEAD, and that is said."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.git import text_of

if TYPE_CHECKING:
    from wbmem_git.store.git import Git

PAGE = ".md"


def edited_pages(git: Git) -> tuple[str, ...]:
    """The paths of pages that the index or the working tree has otherwise than HEAD, also new ones.

    Args:
        git: Starts git at the top of the working tree. Where it refuses, nothing is said.
    """
    answer = git.ask("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    rows = text_of(answer.out).split("\0") if answer.status == 0 else []
    return tuple(sorted(row[3:] for row in rows if row.endswith(PAGE)))
