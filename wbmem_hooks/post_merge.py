"""`post-merge`: what a merge or a fast-forward brought into the branch."""

from __future__ import annotations

from wbmem_git.store.repository import Repository
from wbmem_git.store.stamp import remove_stamp
from wbmem_hooks import environment
from wbmem_hooks.catching_up import catch_up


def main(argv: list[str]) -> int:
    """Always 0: the merge is made. Of a squash nothing is committed yet."""
    around = environment.read()
    if argv[:1] == ["1"] or (around.framework and around.squash):
        return 0
    with Repository.open(".", around.variables, inside=True) as repository:
        catch_up(repository)
        remove_stamp(repository.git_dir)
    return 0
