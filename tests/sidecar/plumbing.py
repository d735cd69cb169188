"""Commits made without git: loose objects and refs, written as git writes them, a thousand in a second."""

from __future__ import annotations

import hashlib
import os
import zlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

Files = dict[str, bytes]
START = 1_789_000_000
PEOPLE = ("Ada <ada@example.org>", "Eve <eve@example.org>", "Bot <bot@agent.local>")


class Link(bytes):
    """A symbolic link's target, in the place of a file's bytes."""


class Made(NamedTuple):
    """A commit that was made here: what is in it, and what it came from (its oid is looked up elsewhere)."""

    files: Files
    parents: tuple[str, ...]
    author: str
    time: int
    message: str


class Objects:
    """The object store and refs of a repository, sha1, written directly.

    Attributes:
        made: Every commit that was made, by oid.
    """

    def __init__(self, git_dir: Path) -> None:
        self.git_dir = git_dir
        self.made: dict[str, Made] = {}

    def put(self, kind: str, data: bytes) -> str:
        whole = f"{kind} {len(data)}\0".encode() + data
        oid = hashlib.sha1(whole, usedforsecurity=False).hexdigest()
        target = self.git_dir / "objects" / oid[:2] / oid[2:]
        if not target.exists():
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(zlib.compress(whole, 1))
        return oid

    def tree(self, files: Mapping[str, bytes]) -> str:
        here: dict[str, bytes] = {}
        below: dict[str, Files] = {}
        for path, data in files.items():
            folder, slash, rest = path.partition("/")
            if slash:
                below.setdefault(folder, {})[rest] = data
            else:
                here[path] = data
        rows = [
            (name, b"120000" if isinstance(data, Link) else b"100644", self.put("blob", data))
            for name, data in here.items()
        ]
        rows += [(f"{name}/", b"40000", self.tree(each)) for name, each in below.items() if name not in here]
        data = b"".join(
            mode + b" " + name.rstrip("/").encode() + b"\0" + bytes.fromhex(oid)
            for name, mode, oid in sorted(rows, key=lambda row: row[0].encode())
        )
        return self.put("tree", data)

    def commit(
        self, files: Files, parents: Sequence[str], time: int, *, author: str = PEOPLE[0], message: str = "c"
    ) -> str:
        lines = [f"tree {self.tree(files)}", *(f"parent {parent}" for parent in parents)]
        lines += [f"author {author} {time} +0200", f"committer {author} {time} +0200", "", message, ""]
        oid = self.put("commit", "\n".join(lines).encode())
        self.made[oid] = Made(dict(files), tuple(parents), author, time, message)
        return oid

    def set_head(self, branch: str, oid: str) -> None:
        """HEAD on a branch (`oid` "" for an unborn one), or detached at a commit (`branch` "")."""
        if branch and oid:
            ref = self.git_dir / "refs" / "heads" / branch
            ref.parent.mkdir(parents=True, exist_ok=True)
            _write(ref, f"{oid}\n")
        _write(self.git_dir / "HEAD", f"ref: refs/heads/{branch}\n" if branch else f"{oid}\n")

    def ancestors(self, oid: str) -> list[str]:
        """A commit and everything that it came from, itself first."""
        found: dict[str, None] = {}
        left = [oid] if oid else []
        while left:
            one = left.pop()
            if one not in found:
                found[one] = None
                left += reversed(self.made[one].parents)
        return list(found)

    def base(self, one: str, other: str) -> Files:
        """What the nearest commit holds that two have in common; nothing where they have none."""
        theirs = set(self.ancestors(other))
        common = [oid for oid in self.ancestors(one) if oid in theirs]
        older = {old for oid in common for old in self.ancestors(oid)[1:]}
        nearest = [oid for oid in common if oid not in older]
        return self.made[nearest[0]].files if nearest else {}


def _write(target: Path, text: str) -> None:
    beside = target.with_name(f"{target.name}.lock")
    beside.write_text(text)
    os.replace(beside, target)  # noqa: PTH105  # as git does
