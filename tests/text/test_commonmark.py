"""The reference is markdown-it's own answer, and never fails."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from markdown_it import MarkdownIt
from text.nasty import documents
from text.spec import TIMES, examples

from wbmem_git.text import commonmark
from wbmem_git.text.html_blocks import ANY_TAG, BLOCK_TAG

PLAIN = MarkdownIt("commonmark")
KINDS = {"heading_open": ("heading",), "fence": ("fence",), "html_block": ("comment", "html")}


def assert_top_level_of(text: str) -> None:
    """The blocks are markdown-it's tokens of level 0, line for line."""
    try:
        tokens = PLAIN.parse(text)
    except IndexError:  # 4.3.0: some texts without a last line feed
        tokens = PLAIN.parse(text + "\n")
    expected = [
        (KINDS[token.type], token.map, int(token.tag[1:] or 0) if token.type == "heading_open" else 0)
        for token in tokens
        if token.level == 0 and token.type in KINDS
    ]
    blocks = commonmark.blocks(text)
    assert len(blocks) == len(expected), repr(text)
    for block, (kinds, lines, level) in zip(blocks, expected, strict=True):
        assert block.kind in kinds, repr(text)
        assert [block.line - 1, block.end] == lines, repr(text)
        assert block.level == level, repr(text)


def test_blocks_are_the_top_level_tokens_of_every_spec_example() -> None:
    for example in examples():
        assert_top_level_of(example.markdown)


@settings(max_examples=400 * TIMES, deadline=None, suppress_health_check=list(HealthCheck))
@given(documents)
def test_blocks_are_the_top_level_tokens_of_nasty_documents(text: str) -> None:
    assert_top_level_of(text)


def test_a_text_that_markdown_it_chokes_on_is_read() -> None:
    assert commonmark.blocks(">9. <script\n>") == ()


@pytest.mark.parametrize("marker", ["- ", "> ", "1. ", "> - "])
@pytest.mark.parametrize("depth", [9, 10, 19, 20, 21, 49, 50, 99, 100, 101, 3_000])
def test_deep_nesting_swallows_no_heading_and_exhausts_no_stack(marker: str, depth: int) -> None:
    blocks = commonmark.blocks(f"{marker * depth}x\n\n# still here\n")
    assert [(block.kind, block.text) for block in blocks] == [("heading", "still here")]


def test_closed_tells_whether_the_end_of_the_text_cut_a_block_off() -> None:
    closed = {
        "```\nx\n```": True,
        "```\nx\n``": False,
        "````\n```": False,
        "```": False,
        "~~~\n```": False,
        "```\n    ```": False,
        "<!-- x -->": True,
        "<!-- x\n\ny": False,
        "<pre>\nx": False,
        "<pre>\nx</pre>": True,
        "<?x": False,
        "<div>\nx": True,
        "<a>\nx": True,
    }
    assert {text: commonmark.blocks(text)[0].closed for text in closed} == closed


def test_a_block_keeps_its_raw_text_with_lf_ends() -> None:
    comment, tag, fence, heading = commonmark.blocks(
        "  <!-- a\r\n b --> c\r\n<div>\n</div>\n\n~~~ x  y \n~~~\n# *a* #"
    )
    assert comment.text == "  <!-- a\n b --> c"
    assert tag.text == "<div>\n</div>"
    assert fence.text == "x  y"
    assert heading.text == "*a*"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ("plain", "plain"),
        ("*a* __b__ ***c***", "a b c"),
        (r"\*a\* \# C:\dir", r"*a* # C:\dir"),
        ("R&amp;D &#65;&#x42; &nosuch;", "R&D AB &nosuch;"),
        ("`` a`b `` `<b>`", "a`b <b>"),
        ("<b>x</b> <!-- y --> <br/>z", "x  z"),
        ("[a *b*](/u 't') ![c *d* ![e](f)](/g)", "a b c d e"),
        ("[a][b] [c] [d][]", "[a][b] [c] [d][]"),
        ("<https://e.org/a_b_c> <a@b.org>", "https://e.org/a_b_c a@b.org"),
        ("a  \nb\\\nc\nd", "a b c d"),
        ("2 * 3 * 4", "2 * 3 * 4"),
    ],
)
def test_inline_text_is_what_a_reader_sees(raw: str, text: str) -> None:
    assert commonmark.inline_text(raw) == text


def test_the_tags_of_html_blocks_are_markdown_its() -> None:
    from markdown_it.common.html_blocks import block_names
    from markdown_it.common.html_re import HTML_OPEN_CLOSE_TAG_STR

    assert {name for name in block_names if not BLOCK_TAG.match(f"<{name}>")} == set()
    ours = BLOCK_TAG.pattern.partition("(?a:")[2].partition(")")[0]
    assert sorted(ours.split("|")) == sorted(block_names)
    theirs = re.compile(HTML_OPEN_CLOSE_TAG_STR + r"\s*$")
    for tag in (
        "<a>",
        "<a b>",
        "<a b=c d='e' f=\"g\" />",
        "</a >",
        "<a b='>",
        "<a/ >",
        "<1>",
        "<a  =b>",
        "<a b=c`>",
    ):
        assert bool(theirs.match(tag)) == bool(ANY_TAG.match(tag)), tag
