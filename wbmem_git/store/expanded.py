"""What was expanded in which session: `<git dir>/wbmem/expanded`, a digest a line, the newest last.

A digest stands for a session and a tag: neither can be read from it. The file may be deleted at any time;
then a tag is answered once more.
"""

from __future__ import annotations

import os
from hashlib import sha256
from typing import NamedTuple

from wbmem_git.store.state import private_folder, read_text, write_atomically

KEPT, AT_MOST = 1_000, 2_000
"""How many are kept when there are more than `AT_MOST`."""


class Session(NamedTuple):
    """What one session has expanded; `git_dir` is its worktree's git folder."""

    git_dir: str
    name: str

    def has_expanded(self, tag: str) -> bool:
        """Whether that tag (folded) was expanded before."""
        return self._digest(tag) in read_text(self._path).split("\n")

    def note(self, tag: str) -> bool:
        """Note that it was, in one write; whether that could be done."""
        noted = read_text(self._path).split("\n")
        if len(noted) > AT_MOST:
            return write_atomically(self._path, "\n".join([*noted[-KEPT:-1], self._digest(tag), ""]))
        try:
            os.makedirs(os.path.dirname(self._path), exist_ok=True)
            fd = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
            try:
                return os.write(fd, f"{self._digest(tag)}\n".encode()) > 0
            finally:
                os.close(fd)
        except OSError:
            return False

    def _digest(self, tag: str) -> str:
        return sha256(f"{self.name}\0{tag}".encode("utf-8", "surrogatepass")).hexdigest()[:32]

    @property
    def _path(self) -> str:
        return os.path.join(private_folder(self.git_dir), "expanded")
