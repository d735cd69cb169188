"""The locks that stand in a repository: whose each is, how old, what it stops, and whether its owner works.

wbmem itself takes away what its own intent names, and nothing else. Any other lock is a person's to move,
out of `refs/` too: a file there that is no lock any more would be a branch, and a broken one.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.wording import command
from wbmem_git.store.index_lock import token_in
from wbmem_git.store.intent import IntentFile, IntentUnreadable, is_writing
from wbmem_git.store.state import private_folder
from wbmem_git.verbs.doctor.begun import NEXT_WRITER
from wbmem_git.verbs.doctor.facts import Fact, bad, ok, warn
from wbmem_git.verbs.doctor.processes import workers
from wbmem_git.verbs.temporary import runs

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.store.intent import Intent
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.doctor.processes import Workers

OLD_S = 20
"""A lock that stands so long is told of; git's own ones stand for as long as one command takes."""
GC_S = 12 * 3600
"""After so long git passes over another one's `gc.pid`."""
WITHIN = ("", "info", "reftable", "objects", "objects/info", "objects/info/commit-graphs", "objects/pack")
BELOW = ("refs", "logs")
OWN = {
    "index.lock": "nothing can be staged or committed",
    "HEAD.lock": "nothing can be committed",
    "config.worktree.lock": "git's configuration can't be changed",
}
"""What a lock in this worktree's git folder stops."""
COMMON = {
    "packed-refs.lock": "no branch can be deleted",
    "reftable/tables.list.lock": "nothing can be committed",
    "config.lock": "git's configuration can't be changed",
    "shallow.lock": "a shallow clone can't fetch",
}
"""What one in the repository's does, for every worktree."""


class Lock(NamedTuple):
    """A lock.

    Attributes:
        path: Its file.
        age_s: How old it is.
        stops: What can't be done while it stands, "" where that is nothing of a memory's.
        is_grave: Whether nobody can commit here.
    """

    path: Path
    age_s: int
    stops: str
    is_grave: bool

    @property
    def told(self) -> str:
        """Where and how old it is, and what it stops."""
        return f"{self.path} is {age(self.age_s)} old{f' ({self.stops})' if self.stops else ''}"


def locks(repository: Repository, now_s: float) -> Iterator[Fact]:
    """Every lock with its owner; nobody but a person takes one away that isn't ours."""
    try:
        begun = IntentFile(repository.common_dir).read()
    except IntentUnreadable:
        begun = None  # `doctor.begun` tells of it
    for path in sorted(_files(repository)):
        try:
            age_s = int(now_s - path.lstat().st_mtime)
        except OSError:
            continue  # its owner has just taken it away
        lock = _lock(repository, path, age_s)
        token = token_in(str(path))
        is_ours = token != "" or (begun is not None and str(path) in begun.refs)
        fact = _ours(repository, lock, token, begun) if is_ours else _theirs(repository, lock)
        if os.path.lexists(path):
            yield fact
    yield from _collecting(repository, now_s)


def _lock(repository: Repository, path: Path, age_s: int) -> Lock:
    common = Path(repository.common_dir)
    name = path.relative_to(common).as_posix()
    stops = COMMON.get(name, OWN.get(path.name, "") if path.parent == Path(repository.git_dir) else "")
    branch = repository.branch_named()
    if branch and name == f"refs/heads/{branch}.lock":
        stops = "nothing can be committed"
    elif "refs" in path.relative_to(common).parts:
        stops = f"{name.removesuffix('.lock')} can't be moved"
    return Lock(path, age_s, stops, "committed" in stops)


def _ours(repository: Repository, lock: Lock, token: str, begun: Intent | None) -> Fact:
    """A lock that a wbmem took: it works, or the next one takes it away."""
    if is_writing(repository.common_dir):
        return ok("locks", f"{lock.told}: a wbmem holds it, and works{_process(token)}")
    if begun is not None and token in {"", begun.token}:
        return _grave(lock, f"{lock.told}: a wbmem that was killed left it", NEXT_WRITER)
    left = f"{lock.told}: a wbmem that was killed left it, and nothing tells any more what it had begun"
    return _grave(lock, left, f"move it out of the way: {_out_of_the_way(repository, lock.path)}")


def _theirs(repository: Repository, lock: Lock) -> Fact:
    """A lock of another program."""
    folders = [Path(place) for place in (repository.top, repository.git_dir, repository.common_dir) if place]
    found = workers(lock.path, folders)
    whose = ", ".join(found.holders or found.gits)
    if whose:
        told = f"{lock.told}: {whose} {'holds it' if found.holders else 'works here'}"
        then = "let that finish; it may wait for an editor, a hook or a passphrase"
        return ok("locks", told) if lock.age_s < OLD_S else warn("locks", told, then)
    if lock.age_s < OLD_S:
        return ok("locks", f"{lock.told}: look again in {OLD_S} s whether it still stands")
    moved = f"move it out of the way: {_out_of_the_way(repository, lock.path)}"
    return _grave(lock, f"{lock.told}: {_left(found)}", f"{_see(found)}; then {moved}")


def _left(found: Workers) -> str:
    return (
        "no git works here any more, as far as this system tells: one that was killed left it"
        if found.is_whole
        else "a git that was killed left it, or one still works"
    )


def _see(found: Workers) -> str:
    return (
        "see that none works here from another machine or container"
        if found.is_whole
        else "see that no git works here any more"
    )


def _grave(lock: Lock, message: str, then: str) -> Fact:
    return (bad if lock.is_grave else warn)("locks", message, then)


def _process(token: str) -> str:
    number = token.split()[1:2]
    return f" (process {number[0]})" if number and number[0].isdecimal() else ""


def _out_of_the_way(repository: Repository, path: Path) -> str:
    """The command that moves a lock where git doesn't look, and keeps it."""
    common, private = Path(repository.common_dir), Path(private_folder(repository.common_dir))
    plain = "-".join(path.relative_to(common).parts) if path.is_relative_to(common) else path.name
    folder = private if private.is_dir() or not os.path.lexists(private) else common
    target, number = folder / f"{plain}.old", 1
    while os.path.lexists(target):
        number += 1
        target = folder / f"{plain}.old-{number}"
    made = "" if folder.is_dir() else f"{command('mkdir', '-p', str(folder))} && "
    return f"{made}{command('mv', str(path), str(target))}"


def _collecting(repository: Repository, now_s: float) -> Iterator[Fact]:
    """`gc.pid`: git itself passes over one whose process has ended."""
    path = Path(repository.common_dir, "gc.pid")
    try:
        age_s = int(now_s - path.lstat().st_mtime)
        number, host = path.read_text(encoding="utf-8", errors="replace").split()[:2]
    except (OSError, ValueError):
        return
    if host != os.uname().nodename:
        if age_s < GC_S:
            told = f"{path} is {age(age_s)} old: a git gc of another machine works here, or was killed"
            yield warn("locks", told, f"nothing need be done: git passes over it after {GC_S // 3600} h")
    elif number.isdecimal() and runs(int(number)) and age_s < GC_S:
        yield ok("locks", f"{path}: git gc works here (process {number})")


def _files(repository: Repository) -> set[Path]:
    common = Path(repository.common_dir)
    found: set[Path] = set()
    for folder in {Path(repository.git_dir), common, *common.glob("worktrees/*")}:
        found |= {path for name in WITHIN for path in (folder / name).glob("*.lock")}
        found |= {path for name in BELOW for path in (folder / name).rglob("*.lock")}
    return {path for path in found if not path.is_dir()}


def age(age_s: int) -> str:
    """A time that has passed, in the largest unit of which there are two."""
    for size_s, unit in ((86400, "d"), (3600, "h"), (60, "min")):
        if age_s >= 2 * size_s:
            return f"{age_s // size_s} {unit}"
    return f"{max(age_s, 0)} s"
