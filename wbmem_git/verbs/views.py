"""The views of the sidecar that other programs read: `index.json`, `events.jsonl`.

They are written only where git ignores them: there they are nobody's change. Whatever stands in the way
(a link, a folder, a full disk) is left alone, and nobody is told: who asks wbmem asks the sidecar.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.views import may_stand, put_view, read_view

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from wbmem_git.store.repository import Repository

INDEX, EVENTS = "index.json", "events.jsonl"


def write_views(repository: Repository, db: sqlite3.Connection, tree: str) -> None:
    """Write both where they differ.

    Args:
        repository: Whose working tree; a bare one has none.
        db: The sidecar, at HEAD.
        tree: HEAD's tree: what is tracked isn't ours.
    """
    for name in (INDEX, EVENTS):
        if is_ours(repository, tree, name):
            data = view(db, name)
            if read_view(repository.top, name) != data:
                put_view(repository.top, repository.git_dir, name, data)


def view(db: sqlite3.Connection, name: str) -> bytes:
    """A view's bytes as the sidecar has them."""
    from wbmem_git.verbs.events_view import events_jsonl  # noqa: PLC0415  # only after a refresh
    from wbmem_git.verbs.index_view import index_json  # noqa: PLC0415  # as above

    parts: Iterable[str] = index_json(db) if name == INDEX else events_jsonl(db)
    return "".join(parts).encode("utf-8", "backslashreplace")


def is_ours(repository: Repository, tree: str, name: str) -> bool:
    """Whether a file at the top of the working tree is for us to write."""
    from wbmem_git.verbs.outer import ignores  # noqa: PLC0415  # as above

    return (
        repository.top != ""
        and repository.entry(tree, name) is None
        and may_stand(repository.top, name)
        and ignores(repository.git, name)
    )
