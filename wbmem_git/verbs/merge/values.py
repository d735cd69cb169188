"""What a merge by card gives back, and what it asks of git: values that driver, sync and resolve share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

Taken = Literal["ours", "theirs", "gone"]
"""Whose archive file stays; `gone`: it goes, for its card is on a page."""
First = Literal["ours", "theirs"]
"""Whose card keeps the title where both sides made one."""
NoteKind = Literal["retitled", "unarchived", "kept", "moved", "joined", "renumbered"]


GONE_ELSEWHERE = "it is edited on one side, and on the other it is gone from this page: archived or moved"
"""Why one file alone can't tell what becomes of a card."""
RESOLVE = "wbmem resolve"
"""What settles that: whole trees tell, and so there is no version to choose yet."""


class Lines3(Protocol):
    """A merge of three texts by lines: `Repository.merge_texts`, or anything that does the same."""

    def __call__(self, base: str, ours: str, theirs: str, *, union: bool = False) -> tuple[str, int]:
        """The merged text and how many conflicts are left in it, each between git's markers."""


class Conflict(NamedTuple):
    """What a person has to decide. Nothing is lost: both versions stand in the merged text, between markers.

    Attributes:
        path: The page or archive file.
        line: Where the markers begin in its merged text, 1-based.
        id: The card's; "" where it is about a page.
        title: The card's.
        why: What both sides did, a sentence without a full stop.
        way_out: What to type, a sentence or a command.
    """

    path: str
    line: int
    id: str
    title: str
    why: str
    way_out: str


class Note(NamedTuple):
    """What was settled in a way that a person may want to know of.

    Attributes:
        kind: `retitled` (two new cards of one title: one of them has another one now), `unarchived` (archived
            there and edited here: the edited card stays, the archive file goes), `kept` (gone on one side
            without an archive file, so it was kept), `moved` (both sides moved it, ours was taken), `joined`
            (renamed there and edited here: the edits are under the new title, or both cards stay),
            `renumbered` (a ledger of theirs has another letter, since ours has its name).
        path: The page it stands on now. id: its id now.
        title: Its title now.
        told: What happened, a sentence without a full stop.
    """

    kind: NoteKind
    path: str
    id: str
    title: str
    told: str


class MergedPages(NamedTuple):
    """What became of all pages, and of the archive.

    Attributes:
        texts: Path → text, for every page of either side (None: it goes), and for every archive file with a
            Conflict. A text that is ours is there too, byte for byte.
        conflicts: What a person has to decide, page by page, line by line.
        notes: What was settled.
        archive: Id → whose archive file stays, for every id that either side has archived. Those with a
            Conflict are left out: they are in `texts`.
    """

    texts: Mapping[str, str | None]
    conflicts: tuple[Conflict, ...]
    notes: tuple[Note, ...]
    archive: Mapping[str, Taken]
