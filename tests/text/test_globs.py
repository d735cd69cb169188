"""Globs and patterns of stars: what they name, and that none is slow."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from text.spec import TIMES

from wbmem_git.text import globs
from wbmem_git.text.globs import path_matches
from wbmem_git.text.stars import text_matches

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any

PIECES = ["a", "b", "/", "*", "**", "**/", "?", "[ab]", "[!b]", "[a-c]", ".", "["]
PART = re.compile(r"\*\*/|\*\*|\*|\?|\[!?[^]/]+\]|.", re.DOTALL)


@pytest.mark.parametrize(
    ("glob", "named", "others"),
    [
        ("PLAN.md", ["PLAN.md"], ["plan.md", "a/PLAN.md", "PLAN.md/a", ""]),
        ("boards/*.md", ["boards/a.md", "boards/.md", "boards/日程 一.md"], ["boards/a/b.md", "a.md"]),
        ("?.md", ["a.md", "计.md"], ["ab.md", ".md", "/.md"]),
        ("**/a", ["a", "b/a", "b/c/a"], ["ba", "b/ca"]),
        ("b/**", ["b/a", "b/c/a", "b/"], ["b", "c/b/a"]),
        ("a/**/b", ["a/b", "a/c/b", "a/c/d/b"], ["ab", "a/cb"]),
        ("a**b", ["ab", "a/b", "acb", "a/c/b"], ["a", "ba"]),
        ("***", ["", "a", "a/b"], []),
        ("a*b**/c", ["abc", "abb/c", "ab/b/c"], ["abbcd", "a/bc"]),
        ("[ab].md", ["a.md", "b.md"], ["c.md", "[ab].md"]),
        ("[a-c]", ["a", "b", "c"], ["d", "-"]),
        ("[a-]", ["a", "-"], ["b"]),
        ("[!a-c]", ["d", "!"], ["a", "b", "/"]),
        ("[+-1]", ["+", ".", "1"], ["/", "2"]),
        ("[c-a]", ["[c-a]"], ["a", "b", "c"]),
        ("[a", ["[a"], ["a"]),
        ("a]b", ["a]b"], ["ab"]),
        ("a.c+(x)^$|\\*", ["a.c+(x)^$|\\", "a.c+(x)^$|\\y"], ["abc+(x)^$|\\", "a.c+(x)^$|\\y/"]),
        ("*\n", ["a\n", "\n\n"], ["a"]),
    ],
)
def test_a_glob_names_these_and_no_others(glob: str, named: list[str], others: list[str]) -> None:
    assert [path for path in named + others if path_matches(glob, path)] == named


@pytest.mark.parametrize(
    ("pattern", "named", "others"),
    [
        ("a@b.c", ["a@b.c"], ["xa@b.c", "a@bxc"]),
        ("*@a.local", ["x@a.local", "@a.local", "a/b@a.local"], ["x@a.local.org", "a.local"]),
        ("*+x[bot]@y", ["1+x[bot]@y"], ["1+xb@y"]),
        ("a*b*a", ["aba", "a-b-a", "abba"], ["ab", "aa", "ba"]),
        ("aa*aa", ["aaaa", "aa-aa"], ["aaa"]),
        ("**", ["", "a"], []),
    ],
)  # fmt: skip
def test_a_pattern_of_stars_names_these_and_no_others(
    pattern: str, named: list[str], others: list[str]
) -> None:
    assert [text for text in named + others if text_matches(pattern, text)] == named


# --- the same as a regular expression says, however slowly ---------------------------------------------


def as_regex(glob: str) -> re.Pattern[str]:
    """A glob as a regular expression: what it means, and no way to match a stranger's."""
    meanings = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    return re.compile("".join(meanings.get(part) or literal(part) for part in PART.findall(glob)), re.DOTALL)


def literal(part: str) -> str:
    if len(part) == 1:
        return re.escape(part)
    negated = part[1] == "!"
    inner = re.sub(r"[\\\[^&~|]", lambda char: f"\\{char[0]}", part[2 if negated else 1 : -1])
    if any(low > high for low, high in re.findall(r"(.)-(.)", inner, re.DOTALL)):
        return re.escape(part)
    return f"(?!/)[{'^/' if negated else ''}{inner}]"


@settings(deadline=None, max_examples=500 * TIMES)
@given(
    st.lists(st.sampled_from(PIECES), max_size=9),
    st.text("abc/.[", max_size=9),
)
@example(["a", "*", "b", "**/", "c"], "abbc")
def test_random_globs_mean_what_the_regular_expression_means(parts: list[str], path: str) -> None:
    glob = "".join(parts)
    assert path_matches(glob, path) == bool(as_regex(glob).fullmatch(path)), glob


@settings(deadline=None, max_examples=300 * TIMES)
@given(st.text("ab-![]^*/", max_size=8), st.text("ab-![]^/", max_size=4))
def test_random_classes_mean_what_the_regular_expression_means(glob: str, path: str) -> None:
    if "--" not in glob:  # a set difference to be, for `re`
        assert path_matches(glob, path) == bool(as_regex(glob).fullmatch(path)), glob


@settings(deadline=None, max_examples=300 * TIMES)
@given(st.text("ab*", max_size=9), st.text("ab", max_size=9))
def test_random_patterns_of_stars_mean_what_the_regular_expression_means(pattern: str, text: str) -> None:
    wanted = re.compile(".*".join(map(re.escape, pattern.split("*"))), re.DOTALL)
    assert text_matches(pattern, text) == bool(wanted.fullmatch(text))


# --- in linear time ------------------------------------------------------------------------------------


def steps(run: Callable[[], object]) -> int:
    """How many lines of the module run: the same on every machine."""
    count = 0

    def trace(frame: FrameType, event: str, _: object) -> Any:
        nonlocal count
        if frame.f_code.co_filename != globs.__file__:
            return None
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
    return count


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "glob", ["*a*a*a*a*a*a*a*a*a*b", "**a**a**a*a*a*a*b", "**/a*/**/a*/**/b", "?*?*?*?*?*?*?*?*b"]
)
def test_a_path_that_is_twice_as_long_takes_twice_the_steps(glob: str) -> None:
    path_matches(glob, "a")
    one, two = (steps(lambda n=n: path_matches(glob, "a" * n)) for n in (2_000, 4_000))  # type: ignore[misc]
    assert 2_000 < one < two < 2.1 * one
    assert two < 40 * 4_000


@pytest.mark.timeout(60)
def test_stars_for_an_address_take_no_time_either() -> None:
    assert not text_matches("*a" * 60 + "*b", "a" * 100_000)
