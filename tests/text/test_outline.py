"""Which comment is whose metadata line."""

from __future__ import annotations

import pytest
from text.parsing import A, B, board, only


@pytest.mark.parametrize(
    "below",
    [
        "<!-- status: current -->",
        "\n<!-- status: current -->",
        f"<!-- memory:{A} -->\n\n<!-- status: current -->",
        f"<!-- memory:{A} -->\n<!-- a remark -->\n<!-- status: current -->",
        f"<!-- status: current -->\n<!-- memory:{A} -->",
    ],
)
def test_a_metadata_line_follows_the_heading_or_the_anchor(below: str) -> None:
    card = only(board(f"### T\n{below}\n<!-- model -->\n<!-- /model -->\n"))
    assert card.metadata.get("status") == "current"
    assert card.lines[card.metadata.line - 1] == "<!-- status: current -->"


@pytest.mark.parametrize(
    "below",
    [
        "text\n<!-- status: current -->",
        "<!-- user -->\n<!-- status: current -->\n<!-- /user -->",
        "<!-- status: current --> text",
        "<!-- status:\ncurrent -->",
        "<!-- a remark -->",
        "- <!-- status: current -->",
    ],
)
def test_a_comment_elsewhere_is_no_metadata_line(below: str) -> None:
    card = only(board(f"### T\n{below}\nx\n"))
    assert card.metadata.line == 0
    assert card.metadata.pairs == ()


def test_a_metadata_line_above_the_heading_belongs_to_the_card_below() -> None:
    page = board(
        "## Doing\nprose\n<!-- status: current -->\n### A\na\n\n<!-- status: retracted -->\n\n### B\nb\n"
    )
    first, second = page.cards
    assert (first.metadata.get("status"), first.metadata.line) == ("current", 3)
    assert (first.line, first.end, first.lines) == (4, 6, ("### A", "a", ""))
    assert (second.metadata.get("status"), second.metadata.line) == ("retracted", 7)
    assert (second.line, second.lines) == (9, ("### B", "b"))
    assert [mark.kind for mark in second.marks] == ["metadata"]
    assert page.columns[0].prose == ((2, "prose"),)


def test_the_line_below_wins_and_the_comment_above_stays_where_it_is() -> None:
    first, second = board("### A\na\n<!-- date: x -->\n### B\n<!-- status: current -->\nb\n").cards
    assert first.lines[-1] == "<!-- date: x -->"
    assert first.metadata.line == 0
    assert second.metadata.pairs == (("status", "current"),)


def test_an_empty_cards_own_line_stays_its_own() -> None:
    text = f"### A\n<!-- memory:{A} -->\n<!-- status: current -->\n\n### B\n<!-- memory:{B} -->\n"
    first, second = board(text).cards
    assert first.metadata.get("status") == "current"
    assert second.metadata.line == 0


def test_an_older_page_of_empty_cards_keeps_each_line_with_its_heading() -> None:
    names = ["A", "B", "C"]
    text = "".join(f"<!-- source: {name} -->\n### {name}\n" for name in names)
    assert [(card.title, card.metadata.get("source")) for card in board(text).cards] == [
        (n, n) for n in names
    ]


def test_an_older_page_may_have_a_blank_line_above_a_heading() -> None:
    first, second = board("<!-- source: A -->\n### A\n<!-- source: B -->\n\n### B\n").cards
    assert (first.metadata.get("source"), second.metadata.get("source")) == ("A", "B")


def test_a_line_between_two_empty_cards_is_the_upper_ones() -> None:
    first, second = board("### A\n<!-- source: A -->\n### B\n").cards
    assert (first.metadata.get("source"), second.metadata.line) == ("A", 0)


def test_a_comment_set_off_from_an_empty_card_goes_with_the_heading_below_it() -> None:
    first, second = board("### A\n\n<!-- status: current -->\n### B\n").cards
    assert first.metadata.line == 0
    assert first.lines == ("### A", "")
    assert second.metadata.line == 3
