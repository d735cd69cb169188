"""A document is taken apart without loss."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from text.nasty import documents
from text.spec import TIMES

from wbmem_git.text.document import bare_lines, decode, parse_document, render

if TYPE_CHECKING:
    from pathlib import Path

FIRM = settings(deadline=None, suppress_health_check=list(HealthCheck))


@settings(FIRM, max_examples=400 * TIMES)
@given(st.one_of(documents, st.text(), st.text("\ufeff-. \n\r\t\x0b\x0c\x1c\x85\u2028a#")))
def test_every_text_comes_back_as_it_was(text: str) -> None:
    document = parse_document(text)
    assert render(document) == text
    assert all(line.rstrip("\r\n") + line[len(line.rstrip("\r\n")) :] == line for line in document.lines)
    assert bare_lines(document) == tuple(
        line.rstrip("\r\n") for line in parse_document(text.removeprefix("\ufeff")).lines
    )


@settings(FIRM, max_examples=200 * TIMES)
@given(st.binary())
def test_every_blob_that_is_text_comes_back_as_it_was(data: bytes) -> None:
    text = decode(data)
    if text is None:
        assert b"\0" in data or data != data.decode(errors="replace").encode()
    else:
        assert render(parse_document(text)).encode() == data


def test_real_pages_come_back_as_they_were(corpus: list[Path]) -> None:
    for page in corpus:
        text = decode(page.read_bytes())
        assert text is not None
        assert render(parse_document(text)).encode() == page.read_bytes()


@pytest.mark.parametrize(
    "data", [b"a\0b", b"\xff\xfe#\0 \0A\0", b"\xc3(", b"\xed\xa0\x80", "é".encode("latin-1")]
)
def test_a_nul_or_other_encodings_are_no_text(data: bytes) -> None:
    assert decode(data) is None


def test_a_bom_is_text_and_no_part_of_the_structure() -> None:
    document = parse_document("\ufeff# A\n")
    assert document.lines == ("\ufeff# A\n",)
    assert [(block.line, block.text) for block in document.blocks] == [(1, "A")]
    assert bare_lines(document) == ("# A",)


def test_lines_end_at_lf_crlf_and_cr_only() -> None:
    text = "a\nb\r\nc\rd\x0be\x0cf\x1cg\x85h\u2028i\u2029j"
    assert parse_document(text).lines == ("a\n", "b\r\n", "c\r", "d\x0be\x0cf\x1cg\x85h\u2028i\u2029j")


@pytest.mark.parametrize("end", ["---", "..."])
@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_front_matter_is_cut_off_and_its_lines_count(end: str, newline: str, bom: str) -> None:
    text = bom + newline.join(["---", "notes: |", "  ### not a card", end, "### A", ""])
    document = parse_document(text)
    assert document.body == 4
    assert [(block.line, block.text) for block in document.blocks] == [(5, "A")]


@pytest.mark.parametrize(
    "text",
    ["---\na: b\n", "\n---\na: b\n---\n", "--- \na: b\n---\n", "----\na\n----\n", "---", "--- a\n---\n", ""],
)
def test_whatever_else_begins_a_page_is_no_front_matter(text: str) -> None:
    assert parse_document(text).body == 0


def test_an_empty_front_matter_is_one() -> None:
    assert parse_document("---\n---\n# A\n").body == 2
