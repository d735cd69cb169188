"""What full text search compares."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbmem_git.text.terms import date_terms, is_single, query_terms, query_words, stem, terms

AWKWARD = (
    "C++", "C#", "don't", "a-b", "foo:bar", "*", '"', "NEAR", "登录 AND", "2026-05-08", "/", "", "x" * 5000,
    "登录" * 2500, "\x00\x1b[31m\x7f", "\ud800登录\udfff", "(((", "' OR 1=1 --", "-", "％", "ﬁ", "\u3000",
)  # fmt: skip


def test_english_words_are_folded_and_stemmed() -> None:
    assert terms("Retries RETRYING retried") == ["retri"] * 3


def test_words_that_every_sentence_has_are_left_out() -> None:
    assert terms("the login of it and to be") == ["login"]


def test_chinese_and_japanese_stand_there_in_pairs_and_the_last_character_alone() -> None:
    assert terms("修复登录") == ["修复", "复登", "登录", "录"]
    assert terms("カード") == ["カー", "ード", "ド"]


def test_width_makes_no_difference() -> None:
    assert terms("ＡＢＣ ﾃｽﾄ") == terms("abc テスト")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("refreshToken()", {"refresh", "token", "refreshtoken"}),
        ("refresh_token", {"refresh", "token", "refresh_token"}),
        ("HTTPServer", {"http", "server", "httpserver"}),
        ("src/auth/session.py", {"src", "auth", "session", "py", "src/auth/session.py"}),
        ("os.path.join", {"os", "path", "join", "os.path.join"}),
        ("a-b", {"b", "a-b"}),
        ("foo:bar", {"foo", "bar", "foo:bar"}),
    ],
)
def test_identifiers_stand_there_whole_and_by_their_parts(text: str, parts: set[str]) -> None:
    assert parts <= set(terms(text))


def test_several_of_what_has_a_name_of_capitals_are_one_of_it() -> None:
    assert terms("GPUs, parseURLs") == ["gpu", "pars", "url", "parseurls"]
    assert query_words("GPUs") == [("gpu", "gpu")]
    assert query_words("gpus vms apis") == [("gpu", "gpus"), ("vm", "vms"), ("api", "apis")]
    assert terms("class access") == ["class", "access"]


@pytest.mark.parametrize("text", ["2026-05-08", "2026/5/8", "on 2026.05.08:"])
def test_a_day_is_asked_for_as_a_day_and_found_by_its_numbers_too(text: str) -> None:
    assert query_terms(text) == ["2026-05-08"]
    assert {"2026", "5", "8", "2026-05-08"} <= set(terms(text))


def test_a_day_within_a_path_is_found_as_a_day() -> None:
    assert "2026-05-08" in terms("log/2026-05-08.md")
    assert "2026-05-08" not in terms("12026-05-08 2026-05-081 2026-05/08")


def test_an_emoji_is_a_word() -> None:
    assert terms("🚀ship 👍🏽 🇩🇪🇫🇷 ☂️") == ["🚀", "ship", "👍", "🇩🇪", "🇫🇷", "☂"]
    assert query_words("🚀") == [("🚀", "🚀")]


def test_languages_of_one_letter_are_not_that_letter() -> None:
    assert terms("C++ C# C") == ["c++", "c#", "c"]


def test_an_identifier_next_to_chinese_is_found() -> None:
    assert {"登录", "retri", "src"} <= set(terms("见src/登录.ts的retry()"))


def test_a_question_leaves_out_what_makes_it_one() -> None:
    assert query_terms("为什么登录超时？") == ["登录", "录超", "超时"]
    assert query_terms("How does the login time out?") == ["login", "time"]


def test_a_question_of_nothing_else_is_asked_as_it_stands() -> None:
    assert query_terms("为什么") == ["为什", "什么"]


def test_a_question_names_a_term_once_and_knows_how_it_was_written() -> None:
    assert query_words("Retries retrying 登录登录") == [
        ("retri", "retries"),
        ("登录", "登录"),
        ("录登", "录登"),
    ]


def test_what_is_asked_is_what_is_indexed() -> None:
    text = "登录页 refreshToken 在 src/a.py，5月8号 v1.2"
    assert set(query_terms(text)) <= set(terms(text))


def test_a_day_has_the_names_that_people_give_it() -> None:
    assert {"may", "5月", "8日", "2026", "2026-05-08"} <= set(date_terms("2026-05-08"))
    assert set(query_terms("5月8号")) - set(date_terms("2026-05-08")) == {"5"}
    assert date_terms("") == date_terms("2026-13-01") == ()


def test_one_character_is_known_as_one() -> None:
    assert is_single("登")
    assert not is_single("登录")
    assert not is_single("a")
    assert not is_single("é")


@pytest.mark.parametrize("text", AWKWARD)
def test_awkward_texts_have_terms_that_can_be_stored(text: str) -> None:
    for term in [*terms(text), *query_terms(text)]:
        assert term.encode()
        assert "\n" not in term
        assert len(term) <= 64


@given(st.text())
def test_terms_of_any_text_are_words_without_blanks(text: str) -> None:
    for term in terms(text):
        assert term
        assert term == term.strip()
        assert not set(term) & set(" \n\t\0")


@given(st.text(max_size=40))
def test_every_term_of_a_question_is_one_of_the_text(text: str) -> None:
    assert set(query_terms(text)) <= set(terms(text))


def test_a_stem_needs_a_word_of_three_letters() -> None:
    assert stem("is") == "is"
    assert stem("v12") == "v12"
    assert stem("happily") == "happili"


def test_the_stemmer_is_loaded_when_the_first_word_needs_it() -> None:
    code = "import sys, wbmem_git.text.terms; print('snowballstemmer' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "False"
