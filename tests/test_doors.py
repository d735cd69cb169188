"""One set of rules behind every door: the tables of tests/cases/ through real commits.

Each case goes through the gate, the range check and the audit on a real repository, in process. One refused
and one passing case of each table also go through git itself: the native hooks and the framework's hook.
"""

from __future__ import annotations

import os
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest
from hooks.gated import install_hooks
from rules.building import change_of
from rules.loader import Case, load, tables
from staged import author, stage

from wbmem_git.rules.check import check
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.audit import audit
from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.history import check_commits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from _pytest.mark.structures import ParameterSet
    from rules.loader import Actor

    from wbmem_git.model import Finding


def rows(wanted: Callable[[Case], bool] = lambda _: True) -> Iterator[ParameterSet]:
    for table in tables():
        for case in filter(wanted, load(table)):
            yield pytest.param(case, case.actors[0], id=f"{case.table}: {case.title} [{case.actors[0]}]")


def one_of_each() -> Iterator[ParameterSet]:
    """The first refused and the first passing case of every table that a single parent shows."""
    for refused in (True, False):
        seen: set[str] = set()
        for row in rows(_plain):
            case = row.values[0]
            assert isinstance(case, Case)
            if _refused(case) == refused and case.table not in seen:
                seen.add(case.table)
                yield row


def _plain(case: Case) -> bool:
    return len(case.parents) == 1 and not case.trailers and not case.message


def _refused(case: Case) -> bool:
    return any(row.severity == "hard" and not row.already and not row.allowed for row in case.expected)


def heads(findings: Iterable[Finding]) -> list[tuple[str, str, str, int, bool]]:
    return sorted((f.rule, f.severity, f.path, f.line, f.refuses) for f in findings)


@pytest.mark.parametrize(("case", "actor"), list(rows()))
def test_gate_range_and_audit_find_in_git_what_the_rules_find_in_values(
    case: Case, actor: Actor, tmp_path: Path
) -> None:
    staged = stage(tmp_path / "handoff", case, actor)
    wanted = check(change_of(case, actor)).findings
    refusing = {finding.rule for finding in wanted if finding.refuses}
    with Repository.open(str(staged.memory.top), os.environ) as repository:
        proposed = Gate(repository).check(
            staged.parents,
            repository.tree_of(staged.commit),
            actor=actor,
            message=case.message,
            trailers={key.lower(): value for key, value in case.trailers},
            look_at_worktree=True,
        )
        (past,) = check_commits(repository, [staged.commit], staged.commit)
        staged.memory.git("update-ref", "HEAD", staged.commit)
        seen = audit(repository)
    assert heads(proposed.findings) == heads(wanted)
    assert {finding.rule for finding in past.findings if finding.refuses} == refusing
    assert {found.finding.rule for found in seen.open if found.commit == staged.commit} == refusing
    assert seen.exit_status == bool(seen.open)


@pytest.mark.parametrize(("case", "actor"), list(one_of_each()))
def test_git_commits_exactly_what_the_rules_let_pass(case: Case, actor: Actor, tmp_path: Path) -> None:
    staged = stage(tmp_path / "handoff", case, actor)
    install_hooks(staged.memory)
    done = staged.memory.try_git("commit", "-q", "--allow-empty", "-m", "a commit", env=author(actor))
    refusing = {f.rule for f in check(change_of(case, actor)).findings if f.refuses}
    assert bool(done.returncode) == bool(refusing), done.stderr
    assert all(rule in done.stderr for rule in refusing), done.stderr
    assert "Traceback" not in done.stderr
    head = staged.memory.git("rev-parse", "HEAD")
    assert (head == staged.parents[0]) == bool(refusing)


@pytest.mark.parametrize(("case", "actor"), list(one_of_each()))
def test_the_frameworks_hook_in_ci_refuses_the_same(case: Case, actor: Actor, tmp_path: Path) -> None:
    staged = stage(tmp_path / "handoff", case, actor)
    done = subprocess.run(
        [sys.executable, "-m", "wbmem_hooks", "gate"],
        cwd=staged.memory.top,
        env={**os.environ, "PRE_COMMIT_FROM_REF": staged.parents[0], "PRE_COMMIT_TO_REF": staged.commit},
        capture_output=True,
        text=True,
        check=False,
    )
    refusing = {f.rule for f in check(change_of(case, actor)).findings if f.refuses}
    assert done.returncode == bool(refusing), done.stderr
    assert all(rule in done.stderr for rule in refusing), done.stderr
