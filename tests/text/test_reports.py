"""Faults that were reported of other tools that keep records in Markdown."""

from __future__ import annotations

import pytest

from wbmem_git.text.document import decode, parse_document
from wbmem_git.text.ids import card_id
from wbmem_git.text.page import parse_page


def titles(text: str) -> list[str]:
    return [card.title for card in parse_page("PLAN.md", text, "k", "board").cards]


@pytest.mark.parametrize(
    "sample",
    [
        "```md\n### Installation\n```",
        "~~~md\n### Installation\n~~~",
        "````\n```\n### Installation\n```\n````",
        "~~~\n```\n### Installation\n~~~",
        "```\n### Installation\n``` not closed yet\n### Usage\n```",
        "- item\n\n  ```\n  ### Installation\n  ```",
        "1. item\n   ```\n   ### Installation\n   ```",
        "    ### Installation",
        "- item\n\n      ### Installation",
        "\t### Installation",
        "> ### Installation",
        "<!--\n### Installation\n-->",
        "<pre>\n### Installation\n</pre>",
    ],
)
def test_a_heading_in_a_sample_is_no_card_and_cuts_none(sample: str) -> None:
    """apache/maka 5361, Fission-AI/OpenSpec 785: a memory was split at a heading inside a fence."""
    page = parse_page(
        "PLAN.md", f"## Doing\n### A\n{sample}\n\nKeep this final line.\n### B\nb\n", "k", "board"
    )
    assert [card.title for card in page.cards] == ["A", "B"]
    assert page.cards[0].last_line == "Keep this final line."
    assert "### Installation" in page.cards[0].text


def test_an_open_fence_above_a_card_swallows_it() -> None:
    """The same, turned around: a real card in a fence is gone, and the block says where."""
    document = parse_document("### A\n```\n### B\n")
    assert titles("### A\n```\n### B\n") == ["A"]
    assert [(block.kind, block.line, block.end, block.closed) for block in document.blocks[1:]] == [
        ("fence", 2, 3, False)
    ]


def test_front_matter_is_no_heading_and_holds_none() -> None:
    """engram-app/Engram 1616, markedjs/marked 1050: `---` below text made a heading of it."""
    assert titles("---\nnotes: |\n  ### not a card\n---\n### A\n") == ["A"]
    assert parse_document("---\nstatus: done\n---\n").blocks == ()


def test_a_rule_below_a_line_of_text_is_a_setext_heading_as_commonmark_says() -> None:
    """A field above `---` cuts the card: nothing hides that, and rule C6 tells of it."""
    page = parse_page("PLAN.md", "### A\nstatus: done\n---\n### B\n", "k", "board")
    assert [(card.title, card.column) for card in page.cards] == [("A", ""), ("B", "status: done")]
    assert titles("### A\nstatus: done\n\n---\n### B\n") == ["A", "B"]


def test_namesakes_have_ids_of_their_own() -> None:
    """basicmachines-co/basic-memory 1531: the edit went to the wrong one of two headings."""
    first, second = parse_page("PLAN.md", "### Fix login\na\n### Fix login\nb\n", "k", "board").cards
    assert first.id == card_id("k", "PLAN.md", "Fix login")
    assert second.id == card_id("k", "PLAN.md", "Fix login", 2)


@pytest.mark.parametrize("newline", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize("bom", ["", "\ufeff"])
def test_bom_and_line_ends_hide_no_card_and_move_no_line(bom: str, newline: str) -> None:
    """microsoft/amplifier-foundation 308, QwenLM/qwen-code 2053: a BOM made the first heading vanish."""
    text = bom + newline.join(["### A", "x\u2028y\x0cz", "### B", ""])
    page = parse_page("PLAN.md", text, "k", "board")
    assert [(card.title, card.line, card.end) for card in page.cards] == [("A", 1, 2), ("B", 3, 3)]


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_utf_16_is_no_text_and_not_a_page_without_cards(encoding: str) -> None:
    """rrnewton/minibeads 19: refuse a file that can't be read instead of keeping a part of it."""
    assert decode("### A\n".encode(encoding)) is None


@pytest.mark.parametrize(
    "line", ["###登录修复", "＃＃＃ 登录修复", "###\u3000登录修复", "###\u00a0x", "####### x", "\\### x"]
)
def test_what_looks_like_a_heading_and_is_none_makes_no_card(line: str) -> None:
    """akof1314/Wiz.Editor.md 120: `#Header` without a space. Rule C6 tells of such lines."""
    assert titles(f"### A\n{line}\n") == ["A"]


def test_closing_hashes_are_no_part_of_a_title() -> None:
    assert titles("### 站会 ###\n### C#\n### a \\###\n###  b  ##  \n") == ["站会", "C#", "a ###", "b"]
