"""Named points between the steps of a write, where a test stops it, kills it or has the disk fail.

A write passes them in the order of `STEPS`, some of them more than once (`file`), some not at all: a plan
that is only staged moves no ref. Outside tests they cost a comparison each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

STEPS = (
    "locked",  # we alone write here; what a killed writer left is taken back
    "loaded",  # the plan is made
    "blobs",  # the new texts are objects
    "tree",  # HEAD's tree with the edits is
    "judged",  # the gate has passed it
    "commit",  # so is the commit object; nothing names it yet
    "waiting",  # the new working files lie ready beside git
    "noted",  # the intent says what comes now
    "index locked",  # git's own lock of the index is ours
    "head read",  # HEAD is still the commit that we built on
    "index ready",  # the new index lies ready
    "file",  # one working file is in its place
    "files",  # all of them are
    "index",  # the new index is in its place
    "ref locked",  # git has the ref's lock and has compared it
    "moved",  # the commit is made
    "index unlocked",  # anybody may write the index
    "done",  # the intent is empty again
    "marked",  # audit knows the commit
    "unlocked",  # another wbmem may write
    "followed",  # the sidecar is at HEAD
)

BY_GIT = (
    "git waits",  # a git is noted, and begins when it is told: it checks files out, or makes the commit
    "as committed",  # the index has what hooks made of the commit
)
"""What only that passes which git does: the one before `files` or `moved`, the other behind `moved`."""

listener: Callable[[str], None] | None = None
"""A test's: called with each name as it is passed. What it raises the write has to stand."""


def step(name: str) -> None:
    """Say that a write has come to this point."""
    if listener is not None:
        listener(name)
