"""The merge driver: `merge-driver %O %A %B %L %P`, as gitattributes(5) has it.

0: merged. 1: merged but for what stands between markers. Anything else: `%A` is as it was, and the command
that `wbmem hooks install` registers has git merge by lines.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import shown
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.merge.driver import drive
from wbmem_hooks import environment
from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from wbmem_git.verbs.merge.driver import Driven

WORDS = 5


def main(argv: list[str]) -> int:
    """Merge one file into `%A`; a failure leaves that as it was."""
    if len(argv) != WORDS or not argv[3].isdigit():
        raise UsageError("merge-driver wants %O %A %B %L %P", "wbmem hooks install registers it")
    base, ours, theirs, marker, path = argv
    blobs = (_read(base), _read(ours), _read(theirs))
    variables = environment.read().variables
    with Repository.open(".", variables, inside=True) as repository:
        heads = repository.other_heads(variables)
        driven = drive(repository, path, blobs, int(marker), heads[0] if len(heads) == 1 else "")
    _write(ours, driven.text)
    _tell(path, driven)
    return 1 if driven.conflicts else 0


def _read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def _write(path: str, text: str) -> None:
    """All of it or nothing: what is half written git would take for the merge."""
    new = f"{path}.wbmem"
    try:
        with open(new, "wb") as file:
            file.write(text.encode())
        os.replace(new, path)
    except OSError:
        if os.path.exists(new):
            os.unlink(new)
        raise


def _tell(path: str, driven: Driven) -> None:
    for one in driven.notes:
        tell(f"wbmem: {shown(one.path)}: {shown(one.title)}: {shown(one.told)}")
    for found in driven.conflicts:
        title = f" {shown(found.title)}:" if found.title else ""
        tell(
            f"wbmem: {shown(path)}:{found.line}:{title} {shown(found.why)}", f"  next: {shown(found.way_out)}"
        )
