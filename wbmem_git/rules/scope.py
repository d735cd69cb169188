"""Which paths of a change a rule runs on: "a commit answers for what it changes" (FORMAT §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Card, Change, Page


def whole(change: Change) -> tuple[str, ...]:
    """The commit as a whole: the rule compares old and new."""
    del change
    return ("",)


def judged_files(change: Change) -> tuple[str, ...]:
    """Every file that the commit itself wrote, in path order."""
    return tuple(sorted(path for path in change.judged if path in change.new.files))


def judged_pages(change: Change) -> tuple[str, ...]:
    """Boards and entry pages that the commit itself wrote."""
    return tuple(sorted(path for path in change.judged if path in change.new.pages))


def judged_boards(change: Change) -> tuple[str, ...]:
    """Boards that the commit itself wrote."""
    return tuple(path for path in judged_pages(change) if change.new.pages[path].kind == "board")


def pages_of(change: Change) -> Iterator[Page]:
    """The pages that the commit itself wrote, as the new tree has them."""
    return (change.new.pages[path] for path in judged_pages(change))


def cards_of(change: Change) -> Iterator[Card]:
    """The cards of the pages that the commit itself wrote."""
    return (card for page in pages_of(change) for card in page.cards)
