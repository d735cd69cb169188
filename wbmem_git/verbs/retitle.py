"""`wbmem fix --retitle`: titles of their own for namesakes, ` · <column>` behind them, else ` (2)`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.ids import card_id
from wbmem_git.text.titles import title_of
from wbmem_git.verbs.edits import Splice, heading_end, spliced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Card, Page
    from wbmem_git.verbs.assign import Side


def retitled_namesakes(side: Side, key: str) -> dict[str, str | None]:
    """The pages that have namesakes, with another heading for each but the first of a title.

    The first is the card whose id is computed from the bare title, so that it needs no new one.
    """
    edits: dict[str, str | None] = {}
    for path in sorted(side.pages):
        splices = tuple(_splices(side.pages[path], key))
        if splices:
            edits[path] = spliced(side.pages[path].document, splices)
    return edits


def _splices(page: Page, key: str) -> Iterator[Splice]:
    taken = {card.title for card in page.cards}
    by_title: dict[str, list[Card]] = {}
    for card in page.cards:
        by_title.setdefault(card.title, []).append(card)
    for title, cards in by_title.items():
        keeper = next((card for card in cards if card.id == card_id(key, page.path, title)), cards[0])
        for card in cards if title else ():
            if card is not keeper:
                yield _retitled(page, card, taken)


def _retitled(page: Page, card: Card, taken: set[str]) -> Splice:
    """The heading with a suffix that makes its title the only one of its kind on the page."""
    heading = next(block for block in page.document.blocks if block.line == card.line)
    level = "#" * heading.level
    for suffix in _suffixes(card.column):
        raw = f"{heading.text.strip()}{suffix}"
        title = title_of(raw)
        if title not in taken and title != card.title:
            break
    taken.add(title)
    return Splice(card.line, heading_end(page, card) - card.line + 1, (f"{level} {raw}",))


def _suffixes(column: str) -> Iterator[str]:
    if column:
        yield f" · {column}"
    n = 2
    while True:
        yield f" ({n})"
        n += 1
