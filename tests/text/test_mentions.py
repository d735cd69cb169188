"""Who names whom: ids and titles in running text."""

from __future__ import annotations

import unicodedata

import pytest

from wbmem_git.text.mentions import Titles, ids_in

ID = "mem_" + "0123456789abcdef" * 2


def fold(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"see {ID}.", [ID]),
        (f"[login](PLAN.md#{ID})", [ID]),
        (f"<!-- memory:{ID} -->\nsupersedes: {ID}", [ID, ID]),
        (f"见{ID}的说明", [ID]),
        ("mem_01234567 is enough", ["mem_01234567"]),
        ("mem_0123456 is too short", []),
        (f"{ID}0 is too long, x{ID} begins elsewhere, {ID.upper()} has capitals", []),
        (f"{ID}_old and {ID}x are names of something else", []),
        ("nothing", []),
    ],
)
def test_ids_wherever_they_stand(text: str, expected: list[str]) -> None:
    assert [found.id for found in ids_in(text)] == expected


def test_an_id_with_its_line() -> None:
    assert [found.below for found in ids_in(f"### A\n\n{ID}\n{ID} {ID}\n")] == [2, 3, 3]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Fix the login timeout", "we fix the LOGIN-timeout now"),
        ("修复登录超时", "今天修复登录超时的问题"),
        ("用户ＡＰＩ密钥", "轮换用户API密钥"),
        ("`src/login.ts`", "see src/login.ts:12"),
        ("C++", "in C"),
        ("Retry", "retry"),
    ],
)
def test_a_title_is_named(title: str, text: str) -> None:
    assert Titles([title], fold).named_in(text) == {title}


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Fix the login", "fix the logins"),
        ("Retry", "retrying, a pretry"),
        ("login timeout", "timeout login; login for a timeout"),
        ("修复登录超时", "修复登录"),
        ("!!!", "wow!!!"),
        ("", ""),
    ],
)
def test_a_title_is_not_named(title: str, text: str) -> None:
    assert Titles([title], fold).named_in(text) == set()


def test_titles_that_begin_alike_or_hold_another_are_all_named() -> None:
    titles = Titles(["login", "login timeout", "Login", "timeout of login"], fold)
    assert titles.named_in("the login timeout") == {"login", "Login", "login timeout"}


def test_of_many_ids_each_has_its_line_and_no_line_is_counted_twice() -> None:
    class Counting(str):
        __slots__ = ()
        counted = 0

        def count(self, sub: str, start: int, end: int) -> int:  # type: ignore[override]
            Counting.counted += end - start
            return super().count(sub, start, end)

    text = Counting("".join(f"line {number}\nsee mem_{number:032x}\n" for number in range(400)))
    assert [mention.below for mention in ids_in(text)] == list(range(1, 801, 2))
    assert 0 < Counting.counted <= len(text)
