"""Which page of a commit goes on under another path."""

from __future__ import annotations

import pytest

from wbmem_git.verbs.past.renames import EMPTY, renamed_pages

NO_CARDS: dict[str, frozenset[str]] = {}


def renames(removed: dict[str, str], created: dict[str, str], cards: dict[str, str]) -> dict[str, str]:
    """Each page has the cards that its string names, a letter each."""
    return renamed_pages(removed, created, lambda path, _is_new: frozenset(cards.get(path, "")))


def test_of_pages_that_are_byte_for_byte_alike_one_of_the_same_name_comes_first() -> None:
    removed = {"a/x.md": "1", "a/y.md": "1", "a/z.md": "2"}
    assert renames(removed, {"b/y.md": "1", "c.md": "2", "d.md": "3"}, {}) == {
        "b/y.md": "a/y.md",
        "c.md": "a/z.md",
    }


def test_an_empty_file_is_no_other_one() -> None:
    for blob in EMPTY:
        assert renames({"a.md": blob}, {"b.md": blob}, {}) == {}


@pytest.mark.parametrize(
    ("old", "new", "is_renamed"),
    [
        ("ab", "a", True),
        ("abcd", "abxyz", True),
        ("abc", "a", False),
        ("abcde", "ab", False),
        ("", "", False),
    ],
)
def test_half_of_the_cards_is_enough_and_less_is_not(old: str, new: str, *, is_renamed: bool) -> None:
    found = renames({"old.md": "1"}, {"new.md": "2"}, {"old.md": old, "new.md": new})
    assert found == ({"new.md": "old.md"} if is_renamed else {})


def test_it_is_the_page_that_most_of_the_cards_come_from() -> None:
    cards = {"a.md": "abcd", "b.md": "efg", "new.md": "abefg", "rest.md": "cd"}
    assert renames({"a.md": "1", "b.md": "2"}, {"new.md": "3", "rest.md": "4"}, cards) == {
        "new.md": "b.md",
        "rest.md": "a.md",
    }
