"""What an edit does to a text, and that it does nothing else."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pages import KEY, id_of

from wbmem_git.text.document import parse_document, render
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.assign import Side
from wbmem_git.verbs.cards import holds_in_order, with_card, without_cards
from wbmem_git.verbs.edits import Splice, anchored, cut, inserted, retitled, spliced

if TYPE_CHECKING:
    from wbmem_git.model import Page

ENDS = ("\n", "\r\n", "\r")


def page(text: str, path: str = "PLAN.md") -> Page:
    return parse_page(path, text, KEY, "board" if path == "PLAN.md" else "entries")


def applied(text: str, *splices: Splice) -> str:
    return spliced(parse_document(text), splices)


# --- splices ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("end", ENDS)
def test_new_lines_end_as_the_line_before_them_does(end: str) -> None:
    text = f"a{end}b{end}"
    assert applied(text, Splice(2, 0, ("new",))) == f"a{end}new{end}b{end}"
    assert applied(text, Splice(1, 0, ("new",))) == f"new{end}a{end}b{end}"
    assert applied(text, Splice(3, 0, ("new",))) == f"a{end}b{end}new{end}"


def test_a_line_among_others_of_another_end_takes_its_neighbours() -> None:
    assert applied("a\r\nb\nc\n", Splice(2, 0, ("new",))) == "a\r\nnew\r\nb\nc\n"
    assert applied("a\r\nb\nc\n", Splice(3, 0, ("new",))) == "a\r\nb\nnew\nc\n"


def test_a_text_without_a_final_newline_keeps_none() -> None:
    assert applied("a\nb", Splice(3, 0, ("new",))) == "a\nb\nnew"
    assert applied("a", Splice(2, 0, ("new",))) == "a\nnew"
    assert applied("a\nb", Splice(2, 1, ("new",))) == "a\nnew"
    assert applied("a\nb", Splice(1, 1, ("new",))) == "new\nb"


def test_a_bom_stays_first_whatever_becomes_of_its_line() -> None:
    assert applied("\ufeffa\nb\n", Splice(1, 1, ("new",))) == "\ufeffnew\nb\n"
    assert applied("\ufeffa\nb\n", Splice(1, 1, ())) == "\ufeffb\n"
    assert applied("\ufeffa\nb\n", Splice(1, 0, ("new",))) == "\ufeffnew\na\nb\n"


def test_an_empty_text_takes_lines() -> None:
    assert applied("", Splice(1, 0, ("a", "b"))) == "a\nb\n"


texts = st.lists(st.tuples(st.text("ab# -", max_size=4), st.sampled_from(ENDS)), max_size=8).map(
    lambda lines: "".join(line + end for line, end in lines)
)


@given(texts, st.data())
def test_every_line_outside_the_splices_is_there_byte_for_byte(text: str, data: st.DataObject) -> None:
    document = parse_document(text)
    count = len(document.lines)
    line = data.draw(st.integers(1, count + 1))
    take = data.draw(st.integers(0, count + 1 - line))
    result = spliced(document, [Splice(line, take, ("new", "er"))])
    before, after = document.lines[: line - 1], document.lines[line - 1 + take :]
    assert result.startswith("".join(before))
    assert result.endswith("".join(after))
    assert spliced(document, []) == render(document)


# --- anchors ------------------------------------------------------------------------------------------


def test_an_anchor_goes_right_below_the_heading() -> None:
    it = page("## Doing\n\n### A\ntext\n")
    assert spliced(it.document, anchored(it, it.cards[0], "mem_x")) == (
        "## Doing\n\n### A\n<!-- memory:mem_x -->\ntext\n"
    )


def test_an_anchor_goes_below_all_lines_of_a_setext_heading() -> None:
    it = page("# M\n\nTwo\nlines\n---\ntext\n", "MEMORY.md")
    assert it.cards[0].title == "Two lines"
    assert spliced(it.document, anchored(it, it.cards[0], "mem_x")) == (
        "# M\n\nTwo\nlines\n---\n<!-- memory:mem_x -->\ntext\n"
    )


def test_a_wrong_misspelt_or_misplaced_anchor_is_exchanged() -> None:
    wrong = f"### A\n<!-- memory:{id_of('B')} -->\ntext\n"
    misspelt = "### A\n\n<!-- memory:mem_123 -->\ntext\n"
    misplaced = f"### A\ntext\n\n<!-- memory:{id_of('A')} -->\nmore\n"
    for text, expected in (
        (wrong, "### A\n<!-- memory:mem_x -->\ntext\n"),
        (misspelt, "### A\n\n<!-- memory:mem_x -->\ntext\n"),
        (misplaced, "### A\n<!-- memory:mem_x -->\ntext\n\nmore\n"),
    ):
        it = page(text)
        assert spliced(it.document, anchored(it, it.cards[0], "mem_x")) == expected


# --- cards --------------------------------------------------------------------------------------------


def test_a_cut_card_takes_the_metadata_line_above_it_and_leaves_the_next_ones() -> None:
    text = "### A\na\n\n<!-- status: current -->\n### B\nb\n\n<!-- status: current -->\n### C\nc\n"
    it = page(text)
    assert spliced(it.document, cut(it.cards[1])) == "### A\na\n\n<!-- status: current -->\n### C\nc\n"
    assert spliced(it.document, cut(it.cards[0])) == text.removeprefix("### A\na\n\n")


def test_all_cards_can_be_cut_at_once() -> None:
    it = page("# Plan\n\n## Doing\n\n### A\n\n### B\n\n## Done\n\n### C")
    edits = without_cards(Side({"PLAN.md": it}, {}), [card.id for card in it.cards])
    assert edits == {"PLAN.md": "# Plan\n\n## Doing\n\n## Done\n\n"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("## One\n\n## Two\n", "## One\n\n### N\n\n## Two\n"),
        ("## One\n## Two\n", "## One\n\n### N\n\n## Two\n"),
        ("## One\n\n### A\ntext\n\n\n## Two\n", "## One\n\n### A\ntext\n\n\n### N\n\n## Two\n"),
        ("## One", "## One\n\n### N"),
        ("## One\n\n", "## One\n\n### N\n"),
        ("## One\r\n\r\n## Two\r\n", "## One\r\n\r\n### N\r\n\r\n## Two\r\n"),
    ],
)
def test_a_card_goes_to_the_end_of_its_column_with_a_blank_line_around(text: str, expected: str) -> None:
    assert with_card(page(text), "One", ["", "### N", ""]) == expected


def test_a_card_goes_to_the_end_of_a_page_without_columns() -> None:
    assert with_card(page("# Plan\n"), None, ["### N"]) == "# Plan\n\n### N\n"
    assert with_card(page(""), None, ["### N"]) == "### N\n"
    assert with_card(page("---\na: b\n---\n"), None, ["### N"]) == "---\na: b\n---\n### N\n"


def test_a_column_that_is_not_there_is_an_error() -> None:
    with pytest.raises(KeyError):
        inserted(page("## One\n"), ["### N"], "Two")


def test_a_heading_is_exchanged_with_its_anchor() -> None:
    it = page(f"  ### A ##\n<!-- memory:{id_of('A')} -->\ntext\n")
    assert spliced(it.document, retitled(it, it.cards[0], "B", "mem_x")) == (
        "### B\n<!-- memory:mem_x -->\ntext\n"
    )
    it = page("### A\ntext")
    assert spliced(it.document, retitled(it, it.cards[0], "B", "mem_x")) == (
        "### B\n<!-- memory:mem_x -->\ntext"
    )
    it = page("Title\n---\ntext\n", "MEMORY.md")
    assert spliced(it.document, retitled(it, it.cards[0], "B", "mem_x")) == (
        "## B\n<!-- memory:mem_x -->\ntext\n"
    )


def test_lines_are_held_in_order_or_not() -> None:
    assert holds_in_order(["a", "x", "b "], ["a", "", "b"])
    assert not holds_in_order(["b", "a"], ["a", "b"])
    assert not holds_in_order(["a"], ["a", "a"])
