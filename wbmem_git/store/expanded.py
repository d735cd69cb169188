"""What was expanded in which session: `<git dir>/wbmem/expanded`, a digest a line, the newest last.

A digest stands for a session and a tag: neither can be read from it. The file may be deleted at any time;
then a tag is answered once more.
"""

from __future__ import annotations

import os
from hashlib import sha256

from wbmem_git.store.state import private_folder, read_text, write_atomically

KEPT, AT_MOST = 1_000, 2_000
"""How many are kept when there are more than `AT_MOST`."""


def was_expanded(git_dir: str, session: str, tag: str) -> bool:
    """Whether that tag (folded) was expanded before in that session."""
    return _digest(session, tag) in read_text(_path(git_dir)).split("\n")


def note_expanded(git_dir: str, session: str, tag: str) -> bool:
    """Note it, in one write; whether that could be done."""
    path = _path(git_dir)
    noted = read_text(path).split("\n")
    if len(noted) > AT_MOST:
        return write_atomically(path, "\n".join([*noted[-KEPT:-1], _digest(session, tag), ""]))
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        fd = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            return os.write(fd, f"{_digest(session, tag)}\n".encode()) > 0
        finally:
            os.close(fd)
    except OSError:
        return False


def _digest(session: str, tag: str) -> str:
    return sha256(f"{session}\0{tag}".encode("utf-8", "surrogatepass")).hexdigest()[:32]


def _path(git_dir: str) -> str:
    return os.path.join(private_folder(git_dir), "expanded")
