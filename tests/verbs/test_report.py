"""One verdict, three voices; nothing secret in any of them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from reports import valid_report
from rules.building import change_of
from rules.loader import load, tables

from wbmem_git.model import Finding, Verdict
from wbmem_git.rules.check import check
from wbmem_git.rules.registry import RULES
from wbmem_git.verbs.report import as_github, as_json, as_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _pytest.mark.structures import ParameterSet
    from rules.loader import Case

    from wbmem_git.model import Target

LEDGER = "handoff-20260914-101500.md"
TOKEN = "ghp" + "_abcdefghijklmnopqrstuvwxyzABCDEF0123"
FIRM = settings(deadline=None, suppress_health_check=list(HealthCheck))

MISSING = Finding(
    "H1",
    "hard",
    LEDGER,
    1,
    "a section is missing: `## 目标`",
    "write it",
    missing=("## 目标",),
    key="missing",
)
LONG = Finding("S1", "soft", LEDGER, 9, '"## Goals" has 9 lines', "keep five")
GONE = Finding(
    "C2",
    "hard",
    "PLAN.md",
    3,
    "a card is gone",
    "wbmem archive",
    card="mem_x",
    title="Fix it",
    last_line="Next: it",
)
OLD = Finding("C1", "hard", "PLAN.md", 7, "an anchor is missing", "wbmem fix", card="mem_y", already=True)
RAN: tuple[tuple[Target, str, str], ...] = (
    ("repository", "", "W1"),
    ("repository", "", "C2"),
    ("repository", "PLAN.md", "C1"),
    ("repository", "PLAN.md", "C3"),
    ("handoff", LEDGER, "H1"),
    ("handoff", LEDGER, "H2"),
    ("handoff", LEDGER, "S1"),
)
REFUSED = Verdict("", (GONE, OLD, MISSING, LONG), RAN)


def test_the_json_of_contracts() -> None:
    report = valid_report(as_json(REFUSED))
    assert [(page["page"], page["target"], page["hard_pass"]) for page in report] == [
        ("", "repository", True),
        ("PLAN.md", "repository", False),
        (LEDGER, "handoff", False),
    ]
    assert list(report[2]) == ["version", "target", "page", "commit", "hard_pass", "hard", "soft"]
    assert report[2] == {
        "version": "ledger_criteria_v1",
        "target": "handoff",
        "page": LEDGER,
        "commit": None,
        "hard_pass": False,
        "hard": [
            {
                "id": "H1",
                "pass": False,
                "missing": ["## 目标"],
                "line": 1,
                "detail": "a section is missing: `## 目标`",
                "fix": "write it",
            },
            {"id": "H2", "pass": True, "detail": ""},
        ],
        "soft": [
            {"id": "S1", "pass": False, "line": 9, "detail": '"## Goals" has 9 lines', "fix": "keep five"}
        ],
    }
    assert list(report[2]["hard"][0]) == ["id", "pass", "missing", "line", "detail", "fix"]


def test_what_failed_on_a_page_did_not_pass_for_the_commit() -> None:
    whole, board, _ = as_json(REFUSED)
    assert [result["id"] for result in whole["hard"]] == ["W1"]
    assert {result["id"]: result["pass"] for result in board["hard"]} == {
        "C1": False,
        "C2": False,
        "C3": True,
    }


def test_a_card_finding_names_the_card() -> None:
    board = as_json(REFUSED)[1]
    gone = next(result for result in board["hard"] if result["id"] == "C2")
    assert gone["card"] == {"id": "mem_x", "title": "Fix it", "last_line": "Next: it"}


def test_what_does_not_refuse_leaves_hard_pass_true() -> None:
    verdict = Verdict("a" * 40, (OLD, GONE._replace(allowed=True), MISSING._replace(mended=True)), RAN)
    report = valid_report(as_json(verdict))
    assert all(page["hard_pass"] for page in report)
    assert {page["commit"] for page in report} == {"a" * 40}
    marked = {result["id"]: result for page in report for result in page["hard"] if not result["pass"]}
    assert marked["C1"]["already"] is marked["C2"]["allowed"] is marked["H1"]["mended"] is True


def test_a_note_says_that_it_is_one() -> None:
    note = Finding("S4", "note", LEDGER, 3, "this holds for a moment only", "say what it meant")
    (page,) = valid_report(as_json(Verdict("", (note,), ())))
    assert page["soft"][0]["note"] is True


def test_the_text_for_a_terminal() -> None:
    assert as_text(REFUSED) == (
        "PLAN.md:3: C2 a card is gone\n"
        "    wbmem archive\n"
        f"{LEDGER}:1: H1 a section is missing: `## 目标`\n"
        "    write it\n"
        f'{LEDGER}:9: S1 (soft) "## Goals" has 9 lines\n'
        "    keep five\n"
        "there before, not this commit's doing:\n"
        "    PLAN.md:7: C1 an anchor is missing\n"
        "refused: 2 hard, 1 soft\n"
    )


def test_a_passed_verdict_in_one_line() -> None:
    assert as_text(Verdict("", (), RAN)) == "passed: nothing found\n"
    assert as_text(Verdict("", (LONG,), RAN)).endswith("passed: 1 soft\n")


def test_colours_only_when_asked() -> None:
    assert "\x1b" not in as_text(REFUSED)
    assert "\x1b[31mC2\x1b[0m" in as_text(REFUSED, colour=True)


def test_a_page_cannot_drive_the_terminal_or_begin_a_command() -> None:
    nasty = Finding("C2", "hard", "a\x1b[2Jb\n::error::x.md", 1, "gone\r\n::error::fake", "next\u2028line")
    verdict = Verdict("", (nasty,), ())
    assert "\x1b" not in as_text(verdict)
    assert as_text(verdict).count("\n") == 3
    assert as_github(verdict).count("\n") == 1


def test_the_annotations_of_github() -> None:
    percent = Finding("C8", "soft", "a,b:c 100%.md", 2, "50% gone", "look\nagain")
    whole = Finding("W1", "hard", "", 0, "the key changed", "put it back")
    verdict = Verdict("", (whole, MISSING, OLD, percent), ())
    assert as_github(verdict) == (
        "::error title=W1::the key changed%0Aput it back\n"
        "::notice file=PLAN.md,line=7,title=C1::an anchor is missing"
        "%0Athere before, not this commit's doing\n"
        "::warning file=a%2Cb%3Ac 100%25.md,line=2,title=C8::50%25 gone%0Alook%0Aagain\n"
        f"::error file={LEDGER},line=1,title=H1::a section is missing: `## 目标`%0Awrite it\n"
    )
    assert as_github(Verdict("", (), RAN)) == ""


def test_a_file_name_that_is_a_secret_is_shown_nowhere() -> None:
    path = f"notes/{TOKEN}.md"
    found = Finding("E1", "hard", path, 1, "a conflict", "mend it")
    verdict = Verdict("", (found,), (("text", path, "E1"), ("text", path, "G5")))
    for report in (as_text(verdict), as_github(verdict), json.dumps(as_json(verdict))):
        assert TOKEN[8:] not in report
    assert "notes/ghp_….md:1: E1" in as_text(verdict)
    (page,) = valid_report(as_json(verdict))
    assert [result["pass"] for result in page["hard"]] == [False, True]


def rows() -> Iterator[ParameterSet]:
    for table in tables():
        for case in load(table):
            yield pytest.param(case, id=f"{case.table}: {case.title}")


@pytest.mark.parametrize("case", list(rows()))
def test_every_case_makes_a_valid_report(case: Case) -> None:
    verdict = check(change_of(case, case.actors[0]))
    report = valid_report(as_json(verdict))
    assert all(page["hard_pass"] for page in report) == verdict.passed
    results = [result for page in report for result in (*page["hard"], *page["soft"])]
    assert sum(not result["pass"] for result in results) == len(verdict.findings)
    assert as_text(verdict).splitlines()[-1].startswith("passed: " if verdict.passed else "refused: ")
    assert as_github(verdict).count("\n") == len(verdict.findings)


FINDINGS = st.builds(
    Finding,
    rule=st.sampled_from([row.id for row in RULES]),
    severity=st.sampled_from(["hard", "soft", "note"]),
    path=st.sampled_from(["", "PLAN.md", LEDGER, "a b.md"]),
    line=st.integers(0, 99),
    message=st.text(min_size=1),
    fix=st.text(),
    card=st.sampled_from(["", "mem_" + "0" * 32]),
    title=st.text(),
    last_line=st.text(),
    missing=st.sampled_from([(), ("## Goals",)]),
    already=st.booleans(),
    allowed=st.booleans(),
    mended=st.booleans(),
)
PLACES = st.tuples(
    st.sampled_from(["", "PLAN.md", LEDGER]),
    st.sampled_from([row.id for row in RULES]),
)


@FIRM
@given(st.lists(FINDINGS, max_size=6), st.lists(PLACES, max_size=6))
def test_whatever_is_found_validates(findings: list[Finding], ran: list[tuple[str, str]]) -> None:
    targets = {row.id: row.target for row in RULES}
    places = tuple((targets[name], path, name) for path, name in ran)
    verdict = Verdict("", tuple(findings), places)
    report = valid_report(as_json(verdict))
    assert all(page["hard_pass"] for page in report) == verdict.passed
    failed = [result for page in report for result in (*page["hard"], *page["soft"]) if not result["pass"]]
    assert len(failed) == len(findings)
