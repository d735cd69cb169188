"""The table of rules: complete, in order, and each rule a manual of itself."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING

import pytest
from rules.building import change_of
from rules.loader import Case, load, tables

from wbmem_git.rules.check import check
from wbmem_git.rules.registry import RULES, rule

if TYPE_CHECKING:
    from wbmem_git.rules.registry import Rule

ORDER = [
    *("W1", "W2", "W3", "E1", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "C8", "U1", "U2", "U3", "A1", "M1"),
    *("L1", "L2", "L3", "H1", "H2", "H3", "H4", "S1", "S2", "S3", "S4", "S5", "S6"),
    *("P-H1", "P-H2", "P-S1", "P-S2", "P-S3", "G1", "G2", "G3", "G4", "G5"),
]
SOFT = {"C6", "C8", "L3", "S1", "S2", "S3", "S5", "S6", "P-S1", "P-S2", "P-S3"}
COMMANDS = {
    *("fix", "archive", "restore", "rename", "new", "check", "audit", "status", "explain", "remarks"),
    *("allow", "rekey", "hooks", "init", "doctor", "completion"),
}
DESTRUCTIVE = re.compile(
    r"reset --|checkout|git restore|git clean|\brm\b|--force|push -f|stash|branch -D|update-ref|filter|purge"
)


def test_every_rule_of_the_format_is_there_in_order() -> None:
    assert [row.id for row in RULES] == ORDER


def test_severities_are_the_formats() -> None:
    assert {row.id for row in RULES if row.severity == "soft"} == SOFT
    assert {row.id for row in RULES if row.severity == "note"} == {"S4"}


def test_targets_are_the_contracts() -> None:
    families = {"H": "handoff", "S": "handoff", "P": "plan", "E": "text", "G": "text"}
    assert all(row.target == families.get(row.id[0], "repository") for row in RULES)


def test_a_rule_is_found_by_its_id() -> None:
    assert rule("C2").function.__name__ == "c2"
    with pytest.raises(KeyError):
        rule("C9")


@pytest.mark.parametrize("row", RULES, ids=[row.id for row in RULES])
def test_a_docstring_is_a_manual(row: Rule) -> None:
    manual = row.function.__doc__ or ""
    assert "Why: " in manual
    assert "How to mend: " in manual
    assert not DESTRUCTIVE.search(manual)
    assert set(re.findall(r"wbmem ([a-z]+)", manual)) <= COMMANDS


@cache
def every_case() -> list[Case]:
    return [case for table in tables() for case in load(table)]


def test_every_finding_says_what_to_do_and_names_no_command_that_destroys_or_is_not_there() -> None:
    told = [
        finding
        for case in every_case()
        for actor in case.actors[:1]
        for finding in check(change_of(case, actor)).findings
    ]
    assert len(told) > 300
    quoted = re.compile(r'"[^"]*"')
    for finding in told:
        assert finding.message, finding
        assert finding.fix, finding
        text = quoted.sub("", f"{finding.message}\n{finding.fix}")
        assert not DESTRUCTIVE.search(text), finding
        assert set(re.findall(r"wbmem ([a-z]+)", text)) <= COMMANDS, finding


@pytest.mark.parametrize("row", RULES, ids=[row.id for row in RULES])
def test_every_table_has_a_bad_case_a_good_one_and_a_merge(row: Rule) -> None:
    cases = [case for case in every_case() if case.table == row.id]
    assert any(not case.expected for case in cases)
    assert any(expected.rule == row.id for case in cases for expected in case.expected)
    if row.id[0] in "WECUAML":
        assert any(len(case.parents) > 1 for case in cases)
