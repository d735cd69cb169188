"""A title that a person gives to a card, as a heading, and the id that it makes."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.text.ids import card_id
from wbmem_git.text.page import CARD_LEVELS, parse_page
from wbmem_git.verbs.find import live_successor

if TYPE_CHECKING:
    from wbmem_git.model import Card, PageKind
    from wbmem_git.verbs.assign import Side
    from wbmem_git.verbs.three_trees import Versions


class Heading(NamedTuple):
    """What stands behind the `#`s, and the title that CommonMark reads there."""

    raw: str
    title: str


class ArchivedTitle(UsageError):
    """A new card of an archived title (C5)."""

    def __init__(self, title: str, archived: str, later: Card | None = None) -> None:
        told, ways = "", f"bring it back: wbmem restore {archived[:12]} --commit"
        if later is not None:
            told = f", which is {later.title!r} now, {later.path}:{later.line}"
            ways = f"write to that one, {later.title!r}"
        super().__init__(
            f"{title!r} is the title of an archived card ({archived}){told}",
            f"{ways}; or take another title: {title} (2)",
        )


def heading_of(text: str, kind: PageKind) -> Heading:
    """The heading that this text makes on a page of that kind.

    Raises:
        UsageError: It makes none: it is empty, or has a line end or a control character.
    """
    raw = unicodedata.normalize("NFC", text.strip())
    if any(unicodedata.category(char) in {"Cc", "Zl", "Zp"} for char in raw):
        raise UsageError("a title is one line without control characters")
    page = parse_page("", f"{'#' * CARD_LEVELS.get(kind, 2)} {raw}\n", "", kind)
    if len(page.cards) != 1 or not page.cards[0].title:
        raise UsageError(f"{text!r} makes no title")
    return Heading(raw, page.cards[0].title)


def free_id(versions: Versions, path: str, title: str) -> str:
    """The id of a new card of that title: the first one that no card has or had on any version.

    Raises:
        ArchivedTitle: The bare title's card is archived.
    """
    sides: tuple[Side, ...] = tuple(version.side for version in versions.all)
    first = card_id(versions.key, path, title)
    if any(first in side.archive for side in sides):
        raise ArchivedTitle(title, first, live_successor(versions, first))
    n = 1
    while True:
        name = card_id(versions.key, path, title, n)
        if not any(name in version.ids or name in version.side.archive for version in versions.all):
            return name
        n += 1
