"""A content: whatever has an id and can be asked for; no rule needs one, so it stands outside `model`."""

from __future__ import annotations

from typing import Literal, NamedTuple

ContentKind = Literal["board", "card", "ledger", "section", "leaf", "memory", "log", "archive"]
Layer = Literal["whiteboard", "ledger", "memory", "pinned", "log", "archive", "user", ""]


class Content(NamedTuple):
    """Whatever has an id and can be asked for: the index calls it an entry.

    Attributes:
        id: As `text.ids` makes it; a page has the empty title, a ledger's section its title, a bullet its
            section + NUL + its text.
        kind: `board`, `ledger`, `log` for a page as a whole; `card`, `memory` (an entry), `archive`; a
            ledger's `section` and its bullets (`leaf`); what a log holds is `log` too.
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
        importance: `low`, `normal`, `high`; `normal` where it says none.
        chain: The chain's number, "" for none.
        weight: Of its section, .05 to .35; cards and entries, the present, .40.
        successor: The id that an archive file says supersedes it, "" for none.
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
    importance: str = "normal"
    chain: str = ""
    weight: float = 0.05
    successor: str = ""
