"""A content: whatever has an id and can be asked for; no rule needs one, so it stands outside `model`."""

from __future__ import annotations

from typing import Literal, NamedTuple

ContentKind = Literal[
    "board", "card", "ledger", "section", "leaf", "memory", "memory page", "log", "log page", "archive"
]
Layer = Literal["whiteboard", "ledger", "memory", "pinned", "log", "archive", "user", ""]


class Content(NamedTuple):
    """Whatever has an id and can be asked for: the index calls it an entry.

    Attributes:
        id: As `text.ids` makes it; a page has the empty title, a ledger's section its title, a bullet its
            section + NUL + its text.
        kind: `board`, `ledger`, `memory page`, `log page` for a page as a whole; `card`, `memory` (an entry),
            `archive`; a ledger's `section` and its bullets (`leaf`); what a log holds is `log`.
            Whoever asks is told `told_kind` of it.
        path: Its page. line: Its first line. end: Its last line, inclusive.
        section: A card's column, a leaf's section, "" where there is none.
        title: Of a bullet, its head.
        text: As it stands, LF ends.
        tags: As written, in order, each once. cues: Likewise.
        preview: At most 120 characters, no metadata line.
        sentence: The first one of its model zone, at most 48 characters.
        status: `current` where it says none.
        date: `YYYY-MM-DD` that it says, or that its page's name says; "" for none.
        valid_from: A date or "". expiry: Likewise.
        weight: Of its section, .05 to .35; cards and entries, the present, .40.
        successor: The id that an archive file says supersedes it, "" for none.
        own: What of the text no smaller content holds, of a page or a section; None: all of it.
    """

    id: str
    kind: ContentKind
    path: str
    line: int
    end: int
    section: str
    title: str
    text: str
    tags: tuple[str, ...] = ()
    cues: tuple[str, ...] = ()
    preview: str = ""
    sentence: str = ""
    status: str = "current"
    date: str = ""
    valid_from: str = ""
    expiry: str = ""
    weight: float = 0.05
    successor: str = ""
    own: str | None = None


def told_kind(kind: str) -> str:
    """A kind as everybody is told it: a log as a whole is a `log`, too."""
    return kind.removesuffix(" page")
