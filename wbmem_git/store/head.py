"""Which commit HEAD names and where history ends, read from git's files: a question that needs no process."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.store.git import is_oid, text_of

if TYPE_CHECKING:
    from wbmem_git.store.git import Git

SYMBOLIC = "ref: "
BRANCHES = "refs/heads/"
REFTABLE = "refs/heads/.invalid"


class Head:
    """HEAD of one worktree; the packed refs are read again when their file changes."""

    def __init__(self, git: Git, git_dir: str, common_dir: str) -> None:
        self._git = git
        self._path = os.path.join(git_dir, "HEAD")
        self._common_dir = common_dir
        self._packed_path = os.path.join(common_dir, "packed-refs")
        self._seen: tuple[int, ...] = ()
        self._packed: dict[str, str] = {}

    def read(self) -> str:
        """The commit; "" on an unborn branch. git is asked where no plain file says it."""
        said = _first_line(self._path)
        ref = said.removeprefix(SYMBOLIC)
        if ref == said:
            return said if is_oid(said) else self._asked()
        if not ref.startswith(BRANCHES) or ref == REFTABLE:
            return self._asked()
        # git packs a ref before it takes its file away: what isn't in the one is in the other by now.
        loose = _first_line(os.path.join(self._common_dir, ref))
        if is_oid(loose):
            return loose
        return self._asked() if loose else self._from_packed(ref)

    def _from_packed(self, ref: str) -> str:
        try:
            found = os.stat(self._packed_path)
        except FileNotFoundError:
            return self._asked()
        seen = (found.st_ino, found.st_size, found.st_mtime_ns)
        if seen != self._seen:
            self._packed, self._seen = _packed(self._packed_path), seen
        return self._packed.get(ref, "") or self._asked()

    def _asked(self) -> str:
        answer = self._git.ask("show-ref", "--verify", "--hash", "HEAD")
        return "" if answer.status else text_of(answer.out).strip()


class Cut:
    """Where history is cut off in a clone, as git notes it; the file is read again when it changes."""

    def __init__(self, common_dir: str) -> None:
        self._path = os.path.join(common_dir, "shallow")
        self._seen: tuple[int, ...] = ()
        self._said = ""

    def read(self) -> str:
        """Its commits, a line each; "" where history is whole."""
        try:
            found = os.stat(self._path)
            seen = (found.st_ino, found.st_size, found.st_mtime_ns)
            if seen != self._seen:
                with open(self._path, encoding="ascii", errors="replace") as file:
                    self._said, self._seen = file.read(), seen
        except FileNotFoundError:
            return ""
        return self._said


def _packed(path: str) -> dict[str, str]:
    with open(path, encoding="utf-8", errors="surrogateescape") as file:
        lines = (line.rstrip("\n").partition(" ") for line in file)
        return {ref: oid for oid, _, ref in lines if is_oid(oid) and ref.startswith(BRANCHES)}


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            return file.readline().strip()
    except OSError:
        return ""
