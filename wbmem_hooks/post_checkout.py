"""`post-checkout`: a branch that was switched to may hold commits which nobody has judged here."""

from __future__ import annotations

from wbmem_git.store.repository import Repository
from wbmem_hooks import environment
from wbmem_hooks.catching_up import catch_up


def main(argv: list[str]) -> int:
    """Always 0: the files are checked out. Of single files (flag 0) there is nothing to tell."""
    if argv[2:3] == ["0"]:
        return 0
    with Repository.open(".", environment.read().variables, inside=True) as repository:
        if not repository.in_rebase_or_am():
            catch_up(repository)
    return 0
