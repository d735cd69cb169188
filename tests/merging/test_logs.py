"""Logs merged by whole blocks."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, Self

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


def test_what_two_writers_added_alike_is_there_twice() -> None:
    again = f"{BASE}- ok\n"
    assert merge_log(BASE, again, again, are_apart=True) == f"{again}- ok\n"
    assert merge_log(BASE, again, f"{again}- more\n", are_apart=True) == f"{again}- ok\n- more\n"
    both = merge_log(None, "# Day\n\n- ok\n", "# Day\n\n- ok\n- b\n", are_apart=True)
    assert both == "# Day\n\n- ok\n- ok\n- b\n"


def test_what_both_have_in_another_order_is_there_once_and_passes_the_gate() -> None:
    base, ours, theirs = (f"{BASE}{''.join(lines)}" for lines in (YX, (*XY, "- x2\n"), (*YX, "- y2\n")))
    for is_apart in (True, False):
        merged = merge_log(base, ours, theirs, are_apart=is_apart)
        assert merged == f"{ours}- y2\n"
        assert fault_of(base, [ours, theirs], merged, is_log=True) is None
        lost = fault_of(base, [ours, theirs], merged.replace("- y1\n", ""), is_log=True)
        assert lost == ("- y1", "")


def test_what_no_count_of_entries_puts_in_the_order_of_both_is_joined_by_sections() -> None:
    ours, theirs = "- a\n# Day", "- a\n- b\n# Day\n- a"
    for are_apart in (True, False):
        merged = merge_log("# Day", ours, theirs, are_apart=are_apart)
        assert merged is not None
        assert fault_of("# Day", [ours, theirs], merged, is_log=True) is None


XY = ("- x1\n", "- y1\n")
YX = XY[::-1]


class Version(NamedTuple):
    """A commit: its log, and which commits lie behind it (itself, too), each with what it appended."""

    text: str
    behind: dict[int, str]

    def appended(self, number: int, entry: str) -> Self:
        is_list = self.text.rsplit("\n", 2)[-2][:1] == "-" == entry[:1]
        gap = "" if is_list or not self.text else "\n"
        return type(self)(f"{self.text}{gap}{entry}\n", {**self.behind, number: entry})


def best(behind: list[Version], known: list[Version]) -> list[Version]:
    """The best common ancestors: those of both sides that lie behind no other one."""
    common = [one for one in known if all(one.behind.items() <= side.behind.items() for side in behind)]
    return [one for one in common if not any(one.behind.keys() < other.behind.keys() for other in common)]


def base_of(sides: list[Version], known: list[Version]) -> Version:
    """The merge base of two; several are merged first, as git does."""
    bases = best(sides, known)
    found = bases[0]
    for other in bases[1:]:
        found = merged_of(found, other, known)
    return found


def merged_of(ours: Version, theirs: Version, known: list[Version]) -> Version:
    base = base_of([ours, theirs], known)
    text = merge_log(base.text, ours.text, theirs.text, are_apart=True)
    assert text is not None
    gate = best([ours, theirs], known)[0]
    assert fault_of(gate.text, [ours.text, theirs.text], text, is_log=True) is None
    return Version(text, {**ours.behind, **theirs.behind})


ENTRIES = st.sampled_from(["- a", "- b", "- c\n  more", "text", "two\nlines", "```\nok\n```"])
STEPS = st.tuples(st.integers(0, 2), st.one_of(ENTRIES, st.integers(0, 2)))


@settings(max_examples=400 * TIMES, deadline=None)
@given(st.lists(STEPS, max_size=14))
def test_every_append_of_three_clones_is_there_exactly_once(steps: list[tuple[int, str | int]]) -> None:
    first = Version("# Day\n", {0: ""})
    clones, known = [first] * 3, [first]
    for number, (clone, step) in enumerate([*steps, (0, 1), (0, 2), (1, 0), (2, 0)], 1):
        mine = clones[clone]
        if isinstance(step, str):
            made = mine.appended(number, step)
        elif clones[step].behind.keys() <= mine.behind.keys():
            continue
        elif mine.behind.keys() <= clones[step].behind.keys():
            made = clones[step]
        else:
            made = merged_of(mine, clones[step], known)
            made = made._replace(behind={**made.behind, number: ""})
        clones[clone] = made
        known += [made] if made not in known else []
    for one in clones:
        wrote = sorted(entry for entry in one.behind.values() if entry)
        assert sorted(found_in(one.text)) == wrote
    assert all(left.behind == right.behind for left, right in pairwise(clones))


def found_in(text: str) -> list[str]:
    """The entries of a log, in its order."""
    lines = (
        text.replace("two\nlines", "two lines").replace("```\nok\n```", "```ok```").replace("\n  more", "+")
    )
    kept = [line for line in lines.split("\n") if line and line != "# Day"]
    back = {"two lines": "two\nlines", "```ok```": "```\nok\n```", "- c+": "- c\n  more"}
    return [back.get(line, line) for line in kept]
