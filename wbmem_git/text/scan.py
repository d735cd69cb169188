"""The structure of a text."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbmem_git.model import Block


def blocks(text: str, first: int = 1) -> tuple[Block, ...]:
    """The structure of `text`, with its first line numbered `first`: what `commonmark.blocks` says."""
    from wbmem_git.text import commonmark  # noqa: PLC0415  # markdown-it takes 60 ms to import

    return commonmark.blocks(text, first)
