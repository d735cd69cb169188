"""SARIF 2.1.0: what a forge's list of findings needs, and nothing that its schema doesn't know."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

import pytest
from jsonschema import Draft202012Validator
from rules.building import change_of
from rules.loader import load, tables

from wbmem_git.model import Finding, Verdict
from wbmem_git.rules.check import check
from wbmem_git.rules.fingerprint import fingerprint
from wbmem_git.rules.registry import RULES
from wbmem_git.verbs.sarif import as_sarif

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _pytest.mark.structures import ParameterSet
    from rules.loader import Case

TOKEN = "ghp" + "_abcdefghijklmnopqrstuvwxyzABCDEF0123"
TEXT = {"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "minLength": 1}}}
LEVEL = {"enum": ["none", "note", "warning", "error"]}


def closed(properties: dict[str, Any], *optional: str) -> dict[str, Any]:
    """An object of a schema that has these properties and no others."""
    return {
        "type": "object",
        "additionalProperties": False,
        "required": [name for name in properties if name not in optional],
        "properties": properties,
    }


def listed(item: dict[str, Any], least: int = 0) -> dict[str, Any]:
    return {"type": "array", "items": item, "minItems": least}


STRING = {"type": "string", "minLength": 1}
PHYSICAL = closed(
    {
        "artifactLocation": closed({"uri": {"type": "string", "pattern": "^[!-~]+$"}, "uriBaseId": STRING}),
        "region": closed({"startLine": {"type": "integer", "minimum": 1}}),
    },
    "region",
)
LOGICAL = closed({"fullyQualifiedName": STRING, "kind": STRING})
RESULT = closed(
    {
        "ruleId": STRING,
        "ruleIndex": {"type": "integer", "minimum": 0},
        "level": LEVEL,
        "message": TEXT,
        "locations": listed(
            closed({"physicalLocation": PHYSICAL, "logicalLocations": listed(LOGICAL)}, "logicalLocations"), 1
        ),
        "partialFingerprints": {"type": "object", "additionalProperties": STRING},
        "suppressions": listed(
            closed(
                {
                    "kind": {"enum": ["inSource", "external"]},
                    "status": {"enum": ["accepted", "underReview", "rejected"]},
                    "justification": STRING,
                }
            ),
            1,
        ),
        "properties": {"type": "object"},
    },
    "partialFingerprints",
    "suppressions",
    "properties",
)
RULE = closed(
    {
        "id": STRING,
        "shortDescription": TEXT,
        "fullDescription": TEXT,
        "help": TEXT,
        "defaultConfiguration": closed({"level": LEVEL}),
    }
)
RUN = closed(
    {
        "tool": closed({"driver": closed({"name": STRING, "version": STRING, "rules": listed(RULE, 1)})}),
        "columnKind": {"enum": ["utf16CodeUnits", "unicodeCodePoints"]},
        "results": listed(RESULT),
    }
)
SCHEMA = Draft202012Validator(
    closed({"$schema": STRING, "version": {"const": "2.1.0"}, "runs": listed(RUN, 1)}),
)
"""The part of the standard's schema that a report of ours has, in our words: no property beside these."""


def valid(log: dict[str, Any]) -> dict[str, Any]:
    """The run of a log that validates."""
    faults = [f"{fault.json_path}: {fault.message}" for fault in SCHEMA.iter_errors(log)]
    assert not faults, "\n".join(faults)
    (run,) = json.loads(json.dumps(log))["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({row["id"] for row in rules}) == len(rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
    return dict(run)


def result_of(finding: Finding, commit: str = "", key: str = "") -> dict[str, Any]:
    (result,) = valid(as_sarif([Verdict(commit, (finding,), ())], key))["results"]
    return dict(result)


def each_case() -> Iterator[ParameterSet]:
    for table in tables():
        for case in load(table):
            yield pytest.param(case, id=f"{table.stem}: {case.title}")


@pytest.mark.parametrize("case", list(each_case()))
def test_every_case_of_every_rule_is_valid_and_tells_each_finding(case: Case) -> None:
    verdict = check(change_of(case, case.actors[0]))
    results = valid(as_sarif([verdict], "notes"))["results"]
    assert sorted(one["ruleId"] for one in results) == sorted(one.rule for one in verdict.findings)
    refusing = [one for one in results if one["level"] == "error" and "suppressions" not in one]
    assert len(refusing) == sum(one.refuses for one in verdict.findings)


def test_every_rule_is_there_with_its_manual_also_where_nothing_was_found() -> None:
    run = valid(as_sarif([]))
    assert [row["id"] for row in run["tool"]["driver"]["rules"]] == [row.id for row in RULES]
    c2 = next(row for row in run["tool"]["driver"]["rules"] if row["id"] == "C2")
    assert c2["defaultConfiguration"] == {"level": "error"}
    assert "How to mend" in c2["fullDescription"]["text"]
    assert run["results"] == []


def test_a_finding_says_where_it_stands_what_to_do_and_which_commit_it_is_of() -> None:
    finding = Finding("C2", "hard", "PLAN.md", 3, "it is gone", "wbmem archive", card="mem_x", title="Fix")
    result = result_of(finding, "f" * 40, "notes")
    assert result["level"] == "error"
    assert result["message"]["text"] == "it is gone\nwbmem archive"
    assert result["locations"] == [
        {
            "physicalLocation": {
                "artifactLocation": {"uri": "PLAN.md", "uriBaseId": "%SRCROOT%"},
                "region": {"startLine": 3},
            }
        }
    ]
    assert result["properties"] == {"commit": "f" * 40, "card": "mem_x", "title": "Fix"}
    assert list(result["partialFingerprints"].values()) == [fingerprint(finding, "notes")]


def test_a_fingerprint_stays_when_lines_move() -> None:
    finding = Finding("H1", "hard", "PLAN.md", 3, "a section is missing", key="missing")
    moved = finding._replace(line=30)
    assert (
        result_of(finding, key="notes")["partialFingerprints"]
        == (result_of(moved, key="notes")["partialFingerprints"])
    )


MISSING = Finding("C1", "hard", "PLAN.md", 7, "an anchor is missing")


@pytest.mark.parametrize(
    "finding",
    [MISSING._replace(already=True), MISSING._replace(allowed=True), MISSING._replace(mended=True)],
    ids=["already", "allowed", "mended"],
)
def test_what_refuses_nothing_any_more_is_suppressed_and_says_why(finding: Finding) -> None:
    result = result_of(finding)
    assert result["level"] == "note"
    (suppressed,) = result["suppressions"]
    assert suppressed["kind"] == "external"
    assert suppressed["justification"]
    assert "suppressions" not in result_of(MISSING)


def test_soft_findings_warn_and_notes_note() -> None:
    assert result_of(Finding("S1", "soft", "PLAN.md", 1, "long"))["level"] == "warning"
    assert result_of(Finding("S4", "note", "PLAN.md", 1, "passing"))["level"] == "note"


def test_a_path_is_a_uri_and_a_finding_of_the_commit_stands_on_the_settings() -> None:
    path = "notes/日 志#1.md"
    found = result_of(Finding("E1", "hard", path, 0, "no text"))["locations"][0]["physicalLocation"]
    assert "#" not in found["artifactLocation"]["uri"]
    assert unquote(found["artifactLocation"]["uri"]) == path
    assert "region" not in found
    message = result_of(Finding("G5", "hard", "", 0, "the message holds a token"), "a" * 40)
    (location,) = message["locations"]
    assert location["physicalLocation"]["artifactLocation"]["uri"] == "wbmem.yaml"
    assert location["logicalLocations"] == [{"fullyQualifiedName": f"commit {'a' * 40}", "kind": "object"}]


def test_nothing_secret_and_nothing_that_drives_a_terminal_is_told() -> None:
    finding = Finding("E1", "hard", f"{TOKEN}.md", 1, f"see {TOKEN}\x1b[2J", title=TOKEN)
    told = json.dumps(valid(as_sarif([Verdict("", (finding,), ())])))
    assert TOKEN not in told
    assert "\\u001b" not in told
