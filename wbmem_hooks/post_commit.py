"""`post-commit`: a commit without a fitting stamp amends or came past the gate: record what it breaks."""

from __future__ import annotations

from wbmem_git.store.repository import Repository
from wbmem_git.store.stamp import read_stamp, remove_stamp
from wbmem_hooks import environment
from wbmem_hooks.catching_up import catch_up


def main(_argv: list[str]) -> int:
    """Always 0: the commit is made."""
    with Repository.open(".", environment.read().variables, inside=True) as repository:
        if repository.in_rebase_or_am():
            return 0  # post-rewrite and post-applypatch tell of all commits at once
        head = repository.head()
        stamp = read_stamp(repository.git_dir)
        # A person's --no-verify: prepare-commit-msg has just told what it breaks.
        told = stamp is not None and not stamp.passed and stamp.new == repository.tree_of(head)
        catch_up(repository, head if told else "")
        remove_stamp(repository.git_dir)
    return 0
