"""Pages: a text is taken apart without loss, whatever it is, and nothing of it can't be asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.inputs import ID, KEY, texts_of
from wbmem_git.text.contents import contents_of
from wbmem_git.text.defused import defused
from wbmem_git.text.document import bare_lines, parse_document, render
from wbmem_git.text.indexed import words_of
from wbmem_git.text.ledger import parse_ledger
from wbmem_git.text.marks import marks_of
from wbmem_git.text.page import parse_page
from wbmem_git.text.reread import reread

if TYPE_CHECKING:
    from wbmem_git.model import Page, PageKind

LEDGER = "handoff-20260914-101500.md"
BOARD, ENTRIES = "PLAN.md", "MEMORY.md"
KINDS: tuple[tuple[str, PageKind], ...] = (
    (BOARD, "board"),
    (ENTRIES, "entries"),
    (LEDGER, "ledger"),
    ("log/2026-09-14.md", "log"),
    (f"archive/{ID}.md", "archive"),
)


def check(data: bytes) -> None:
    """Two versions of a page: the second is looked at from all sides, and read again after the first."""
    old, text = texts_of(data, 2)
    text = text or old
    document = parse_document(text)
    assert render(document) == text, "a text isn't put together again as it was"
    for path, kind in KINDS:
        if kind in {"board", "entries"}:
            page = parse_page(path, text, KEY, kind)
            _is_whole(page)
            before = parse_page(path, old, KEY, kind)
            assert reread(before, text, KEY) == page, "read again it is another page"
        _can_be_asked_for(path, kind, text)
    parse_ledger(LEDGER, text)
    _is_defused(text)


def _is_whole(page: Page) -> None:
    """Each line stands in one card, or is told outside of them."""
    lines = bare_lines(page.document)
    told = {number for number, _ in page.prose} | {number for one in page.columns for number, _ in one.prose}
    told |= {mark.line for mark in page.marks}
    known = {card.metadata.line for card in page.cards}
    for block in page.document.blocks:
        if block.kind == "heading" or block.line in known:
            told |= {*range(block.line, block.end + 1)}
    done = page.document.body
    for card in page.cards:
        assert done < card.line <= card.end <= len(lines), "a card within another"
        assert card.lines == lines[card.line - 1 : card.end], "a card's lines aren't those of the page"
        assert all(card.line <= zone.line <= zone.end <= card.end for zone in card.zones), "a zone outside"
        told |= {*range(card.line, card.end + 1)}
        told |= {mark.line for mark in card.marks}
        done = card.end
    body = range(page.document.body + 1, len(lines) + 1)
    untold = [number for number in body if number not in told and lines[number - 1].strip(" \t")]
    assert not untold, f"line {untold[0]} stands nowhere"
    free = [card.id for card in page.cards if not card.anchor]
    assert len({*free}) == len(free), "two cards of one computed id"
    assert not {*free} & {card.anchor for card in page.cards}, "a computed id that another card bears"


def _can_be_asked_for(path: str, kind: PageKind, text: str) -> None:
    document = parse_document(text)
    lines = bare_lines(document)
    found = contents_of(path, kind, text, KEY)
    for one in found:
        assert 1 <= one.line <= one.end <= max(len(lines), 1), "a content outside its page"
        stands = "".join(f"{line}\n" for line in lines[one.line - 1 : one.end])
        is_bare = kind == "archive" and document.body == len(lines)  # front matter, and nothing below it
        assert one.text == ("" if is_bare else stands), "a content's text isn't what stands there"
        assert len(one.preview) <= 120, "a long preview"
        words_of(one)
    if kind in {"ledger", "log"}:
        assert len({one.id for one in found}) == len(found), "two contents of one id"


def _is_defused(text: str) -> None:
    plain = defused(text.replace("\r\n", "\n").replace("\r", "\n"))
    comments = (block for block in parse_document(plain).blocks if block.kind == "comment")
    assert not any(map(marks_of, comments)), "a mark is left in a text that was to have none"
