"""A title is the inline text that CommonMark reads, whichever way it is read."""

from __future__ import annotations

import unicodedata
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from text.nasty import random_title, shrunk, titles
from text.spec import TIMES

from wbmem_git.text import commonmark
from wbmem_git.text.titles import inline_text, title_of

FIRM = settings(deadline=None, suppress_health_check=list(HealthCheck))


def reference(raw: str) -> str:
    return unicodedata.normalize("NFC", " ".join(commonmark.inline_text(raw).split()))


def test_random_titles_are_read_the_same() -> None:
    chance = Random(1 if TIMES == 1 else None)
    for _ in range(40_000 * TIMES):
        raw = random_title(chance)
        if inline_text(raw) != commonmark.inline_text(raw):
            raw = shrunk(raw, lambda less: inline_text(less) != commonmark.inline_text(less))
            assert inline_text(raw) == commonmark.inline_text(raw), repr(raw)


@settings(FIRM, max_examples=300 * TIMES)
@given(titles)
@example("`\n`")
@example("a *`b`* c")
@example("<a title='`'>`")
@example("&am`p`;")
@example("_&_")
def test_nasty_titles_are_read_the_same(raw: str) -> None:
    assert inline_text(raw) == commonmark.inline_text(raw)
    assert title_of(raw) == reference(raw)


@pytest.mark.parametrize(
    "raw",
    [
        "Fix login timeout",
        "修复 `refresh_token()` 超时",
        "snake_case and __x",
        "[ ] open [x] done [WIP]",
        "R&D, a < b, x -> y, C:\\dir",
        "2 * 3 = 6",
        "C# · F# (v2.0)!",
        "`a` and `b_c` and `*d*`",
        "🚀 Ship it",
        "a > b",
        "100% _private",
    ],
)
def test_common_titles_need_no_markdown_it(raw: str, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = reference(raw)
    monkeypatch.setattr(commonmark, "inline_text", None)
    assert title_of(raw) == expected


@pytest.mark.parametrize(
    ("raw", "title"),
    [
        ("  a \t b  ", "a b"),
        ("a\u00a0b\u3000c", "a b c"),
        ("e\u0301", "é"),
        ("&nbsp;a&nbsp;", "a"),
        ("a\nb", "a b"),
        ("", ""),
        ("<!-- x -->", ""),
        ("**登录** `超时`", "登录 超时"),
    ],
)
def test_a_title_is_trimmed_folded_and_composed(raw: str, title: str) -> None:
    assert title_of(raw) == title


@pytest.mark.parametrize(
    ("written", "formatted"),
    [
        ("a*b", r"a\*b"),
        ("[[Link]]", r"\[[Link]\]"),
        ("*a*", "_a_"),
        ("a  b", "a b"),
        ("__b__", "**b**"),
        ("<x", r"\<x"),
    ],
)
def test_a_formatter_doesnt_change_a_title(written: str, formatted: str) -> None:
    assert title_of(written) == title_of(formatted)
