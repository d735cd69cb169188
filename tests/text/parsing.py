"""Pages out of text, for tests of what a page says."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    from wbmem_git.model import Card, Page

KEY = "ws-1234"
A, B = "mem_" + "a" * 32, "mem_" + "b" * 32


def board(text: str) -> Page:
    return parse_page("PLAN.md", text, KEY, "board")


def entries(text: str) -> Page:
    return parse_page("MEMORY.md", text, KEY, "entries")


def only(page: Page) -> Card:
    (card,) = page.cards
    return card
