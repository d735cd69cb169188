"""Why a card was archived, and by what it was superseded, as its archive file says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.store.entries import page_of, with_id
from wbmem_git.store.git import text_of
from wbmem_git.store.sidecar import get_meta
from wbmem_git.verbs.ask.resolve import goes_on

if TYPE_CHECKING:
    from wbmem_git.store.connection import Connection
    from wbmem_git.store.repository import Repository


class Archived(NamedTuple):
    """What became of a card that is on no page any more.

    Attributes:
        successor: The id under which it goes on, where it was renamed; or that of what superseded it.
        reason: What was said when it was archived.
        is_renamed: Whether the successor is the same card.
    """

    successor: str = ""
    reason: str = ""
    is_renamed: bool = False

    def as_json(self) -> dict[str, Any]:
        """The keys that an answer ends with; none where there is nothing to say."""
        return {
            name: value for name, value in (("successor", self.successor), ("reason", self.reason)) if value
        }


def archived(db: Connection, name: str) -> Archived:
    """What became of the card of that id, but for the reason: the sidecar keeps none."""
    successor = goes_on(db, name)
    if successor:
        return Archived(successor, "", is_renamed=True)
    return Archived(next((entry.successor for entry in with_id(db, name) if entry.successor), ""))


def reason_of(repository: Repository, db: Connection, path: str) -> str:
    """Why the card was archived whose archive file stands at a path."""
    from wbmem_git.text.archive import parse_archive  # most cards are on their page

    page = page_of(db, path)
    text = text_of(repository.blob(page[1])) if page is not None else ""
    return parse_archive(text, get_meta(db, "key")).reason
