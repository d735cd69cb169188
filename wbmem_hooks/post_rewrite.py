"""`post-rewrite`: what a rebase made of a branch, all its commits at once."""

from __future__ import annotations

from wbmem_git.store.repository import Repository
from wbmem_hooks import environment
from wbmem_hooks.catching_up import catch_up


def main(argv: list[str]) -> int:
    """Always 0: the commits are made. Of an amended one post-commit has told."""
    around = environment.read()
    if "amend" in {*argv[:1], around.rewrite if around.framework else ""}:
        return 0
    with Repository.open(".", around.variables, inside=True) as repository:
        catch_up(repository)
    return 0
