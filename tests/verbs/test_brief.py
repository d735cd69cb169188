"""A verdict cut to what a person reads, at the doors that refuse."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hooks.gated import gate, refused
from pages import board, card

from wbmem_git.model import Finding, Verdict
from wbmem_git.verbs.brief import MOST_HARD, MOST_SOFT, brief

if TYPE_CHECKING:
    from memory import Memory

    from wbmem_git.model import Severity

MANY = 400


def found(severity: Severity, count: int) -> tuple[Finding, ...]:
    return tuple(Finding("C4", severity, "PLAN.md", n, f"fault {n}") for n in range(1, count + 1))


def test_a_short_verdict_is_told_whole() -> None:
    verdict = Verdict("", (*found("hard", MOST_HARD), *found("soft", MOST_SOFT)), ())
    lines = brief(verdict, "wbmem check").splitlines()
    assert len(lines) == MOST_HARD + MOST_SOFT + 1
    assert lines[-1] == f"refused: {MOST_HARD} hard, {MOST_SOFT} soft"


def test_of_many_the_first_are_told_and_how_many_more_there_are() -> None:
    lines = brief(Verdict("", (*found("hard", 4000), *found("soft", 11)), ()), "wbmem check").splitlines()
    assert len(lines) == MOST_HARD + MOST_SOFT + 2
    assert lines[0] == "PLAN.md:1: C4 fault 1"
    assert lines[-1] == "wbmem: and 3980 more hard and 1 more soft findings: wbmem check lists them"


def test_a_single_one_more_is_one_finding() -> None:
    lines = brief(Verdict("", found("hard", 21), ())).splitlines()
    assert lines[-1] == "wbmem: and 1 more hard finding"


def test_what_refuses_is_among_the_first() -> None:
    mended = tuple(finding._replace(mended=True) for finding in found("hard", MOST_HARD))
    refusing = Finding("C2", "hard", "Z.md", 9, "a card is gone")
    assert "Z.md:9: C2" in brief(Verdict("", (*mended, refusing), ()))


def test_what_is_no_matter_of_this_commit_isnt_told() -> None:
    before = tuple(finding._replace(already=True) for finding in found("hard", 3))
    assert brief(Verdict("", (*before, *found("note", 2)), ())) == ""


@pytest.fixture
def faulty(memory: Memory) -> Memory:
    """Hooks, and a page that is all faults, staged."""
    gate(memory)
    zones = "".join(f"### Card {n}\n<!-- user -->\ntext\n\n" for n in range(MANY))
    memory.write("PLAN.md", board(card("A"), card("B")) + zones)
    memory.git("add", "-A")
    return memory


def test_a_hook_that_refuses_a_page_of_faults_is_brief(faulty: Memory) -> None:
    said = refused(faulty.try_git("commit", "-q", "-m", "faults"), "C4")
    assert said.count(": C4 ") == MOST_HARD
    assert f"and {MANY - MOST_HARD} more hard" in said
    assert "findings: wbmem check lists them" in said


def test_a_push_of_it_names_the_command_that_lists_them(faulty: Memory) -> None:
    faulty.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "faults")
    faulty.git("init", "-q", "--bare", "../remote")
    said = refused(faulty.try_git("push", "-q", "../remote", "main"), "C4")
    oid = faulty.git("rev-parse", "HEAD")[:12]
    assert said.count(": C4 ") == MOST_HARD
    assert f"wbmem check --from {oid}^ --to {oid} lists them" in said
