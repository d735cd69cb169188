"""The views of the sidecar that other programs read: `index.json`, `events.jsonl`.

They are written only where git ignores them: there they are nobody's change. Whatever stands in the way
(a link, a folder, a full disk) is left alone, and nobody is told: who asks wbmem asks the sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.sidecar import get_meta
from wbmem_git.store.views import may_stand, middle, put_view, read_view, remember, untouched

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.kept import Kept
    from wbmem_git.store.repository import Repository

INDEX, EVENTS = "index.json", "events.jsonl"


class Before(NamedTuple):
    """The state that a refresh in place began with: its commit, and what of its past is what it was."""

    head: str
    kept: Kept


def write_views(repository: Repository, db: Connection, tree: str, before: Before | None = None) -> None:
    """Write both where they differ.

    Args:
        repository: Whose working tree.
        db: The sidecar, at HEAD.
        tree: HEAD's tree.
        before: Where it was brought from; None where it was built anew.
    """
    may_write = ours(repository, tree)
    if INDEX in may_write:
        _put(repository, INDEX, view(db, INDEX))
    if EVENTS in may_write:
        data = None if before is None else _further_events(repository, db, before)
        data = view(db, EVENTS) if data is None else data
        if _put(repository, EVENTS, data):
            count = data.count(b"\n")
            remember(repository.top, repository.git_dir, EVENTS, count, get_meta(db, "head"))


def view(db: Connection, name: str) -> bytes:
    """A view's bytes as the sidecar has them."""
    from wbmem_git.verbs.events_view import events_jsonl  # only after a refresh
    from wbmem_git.verbs.index_view import index_json

    return _encoded(index_json(db) if name == INDEX else events_jsonl(db))


def ours(repository: Repository, tree: str) -> set[str]:
    """Which of the two, at the top of the working tree, are for us to write.

    Args:
        repository: Whose working tree; a bare one has none.
        tree: HEAD's tree: what is tracked isn't ours.
    """
    return {name for name in untracked(repository, tree) if may_stand(repository.top, name)}


def untracked(repository: Repository, tree: str) -> set[str]:
    """Which of the two would be for us to write, if nothing else stands in their place."""
    from wbmem_git.verbs.outer import ignored

    names = (INDEX, EVENTS) if repository.top else ()
    free = [name for name in names if repository.entry(tree, name) is None]
    return ignored(repository.git, free) if free else set()


def _put(repository: Repository, name: str, data: bytes) -> bool:
    """Whether it stands there now. Where it did before, its time stays."""
    return read_view(repository.top, name) == data or put_view(repository.top, repository.git_dir, name, data)


def _further_events(repository: Repository, db: Connection, before: Before) -> bytes | None:
    """The file as it lies there with what changed: to write 10,000 lines anew takes longer than a refresh.

    None where it isn't the one that was written at the refresh before this.
    """
    from wbmem_git.verbs.events_view import events_jsonl  # only after a refresh

    note = untouched(repository.top, repository.git_dir, EVENTS)
    last, undone, events = before.kept
    if note is None or note.head != before.head or events > note.lines - undone:
        return None
    old = read_view(repository.top, EVENTS)
    return middle(old, note.lines - undone - events, events) + _encoded(events_jsonl(db, behind=last))


def _encoded(parts: Iterable[str]) -> bytes:
    return "".join(parts).encode("utf-8", "backslashreplace")
