"""The fast readers against markdown-it: the structure of a text, and what a heading's text is."""

from __future__ import annotations

from fuzz.inputs import text_of
from wbmem_git.text import commonmark, scan, titles

LONGEST_TITLE = 300


def check(data: bytes) -> None:
    """One text, and each of its lines as a title."""
    text = text_of(data)
    assert scan.blocks(text) == commonmark.blocks(text), "the scanner reads another structure"
    for raw in {block.text for block in scan.blocks(text) if block.kind == "heading"} | {
        *text.split("\n")[:20]
    }:
        title = raw.strip()[:LONGEST_TITLE]
        assert titles.inline_text(title) == commonmark.inline_text(title), f"another title: {title!r}"
