"""Logs merged by whole blocks."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from text.spec import TIMES

from wbmem_git.rules.lines import fault_of
from wbmem_git.verbs.merge.logs import merge_log

BASE = "# 2026-09-14\n\n- 10:00 first\n"


def test_what_both_sides_appended_stands_ours_first() -> None:
    merged = merge_log(BASE, BASE + "- 10:05 ours\n  and more\n", BASE + "- 10:04 theirs\n")
    assert merged == BASE + "- 10:05 ours\n  and more\n- 10:04 theirs\n"


def test_sections_with_lines_in_common_are_not_torn() -> None:
    ours, theirs = (f"\n## {who}\n\ntests:\n\n```\nok\n\n{who}\n```\n\nend\n" for who in ("A", "B"))
    assert merge_log(BASE, BASE + ours, BASE + theirs) == BASE + ours + theirs


def test_what_both_sides_appended_alike_stands_once() -> None:
    assert (
        merge_log(BASE, BASE + "- one\n- two\n", BASE + "- one\n- three\n")
        == BASE + "- one\n- two\n- three\n"
    )


def test_a_day_that_both_sides_began_has_one_heading() -> None:
    assert merge_log(None, "# Day\n\n- a\n", "# Day\n\n- b\n") == "# Day\n\n- a\n- b\n"


def test_a_line_below_a_paragraph_stays_there_and_the_paragraph_stands_once() -> None:
    base = "# Day\n\nhello\n"
    person, agent = f"{base}the person's line\n", f"{base}\n- 10:00 agent\n"
    assert merge_log(base, person, agent) == f"{person}\n- 10:00 agent\n"
    assert merge_log(base, agent, person) == f"{person}\n- 10:00 agent\n"


def test_lines_below_a_block_further_up_stay_there_too() -> None:
    base = "# Day\n\n- one\n- two\n\nhello\n"
    ours = base.replace("- one\n", "- one\n  and ours\n") + "\n- three\n"
    theirs = base.replace("hello\n", "hello\nand theirs\n").replace("- one\n", "- one\n  and theirs\n")
    merged = "# Day\n\n- one\n  and ours\n  and theirs\n- two\n\nhello\nand theirs\n\n- three\n"
    assert merge_log(base, ours, theirs) == merged


def test_what_both_wrote_below_a_block_alike_stands_once() -> None:
    base = "# Day\n\nhello\n"
    assert merge_log(base, f"{base}a\nb\n", f"{base}a\nc\n") == f"{base}a\nb\nc\n"
    assert merge_log(base, f"{base}a\n", f"{base}a\nb\n") == f"{base}a\nb\n"


def test_two_paragraphs_of_a_day_that_both_sides_began_stay_two() -> None:
    assert merge_log(None, "of ours\n", "of theirs\n") == "of ours\n\nof theirs\n"


def test_an_edit_on_one_side_and_an_addition_on_the_other_keep_the_lines_of_both() -> None:
    ours, theirs = BASE.replace("first", "1st"), BASE + "- 11:00 theirs\n"
    merged = merge_log(BASE, ours, theirs)
    assert merged == "# 2026-09-14\n\n- 10:00 1st\n- 10:00 first\n- 11:00 theirs\n"


def test_the_only_side_that_changed_it_is_taken_byte_for_byte() -> None:
    changed = BASE.replace("\n", "\r\n") + "- more"
    assert merge_log(BASE, BASE, changed) == changed
    assert merge_log(BASE, changed, BASE) == changed
    assert merge_log(BASE, changed, changed) == changed


def test_a_log_that_one_side_took_away_is_gone_unless_the_other_wrote_on() -> None:
    assert merge_log(BASE, None, BASE) is None
    assert merge_log(BASE, BASE, None) is None
    assert merge_log(BASE, None, BASE + "- more\n") == BASE + "- more\n"
    assert merge_log(None, None, BASE) == BASE


def test_line_ends_of_ours_are_kept() -> None:
    ours, theirs = BASE.replace("\n", "\r\n") + "- a\r\n", BASE + "- b\n"
    assert merge_log(BASE.replace("\n", "\r\n"), ours, theirs) == ours + "- b\r\n"


LINES = st.sampled_from(["- a", "- b", "  more", "", "text", "## H", "```", "1. one", "    code", "- c"])
TEXTS = st.lists(LINES, max_size=7).map(lambda lines: "".join(f"{line}\n" for line in lines))


@settings(max_examples=300 * TIMES, deadline=None)
@given(TEXTS, TEXTS, TEXTS, st.booleans())
def test_random_logs_lose_no_line_and_get_none(base: str, ours: str, theirs: str, appended: bool) -> None:
    ours, theirs = (base + ours, base + theirs) if appended else (ours, theirs)
    for pair in ((ours, theirs), (theirs, ours)):
        merged = merge_log(base, *pair)
        assert merged is not None
        assert fault_of(base, pair, merged) is None
    assert merge_log(base, ours, ours) == ours
