"""What hooks of other people made of a commit stands in the index too, or the next commit takes it out again.

A hook may format what is committed, or add to it (`git add`), in the index that git commits. The index that
stays has what was to be committed, maybe beside what a person has staged.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import TYPE_CHECKING

from wbmem_git.rules.lines import lines_of
from wbmem_git.store.git import text_of
from wbmem_git.store.steps import step
from wbmem_git.text.document import decode
from wbmem_git.verbs.commit.new_index import NewIndex
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from wbmem_git.store.intent import Intent
    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import Entry


def as_committed(repository: Repository, begun: Intent, commit: str) -> None:
    """Give the index what the commit has, wherever it still has what was to be committed.

    Who calls this holds the index's lock. Where somebody has staged something of their own it stays, unless
    the commit has all of it and is what stands in the working file: a hook has added that (`git add -u`).

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
            new = {
                path: after
                for path, (before, after) in differing.items()
                if now.get(path) == before or _is_added(repository, path, before, now.get(path), after)
            }
            if new:
                index.put(new)
                index.refresh()
                index.path.replace(os.path.realpath(begun.index_file))
    step("as committed")


def _is_added(
    repository: Repository, path: str, before: Entry | None, staged: Entry | None, after: Entry | None
) -> bool:
    """Whether a hook has committed a working file as it stands, with all that was staged of it."""
    if staged is None or after is None or staged.oid == after.oid or not (staged.is_file and after.is_file):
        return False
    lying = repository.git.ask("hash-object", "--", path)
    if lying.status or text_of(lying.out).strip() != after.oid:
        return False
    was, mine, now = (
        None if entry is None else decode(repository.blob(entry.oid)) for entry in (before, staged, after)
    )
    if mine is None or now is None:
        return False
    return not Counter(lines_of(mine)) - Counter(lines_of(was or "")) - Counter(lines_of(now))
