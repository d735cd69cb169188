"""The order of cards and columns, and metadata lines by key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text.spec import TIMES

from wbmem_git.rules.lines import first_missing
from wbmem_git.verbs.merge.metadata import merge_metadata
from wbmem_git.verbs.merge.order import both, in_order

ORDERS = st.lists(st.sampled_from("abcdefgh"), unique=True)
RANDOM = settings(max_examples=300 * TIMES, deadline=None)


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("ab", "abx", "aby", "abxy"),
        ("ab", "xab", "yab", "xyab"),
        ("ab", "axb", "ayb", "axyb"),
        ("abcd", "abcd", "dabc", "dabc"),
        ("abcd", "bacd", "abdc", "badc"),
        ("abcd", "dabc", "abcxd", "dabcx"),
        ("abc", "acb", "cab", "cab"),
        ("", "ab", "cd", "abcd"),
    ],
)
def test_both_sides_agree_as_far_as_they_can(base: str, ours: str, theirs: str, expected: str) -> None:
    assert "".join(in_order([*base], [*ours], [*theirs], {*ours, *theirs})) == expected


@RANDOM
@given(ORDERS, ORDERS, ORDERS, st.sets(st.sampled_from("abcdefgh")))
def test_every_random_order_has_what_is_wanted_once(
    base: list[str], ours: list[str], theirs: list[str], wanted: set[str]
) -> None:
    merged = in_order(base, ours, theirs, wanted)
    assert sorted(merged) == sorted(wanted & {*ours, *theirs})
    assert in_order(base, base, theirs, {*theirs}) == theirs
    assert in_order(base, ours, base, {*ours}) == ours
    assert in_order(base, ours, ours, {*ours}) == ours


@RANDOM
@given(st.lists(st.sampled_from("abc ")), st.lists(st.sampled_from("abc ")))
def test_random_lines_of_both_stand_in_the_order_of_each(ours: list[str], theirs: list[str]) -> None:
    merged = both(ours, theirs)
    assert first_missing(ours, merged) is None
    assert first_missing(theirs, merged) is None
    assert both(ours, ours) == ours


@pytest.mark.parametrize(
    ("base", "ours", "theirs", "expected"),
    [
        ("", "<!-- status: current -->", "", "<!-- status: current -->"),
        ("<!-- date: 2026-09-14 -->", "<!-- date: 2026-09-16 -->", "<!-- date: 2026-09-15 -->", "ours"),
        ("<!-- tags: a,b -->", "<!-- tags: b,c -->", "<!-- tags: a,b,d -->", "<!-- tags: b, c, d -->"),
        ("<!-- tags: a -->", "", "<!-- tags: a / date: 2026-09-14 -->", "<!-- date: 2026-09-14 -->"),
        ("<!-- chain: 1 -->", "<!-- chain: 2 -->", "<!-- chain: 3 -->", None),
        ("<!-- chain: 1 -->", "<!-- chain: 2 -->", "<!-- date: 2026-09-14 -->", "both"),
        ("", "<!-- status: current / x: 1 -->", "<!-- status: current -->", "ours"),
    ],
)
def test_a_metadata_line_key_by_key(base: str, ours: str, theirs: str, expected: str | None) -> None:
    known = {"ours": ours, "both": "<!-- chain: 2 / date: 2026-09-14 -->"}
    assert merge_metadata(base, ours, theirs) == known.get(expected or "", expected)
