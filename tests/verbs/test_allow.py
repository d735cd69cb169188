"""`allow` on real repositories: one line in wbmem.yaml, by a person, in a commit of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, Desk, desk
from pages import KEY

from wbmem_git.errors import PersonOnly, UsageError
from wbmem_git.rules.fingerprint import fingerprint
from wbmem_git.verbs.allow import known_findings
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.model import Finding

SECRET = f"pass{'word'}: hunter2"


def with_alarm(it: Desk) -> tuple[str, Finding]:
    """Stage a line that trips G5; its fingerprint and the finding."""
    it.edit("Next: sharpen the saw", f"Next: sharpen the saw\n{SECRET}")
    it.memory.git("add", "PLAN.md")
    with it.workspace.open() as repository:
        known = known_findings(repository, "human")
    (found,) = (finding for finding in known.values() if finding.rule == "G5")
    return fingerprint(found, KEY), found


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_false_alarm_passes_once_it_is_allowed(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    name, _ = with_alarm(it)
    assert not it.workspace.check_staged().passed
    report = it.workspace.allow(name[:8])
    assert report.fingerprint == name
    assert it.memory.git("show", "--name-only", "--format=%s").split("\n") == [
        "allow: G5 PLAN.md",
        "",
        "wbmem.yaml",
    ]
    assert it.staged() == ["M PLAN.md"]
    assert not it.memory.git("diff", "--name-only")
    assert it.workspace.check_staged().passed
    it.memory.git("commit", "-q", "-m", "it")
    assert it.verdict() == []
    assert SECRET not in it.head("wbmem.yaml").decode()


def test_settings_that_are_being_edited_keep_the_edit(tmp_path: Path) -> None:
    it = desk(tmp_path)
    name, _ = with_alarm(it)
    it.memory.write("wbmem.yaml", it.file("wbmem.yaml").decode() + "# staged\n")
    it.memory.git("add", "wbmem.yaml")
    it.memory.write("wbmem.yaml", it.file("wbmem.yaml").decode() + "# not staged\n")
    it.workspace.allow(name)
    assert b"# staged" not in it.head("wbmem.yaml")
    assert b"# staged" in it.staged_text("wbmem.yaml")
    assert b"# not staged" not in it.staged_text("wbmem.yaml")
    assert b"# not staged" in it.file("wbmem.yaml")
    for data in (it.head("wbmem.yaml"), it.staged_text("wbmem.yaml"), it.file("wbmem.yaml")):
        assert name.encode() in data


def test_what_is_allowed_already_makes_no_commit(tmp_path: Path) -> None:
    it = desk(tmp_path)
    name, _ = with_alarm(it)
    it.workspace.allow(name)
    assert it.workspace.allow(name).commit == ""


def test_an_agent_may_not(tmp_path: Path) -> None:
    it = desk(tmp_path)
    name, _ = with_alarm(it)
    agent = Workspace(it.memory.top, {**it.workspace.environment, "WBMEM_ACTOR": "agent"})
    with pytest.raises(PersonOnly):
        agent.allow(name)
    assert it.staged() == ["M PLAN.md"]


def test_a_vanished_card_is_never_let_through(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.git("rm", "-q", "PLAN.md")
    with it.workspace.open() as repository:
        known = known_findings(repository, "human")
    name = next(name for name, finding in known.items() if finding.rule == "C2")
    with pytest.raises(UsageError, match="C2 is never let through"):
        it.workspace.allow(name)


def test_a_finding_of_history_is_closed_by_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"handoff-20260914-101500.md": "# Handoff\n"}, "past every hook")
    open_ones = it.workspace.audit().open
    assert open_ones
    for found in open_ones:
        it.workspace.allow(found.fingerprint)
    assert it.workspace.audit().open == ()


@pytest.mark.parametrize("wanted", ["", "PLAN.md", "12345678", "xyz", "0" * 15])
def test_what_is_no_fingerprint_is_refused(tmp_path: Path, wanted: str) -> None:
    it = desk(tmp_path)
    with pytest.raises(UsageError, match="is no finding that is known here"):
        it.workspace.allow(wanted)
    assert it.clean()


def test_what_no_finding_has_never_stands_in_the_settings(tmp_path: Path) -> None:
    it = desk(tmp_path)
    name, _ = with_alarm(it)
    typo = name[:-1] + ("0" if name[-1] != "0" else "1")
    for wanted in ("0123456789abcdef", typo):
        with pytest.raises(UsageError, match="is no finding that is known here"):
            it.workspace.allow(wanted)
    assert it.staged() == ["M PLAN.md"]
    assert b"allow" not in it.file("wbmem.yaml")


@pytest.mark.parametrize("where", ["file", "untracked", "message"])
def test_what_isnt_staged_can_be_let_through_by_8_digits(tmp_path: Path, where: str) -> None:
    it = desk(tmp_path)
    if where == "file":
        it.edit("Next: sharpen the saw", f"Next: sharpen the saw\n{SECRET}")
    elif where == "untracked":
        it.memory.write("PINNED.md", f"# Pinned\n\n{SECRET}\n")
    else:
        (it.memory.top / ".git/COMMIT_EDITMSG").write_text(f"use {SECRET}\n")
    with it.workspace.open() as repository:
        ((name, found),) = known_findings(repository, "human").items()
    assert found.rule == "G5"
    assert it.workspace.allow(name[:8]).commit
    it.memory.git("add", "-A")
    message = f"use {SECRET}" if where == "message" else "it"
    it.memory.git("commit", "-q", "--allow-empty", "-m", message)
    assert it.verdict() == []


def test_looking_for_a_finding_stores_nothing(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write("secrets.txt", SECRET)
    before = it.memory.git("count-objects")
    with it.workspace.open() as repository:
        known_findings(repository, "human")
    assert it.memory.git("count-objects") == before


def test_a_finding_that_can_only_be_mended_isnt_let_through(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write("handoff-20260914-101500.md", "# Handoff\n")
    it.memory.git("add", "-A")
    found = next(one for one in it.workspace.check_staged().verdicts[0].findings if one.rule == "H1")
    with pytest.raises(UsageError, match="is no finding that is known here"):
        it.workspace.allow(fingerprint(found, KEY))
