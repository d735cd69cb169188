"""What was expanded in which session: `<git dir>/wbmem/expanded`, a line an answer, the newest last.

A line is a digest of session and tag, how many entries were told, and a digest of these: nothing can be read
from it. The file may be deleted at any time; then a tag is answered once more.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.state import append, private_folder, read_text, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable

KEPT, AT_MOST = 1_000, 2_000
"""How many are kept when there are more than `AT_MOST`."""
PARTS = 3


class Given(NamedTuple):
    """What a session was told of a tag: how many entries, and a digest of them."""

    told: int
    digest: str


class Session(NamedTuple):
    """What one session has expanded; `git_dir` is its worktree's git folder."""

    git_dir: str
    name: str

    def given(self, tag: str) -> Given | None:
        """What it was told of that tag (folded) last; None for nothing."""
        asked = self.digest([tag])
        for line in reversed(read_text(self._path).split("\n")):
            parts = line.split(" ")
            if parts[0] == asked and len(parts) == PARTS and parts[1].isdecimal():
                return Given(int(parts[1]), parts[2])
        return None

    def note(self, tag: str, told: int, digest: str) -> bool:
        """Note what it was told, in one write; whether that could be done."""
        line = f"{self.digest([tag])} {told} {digest}"
        noted = read_text(self._path).split("\n")
        if len(noted) > AT_MOST:
            return write_atomically(self._path, "\n".join([*noted[-KEPT:-1], line, ""]))
        return append(self._path, f"{line}\n".encode(), 0o600)

    def digest(self, texts: Iterable[str]) -> str:
        """32 hex digits that stand for this session and these texts."""
        return sha256("\0\0".join((self.name, *texts)).encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @property
    def _path(self) -> str:
        return os.path.join(private_folder(self.git_dir), "expanded")
