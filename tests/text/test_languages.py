"""The table of languages: rows that are whole, and what is read from it."""

from __future__ import annotations

import pytest

from wbmem_git.text.languages import (
    LANGUAGES,
    SECTION_WEIGHTS,
    Language,
    any_of,
    language,
    language_of,
    section_tag,
    words,
)


@pytest.mark.parametrize("row", LANGUAGES, ids=lambda row: row.code)
def test_a_row_is_whole(row: Language) -> None:
    """A third language is a new row and nothing else: every field of it says something."""
    assert [tag for tag, _ in row.titles] == list(SECTION_WEIGHTS)
    for field in Language._fields[2:]:
        assert all(isinstance(word, str) and word for word in getattr(row, field)), field
        assert getattr(row, field), field


def test_weights_are_heaviest_first_and_whole() -> None:
    weights = list(SECTION_WEIGHTS.values())
    assert weights == sorted(weights, reverse=True) == [0.35, 0.30, 0.20, 0.15]


@pytest.mark.parametrize(
    ("title", "tag"),
    [
        ("已试方案与失败原因", "type:dead-end"),
        ("进度与下一步", "type:progress"),
        ("目标", "type:goal"),
        ("任务状态", "type:state"),
        ("Tried and failed", "type:dead-end"),
        ("Progress and next step", "type:progress"),
        ("Goals", "type:goal"),
        ("Task state", "type:state"),
        ("goals", ""),
        ("Goals ", ""),
        ("目标：", ""),
        ("Notes", ""),
    ],
)
def test_a_title_counts_to_the_letter(title: str, tag: str) -> None:
    assert section_tag(title) == tag


def test_no_title_means_two_things() -> None:
    titles = [title for row in LANGUAGES for _, title in row.titles]
    assert len(titles) == len(set(titles))


def test_the_language_of_most_titles() -> None:
    assert language_of(["Goals", "目标", "任务状态"]).code == "zh"
    assert language_of(["Goals", "Task state", "目标"]).code == "en"
    assert language_of(["Notes"], "zh").code == "zh"
    assert language_of([], "xx").code == "en"


def test_a_title_by_its_tag() -> None:
    assert language("zh").title("type:goal") == "目标"
    with pytest.raises(KeyError):
        language("zh").title("type:other")


def test_words_of_all_languages_match_in_any_case() -> None:
    assert {"下一步", "next"} <= set(words("forward"))
    assert any_of("forward").search("What comes NEXT")
    assert any_of("failures").search("接口报错了")
    assert not any_of("forward").search("nothing of the kind")
