"""The stamp: what pre-commit found, left for the shell guards of the hooks that follow.

`<git dir>/wbmem/stamp` is a text file that a POSIX shell reads line by line and compares as text:

    new <tree>
    parents <tree> <tree>…
    heads <commit> <commit>…
    amends <commit>
    author Name <email>
    actor agent|human
    rules <version>
    verdict passed|refused
    trailer Key: value
    process <process>

The first eight lines always stand there, in this order; then a line `trailer` for each trailer that the
message is to get, none or more. On an unborn branch `parents` and `heads` are empty; so is `amends` where
nothing is amended. The shell of pre-commit adds `process`: which git it was that it answered.

A guard takes the verdict for its own when all of `new`, `heads`, `author`, `actor` and `rules` are what it
would have written and its own git is the one named by `process`; otherwise it starts Python. That one knows
from the command line what is amended. A stamp is a cache: where there is none, the next hook checks again.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.state import private_folder, read_text, write_atomically

if TYPE_CHECKING:
    from wbmem_git.model import Actor

NAME = "stamp"
_FIELDS = ("new", "parents", "heads", "amends", "author", "actor", "rules", "verdict")
_MORE = ("trailer", "process")


class Stamp(NamedTuple):
    """A verdict on one change.

    Attributes:
        new: The tree that was checked.
        parents: The trees that it was compared with, HEAD's first; empty on an unborn branch.
        heads: Their commits: what a shell can read without git.
        amends: The commit that `--amend` replaces, "" for none.
        author: `Name <email>`.
        actor: Who commits.
        rules: The version of the rules that judged.
        passed: Whether nothing refused.
        trailers: (key, value), to add to the message.
    """

    new: str
    parents: tuple[str, ...]
    heads: tuple[str, ...]
    amends: str
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
        " ".join(("heads", *stamp.heads)),
        f"amends {stamp.amends}",
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
    fixed, more = lines[: len(_FIELDS)], lines[len(_FIELDS) :]
    if tuple(key for key, _, _ in fixed) != _FIELDS or any(key not in _MORE for key, _, _ in more):
        return None
    new, parents, heads, amends, author, actor, rules, verdict = (value for _, _, value in fixed)
    if not rules.isdecimal() or verdict not in {"passed", "refused"}:
        return None
    trailers = (value.partition(": ") for key, _, value in more if key == "trailer")
    return Stamp(
        new=new,
        parents=tuple(parents.split()),
        heads=tuple(heads.split()),
        amends=amends,
        author=author,
        actor="human" if actor == "human" else "agent",
        rules=int(rules),
        passed=verdict == "passed",
        trailers=tuple((key, value) for key, _, value in trailers),
    )


def remove_stamp(git_dir: str) -> None:
    """Take the stamp away, if there is one."""
    try:
        os.unlink(_path(git_dir))
    except OSError:
        return


def _path(git_dir: str) -> str:
    return os.path.join(private_folder(git_dir), NAME)
