"""What a merge was settled to comes into files and index: all of it, or nothing."""

from __future__ import annotations

import os
import random
import time
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import GitError
from wbmem_git.store.index_lock import WAIT_S, IndexLocked, lock_path
from wbmem_git.verbs.commit.new_index import index_info, update_index
from wbmem_git.verbs.commit.placing import disk_refusing
from wbmem_git.verbs.commit.working_files import prepare, put_back, replace_all
from wbmem_git.verbs.temporary import own_folder

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import Entry
    from wbmem_git.verbs.commit.working_files import Replacement
    from wbmem_git.verbs.operation import Stages
    from wbmem_git.verbs.three_trees import Versions

PAUSE_S = 0.1


class Outcome(NamedTuple):
    """What becomes of paths.

    Attributes:
        files: Path → the working file's text, None where it goes.
        entries: Path → its entry in the index, None where it goes.
        stages: Path → its stages, of what isn't merged any more.
    """

    files: Mapping[str, str | None]
    entries: Mapping[str, Entry | None]
    stages: Mapping[str, Stages]


def put_in_place(repository: Repository, versions: Versions, outcome: Outcome) -> tuple[str, ...]:
    """Write the files, then the index in one step; where that fails the files are as they were.

    Returns:
        The files that weren't so yet.

    Raises:
        CannotTakeEdit: A working file can't be written. IndexLocked: Another git kept the index.
        GitError: git refuses.
    """
    read = versions.file.read
    files = {path: text for path, text in outcome.files.items() if text != read(path)}
    done: list[Replacement] = []
    with disk_refusing(), own_folder(repository) as folder:
        writes = [prepare(repository, versions, *one, folder) for one in files.items()]
        try:
            replace_all(repository, writes, done)
            _update(repository, _info(repository, outcome), time.monotonic() + WAIT_S)
        except BaseException:
            put_back(repository, done, folder)
            raise
    return tuple(files)


def _update(repository: Repository, info: bytes, until: float) -> None:
    """Give git's own index those entries; another git that has it is waited for."""
    lock = lock_path(repository.index_file())
    while True:
        try:
            update_index(repository.git, info)
        except GitError:
            if not os.path.lexists(lock):
                raise
            if time.monotonic() > until:
                raise IndexLocked(lock) from None
            time.sleep(random.uniform(0, PAUSE_S))  # noqa: S311  # so that two don't wait alike
        else:
            return


def _info(repository: Repository, outcome: Outcome) -> bytes:
    """What the index is told: what is merged, and what isn't any more."""
    lines = index_info(repository, {**outcome.entries, **dict.fromkeys(outcome.stages)})
    for path, stages in outcome.stages.items():
        for stage, (mode, oid) in stages.items():
            lines += f"{mode} {oid} {stage}\t{path}\0".encode(errors="surrogateescape")
    return lines
