"""Running the rules: order, marks, and failing closed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rules.building import change_of
from rules.loader import parse

from wbmem_git.model import Finding
from wbmem_git.rules import cards, vanish
from wbmem_git.rules import check as checking
from wbmem_git.rules.check import check
from wbmem_git.rules.fingerprint import fingerprint
from wbmem_git.rules.registry import RULES, rule
from wbmem_git.rules.scope import always

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rules.loader import Actor

    from wbmem_git.model import Change
    from wbmem_git.rules.registry import Rule

BOARD = """
---- old PLAN.md
## Doing

### A
text
==== case
"""


def change_from(text: str, actor: Actor = "human") -> Change:
    (case,) = parse(text + "---- expect\npasses\n", "C2")
    return change_of(case, actor)


def refusals(change: Change) -> list[str]:
    return [finding.rule for finding in check(change).findings if finding.refuses]


def test_a_rule_that_raises_refuses_and_names_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(change: Change) -> Iterator[Finding]:
        yield Finding("C2", "soft", "PLAN.md", len(change.parents) // 0, "never told")

    monkeypatch.setattr(vanish, "c2", broken)
    monkeypatch.setattr(checking, "RULES", (rule("C2"),))
    (finding,) = check(change_from(BOARD)).findings
    assert finding.message == "rule C2 failed: ZeroDivisionError"
    assert finding.refuses


def test_a_rule_that_raises_on_the_old_tree_alone_refuses_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(change: Change) -> Iterator[Finding]:
        if change.new is change.old:
            raise KeyError
        yield Finding("C1", "hard", "PLAN.md", 1, "message")

    monkeypatch.setattr(cards, "c1", broken)
    monkeypatch.setattr(checking, "RULES", (rule("C1")._replace(may_find=always),))
    (finding,) = check(change_from(BOARD)).findings
    assert finding.message == "rule C1 failed: KeyError"


def test_findings_come_in_the_order_of_the_rules_then_of_the_pages() -> None:
    text = BOARD + "---- new PLAN.md (gone)\n---- new wbmem.yaml (gone)\n---- new a.md (bytes)\n\\xff\n"
    rules = [finding.rule for finding in check(change_from(text)).findings]
    assert rules == sorted(rules, key=[row.id for row in RULES].index)
    assert {"W1", "E1", "C2"} <= set(rules)


def test_adopting_is_judged_by_three_rules_only() -> None:
    text = """
==== case
---- old wbmem.yaml (gone)
---- old PLAN.md
### A
### A
---- new wbmem.yaml
format: 1
workspace: demo
---- new PLAN.md (gone)
---- new handoff-20260914-101500.md
nothing
"""
    verdict = check(change_from(text, "agent"))
    assert verdict.passed
    assert {name for _, _, name in verdict.ran} <= {"W2", "E1", "G5"}


def test_every_rule_that_ran_is_told_with_its_page() -> None:
    ran = check(change_from(BOARD + "---- new PLAN.md (edit)\n-text\n+other\n")).ran
    assert ("repository", "PLAN.md", "C1") in ran
    assert ("repository", "", "C2") in ran
    assert ("text", "PLAN.md", "E1") in ran


@pytest.mark.parametrize(("criteria", "refused"), [("enforce", ["P-H1"]), ("warn", [])])
def test_criteria_warn_records_a_board_and_does_not_refuse(criteria: str, refused: list[str]) -> None:
    text = f"""
---- old wbmem.yaml (edit)
+criteria: {criteria}
---- old PLAN.md
## Doing
==== case
---- new PLAN.md
Nothing here.
"""
    change = change_from(text)
    assert refusals(change) == refused
    (finding,) = [f for f in check(change).findings if f.rule == "P-H1"]
    assert (finding.severity == "soft") == (criteria == "warn")
    assert rule(finding.rule).severity == "hard"


def test_criteria_warn_switches_nothing_else_off() -> None:
    text = "---- old wbmem.yaml (edit)\n+criteria: warn\n" + BOARD.lstrip() + "---- new PLAN.md (gone)\n"
    assert refusals(change_from(text)) == ["C2"]


def test_an_allowance_lets_a_credential_through_in_the_commit_that_adds_it() -> None:
    new = "---- new notes.md\npassword: Tr0ub4dor-Xy7q9Zk2\n"
    change = change_from("==== case\n" + new)
    (finding,) = [finding for finding in check(change).findings if finding.rule == "G5"]
    name = fingerprint(finding, change.settings.workspace)
    allowing = f"---- new wbmem.yaml (edit)\n+allow: ['{name}']\n"
    assert refusals(change) == ["G5"]
    assert refusals(change_from("==== case\n" + allowing + new)) == []
    assert refusals(change_from("==== case\n" + allowing.replace(name, "0" * 16) + new)) == ["G5"]


def test_an_allowance_lets_nothing_else_through() -> None:
    gone = "---- new PLAN.md (gone)\n"
    (finding,) = [f for f in check(change_from(BOARD + gone)).findings if f.rule == "C2"]
    name = fingerprint(finding, "demo-1a2b3c4d")
    allowing = f"---- new wbmem.yaml (edit)\n+allow: ['{name}']\n"
    assert refusals(change_from(BOARD + allowing + gone)) == ["C2"]


def test_a_fingerprint_survives_moving_lines_and_is_another_in_another_memory() -> None:
    finding = Finding("C2", "hard", "PLAN.md", 3, "card A is gone", card="mem_" + "0" * 32)
    name = fingerprint(finding, "demo")
    assert name == fingerprint(finding._replace(line=40, message="said otherwise"), "demo")
    assert len(name) >= 12
    assert set(name) <= set("0123456789abcdef")
    others = [
        fingerprint(finding, "other"),
        fingerprint(finding._replace(path="MEMORY.md"), "demo"),
        fingerprint(finding._replace(rule="C5"), "demo"),
        fingerprint(finding._replace(card="mem_" + "1" * 32), "demo"),
    ]
    assert name not in others


def test_one_parent_that_has_it_is_enough_for_already() -> None:
    text = """
---- old PLAN.md
## Doing
==== case
---- old notes.md
ours
---- old PLAN.md (edit)
+Ours.
---- parent 2 PLAN.md (edit)
+
+### B
+Theirs.
---- new PLAN.md (edit)
+
+### B
+Theirs.
"""
    (finding,) = [f for f in check(change_from(text, "agent")).findings if f.rule == "C1"]
    assert finding.already
    assert not finding.refuses


@pytest.mark.parametrize("brief", [False, True])
def test_what_a_card_lacked_before_it_was_edited_was_there_before(brief: bool) -> None:
    text = BOARD + "---- new PLAN.md (edit)\n-text\n+other text\n\n+\n+### B\n+new\n"
    found = check(change_from(text)._replace(brief=brief)).findings
    lacking = {finding.title: finding.already for finding in found if finding.rule == "P-S3"}
    assert lacking == {"A": True, "B": False}


def test_a_credential_on_a_page_does_not_get_out_through_another_rule() -> None:
    text = """
---- old PLAN.md
## Doing

### Deploy
password: Tr0ub4dor-Xy7q9Zk2
==== case
---- new PLAN.md (gone)
"""
    (finding,) = [f for f in check(change_from(text)).findings if f.rule == "C2"]
    assert "Tr0ub4dor" not in repr(finding)
    assert "password" in finding.message


def test_where_only_what_can_refuse_is_asked_for_no_soft_rule_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    judged = checking._judge

    def noting(row: Rule, change: Change) -> list[Finding]:
        asked.append(row.severity)
        return judged(row, change)

    change = change_from(BOARD + "---- new PLAN.md\n## Doing\n\n### C\ntext\n")
    whole = check(change)
    monkeypatch.setattr(checking, "_judge", noting)
    hard = check(change, only_hard=True)
    assert [finding for finding in whole.findings if rule(finding.rule).severity == "hard"] == [
        *hard.findings
    ]
    assert {"soft"} < {rule(name).severity for _, _, name in whole.ran}
    assert set(asked) == {"hard"}
    assert {rule(name).severity for _, _, name in hard.ran} == {"hard"}
