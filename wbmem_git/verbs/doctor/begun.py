"""What a killed wbmem had begun to write, and whether one writes now."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.rules.wording import shown
from wbmem_git.store.index_lock import lock_path, token_in
from wbmem_git.store.journal import Journal
from wbmem_git.store.state import open_plain, private_folder
from wbmem_git.verbs.commit.awaited import goes_on
from wbmem_git.verbs.doctor.derived import may_write
from wbmem_git.verbs.doctor.facts import bad, warn

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.store.journal import Intent
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.doctor.facts import Fact

NEXT_WRITER = (
    "the next wbmem that writes here settles what that one had begun, and takes its locks away; "
    "where nothing is to be written: wbmem fix"
)


def is_writing(repository: Repository) -> bool:
    """Whether a wbmem holds the writers' lock."""
    try:
        lock = Path(private_folder(repository.common_dir), "write.lock")
        descriptor = open_plain(str(lock), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False


def begun(repository: Repository) -> Iterator[Fact]:
    """The journal of a wbmem that was killed, and what keeps the next one from settling it."""
    journal = Journal(repository.common_dir)
    if not os.path.lexists(journal.path) or is_writing(repository):
        return
    writing = journal.read()
    if not os.path.lexists(journal.path):
        return  # it was settled meanwhile
    if writing is None:
        yield _unreadable(journal.path)
        return
    what = f"{journal.path}: a wbmem was killed while it wrote{_paths(writing)}"
    folder = Path(journal.path).parent
    if not may_write(folder):
        then = f"let {folder} be written, then: wbmem fix"
        yield bad("writing", f"{what}, and {folder} can't be written", then)
    elif goes_on(writing):
        yield warn(
            "writing",
            f"{what}; its git commit (process {writing.child}) still works",
            "let that finish; it may wait for an editor, a hook or a passphrase",
        )
    elif (lock := _in_the_way(writing)) is not None:
        yield bad(
            "writing",
            f"{what}; that can't be taken back while {lock} stands, which isn't wbmem's",
            "see what is told of that lock",
        )
    else:
        yield warn("writing", what, NEXT_WRITER)


def _unreadable(path: str) -> Fact:
    if not os.access(path, os.R_OK):
        return bad("writing", f"{path} can't be read", f"let {path} be read, then: wbmem fix")
    return bad(
        "writing",
        f"{path} says what a killed wbmem had begun, and this version of wbmem can't read it",
        "git status and git diff show what that one left; with the newest wbmem here: wbmem fix",
    )


def _paths(writing: Intent) -> str:
    paths = [shown(one.path) for one in writing.touched]
    return f" {paths[0]}{f' and {len(paths) - 1} more' if paths[1:] else ''}" if paths else ""


def _in_the_way(writing: Intent) -> Path | None:
    """The lock of the index, where it is another program's."""
    lock = lock_path(writing.index_file)
    return Path(lock) if os.path.lexists(lock) and token_in(lock) != writing.token else None
