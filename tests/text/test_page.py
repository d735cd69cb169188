"""Boards and entry pages: cards, columns, and every line accounted for."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from text.nasty import ENDS, lines
from text.spec import TIMES

from wbmem_git.text.document import bare_lines
from wbmem_git.text.ids import card_id
from wbmem_git.text.marks import remarks_of
from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    from wbmem_git.model import Card, Page

KEY = "ws-1234"
A, B = "mem_" + "a" * 32, "mem_" + "b" * 32


def board(text: str) -> Page:
    return parse_page("PLAN.md", text, KEY, "board")


def entries(text: str) -> Page:
    return parse_page("MEMORY.md", text, KEY, "entries")


def computed(title: str, n: int = 1, page: str = "PLAN.md") -> str:
    return card_id(KEY, page, title, n)


def only(page: Page) -> Card:
    (card,) = page.cards
    return card


FULL = f"""# Plan

## Doing
A column's prose.

### Fix *login*
<!-- memory:{A} -->
<!-- status: current / date: 2026-09-14 -->
<!-- model -->
State.

- next
<!-- /model -->
<!-- user -->
Mine.
<!-- /user -->

### Second

## Done
"""


def test_a_card_has_everything_that_the_format_gives_it() -> None:
    first, second = board(FULL).cards
    assert (first.id, first.anchor, first.title, first.column) == (A, A, "Fix login", "Doing")
    assert (first.line, first.end) == (6, 17)
    assert first.metadata.pairs == (("status", "current"), ("date", "2026-09-14"))
    assert [(zone.name, zone.line, zone.end, zone.text) for zone in first.zones] == [
        ("model", 9, 13, "State.\n\n- next\n"),
        ("user", 14, 16, "Mine.\n"),
    ]
    assert [(mark.kind, mark.line, mark.value) for mark in first.marks] == [
        ("anchor", 7, A),
        ("metadata", 8, "<!-- status: current / date: 2026-09-14 -->"),
        ("open", 9, "model"),
        ("close", 13, "model"),
        ("open", 14, "user"),
        ("close", 16, "user"),
    ]
    assert first.text == "\n".join(FULL.split("\n")[5:17]) + "\n"
    assert first.body_lines == ("State.", "- next", "Mine.")
    assert first.last_line == "Mine."
    assert (second.id, second.anchor, second.line, second.end) == (computed("Second"), "", 18, 19)
    assert second.last_line == "### Second"


def test_columns_hold_their_prose_and_the_page_the_rest() -> None:
    page = board(
        "top\n# Plan\nintro\n#### deep\n## Doing\nprose\n\n#### deeper\n### A\nx\n# Other\nmore\n### B\n"
    )
    assert [(column.title, column.line, column.prose) for column in page.columns] == [
        ("Doing", 5, ((6, "prose"), (8, "#### deeper")))
    ]
    assert page.prose == ((1, "top"), (3, "intro"), (12, "more"))
    assert [(card.title, card.column) for card in page.cards] == [("A", "Doing"), ("B", "")]


def test_an_entry_page_has_entries_and_no_columns() -> None:
    page = entries(f"# Memory\nintro\n## Tea\n<!-- memory:{A} -->\n### Green\nx\n## Coffee\ny\n# Other\nz\n")
    assert [(card.id, card.title, card.column, card.line, card.end) for card in page.cards] == [
        (A, "Tea", "", 3, 6),
        (computed("Coffee", page="MEMORY.md"), "Coffee", "", 7, 8),
    ]
    assert page.columns == ()
    assert page.prose == ((2, "intro"), (10, "z"))


def test_only_the_top_level_counts() -> None:
    page = board(
        "### A\n"
        "- ### in a list\n  <!-- user -->\n"
        "> ### in a quote\n> <!-- memory:mem_ -->\n\n"
        "    ### in code\n\n"
        "```\n### in a fence\n<!-- /user -->\n```\n"
        "<!-- a comment\n### in it\n<!-- model -->\n"
        "<div>\n### in a tag\n<!-- model -->\n\n"
        "### B\n"
    )
    assert [(card.title, card.marks) for card in page.cards] == [("A", ()), ("B", ())][: len(page.cards)]
    assert len(page.cards) == 2


def test_a_setext_heading_counts_as_its_level() -> None:
    page = board("Doing\n---\n### A\nx\nDone\n===\ny\n")
    assert [(column.title, column.line) for column in page.columns] == [("Doing", 1)]
    # The line above the underline belongs to the heading, so the whole paragraph does.
    assert [(card.title, card.line, card.end) for card in page.cards] == [("A", 3, 3)]
    assert page.prose == ((7, "y"),)
    entry = only(entries(f"Tea\n---\n\n<!-- memory:{A} -->\nx\n"))
    assert (entry.title, entry.line, entry.end, entry.anchor) == ("Tea", 1, 5, A)


# --- anchors and ids ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "below",
    [
        f"<!-- memory:{A} -->",
        f"\n \t\n<!-- memory:{A} -->",
        f"  <!--memory:{A}-->  ",
        f"<!-- memory:{A} -->\r\nx",
    ],
)
def test_the_anchor_is_the_first_line_that_isnt_blank(below: str) -> None:
    card = only(board(f"### T\n{below}\n"))
    assert (card.id, card.anchor) == (A, A)


@pytest.mark.parametrize(
    ("below", "kinds"),
    [
        (f"text\n<!-- memory:{A} -->", ["anchor"]),
        (f"<!-- x -->\n<!-- memory:{A} -->", ["anchor"]),
        (f"<!-- memory:{A} --> text", ["anchor-like"]),
        (f"<!-- memory:{A} --><!-- memory:{B} -->", ["anchor-like", "anchor-like"]),
        (f"<!-- memory: {A} -->", ["anchor-like"]),
        (f"<!-- Memory:{A} -->", ["anchor-like"]),
        (f"<!-- memory：{A} -->", ["anchor-like"]),
        (f"<!-- memory:{A.upper()} -->", ["anchor-like"]),
        (f"<!-- memory:{A[:-1]} -->", ["anchor-like"]),
        ("<!-- memory: -->", ["anchor-like"]),
        (f"<!--\nmemory:{A}\n-->", ["anchor-like"]),
        (f"text <!-- memory:{A} -->", []),
        (f"- <!-- memory:{A} -->", []),
        (f"    <!-- memory:{A} -->", []),
        ("<!-- memories: many -->", []),
    ],
)
def test_whatever_else_is_no_anchor(below: str, kinds: list[str]) -> None:
    card = only(board(f"### T\n{below}\n"))
    assert (card.id, card.anchor) == (computed("T"), "")
    assert [mark.kind for mark in card.marks] == kinds
    assert all(mark.value.startswith("<!--") for mark in card.marks if mark.kind == "anchor-like")


def test_alone_tells_whether_a_comment_has_its_line_for_itself() -> None:
    card = only(
        board(f"### T\n<!-- memory:{A} --> <!-- user -->\nx\n<!-- /user -->\n<!-- memory:{B} --> y\n")
    )
    assert [(mark.kind, mark.line, mark.alone) for mark in card.marks] == [
        ("anchor-like", 2, False),
        ("open", 2, False),
        ("close", 4, True),
        ("anchor-like", 5, False),
    ]


def test_namesakes_take_the_smallest_free_number_in_page_order() -> None:
    second = computed("Tasks", 2)
    page = board(f"### Tasks\n### Tasks\n### Tasks\n<!-- memory:{second} -->\n### Tasks\n### Other\n")
    assert [card.id for card in page.cards] == [
        computed("Tasks"),
        computed("Tasks", 3),
        second,
        computed("Tasks", 4),
        computed("Other"),
    ]


def test_an_id_that_another_title_holds_is_taken_too() -> None:
    page = board(f"### Old\n<!-- memory:{computed('New')} -->\n### New\n")
    assert [card.id for card in page.cards] == [computed("New"), computed("New", 2)]


def test_two_cards_may_show_the_same_anchor() -> None:
    page = board(f"### T\n<!-- memory:{A} -->\n### U\n<!-- memory:{A} -->\n")
    assert [card.id for card in page.cards] == [A, A]


def test_an_empty_title_is_a_title() -> None:
    page = board("###\n### <!-- x -->\n### ###\n")
    assert [(card.title, card.id) for card in page.cards] == [
        ("", computed("")),
        ("", computed("", 2)),
        ("", computed("", 3)),
    ]


def test_a_bom_and_crlf_change_no_card() -> None:
    plain = f"### T\n<!-- memory:{A} -->\n<!-- user -->\nx \n\ny\n<!-- /user -->\n"
    card = only(board(plain))
    for newline in ("\r\n", "\r"):
        assert only(board("\ufeff" + plain.replace("\n", newline))) == card


def test_front_matter_makes_no_card_and_its_lines_count() -> None:
    card = only(board("---\nnotes: |\n  ### no\n---\n### T\n"))
    assert (card.title, card.line) == ("T", 5)


# --- zones --------------------------------------------------------------------------------------------------


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


# --- metadata lines -----------------------------------------------------------------------------------------


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


# --- every line is somewhere --------------------------------------------------------------------------------

card_lines = st.sampled_from(
    (
        *("### A", "### A", "### B", "## Doing", "# Top", "#### deep", "A\n---", "A\n==="),
        *(f"<!-- memory:{A} -->", f"<!-- memory:{B} -->", "<!-- memory:x -->", "<!-- status: current -->"),
        *(
            "<!-- user -->",
            "<!-- /user -->",
            "<!-- model -->",
            "<!-- /model -->",
            "<!-- user --> x <!-- /user -->",
        ),
        *("", "", "text", "- item", "```", "<!-- remark -->"),
    )
)
pages = st.lists(
    st.one_of(st.builds("{}{}".format, card_lines, st.sampled_from(ENDS)), lines), max_size=24
).map("".join)


@settings(max_examples=400 * TIMES, deadline=None, suppress_health_check=list(HealthCheck))
@given(pages, st.sampled_from(["board", "entries"]))
def test_of_random_pages_no_line_is_lost(text: str, kind: str) -> None:
    page = parse_page("P.md", text, KEY, "board" if kind == "board" else "entries")
    every = bare_lines(page.document)
    seen: set[int] = set()
    reached = 0
    for card in page.cards:
        assert reached < card.line <= card.end
        reached = card.end
        assert card.lines == every[card.line - 1 : card.end]
        seen.update(range(card.line, card.end + 1))
        if card.metadata.line:
            seen.add(card.metadata.line)
    outside = {number for number, _ in page.prose}.union(
        n for column in page.columns for n, _ in column.prose
    )
    assert not outside & seen
    seen |= outside
    seen.update(mark.line for mark in page.marks)
    for block in page.document.blocks:
        if block.kind == "heading":
            seen.update(range(block.line, block.end + 1))
    lost = [line for number, line in enumerate(every, 1) if number not in seen and line.strip(" \t")]
    assert lost == list(every[: page.document.body])
    free = [card.id for card in page.cards if not card.anchor]
    assert len(free) == len(set(free))
    assert not set(free) & {card.anchor for card in page.cards}


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
