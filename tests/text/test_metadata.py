"""What is a metadata line, and what it says."""

from __future__ import annotations

import pytest

from wbmem_git.text.metadata import is_metadata, parse_metadata


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- status: current -->",
        "<!-- status: current / date: 2026-09-14 / tags: topic:login, area:auth / chain: 12 -->",
        "<!--status:current-->",
        "<!-- Status: current -->",
        "<!-- date: -->",
        "<!-- source: https://example.org/a / old page -->",
        "<!-- owner: Ada / due: 2026-09-14 -->",
        "<!-- 负责人: 小王 / date: 2026-09-14 -->",
    ],
)
def test_known_keys_or_pairs_are_metadata(comment: str) -> None:
    assert is_metadata(comment)


@pytest.mark.parametrize(
    "comment",
    [
        "<!-- a remark -->",
        "<!-- note: call Bob -->",
        "<!-- wbmem: imported -->",
        "<!-- https://example.org / https://example.com -->",
        "<!-- status -->",
        "<!-- the status: current -->",
        "<!-- either: this / or that -->",
        "<!-- and/or: x -->",
        "<!---->",
        "<!-- : x / : y -->",
        "<!-- status:\n current -->",
    ],
)
def test_free_prose_is_no_metadata(comment: str) -> None:
    assert not is_metadata(comment)


def test_pairs_keep_their_order_and_their_values() -> None:
    metadata = parse_metadata("<!-- Status: current / tags: topic:login, area:auth / x-y: a/b / date: -->", 7)
    assert metadata.line == 7
    assert metadata.pairs == (
        ("status", "current"),
        ("tags", "topic:login, area:auth"),
        ("x-y", "a/b"),
        ("date", ""),
    )
    assert metadata.get("tags") == "topic:login, area:auth"
    assert metadata.get("expiry", "never") == "never"


def test_a_part_without_a_key_belongs_to_the_value_before_it() -> None:
    metadata = parse_metadata("<!-- source: docs / https://example.org / date: 2026-09-14 -->", 1)
    assert metadata.pairs == (("source", "docs / https://example.org"), ("date", "2026-09-14"))


@pytest.mark.timeout(30)
def test_a_run_of_blanks_takes_no_time() -> None:
    comment = f"<!-- status: current{' ' * 300_000}x -->"
    assert is_metadata(comment)
    assert len(parse_metadata(comment, 1).pairs) == 1
