"""One set of rules behind every door: the tables of tests/cases/ through real commits.

Each case goes through the gate, the range check and the audit on a real repository, in process, and the gate
judges it by every actor who may make it. One refused and one passing case of each table also go through git
itself (pre-commit, and prepare-commit-msg under `--no-verify`) and through the doors that make no commit.
"""

from __future__ import annotations

import os
from io import StringIO
from itertools import islice
from typing import TYPE_CHECKING

import pytest
from hooks.gated import install_hooks
from rules.building import change_of
from rules.loader import Case, load, tables
from staged import author, stage

from wbmem_git.cli import main as wbmem
from wbmem_git.rules.check import check
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.arriving import check_commits
from wbmem_git.verbs.audit import audit
from wbmem_git.verbs.gate import Gate
from wbmem_hooks import gate, pre_push, pre_receive

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from pathlib import Path

    from _pytest.mark.structures import ParameterSet
    from rules.loader import Actor
    from staged import Staged

    from wbmem_git.model import Finding, Verdict


def rows(wanted: Callable[[Case], bool] = lambda _: True, which: int = 0) -> Iterator[ParameterSet]:
    """Every case, by the first actor who may make it, or by the last one."""
    for table in tables():
        for case in filter(wanted, load(table)):
            actor = case.actors[which]
            yield pytest.param(case, actor, id=f"{case.table}: {case.title} [{actor}]")


def one_of_each(which: int = 0) -> Iterator[ParameterSet]:
    """The first refused and the first passing case of every table that a single parent shows."""
    for refused in (True, False):
        seen: set[str] = set()
        for row in rows(_plain, which):
            case = row.values[0]
            assert isinstance(case, Case)
            if _refused(case) == refused and case.table not in seen:
                seen.add(case.table)
                yield row


def by_the_other_actor() -> Iterator[ParameterSet]:
    """Those of them, a few, that a second actor may make too."""
    return islice((row for row in one_of_each(-1) if row.values[1] != "agent"), 0, None, 8)


def _plain(case: Case) -> bool:
    return len(case.parents) == 1 and not case.trailers and not case.message


def _refused(case: Case) -> bool:
    return any(row.severity == "hard" and not row.already and not row.allowed for row in case.expected)


def heads(findings: Iterable[Finding]) -> list[tuple[str, str, str, int, bool]]:
    return sorted((f.rule, f.severity, f.path, f.line, f.refuses) for f in findings)


def refusing(case: Case, actor: Actor) -> set[str]:
    """The rules that refuse a case, in values."""
    return {finding.rule for finding in check(change_of(case, actor)).findings if finding.refuses}


def judged(repository: Repository, staged: Staged, case: Case, actor: Actor) -> Verdict:
    """What the gate says of a case in git."""
    return Gate(repository).check(
        staged.parents,
        repository.tree_of(staged.commit),
        actor=actor,
        message=case.message,
        trailers={key.lower(): value for key, value in case.trailers},
        look_at_worktree=True,
    )


@pytest.mark.parametrize(("case", "actor"), list(rows()))
def test_gate_range_and_audit_find_in_git_what_the_rules_find_in_values(
    case: Case, actor: Actor, tmp_path: Path
) -> None:
    in_values = {one: check(change_of(case, one)).findings for one in case.actors}
    staged = stage(tmp_path / "handoff", case, actor)
    with Repository.open(str(staged.memory.top), os.environ) as repository:
        for one, expected in in_values.items():
            assert heads(judged(repository, staged, case, one).findings) == heads(expected)
        (past,) = check_commits(repository, [staged.commit], staged.commit)
        staged.memory.git("update-ref", "HEAD", staged.commit)
        seen = audit(repository)
    wanted = {finding.rule for finding in in_values[actor] if finding.refuses}
    assert {finding.rule for finding in past.findings if finding.refuses} == wanted
    assert {found.finding.rule for found in seen.open if found.commit == staged.commit} == wanted
    assert seen.exit_status == bool(seen.open)


# --- the doors that git opens --------------------------------------------------------------------------


@pytest.mark.parametrize(("case", "actor"), [*one_of_each(), *by_the_other_actor()])
def test_git_commits_exactly_what_the_rules_let_pass(case: Case, actor: Actor, tmp_path: Path) -> None:
    staged = stage(tmp_path / "handoff", case, actor)
    install_hooks(staged.memory)
    done = staged.memory.try_git("commit", "-q", "--allow-empty", "-m", "a commit", env=author(actor))
    wanted = refusing(case, actor)
    assert bool(done.returncode) == bool(wanted), done.stderr
    assert all(rule in done.stderr for rule in wanted), done.stderr
    assert "Traceback" not in done.stderr
    head = staged.memory.git("rev-parse", "HEAD")
    assert (head == staged.parents[0]) == bool(wanted)


@pytest.mark.parametrize(("case", "actor"), list(one_of_each()))
def test_no_verify_lets_nothing_of_an_agent_pass_and_tells_what_a_person_does(
    case: Case, actor: Actor, tmp_path: Path
) -> None:
    """prepare-commit-msg is what git runs then."""
    staged = stage(tmp_path / "handoff", case, actor)
    install_hooks(staged.memory)
    done = staged.memory.try_git("commit", "-qn", "--allow-empty", "-m", "a commit", env=author(actor))
    wanted = refusing(case, actor)
    head = staged.memory.git("rev-parse", "HEAD")
    assert (head == staged.parents[0]) == bool(wanted and actor == "agent"), done.stderr
    if actor == "agent":
        assert all(rule in done.stderr for rule in wanted), done.stderr
    else:
        assert ("--no-verify lets pass" in done.stderr) == bool(wanted), done.stderr
    assert "Traceback" not in done.stderr


# --- the doors that make no commit: in process, since tests/hooks/ and tests/cli/ start them as they are -


@pytest.mark.parametrize(("case", "actor"), list(one_of_each()))
def test_the_command_a_push_and_the_framework_in_ci_refuse_the_same(
    case: Case,
    actor: Actor,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    staged = stage(tmp_path / "handoff", case, actor)
    old, new = staged.parents[0], staged.commit
    monkeypatch.chdir(staged.memory.top)
    doors: dict[str, Callable[[], int]] = {
        "the framework": lambda: from_framework(monkeypatch, old, new),
        "a push": lambda: from_push(monkeypatch, old, new),
        "a server": lambda: to_server(monkeypatch, old, new),
    }
    if "wbmem.yaml" in case.worktree:  # else nobody takes the folder for a memory
        doors["wbmem check"] = lambda: from_command(monkeypatch, actor)
    wanted = refusing(case, actor)
    for name, enter in doors.items():
        status = enter()
        said = "".join(capsys.readouterr())
        assert status == bool(wanted), f"{name}: {said}"
        assert all(rule in said for rule in wanted), f"{name}: {said}"


def from_framework(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> int:
    """`pre-commit run --from-ref … --to-ref …`."""
    with monkeypatch.context() as patch:
        patch.setenv("PRE_COMMIT_FROM_REF", old)
        patch.setenv("PRE_COMMIT_TO_REF", new)
        return gate.main([])


def from_push(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> int:
    """What git hands to pre-push."""
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdin", StringIO(f"refs/heads/main {new} refs/heads/main {old}\n"))
        return pre_push.main([])


def to_server(monkeypatch: pytest.MonkeyPatch, old: str, new: str) -> int:
    """What git hands to pre-receive."""
    with monkeypatch.context() as patch:
        patch.setattr("sys.stdin", StringIO(f"{old} {new} refs/heads/main\n"))
        return pre_receive.main([])


def from_command(monkeypatch: pytest.MonkeyPatch, actor: Actor) -> int:
    """`wbmem check --staged`."""
    with monkeypatch.context() as patch:
        for name, value in author(actor).items():
            patch.setenv(name, value)
        return wbmem(["check", "--staged"])
