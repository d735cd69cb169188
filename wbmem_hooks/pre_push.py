"""`pre-push`: every new commit of every ref that is pushed, before it leaves this machine."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from wbmem_git.store.repository import Repository
from wbmem_hooks import environment
from wbmem_hooks.ranges import check_new

if TYPE_CHECKING:
    from collections.abc import Iterator


def main(argv: list[str]) -> int:
    """0 lets the push pass. Deleting a ref is no commit.

    Args:
        argv: The remote's name and its URL.
    """
    remote = argv[0] if argv else ""
    with Repository.open(".", environment.read().variables, inside=True) as repository:
        # One after the other, so that each is told; commits that two refs share are told with the first.
        status, known = 0, _known(repository, remote)
        for new, old in _pushed(sys.stdin.read()):
            status |= check_new(repository, new, [*known, *([old] if repository.objects.find(old) else [])])
            known.append(new)
    return status


def _pushed(lines: str) -> Iterator[tuple[str, str]]:
    """(new commit, what the remote has there) for each ref; a deletion has nothing new."""
    for line in lines.splitlines():
        _, new, _, old = line.rsplit(" ", 3)
        if new.strip("0"):
            yield new, old


def _known(repository: Repository, remote: str) -> list[str]:
    """What is on that remote already, as far as this clone knows."""
    return [f"--remotes={remote}"] if remote and repository.config(f"remote.{remote}.url") else []
