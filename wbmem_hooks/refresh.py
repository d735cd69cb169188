"""What the scripts start behind a commit: the sidecar follows HEAD."""

from __future__ import annotations

import os
import sys
import time

from wbmem_git.store.git import Git
from wbmem_git.variables import NEVER, WAIT
from wbmem_git.verbs.refresh import follow
from wbmem_hooks import environment
from wbmem_hooks.here import opened

MAIN = os.path.join(os.path.dirname(os.path.abspath(__file__)), "__main__.py")
DETACHED = "--detached"
LOWER = 10
INHERITED = range(3, 256)
"""Descriptors of whoever commits: one of them may be a lock or a pipe that somebody waits for."""


def main(argv: list[str]) -> int:
    """Always 0.

    Args:
        argv: `--detached`, where nobody waits.
    """
    if argv[:1] == [DETACHED]:
        _leave()
    around = environment.read()
    git = Git(".", around.variables, inside=True)
    with opened(git, around.variables) as repository:
        follow(repository, time.monotonic)
    return 0


def start() -> None:
    """The same from a hook that has no script around it."""
    around = environment.read()
    if around.detach == NEVER:
        return
    if around.detach == WAIT:
        main([])
        return
    null = [(os.POSIX_SPAWN_OPEN, fd, os.devnull, os.O_RDWR, 0) for fd in range(3)]
    command = [sys.executable, "-I", "-S", MAIN, "refresh", DETACHED]
    os.posix_spawn(sys.executable, command, around.variables, file_actions=null)


def _leave() -> None:
    """Be nobody's child: no terminal's signal, no one's open file, no haste."""
    os.closerange(INHERITED.start, INHERITED.stop)
    os.nice(LOWER)
    try:
        os.setsid()
    except OSError:
        return  # it leads a group of its own already
