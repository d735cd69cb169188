"""Leaves: top-level list items with what is nested in them, and the blocks outside lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wbmem_git.text.document import bare_lines, parse_document
from wbmem_git.text.leaves import leaves_of

if TYPE_CHECKING:
    from wbmem_git.text.leaves import Leaf

LINES = (
    *(
        "a",
        "b",
        "",
        "- a",
        "- b",
        "  - c",
        "  d",
        "* e",
        "1. f",
        "2. g",
        "   h",
        "3) i",
        "> q",
        "---",
        "- - j",
    ),
    *("```", "    code", "-", "# h", "### h", "<!-- c -->", "\ta", "-\tk", "+ l", " - m", "<div>"),
)


def leaves(text: str) -> list[Leaf]:
    document = parse_document(text)
    lines = bare_lines(document)
    return list(leaves_of(lines, 1, len(lines), {block.line: block for block in document.blocks}))


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- a\n- b\n", [(1, 1), (2, 2)]),
        ("- a\n  - b\n\n  c\n- d\n", [(1, 4), (5, 5)]),
        ("1. a\n   wrapped\nlazy\n2. b\n", [(1, 3), (4, 4)]),
        ("- a\n\nparagraph\n2. not a list\n", [(1, 1), (3, 4)]),
        ("a\nb\n\nc\n", [(1, 2), (4, 4)]),
        ("> a\n> b\nc\n- d\n", [(1, 3), (4, 4)]),
        ("- a\n---\nb\n", [(1, 1), (3, 3)]),
        ("- a\n```\n- code\n```\n- b\n", [(1, 1), (2, 4), (5, 5)]),
        ("- a\n\n  ```\n  - code\n\n  ```\n- b\n", [(1, 6), (7, 7)]),
        ("a\n<!-- c -->\n### h\nb\n", [(1, 1), (4, 4)]),
        ("- a\n\n\n", [(1, 1)]),
        ("| a | b |\n| - | - |\n| 1 | 2 |\n", [(1, 3)]),
        ("-      code\n  b\n c\n\n d\n", [(1, 3), (5, 5)]),
        ("    code\n\n    more\ntext\n", [(1, 3), (4, 4)]),
        ("    code\n2. b\n", [(1, 1), (2, 2)]),
        ("-\n\n  a\n", [(1, 1), (3, 3)]),
        ("- a\n  -\n\n  b\n", [(1, 4)]),
        ("-\na\n", [(1, 1), (2, 2)]),
        ("- ```\n  b\n  ```\nc\n", [(1, 3), (4, 4)]),
        ("", []),
    ],
)
def test_where_leaves_begin_and_end(text: str, found: list[tuple[int, int]]) -> None:
    assert [(leaf.line, leaf.end) for leaf in leaves(text)] == found


def test_items_are_told_from_other_blocks() -> None:
    assert [leaf.is_item for leaf in leaves("- a\n\nb\n\n1. c\n```\n```\n")] == [True, False, True, False]


@settings(deadline=None)
@given(st.lists(st.sampled_from(LINES)))
def test_leaves_are_in_order_and_hold_every_line_that_is_no_structure(texts: list[str]) -> None:
    text = "\n".join(texts)
    document = parse_document(text)
    lines = bare_lines(document)
    found = leaves(text)
    covered = [line for leaf in found for line in range(leaf.line, leaf.end + 1)]
    assert covered == sorted(set(covered))
    structure = {
        line
        for block in document.blocks
        if block.kind in {"heading", "comment"}
        for line in range(block.line, block.end + 1)
    }
    for number, line in enumerate(lines, 1):
        if number not in covered and number not in structure and line.strip():
            assert set(line.strip()) <= {"-", "*", "_", " "}


def test_items_begin_where_commonmark_begins_them() -> None:
    text = "- a\n  - b\n* c\n\n1. d\n2. e\n   - f\n\nlazy\n10. g\n\n10. h\n11) i\n"
    tokens = MarkdownIt("commonmark").parse(text)
    items = [
        token.map[0] + 1
        for token in tokens
        if token.type == "list_item_open" and token.level == 1 and token.map
    ]
    assert [leaf.line for leaf in leaves(text) if leaf.is_item] == items
