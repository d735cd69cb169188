"""Text that a hook manager put away so that hooks see what is staged alone: whether it is back.

No manager notes that it brought the text back, and most keep what they put away. So it is looked for: in the
files, in the index, anywhere in HEAD. What has been rewritten since counts as lost only where nothing of it
is left.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.store.git import text_of
from wbmem_git.store.state import read_bytes

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.store.repository import Repository

AGAIN = "where no commit is under way, to have it again"
_WORKTREE = "worktree "
_BLOBS = re.compile(r"^index (?P<old>[0-9a-f]{4,64})\.\.(?P<new>[0-9a-f]{4,64})", re.MULTILINE)


def old_blobs(diff: str) -> set[str]:
    """The versions of files that a diff of git's changes, as it names them: by a part of their oids."""
    return {found["old"] for found in _BLOBS.finditer(diff)}


def new_blobs(diff: str) -> set[str]:
    """The versions that it makes."""
    return {found["new"] for found in _BLOBS.finditer(diff) if found["new"].strip("0")}


def known(repository: Repository, oids: Iterable[str]) -> set[str]:
    """Which of these blobs are here; each may be named by a part of its oid."""
    asked = sorted(oids)
    said = repository.git.ask(
        "cat-file", "--batch-check", stdin="".join(f"{oid}\n" for oid in asked).encode()
    )
    rows = text_of(said.out).splitlines()
    return {oid for oid, row in zip(asked, rows, strict=False) if " blob " in row}


def new_lines(repository: Repository, diff: str) -> set[str]:
    """The lines that a diff adds and the versions that it changes have nowhere, without blank ones."""
    lines = added_lines(diff)
    for oid in old_blobs(diff) if lines else ():
        lines -= _lines(repository.git.ask("cat-file", "blob", oid).out)
    return lines


def added_lines(diff: str) -> set[str]:
    """The lines that a diff of git's adds, without blank ones."""
    found, in_hunk = set(), False
    for line in diff.split("\n"):
        if line.startswith("diff --git "):
            in_hunk = False
        elif line.startswith("@@ "):
            in_hunk = True
        elif in_hunk and line.startswith("+"):
            found.add(line[1:].removesuffix("\r"))
    return {line for line in found if line.strip()}


def nowhere(repository: Repository, paths: Iterable[str], lines: set[str]) -> set[str]:
    """Which of these lines stand in none of these files, of any worktree, nor in the index nor in HEAD."""
    left, tops = set(lines), _tops(repository) if lines else []
    for path in paths:
        for top in tops if left else ():
            left -= _lines(_read(top / path))
        left -= _lines(repository.git.ask("cat-file", "blob", f":{path}").out) if left else set()
    head = repository.head()
    return left - repository.lines_in(repository.tree_of(head), left) if left and head else left


def _tops(repository: Repository) -> list[Path]:
    """The tops of all worktrees: stashes and caches are theirs together."""
    rows = text_of(repository.git.ask("worktree", "list", "--porcelain", "-z").out).split("\0")
    return [Path(row.removeprefix(_WORKTREE)) for row in rows if row.startswith(_WORKTREE)]


def _read(path: Path) -> bytes:
    try:
        return read_bytes(str(path))
    except OSError:
        return b""


def _lines(data: bytes) -> set[str]:
    return {line.removesuffix("\r") for line in text_of(data).split("\n")}
