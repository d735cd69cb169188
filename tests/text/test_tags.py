"""Tags: what is written, what a bullet is about, what didn't work."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from wbmem_git.text.folding import fold
from wbmem_git.text.tags import dead_end, distinct, head, listed, tags_in, topic


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("（topic:登录流程）", ("topic:登录流程",)),
        ("格式：type:dead-end", ("type:dead-end",)),
        ("见type:goal，tag:甲、tag:乙", ("type:goal", "tag:甲", "tag:乙")),
        ("[topic:login] topic:a-b-c.", ("topic:login", "topic:a-b-c")),
        ("topic:login- topic:-x topic: y", ("topic:login",)),
        ("datatype:x subtype:y sub-type:z a_tag:b 2type:c", ()),
        ("Topic:Login topic:ｌｏｇｉｎ topic:logout", ("Topic:Login", "topic:logout")),
        ("`type:state`", ("type:state",)),
        ("topic：全角冒号 见Type：goal", ("topic:全角冒号", "Type:goal")),
        ("http://a.b/type:x https://例子.com/登录?topic:y topic:z", ("topic:z",)),
        ("见https://a.b/c，tag:甲", ("tag:甲",)),
        ("", ()),
    ],
)
def test_written_tags_are_found_beside_chinese_punctuation_and_not_within_a_word(
    text: str, found: tuple[str, ...]
) -> None:
    assert tags_in(text) == found


def test_tags_of_the_metadata_line_are_any_text_between_commas() -> None:
    assert listed(" topic:login, area:auth，登录  流程、 ,x;Area:Auth ") == (
        "topic:login",
        "area:auth",
        "登录 流程",
        "x",
    )


@pytest.mark.parametrize(
    ("bullet", "found"),
    [
        ("- 登录流程：改成异步", "topic:登录流程"),
        ("- 登录流程:改成异步", "topic:登录流程"),
        ("* [x] retry, then wait", "topic:retry"),
        ("1. retry - then wait", "topic:retry"),
        ("- well-known - then wait", "topic:well-known"),
        ("登录→限流", "topic:登录"),
        ("- 登录（旧）", "topic:登录"),
        ("- login (old)", "topic:login"),
        ("- login—old", "topic:login"),
        ("- login; old", "topic:login"),
        ("- **登录 超时：** 重试", "topic:登录 超时"),
        ("- `retry()` 没用", "topic:`retry()` 没用"),
        ("- [Login](PLAN.md#x) is slow", "topic:Login"),
        ("- 10:30 登录，重试", "topic:登录"),
        ("- (10:30–11:00) 登录，重试", "topic:登录"),
        ("- polling every second is too slow", "topic:polling every second is"),
        (
            "- 一二三四五六七八九十一二三四五六七八九十一二三四五六",
            "topic:一二三四五六七八九十一二三四五六七八九十一二三四",
        ),
        ("- （待补充）", ""),
        ("- TODO", ""),
        ("- 无。", ""),
        ("- ---", ""),
        ("-", ""),
    ],
)
def test_the_topic_of_a_bullet_is_its_head(bullet: str, found: str) -> None:
    assert topic(bullet) == found


@pytest.mark.parametrize(
    ("bullet", "found"),
    [
        ("- 4.2 is in production, since May", "4.2 is in production"),
        ("- 1,000 users; more", "1,000 users"),
        ("- see src/a.ts:42, then", "see src/a.ts:42"),
        ("- 登录.ts 坏了。重试", "登录.ts 坏了"),
        ("- A longer timeout in `nginx.conf` → no", "A longer timeout in `nginx.conf`"),
        ("- `a: b` works: always", "`a: b` works"),
        ("- https://例子.com/a?b=1, then", "https://例子.com/a?b=1"),
        ("- https://a.b/c. Then", "https://a.b/c"),
        (r"- C:\Users\ada.ini: no", r"C:\Users\ada.ini"),
        ("- std::vector: slow", "std::vector"),
        ("- retry() fails. Then", "retry() fails"),
        ("- localhost:8080 down: why", "localhost:8080 down"),
        ("- e.g. foo, bar", "e.g. foo"),
        ("- ./run.sh fails: no", "./run.sh fails"),
        ("- 升级.再试", "升级"),
        ("- login:async", "login"),
        ("- wait... then", "wait"),
    ],
)
def test_what_parts_a_head_does_not_part_a_code_span_a_number_a_path_or_a_name(
    bullet: str, found: str
) -> None:
    assert head(bullet) == found


@pytest.mark.parametrize(
    "bullet", ["- Next: retry", "- **Next**: x", "- 下一步：重试", "- 方案：轮询", "- 4", "- topic:x y"]
)
def test_what_says_nothing_is_no_topic(bullet: str) -> None:
    assert not topic(bullet)


@pytest.mark.parametrize(
    ("bullet", "found"),
    [
        ("- A longer timeout in `nginx.conf` fails", "topic:A longer timeout in"),
        ("- configuration of connection pools", "topic:configuration of"),
        ("- internationalizationinternational", "topic:internationalizationinte"),
        ("- `internationalization of it` and more", "topic:internationalization of"),
        ("- 把 `retry` 改成 `retry_with_backoff_and_jitter`", "topic:把 `retry` 改成"),
    ],
)
def test_a_topic_ends_before_a_word_or_a_code_span_that_it_would_cut(bullet: str, found: str) -> None:
    assert topic(bullet) == found


def test_a_head_is_not_cut() -> None:
    assert head("- polling every second is too slow → limited") == "polling every second is too slow"


@pytest.mark.parametrize(
    ("bullet", "found"),
    [
        ("- 轮询接口 → 限流", "dead-end:轮询接口"),
        ("- 轮询接口 -> 限流", "dead-end:轮询接口"),
        ("- 轮询接口=>限流", "dead-end:轮询接口"),
        ("- 方案：轮询接口，失败原因：限流", "dead-end:轮询接口"),
        ("- 方案: 轮询接口 → 限流", "dead-end:轮询接口"),
        ("- Tried polling every second, because it is simple", "dead-end:polling every second"),
        ("- tried: **polling** -> limited", "dead-end:polling"),
        ("- polling `a` and `b` → limited", "dead-end:polling `a` and `b`"),
        ("- triedness → x", "dead-end:triedness"),
        ("- 轮询接口不行", ""),
        ("- → 限流", ""),
        ("- 方案： → 限流", ""),
    ],
)
def test_a_dead_end_is_what_stands_before_its_reason(bullet: str, found: str) -> None:
    assert dead_end(bullet) == found


def test_the_first_spelling_of_a_name_stays() -> None:
    assert distinct(["B", "a", "b", "", "Ａ"]) == ("B", "a")


@settings(deadline=None)
@given(st.text(alphabet="tagypeopic:- -登录，：(*`_[]0aZ→=>\n"))
def test_tags_are_distinct_and_stand_in_the_text(text: str) -> None:
    found = tags_in(text)
    assert len(set(map(fold, found))) == len(found)
    assert all(tag in text.replace("：", ":") for tag in found)
    for tag, prefix in ((topic(text), "topic:"), (dead_end(text), "dead-end:")):
        assert not tag or (tag.startswith(prefix) and tag == tag.strip() and len(tag) > len(prefix))


def test_tried_within_a_longer_word_is_part_of_the_approach() -> None:
    assert dead_end("- tried-and-true because x") == "dead-end:tried-and-true"
    assert dead_end("- Tried polling because x") == "dead-end:polling"
