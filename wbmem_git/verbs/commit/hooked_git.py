"""git as a person starts it: its hooks see what they would see anywhere, and what they say is told."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.git import ALWAYS, Git, text_of

if TYPE_CHECKING:
    from collections.abc import Mapping

OURS = frozenset(ALWAYS) - {"GIT_TERMINAL_PROMPT"}
"""What our own git commands run under and a user's hooks don't expect: literal pathspecs, the C locale …"""
SHOWN_LINES = 20


def hooked(git: Git, variables: Mapping[str, str] | None = None) -> Git:
    """The same git without what only our own commands run under, and with these variables."""
    made = Git(git.folder, git.environment, inside=True)
    theirs = {name: value for name, value in git.environment.items() if name not in OURS}
    made.environment = {**theirs, **(variables or {})}
    return made


def lines_said(err: bytes) -> list[str]:
    """What git and hooks said, without the commands that git proposes."""
    lines = (line.rstrip() for line in text_of(err).splitlines())
    return [line for line in lines if line and not line.startswith("hint:")]
