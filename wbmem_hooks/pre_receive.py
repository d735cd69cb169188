"""`pre-receive` on a server: every new commit of a push, while its objects are still in quarantine.

Where one is refused git takes nothing of the push. Who made a commit is told by its trailer or its author,
since the pusher's shell is elsewhere.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from wbmem_git.store.repository import Repository
from wbmem_git.verbs.hooks.protect import (
    behind,
    is_protected,
    protected,
    refusal,
    tips,
    updates_of,
    way_on,
    with_targets,
)
from wbmem_hooks import environment
from wbmem_hooks.ranges import check_new
from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbmem_git.verbs.hooks.protect import Update

EVERYTHING = ("--all",)
"""The refs as they are before the push."""


def main(argv: list[str]) -> int:  # noqa: ARG001  # git gives it none
    """0 takes the push.

    A protected branch answers for all that is new to it: what lies on another branch was judged with that
    one's tip, where a later commit may have mended it. Any other ref answers for what is new here.
    """
    updates = updates_of(sys.stdin.read())
    with Repository.open(".", environment.read().variables, inside=True) as repository:
        globs = with_targets(repository, protected(repository))
        kept = [update for update in updates if _is_kept(repository, update, globs)]
        status = 0
        for update in kept:
            status |= _guard(repository, update)
        known = list(tips(repository, globs))
        for update in kept:
            status |= check_new(repository, update.new, known) if update.new else 0
        judged = [update.new for update in kept if update.new]
        for update in updates:
            if update.new and update not in kept:
                status |= check_new(repository, update.new, [*EVERYTHING, *judged])
                judged.append(update.new)
    return status


def _is_kept(repository: Repository, update: Update, globs: Sequence[str]) -> bool:
    """Whether a protected branch is written by an update, by its own name or by that of an alias."""
    return any(is_protected(ref, globs) for ref in (update.ref, behind(repository, update.ref)))


def _guard(repository: Repository, update: Update) -> int:
    """1 where a protected branch would be deleted or rewritten, which is told."""
    why = refusal(repository, update)
    if why:
        tell(f"wbmem: {why}", f"  next: {way_on(update)}")
    return 1 if why else 0
