"""What an id, its beginning, a page's path or a ledger's stem means in a sidecar, also of what is gone."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UnknownId
from wbmem_git.store.entries import at_line, ids_from, page_of, page_with_id, with_id
from wbmem_git.store.git import typed
from wbmem_git.store.sidecar import UNREADABLE, get_meta, listed
from wbmem_git.store.versions import renamed_to, versions
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.find import MARK, only_one, prefix_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.entries import Entry

FOLDER = "handoff/"
MOST_DIGITS = 9
"""More has no number of a line."""
TOLD = 5
"""How many ids an ambiguous prefix is answered with."""


class Gone(UnknownId):
    def __init__(self, wanted: str, name: str, successor: str = "") -> None:
        super().__init__(wanted, f"what {wanted!r} names stands on no page any more, and in no archive file")
        on = f"it was renamed and goes on as {successor}; " if successor else ""
        self.hint = (
            f"{on}wbmem versions {name[4:12]} lists what it was, wbmem show {name[4:12]} COMMIT shows it"
        )


class Unread(UnknownId):
    def __init__(self, wanted: str, path: str) -> None:
        super().__init__(wanted, f"{wanted!r} last stood on {path}, which is no UTF-8 text")
        self.hint = f"write {path} again as UTF-8: wbmem explain E1"


class Resolved(NamedTuple):
    """What is meant.

    Attributes:
        id: Its id.
        history: The id that its versions stand under: its own, or that of its page, for what has none.
        path: The page that it stands on now, "" where it is gone.
        before: The id that was asked for, where it is of an earlier workspace key; "" otherwise.
    """

    id: str
    history: str
    path: str
    before: str = ""


def resolve(db: Connection, wanted: str) -> Resolved:
    """What `wanted` names: a page's path, a ledger's stem, an id or 8 of its hex digits or more.

    And whatever else wbmem writes of a place: `PLAN.md#mem_…`, `PLAN.md:5`, an anchor whole, each also with
    the memory's folder before it (`handoff/PLAN.md`).

    Raises:
        UnknownId: Nothing does, in the present or in the past. ShortId: It is too short for an id.
        AmbiguousId: Several ids begin so.
    """
    wanted = typed(wanted.strip())
    if wanted.startswith("<!--") and wanted.endswith("-->"):
        wanted = wanted[4:-3].strip().removeprefix("memory:")
    if page_of(db, wanted) is not None:
        return _plainly(db, wanted)
    wanted = wanted.removeprefix("./").removeprefix(FOLDER)
    path, _, name = wanted.rpartition("#")
    if path and name.startswith(MARK):
        return _plainly(db, name)
    path, _, line = wanted.rpartition(":")
    is_line = line.isascii() and line.isdecimal() and len(line) <= MOST_DIGITS
    there = at_line(db, path, int(line)) if is_line else ""
    return placed(db, there) if there else _plainly(db, wanted)


def _plainly(db: Connection, wanted: str) -> Resolved:
    paths = (wanted, f"{wanted}.md")
    for path in paths:
        page = page_of(db, path)
        if page is not None:
            return Resolved(page[0], page[0], path)
    found = _ids(db, wanted)
    for path in paths if not found else ():
        name = card_id(get_meta(db, "key"), path, "")
        if name in ids_from(db, name, 1):
            return Resolved(name, name, "")
    return placed(db, only_one(wanted, found or ids_from(db, prefix_of(wanted), TOLD)))


def _ids(db: Connection, wanted: str) -> list[str]:
    """The ids that begin so; none, where it can't be the beginning of one."""
    with suppress(UnknownId):
        return ids_from(db, prefix_of(wanted), TOLD)
    return []


def placed(db: Connection, name: str) -> Resolved:
    """Where the thing of that id stands, and where its versions do."""
    page = page_with_id(db, name)
    if page is not None:
        return Resolved(name, name, page[0])
    found = with_id(db, name)
    if not found:
        now = _led_on(db, name, ("rekeyed",))
        return placed(db, now)._replace(before=name) if now else Resolved(name, name, _unread_page(db, name))
    return Resolved(name, _history(db, found[0]), found[0].path)


def absent(db: Connection, wanted: str, name: str) -> UnknownId:
    """Why what an id names can't be shown: its page can't be read, or it is gone."""
    path = _unread_page(db, name)
    return Unread(wanted, path) if path else Gone(wanted, name, goes_on(db, name))


def goes_on(db: Connection, name: str) -> str:
    """The id under which a renamed card goes on, however often it was renamed since; "" where it wasn't.

    Another workspace key gave it another one, too.
    """
    return _led_on(db, name, ("renamed", "rekeyed"))


def _led_on(db: Connection, name: str, kinds: Collection[str]) -> str:
    """The last id that changes of these kinds lead to from one; "" where none does."""
    seen = [name]
    while (further := renamed_to(db, seen[-1], kinds)) and further not in seen:
        seen.append(further)
    return seen[-1] if len(seen) > 1 else ""


def _unread_page(db: Connection, name: str) -> str:
    """The page that can't be read on which a card stood when it could; "" for none."""
    unread = listed(get_meta(db, UNREADABLE))
    last = next(versions(db, name), None) if unread else None
    return last.path if last is not None and last.kind != "removed" and last.path in unread else ""


def _history(db: Connection, entry: Entry) -> str:
    return entry.id if next(versions(db, entry.id), None) is not None else entry.page_id
