"""A rule's manual, by its id, however it is typed."""

from __future__ import annotations

import pytest

from wbmem_git.errors import UsageError
from wbmem_git.verbs.explain import EVERY, explain, overview


@pytest.mark.parametrize("rule", [row.id for row in EVERY])
def test_every_rule_has_a_manual_without_indentation(rule: str) -> None:
    text = explain(rule)
    assert text.startswith(f"{rule} · ")
    assert text.endswith("\n")
    assert "\n    " not in text


@pytest.mark.parametrize("typed", ["P-H1", "p-h1", "ph1", " P-H1 "])
def test_however_it_is_typed(typed: str) -> None:
    assert explain(typed) == explain("P-H1")


def test_a_manual_says_whether_the_rule_refuses() -> None:
    assert explain("H3").splitlines()[0] == "H3 · refuses · ledgers that a commit adds"
    assert explain("S4").splitlines()[0] == "S4 · stands in the report only · ledgers that a commit adds"


@pytest.mark.parametrize(("typed", "near"), [("C22", "C2"), ("P-H", "P-H1"), ("H11", "H1")])
def test_an_unknown_rule_names_the_nearest(typed: str, near: str) -> None:
    with pytest.raises(UsageError) as caught:
        explain(typed)
    assert near in caught.value.message
    assert "wbmem explain" in caught.value.hint


def test_nothing_near_is_no_guess() -> None:
    with pytest.raises(UsageError) as caught:
        explain("everything")
    assert "did you mean" not in caught.value.message


def test_the_overview_has_each_rule_in_one_line() -> None:
    lines = overview().splitlines()
    assert [line.split()[0] for line in lines] == [row.id for row in EVERY]
    assert all(line.split()[1] in {"hard", "soft", "note"} for line in lines)
