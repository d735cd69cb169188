"""A ledger: its title and its sections."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.model import Ledger, Section
from wbmem_git.text.document import parse_document, without_end
from wbmem_git.text.languages import section_tag
from wbmem_git.text.titles import title_of

if TYPE_CHECKING:
    from wbmem_git.model import Document

IMPORTED = "<!-- wbmem: imported -->"


def parse_ledger(path: str, text: str) -> Ledger:
    """Read a ledger.

    A section runs from a level-2 heading to the next heading of level 1 or 2. Its tag goes by the title to
    the letter: one with markup in it is none of the four.
    """
    document = parse_document(text)
    lines = tuple((number, without_end(line)) for number, line in enumerate(document.lines, 1))
    cuts = [block for block in document.blocks if block.kind == "heading" and block.level <= 2]
    ends = [*(block.line - 1 for block in cuts[1:]), len(lines)]
    sections = tuple(
        Section(title_of(block.text), section_tag(block.text), block.line, lines[block.end : end])
        for block, end in zip(cuts, ends, strict=False)
        if block.level == 2
    )
    return Ledger(path, document, _title(document), _imported(document), sections)


def _title(document: Document) -> str:
    """The level-1 heading of the first line, "" where it has none."""
    for block in document.blocks[:1]:
        if block.kind == "heading" and block.level == 1 and block.line == document.body + 1:
            return title_of(block.text)
    return ""


def _imported(document: Document) -> bool:
    second = document.lines[document.body + 1 : document.body + 2]
    return bool(second) and without_end(second[0]).strip(" \t") == IMPORTED
