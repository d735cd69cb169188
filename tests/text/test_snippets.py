"""Where a question's words stand, what is said of it, and which part of a text is shown."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbmem_git.text import snippets
from wbmem_git.text.snippets import CONTEXT, LONGEST_SNIPPET, Asked, Span, snippet, why


def reasons(question: str, text: str) -> list[str]:
    return why(Asked(question).spans(text))


def shown(question: str, text: str) -> str:
    return snippet(text, Asked(question).spans(text))


@pytest.mark.parametrize(
    ("question", "text", "said"),
    [
        ("登录", "登录页，登录框", ["登录 ×2"]),
        ("登录超时", "登录后超时；登录超时", ["登录 ×1", "超时 ×1", "登录超时 ×1"]),
        ("retrying", "Retries, retry", ["retrying ×2"]),
        ("happily", "happiness is not happily", ["happily ×1"]),
        ("retries", "Each retry waits; try", ["retries ×1"]),
        ("policy", "Policies differ by policy", ["policy ×2"]),
        ("hope", "hoping, hoped", ["hope ×2"]),
        ("gpus", "one GPU, two GPUs", ["gpus ×2"]),
        ("tokens", "refreshToken() and parseTokens", ["tokens ×2"]),
        ("don't", "I don’t", ["don't ×1"]),
        ("token", "refreshToken()", ["token ×1"]),
        ("src/a.py", "见src/a.py", ["src ×1", "src/a.py ×1", "py ×1"]),
        ("ＡＢＣ", "abc", ["abc ×1"]),
        ("the", "the", []),
    ],
)
def test_it_says_what_was_found_and_how_often(question: str, text: str, said: list[str]) -> None:
    assert reasons(question, text) == said


def test_words_in_comments_are_not_there() -> None:
    assert reasons("status token", "<!-- status: current -->\ntoken") == ["token ×1"]
    assert shown("token", "### A\n<!-- token -->\nthe token\n<!-- end -->") == "the token"


def test_the_part_with_the_most_different_words_is_shown() -> None:
    text = "token first. " + "x " * 200 + "x. Then the token was refreshed by the session."
    assert shown("token refreshed session", text) == "Then the token was refreshed by the session."


def test_without_a_word_the_beginning_is_shown() -> None:
    assert shown("absent", "<!-- a -->\n" + "word " * 100).startswith("word word")


@given(st.text(max_size=300), st.text(max_size=30))
def test_a_snippet_is_a_part_of_any_text_as_it_stands(text: str, question: str) -> None:
    spans = Asked(question).spans(text)
    found = snippet(text, spans)
    assert len(found) <= LONGEST_SNIPPET
    assert found in text or "<!--" in text
    assert all(0 <= span.start < span.end <= len(text) for span in spans)


def test_a_heading_is_no_snippet_where_there_is_text_below() -> None:
    card = "### Fix the login\n<!-- memory:mem_x -->\nNext: raise it.\nThe login again.\n"
    assert snippet(card, Asked("login").spans(card)) == "Next: raise it.\nThe login again."
    assert snippet("### Login\n<!-- x -->\nNext.\n", Asked("login").spans("### Login\n")) == "Next."
    assert snippet("### Login\n", Asked("login").spans("### Login\n")) == "### Login"


def test_a_window_has_the_most_different_words_wherever_spans_end() -> None:
    chance = random.Random(3)
    for _ in range(300):
        starts = sorted(chance.choices(range(600), k=chance.randrange(1, 30)))
        spans = sorted(Span(at, at + chance.choice((1, 5, 120)), chance.choice("abcde")) for at in starts)
        values = []
        for number, first in enumerate(spans):
            inside = []
            for span in spans[number:]:
                if span.end > first.start + LONGEST_SNIPPET - CONTEXT:
                    break
                inside.append(span.word)
            values.append(len(set(inside)))
        assert snippets._densest(spans) == values.index(max(values))


def test_of_a_long_text_full_of_words_a_part_is_told() -> None:
    text = "登录超时重试" * 40_000
    assert 0 < len(snippet(text, Asked("登录 超时").spans(text))) <= LONGEST_SNIPPET
