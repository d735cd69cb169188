"""Boards and entry pages: cards, columns, and every line accounted for."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from text.nasty import ENDS, lines
from text.parsing import KEY, A, B, board, entries, only
from text.spec import TIMES

from wbmem_git.text.document import bare_lines
from wbmem_git.text.ids import card_id
from wbmem_git.text.page import parse_page


def computed(title: str, n: int = 1, page: str = "PLAN.md") -> str:
    return card_id(KEY, page, title, n)


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
