"""What `wbmem doctor` says of the sidecar and its views: where they are, and what is in their way."""

from __future__ import annotations

import os
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING

from wbmem_git.store.failures import Failures
from wbmem_git.store.history import cut_off
from wbmem_git.store.sidecar import Sidecar
from wbmem_git.store.views import may_stand
from wbmem_git.verbs.doctor.facts import bad, ok, warn
from wbmem_git.verbs.refresh import fits
from wbmem_git.verbs.views import EVENTS, INDEX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.doctor.facts import Fact

IN_MEMORY = "questions are answered from the commits, each time anew"


def derived(repository: Repository) -> Iterator[Fact]:
    """The sidecar, then what is wrong with the views."""
    head = repository.head()
    yield _sidecar(repository, head)
    for name in (INDEX, EVENTS) if repository.top else ():
        if repository.entry(repository.tree_of(head), name) is not None:
            yield warn(
                "views",
                f"{name} is tracked by git: it says what it said when it was committed, and nobody writes it",
                f"git update-index --force-remove {name}, then commit: the file stays, and goes on",
            )
        elif not may_stand(repository.top, name):
            yield warn(
                "views", f"{name} is no plain file: nobody writes it", "move it away, then wbmem index"
            )


def _sidecar(repository: Repository, head: str) -> Fact:
    sidecar = Sidecar(repository.git_dir)
    why, then = in_the_way(Path(sidecar.folder), Path(sidecar.path))
    if why:
        return bad("sidecar", f"{why}: {IN_MEMORY}", then)
    try:
        meta = sidecar.begin()
    finally:
        sidecar.close()
    if Failures(repository.git_dir, monotonic).too_many(head):
        return bad(
            "sidecar",
            f"{sidecar.path} couldn't be written several times: {IN_MEMORY}",
            "wbmem index --rebuild",
        )
    if meta is None:
        return ok("sidecar", f"{sidecar.path} isn't there, or can't be read: the next question builds it")
    if fits(meta, head, cut_off(repository)):
        return ok("sidecar", f"{sidecar.path} is at HEAD")
    at = meta.get("head", "")[:12] or "no commit"
    return ok("sidecar", f"{sidecar.path} is at {at}: the next question brings it to HEAD")


def in_the_way(folder: Path, path: Path) -> tuple[str, str]:
    """Why the sidecar can't be written, and what to do; "" where it can."""
    there = folder if os.path.lexists(folder) else folder.parent
    if not there.is_dir():
        return f"{there} is no folder", f"move {there} away, then wbmem index"
    for place in (there, path, folder / "sidecar.lock"):
        if os.path.lexists(place) and not os.access(place, os.W_OK):
            return f"{place} can't be written", f"let {place} be written, then wbmem index"
    if path.is_dir() and any(path.iterdir()):
        return f"{path} is a folder", f"move {path} away, then wbmem index"
    lock = folder / "sidecar.lock"
    if os.path.lexists(lock) and not lock.is_file():
        return f"{lock} is no plain file", f"move {lock} away, then wbmem index"
    return "", ""
