"""What questions read of the past: the versions of a card or a page, back through every rename."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from wbmem_git.store.connection import Connection

_VERSIONS = (
    "SELECT revisions.id, revisions.seq, kind, path, blob, before, oid, time, author, actor, subject"
    " FROM revisions JOIN commits ON commits.seq = revisions.seq"
    " WHERE revisions.id = ? AND hidden = 0 AND revisions.seq < ? ORDER BY revisions.seq DESC"
)
_END = 1 << 62


class Version(NamedTuple):
    """What one commit did to a card or a page.

    Attributes:
        id: The id that it had then.
        seq: The commit's place in the list of all.
        kind: `created`, `edited`, `moved`, `renamed`, `rekeyed`, `archived`, `restored`, `superseded`,
            `removed`.
        path: The page that it stands on after it, or stood on, if it is gone.
        blob: That page's, "" where it is gone.
        before: Renamed or rekeyed: the id that it had before.
        commit: The commit's oid. time: The committer's, in seconds.
        author, actor, subject: The commit's.
    """

    id: str
    seq: int
    kind: str
    path: str
    blob: str
    before: str
    commit: str
    time: int
    author: str
    actor: str
    subject: str


def versions(db: Connection, name: str) -> Iterator[Version]:
    """Every version of the card or page with that id, the newest first.

    A rename leads on to what there was before under the earlier id.
    """
    below = _END
    while name:
        asked, name = name, ""
        for row in db.execute(_VERSIONS, (asked, below)):
            version = Version(*row)
            yield version
            if version.before:
                name, below = version.before, version.seq
                break


def renamed_to(db: Connection, name: str, kinds: Collection[str] = ("renamed", "rekeyed")) -> str:
    """The id that a card was given by its last visible change; "" where that is of none of these kinds."""
    last = db.execute(
        "SELECT seq, kind, before FROM revisions WHERE id = ? AND hidden = 0 ORDER BY seq DESC LIMIT 1",
        (name,),
    ).fetchone()
    if last is None or last[1] not in kinds or last[2]:
        return ""
    row = db.execute("SELECT id FROM revisions WHERE seq = ? AND before = ?", (last[0], name)).fetchone()
    return "" if row is None else str(row[0])


def commit_time(db: Connection, oid: str) -> int | None:
    """When a commit was made, in seconds; None where it isn't in this history."""
    row = db.execute("SELECT time FROM commits WHERE oid = ?", (oid,)).fetchone()
    return None if row is None else int(row[0])
