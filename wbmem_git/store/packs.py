"""Whether packs came or went: a git that stores objects takes one that it found in a pack for there for good.

It looks once whether that pack is still there (`packed_git.freshened`, git 2.39), and never again while it
runs. After somebody's `git gc --prune=now` it says that an object is stored, and stores nothing.
"""

from __future__ import annotations

import os
from typing import NamedTuple

UNSURE_NS = 3_000_000_000
"""File systems tell times by up to two seconds: what changed so lately may change again and look the same."""


class PackFolder(NamedTuple):
    """How the folder of packs looks.

    Attributes:
        device, inode: Which folder it is; 0 where there is none.
        changed_ns: When a pack came or went last.
        has_others: Whether the objects of other repositories count as ours, whose packs aren't looked at.
    """

    device: int = 0
    inode: int = 0
    changed_ns: int = 0
    has_others: bool = False

    @classmethod
    def of(cls, common_dir: str) -> PackFolder:
        """That of a repository."""
        objects = os.path.join(common_dir, "objects")
        has_others = os.path.lexists(os.path.join(objects, "info", "alternates"))
        try:
            found = os.stat(os.path.join(objects, "pack"))
        except OSError:
            return cls(has_others=has_others)
        return cls(found.st_dev, found.st_ino, found.st_mtime_ns, has_others)

    def is_sure(self, now_ns: int) -> bool:
        """Whether it couldn't have changed since and look alike; `now_ns` is the time of that file system."""
        return self.inode != 0 and not self.has_others and now_ns - self.changed_ns > UNSURE_NS
