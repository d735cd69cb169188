"""The stamp: what pre-commit found, left for the shell guards of the hooks that follow.

`<git dir>/wbmem/stamp` is a text file that a POSIX shell reads line by line and compares as text:

    new <tree>
    parents <tree> <tree>…
    author Name <email>
    actor agent|human
    rules <version>
    verdict passed|refused
    trailer Key: value

The first six lines always stand there, in this order; then a line `trailer` for each trailer that the
message is to get, none or more. On an unborn branch the second line is `parents` without a tree. The guard
takes the verdict for its own when all of `new`, `parents`, `author` and `rules` are what it would have
written; otherwise it starts Python. A stamp is a cache: where there is none, the next hook checks again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.state import private_folder, read_text, write_atomically

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbmem_git.model import Actor

NAME = "stamp"
_FIELDS = ("new", "parents", "author", "actor", "rules", "verdict")


class Stamp(NamedTuple):
    """A verdict on one change.

    Attributes:
        new: The tree that was checked.
        parents: The trees that it was compared with, HEAD's first; empty on an unborn branch.
        author: `Name <email>`.
        actor: Who commits.
        rules: The version of the rules that judged.
        passed: Whether nothing refused.
        trailers: (key, value), to add to the message.
    """

    new: str
    parents: tuple[str, ...]
    author: str
    actor: Actor
    rules: int
    passed: bool
    trailers: tuple[tuple[str, str], ...] = ()


def write_stamp(git_dir: str, stamp: Stamp) -> bool:
    """Leave a stamp, in one step; whether that could be done."""
    lines = [
        f"new {stamp.new}",
        " ".join(("parents", *stamp.parents)),
        f"author {stamp.author}",
        f"actor {stamp.actor}",
        f"rules {stamp.rules}",
        f"verdict {'passed' if stamp.passed else 'refused'}",
        *(f"trailer {key}: {' '.join(value.split())}" for key, value in stamp.trailers),
    ]
    return write_atomically(_path(git_dir), "\n".join(lines) + "\n")


def read_stamp(git_dir: str) -> Stamp | None:
    """The stamp that lies there; None where there is none or it is damaged."""
    lines = [line.partition(" ") for line in read_text(_path(git_dir)).splitlines()]
    if tuple(key for key, _, _ in lines[:6]) != _FIELDS or any(key != "trailer" for key, _, _ in lines[6:]):
        return None
    new, parents, author, actor, rules, verdict = (value for _, _, value in lines[:6])
    if not rules.isdecimal() or verdict not in {"passed", "refused"}:
        return None
    trailers = (value.partition(": ") for _, _, value in lines[6:])
    return Stamp(
        new=new,
        parents=tuple(parents.split()),
        author=author,
        actor="human" if actor == "human" else "agent",
        rules=int(rules),
        passed=verdict == "passed",
        trailers=tuple((key, value) for key, _, value in trailers),
    )


def stamp_fits(stamp: Stamp | None, *, new: str, parents: Sequence[str], author: str, rules: int) -> bool:
    """Whether a stamp speaks of exactly this change, by these rules."""
    return stamp is not None and stamp[:3] == (new, tuple(parents), author) and stamp.rules == rules


def remove_stamp(git_dir: str) -> None:
    """Take the stamp away, if there is one."""
    try:
        os.unlink(_path(git_dir))
    except OSError:
        return


def _path(git_dir: str) -> str:
    return os.path.join(private_folder(git_dir), NAME)
