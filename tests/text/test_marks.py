"""Zone marks, the zones between them, and what a person wrote where they are out of order."""

from __future__ import annotations

import pytest
from text.parsing import A, board, only

from wbmem_git.text.marks import remarks_of


@pytest.mark.parametrize(
    "body",
    [
        "<!-- user -->\nx\n",
        "x\n<!-- /user -->\n",
        "<!-- user -->\nx\n<!-- /model -->\n",
        "<!-- user -->\n<!-- model -->\n<!-- /model -->\n<!-- /user -->\n",
        "<!-- user -->\n<!-- user -->\n<!-- /user -->\n",
        "<!-- user -->\n- x\n  <!-- /user -->\n",
        "<!-- user -->\n```\n<!-- /user -->\n",
        "<!-- User -->\nx\n<!-- /user -->\n",
        "<!--\nuser\n-->\nx\n<!-- /user -->\n",
        "<!-- user --><!-- /user -->" * 10_000,
    ],
)
def test_unbalanced_marks_make_no_zones(body: str) -> None:
    card = only(board(f"### T\n{body}"))
    assert card.zones == ()
    assert card.marks


def test_a_zone_holds_its_lines_byte_for_byte() -> None:
    text = "  a \n\n\tb\n<!-- note -->\n```\n<!-- /user -->\n```\n"
    card = only(board(f"### T\n<!-- user -->\n{text}<!-- /user -->\n"))
    zone = card.zone("user")
    assert zone is not None
    assert zone.text == text


def test_an_empty_zone_is_empty_and_a_blank_line_is_a_line() -> None:
    assert only(board("### T\n<!-- user -->\n<!-- /user -->\n")).zones[0].text == ""
    assert only(board("### T\n<!-- user -->\n\n<!-- /user -->\n")).zones[0].text == "\n"


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<!-- user --> mine <!-- /user -->", " mine "),
        ("<!-- user --> a\nb <!-- /user -->", None),
        ("<!-- user --> a\n\n<!-- /user -->", " a\n\n"),
        ("<!-- user -->\na\n<!-- /user --> b", "a\n"),
        ("<!-- model -->x<!-- /model --><!-- user -->y<!-- /user -->", "y"),
    ],
)
def test_marks_amid_a_line_make_zones_too(body: str, text: str | None) -> None:
    zone = only(board(f"### T\n{body}\n")).zone("user")
    assert (zone.text if zone else None) == text


def test_a_comment_that_is_never_closed_is_no_mark() -> None:
    card = only(board("### T\n<!-- user\nx\n"))
    assert (card.marks, card.zones, card.body_lines) == ((), (), ("<!-- user", "x"))


def test_a_card_with_two_user_zones_shows_both() -> None:
    zones = only(board("### T\n<!-- user -->\na\n<!-- /user -->\n<!-- user -->\nb\n<!-- /user -->\n")).zones
    assert [zone.text for zone in zones] == ["a\n", "b\n"]


def test_marks_outside_any_card_are_the_pages() -> None:
    page = board(f"<!-- user -->\n## Doing\n<!-- memory:{A} -->\n<!-- /user -->\n### T\n<!-- model -->\n")
    assert [(mark.kind, mark.line) for mark in page.marks] == [("open", 1), ("anchor", 3), ("close", 4)]
    assert page.columns[0].prose == ()


@pytest.mark.parametrize(
    ("body", "text"),
    [
        ("<!-- user -->\na\n<!-- /user -->\n", "a\n"),
        ("<!-- user -->\na\n<!-- /user -->\nx\n<!-- user -->\nb\n<!-- /user -->\n", "a\nb\n"),
        ("<!-- user -->\na\n\nb\n\n", "a\n\nb\n"),
        ("x\n<!-- model -->\ny\n<!-- /model -->\na\n<!-- /user -->\nz\n", "a\n"),
        ("x\n<!-- /user -->\n", "x\n"),
        ("<!-- model -->\nx\n<!-- user -->\na\n<!-- /user -->\ny\n", "a\n"),
        ("<!-- user -->\na\n<!-- model -->\nb\n<!-- /user -->\nc\n<!-- /user -->\nd\n", "a\nb\nc\n"),
        ("<!-- model -->\nx\n", None),
        ("x\n", None),
    ],
)
def test_a_person_wrote_what_stands_between_user_marks_even_out_of_order(body: str, text: str | None) -> None:
    found = remarks_of(only(board(f"### T\n{body}")))
    assert (found.text if found else None) == text
