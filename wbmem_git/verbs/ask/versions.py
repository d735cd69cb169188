"""`wbmem versions`: what a card, an entry or a page went through, through moves, renames and the archive."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import UnknownId
from wbmem_git.store.versions import versions as stored
from wbmem_git.text.moments import moment
from wbmem_git.verbs.ask.archived import Archived, archived
from wbmem_git.verbs.ask.resolve import resolve
from wbmem_git.verbs.discretion import masked

if TYPE_CHECKING:
    from wbmem_git.store.connection import Connection
    from wbmem_git.store.versions import Version
    from wbmem_git.verbs.reader import Ground


class History(NamedTuple):
    """The versions of one thing, the newest first.

    Attributes:
        page: Where it stands now, "" where it is gone.
        archived: Why it is no more what it was, and as what it goes on.
    """

    id: str
    page: str
    versions: tuple[Version, ...]
    archived: Archived = Archived()


def versions(ground: Ground, wanted: str) -> History:
    """Every version of what is meant. Sections and bullets have those of their page.

    Raises:
        UnknownId: Nothing answers to it. AmbiguousId: Several ids begin so.
    """
    meant = resolve(ground.db, wanted)
    found = tuple(stored(ground.db, meant.history))
    if not found:
        raise UnknownId(wanted)
    return History(meant.id, meant.path, found, archived(ground.db, meant.id))


def newest(db: Connection, history: str, most: int) -> tuple[Version, ...]:
    """The newest versions under an id, at most so many."""
    return tuple(islice(stored(db, history), most))


def as_json(found: History, degraded: str = "") -> dict[str, Any]:
    """The object of `--json` and the API."""
    said: dict[str, Any] = {
        "ok": True,
        "id": found.id,
        "page": found.page,
        "versions": [version_json(version) for version in found.versions],
    }
    said |= found.archived.as_json()
    return masked(said | ({"degraded": degraded} if degraded else {}))


def version_json(version: Version) -> dict[str, Any]:
    """One version, as CONTRACTS §3 has it."""
    return {
        "commit": version.commit,
        "time": moment(version.time),
        "author": version.author,
        "actor": version.actor,
        "subject": version.subject,
        "kind": version.kind,
        "page": version.path,
    }
