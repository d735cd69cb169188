"""`post-applypatch`: what the patches of an am brought, told at the last one."""

from __future__ import annotations

from wbmem_git.store.repository import Repository
from wbmem_hooks import environment
from wbmem_hooks.catching_up import catch_up


def main(_argv: list[str]) -> int:
    """Always 0: the commits are made."""
    with Repository.open(".", environment.read().variables, inside=True) as repository:
        catch_up(repository)
    return 0
