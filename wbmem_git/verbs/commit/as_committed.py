"""What hooks of other people made of a commit stands in the index too, or the next commit takes it out again.

A hook may format what is committed, or add to it (`git add`), in the index that git commits. The index that
stays has what was to be committed, maybe beside what a person has staged.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.store.steps import step
from wbmem_git.verbs.commit.new_index import NewIndex
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from wbmem_git.store.intent import Intent
    from wbmem_git.store.repository import Repository


def as_committed(repository: Repository, begun: Intent, commit: str) -> None:
    """Give the index what the commit has, wherever it still has what was to be committed.

    Who calls this holds the index's lock. Where somebody has staged something of their own it stays.

    Args:
        repository: Where.
        begun: What was to be committed.
        commit: What is.
    """
    differing = repository.differing(begun.tree, repository.tree_of(commit))
    if differing:
        with own_folder(repository) as folder:
            index = NewIndex(repository, folder, begun.index_file)
            now = index.entries(differing)
            new = {path: after for path, (before, after) in differing.items() if now.get(path) == before}
            if new:
                index.put(new)
                index.refresh()
                index.path.replace(os.path.realpath(begun.index_file))
    step("as committed")
