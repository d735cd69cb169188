"""`wbmem lint` as a person types it, and what `wbmem status` says of it."""

from __future__ import annotations

import json
from datetime import date
from typing import TYPE_CHECKING

import pytest
from pages import id_of, ledger

if TYPE_CHECKING:
    from desk import Desk, Run

UNKNOWN = "mem_" + "5" * 32
YOUNG, OLD = "2026-09-20", "2026-11-01"
"""Days on which the desk's cards (2026-09-14) are so."""


def commit(it: Desk, old: str, new: str) -> None:
    it.edit(old, new)
    it.memory.git("commit", "-q", "-a", "-m", "work")


@pytest.mark.usefixtures("it")
def test_nothing_to_look_after(run: Run) -> None:
    assert run("lint", "--today", YOUNG) == (0, "nothing to look after\n", "")


def test_each_finding_with_its_place_and_what_to_do(it: Desk, run: Run) -> None:
    commit(it, "sharpen the saw", f"sharpen the saw, see Gamma and {UNKNOWN}")
    status, out, err = run("lint", "--today", OLD)
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == 'PLAN.md:5: N1 nothing refers to "Alpha"'
    assert lines[1].startswith("  next: name it in a card that it belongs to ")
    assert 'PLAN.md:15: N2 "Beta" is current and 48 days old (2026-09-14)' in lines
    assert f"PLAN.md:9: N6 {UNKNOWN} is the id of nothing here" in lines
    assert not any('N1 nothing refers to "Gamma"' in line for line in lines)
    assert lines[-1] == "4 to mend, 2 to consider"


def test_json_is_what_the_workspace_answers(it: Desk, run: Run) -> None:
    commit(it, "sharpen the saw", UNKNOWN)
    status, out, _ = run("lint", "--today", YOUNG, "--json")
    said = json.loads(out)
    head = it.memory.git("rev-parse", "HEAD")
    assert (status, said) == (0, it.workspace.lint(today=date(2026, 9, 20)))
    assert said == {
        "ok": True,
        "head": head,
        "today": YOUNG,
        "findings": [
            {
                "id": "N6",
                "severity": "soft",
                "page": "PLAN.md",
                "line": 9,
                "card": id_of("Alpha"),
                "title": "Alpha",
                "detail": f"{UNKNOWN} is the id of nothing here",
                "fix": "write the id that is meant: wbmem status lists them",
            }
        ],
    }


def test_as_of_an_earlier_commit(it: Desk, run: Run) -> None:
    commit(it, "sharpen the saw", UNKNOWN)
    assert run("lint", "--today", YOUNG, "--as-of", "HEAD~1")[1] == "nothing to look after\n"
    assert "N6" in run("lint", "--today", YOUNG, "--as-of", "HEAD")[1]


def test_a_ledger_that_is_committed_past_any_hook_counts_at_once(it: Desk, run: Run) -> None:
    assert 'refers to "Beta"' in run("lint", "--today", OLD)[1]
    it.memory.commit({"handoff-20260914-101500.md": ledger("Beta goes on: `make test` in its folder")})
    assert 'refers to "Beta"' not in run("lint", "--today", OLD)[1]


def test_the_days_are_those_of_the_settings(it: Desk, run: Run) -> None:
    it.memory.commit({"wbmem.yaml": it.memory.read("wbmem.yaml") + "lint:\n  stale_days: 3\n"})
    assert "N2" in run("lint", "--today", YOUNG)[1]


def test_an_unborn_branch_has_nothing(it: Desk, run: Run) -> None:
    it.memory.git("checkout", "-q", "--orphan", "fresh")
    status, out, _ = run("lint", "--today", OLD)
    assert (status, out) == (0, "nothing to look after\n")


def test_status_counts_and_tells_the_first(it: Desk, run: Run) -> None:
    commit(it, "sharpen the saw", " ".join(f"mem_{digit * 32}" for digit in "12345"))
    _, out, _ = run("status")
    lines = out.splitlines()
    told = [number for number, line in enumerate(lines) if line.startswith("PLAN.md:") and ": N" in line]
    assert len(told) == 3
    assert lines[told[-1] + 1].endswith(": wbmem lint")
    assert lines[told[-1] + 1].startswith("lint: ")
    _, out, _ = run("status", "--json")
    said = json.loads(out)["lint"]
    assert said["findings"] >= 5
    assert [one["id"] for one in said["first"]] == ["N6"] * 3 or said["first"][0]["id"] == "N2"


@pytest.mark.usefixtures("it")
@pytest.mark.parametrize("typed", ["N1", "n4", "N6"])
def test_explain_has_their_manuals(run: Run, typed: str) -> None:
    status, out, _ = run("explain", typed)
    assert (status, out.startswith(f"{typed.upper()} · ")) == (0, True)
    assert id_of("Alpha") not in out


def test_lint_changes_nothing(it: Desk, run: Run) -> None:
    commit(it, "sharpen the saw", UNKNOWN)
    run("lint", "--today", OLD)
    assert it.clean()
