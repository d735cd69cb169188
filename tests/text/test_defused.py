"""Anchors and zone marks in a text from elsewhere, as plain words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbmem_git.text.defused import defused
from wbmem_git.text.document import parse_document
from wbmem_git.text.marks import marks_of

ID = "mem_" + "0" * 32
ANCHOR = f"<!-- memory:{ID} -->"
PIECES = (
    "<!-- user -->", "<!-- /model -->", ANCHOR, "<!-- memory: x -->", "<!--", "-->", "```", "- a", "> b", "",
    "<!-- user --> <!-- /user -->", "    deep", "<div>", "## h", "words",
)  # fmt: skip


@pytest.mark.parametrize("mark", ["<!-- user -->", "<!-- /model -->", ANCHOR, "<!-- Memory：x -->"])
def test_a_mark_becomes_plain_words(mark: str) -> None:
    assert defused(f"a\n\n{mark}\nb\n") == f"a\n\n&lt;{mark[1:]}\nb\n"


def test_what_does_not_count_stays_byte_for_byte() -> None:
    text = f"```\n<!-- user -->\n```\n\n- {ANCHOR}\n\n> <!-- user -->\n\n<!-- a word of one's own -->\n"
    assert defused(text) == text


def test_what_is_the_pages_own_stays() -> None:
    text = f"{ANCHOR}\n<!-- user -->\n<!-- /user -->\n"
    assert defused(text, anchors={ID}, zones=True) == text
    assert defused(text, zones=True).startswith("&lt;")
    assert defused(text, anchors={ID}) == f"{ANCHOR}\n&lt;!-- user -->\n&lt;!-- /user -->\n"


@given(st.lists(st.sampled_from(PIECES)))
def test_no_mark_is_left(pieces: list[str]) -> None:
    text = defused("".join(f"{piece}\n" for piece in pieces))
    comments = [block for block in parse_document(text).blocks if block.kind == "comment"]
    assert [mark for block in comments for mark in marks_of(block)] == []
