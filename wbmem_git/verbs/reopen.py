"""A card that both sides archived with other lines: it comes back to its page with the lines of both.

No archive file can hold both, since none may be edited (A1).
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.archive import parse_archive
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.cards import restored_lines, with_card
from wbmem_git.verbs.merge.cards import merge_card
from wbmem_git.verbs.merge.pieces import archived_piece

if TYPE_CHECKING:
    from wbmem_git.model import Page
    from wbmem_git.verbs.merge.values import Lines3


class ArchivedTwice(NamedTuple):
    """The archive files of one id, and, before, the card's page (None where it stood on none)."""

    ours: str
    theirs: str
    before: Page | None


def page_of(files: ArchivedTwice, key: str) -> str:
    """The page that the card left."""
    return parse_archive(files.ours, key).page


def reopened(files: ArchivedTwice, page: Page, lines3: Lines3, key: str) -> str | None:
    """The page's text with the card, the lines of both in it; None where that can't be made.

    Args:
        files: What both sides archived.
        page: The page that it left.
        lines3: Merges three texts by lines.
        key: The workspace key.
    """
    mine, other = (parse_archive(text, key) for text in (files.ours, files.theirs))
    ours, theirs = archived_piece(mine, key), archived_piece(other, key)
    if ours is None or theirs is None:
        return None
    merged = merge_card(None, ours, theirs, partial(_union, lines3))
    if merged.why:
        return None
    body = "".join(f"{line}\n" for line in merged.lines)
    card = next(iter(parse_page(mine.page, body, key, "board").cards), None) or next(
        iter(parse_page(mine.page, body, key, "entries").cards), None
    )
    lines = restored_lines(mine._replace(body=body, card=card), page)
    return with_card(page, _column(files, mine.id, page), lines)


def _union(lines3: Lines3, base: str, ours: str, theirs: str, *, union: bool = True) -> tuple[str, int]:
    del union
    return lines3(base, ours, theirs, union=True)[0], 0


def _column(files: ArchivedTwice, name: str, page: Page) -> str | None:
    """The column that it left, else the page's first; None where it has none."""
    titles = [column.title for column in page.columns]
    cards = files.before.cards if files.before is not None else ()
    before = next((card.column for card in cards if card.id == name), "")
    return before if before in titles else next(iter(titles), None)
