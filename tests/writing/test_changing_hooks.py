"""Hooks of other people that change what is committed: the index follows, and the gate is asked for that."""

from __future__ import annotations

import os
import signal
from datetime import date
from typing import TYPE_CHECKING

import pytest
from children import in_child
from desk import Desk, desk
from pages import id_of
from writing.states import left_open

from wbmem_git.errors import Refused
from wbmem_git.store import steps

if TYPE_CHECKING:
    from pathlib import Path

FORMATS = "sed -i s/saw/SAW/ PLAN.md && git add PLAN.md"
ADDS = "date +%N >>stamp.txt && git add stamp.txt"
ALONE = """new=$(git show :PLAN.md | sed s/saw/SAW/ | git hash-object -w --stdin)
git update-index --cacheinfo "100644,$new,PLAN.md"
"""
"""What a careful formatter does: just what is committed, and not the working file."""
LOSES = "printf '# Plan\\n\\n## Doing\\n' >PLAN.md && git add PLAN.md"


def hook(it: Desk, name: str, script: str) -> None:
    path = it.memory.top / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def new_card(it: Desk) -> str:
    return it.workspace.new_card("Delta", today=date(2026, 9, 14), column="Doing", commit=True).commit


@pytest.mark.parametrize("layout", ["plain", "split index", "sha256", "linked worktree"])
@pytest.mark.parametrize("script", [FORMATS, ADDS, f"{FORMATS}; {ADDS}"])
def test_the_index_has_what_the_hook_made_of_it(tmp_path: Path, script: str, layout: str) -> None:
    it = desk(tmp_path, layout)
    common = it.memory.git("rev-parse", "--path-format=absolute", "--git-common-dir")
    path = it.memory.top.parent / common / "hooks/pre-commit"
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    oid = new_card(it)
    assert oid == it.memory.head()
    assert it.clean()
    assert (b"SAW" in it.head()) == ("SAW" in script)
    assert b"### Delta" in it.head()


def test_what_a_person_has_staged_beside_it_stays_staged(tmp_path: Path) -> None:
    it = desk(tmp_path)
    hook(it, "pre-commit", f"{ALONE}{ADDS}")
    it.memory.write("MEMORY.md", "# Memory\n\nstaged\n")
    it.edit("mine\n", "mine\nstaged too\n")
    it.memory.git("add", "-A")
    assert new_card(it)
    assert it.staged() == ["M MEMORY.md", "M PLAN.md"]
    assert b"staged too" in it.staged_text()
    assert b"staged too" not in it.head()
    assert b"SAW" in it.head()
    assert it.memory.git("diff", "--name-only") == ""


def test_what_a_hook_adds_of_a_page_that_is_staged_and_typed_on_is_in_the_index_too(tmp_path: Path) -> None:
    it = desk(tmp_path)
    hook(it, "pre-commit", "git add -u")
    it.memory.write("MEMORY.md", "# Memory\n\n- staged\n")
    it.memory.git("add", "-A")
    it.memory.write("MEMORY.md", "# Memory\n\n- staged\n- typed\n")
    assert new_card(it)
    assert it.head("MEMORY.md") == it.staged_text("MEMORY.md") == b"# Memory\n\n- staged\n- typed\n"
    assert it.clean()


def test_the_gate_is_asked_for_what_the_hook_made_of_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    hook(it, "pre-commit", LOSES)
    before, staged = it.memory.head(), it.memory.git("ls-files", "-s")
    with pytest.raises(Refused, match="C2"):
        new_card(it)
    assert (it.memory.head(), it.memory.git("ls-files", "-s")) == (before, staged)
    assert left_open(it.memory) == []


def test_every_other_hook_still_runs_and_a_message_is_changed_once(tmp_path: Path) -> None:
    it = desk(tmp_path)
    log = tmp_path / "log"
    hook(it, "pre-commit", f"echo pre-commit >>{log}; {ADDS}")
    hook(it, "commit-msg", f"echo commit-msg >>{log}; echo 'Seen-By: hook' >>\"$1\"")
    hook(it, "post-commit", f"echo post-commit >>{log}")
    assert new_card(it)
    assert log.read_text().split() == ["pre-commit", "commit-msg", "post-commit"]
    assert it.memory.git("log", "-1", "--format=%B").count("Seen-By: hook") == 1
    assert it.clean()


@pytest.mark.parametrize("actor", ["agent", "human"])
def test_who_commits_is_recorded_where_such_a_hook_took_the_place_of_ours(
    tmp_path: Path, actor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WBMEM_ACTOR", actor)
    it = desk(tmp_path, "hooks")
    hook(it, "pre-commit", ADDS)
    assert new_card(it)
    assert it.memory.git("log", "-1", "--format=%(trailers)") == f"Wbmem-Actor: {actor}"
    assert it.clean()


@pytest.mark.parametrize("configured", [False, True])
def test_hooks_start_as_ever_where_one_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, configured: bool
) -> None:
    if configured:
        for name, value in (("COUNT", "1"), ("KEY_0", "a.b"), ("VALUE_0", "c")):
            monkeypatch.setenv(f"GIT_CONFIG_{name}", value)
    it = desk(tmp_path)
    log = tmp_path / "log"
    hook(it, "pre-commit", ADDS)
    hook(it, "commit-msg", f"echo $0 $(git config core.hooksPath) $(git config a.b) >>{log}")
    assert new_card(it)
    program, *told = log.read_text().split()
    assert program == str(it.memory.top / ".git/hooks/commit-msg")
    assert told == (["c"] if configured else [])


def test_a_message_hook_that_adds_something_stops_nothing(tmp_path: Path) -> None:
    it = desk(tmp_path)
    hook(it, "prepare-commit-msg", ADDS)
    assert new_card(it)
    assert b"### Delta" in it.head()
    assert it.memory.git("diff", "--cached", "--name-only") == ""


def test_a_message_hook_refuses_also_where_the_first_one_changed_something(tmp_path: Path) -> None:
    it = desk(tmp_path)
    hook(it, "pre-commit", ADDS)
    hook(it, "commit-msg", "echo not like this >&2; exit 1")
    before = it.memory.head()
    with pytest.raises(Exception, match="not like this"):
        new_card(it)
    assert it.memory.head() == before


def test_behind_our_own_hook_it_runs_once(tmp_path: Path) -> None:
    it = desk(tmp_path)
    hook(it, "pre-commit", f"echo x >>{tmp_path / 'log'}; {FORMATS}; {ADDS}")
    it.workspace.install_hooks()
    assert new_card(it)
    assert (tmp_path / "log").read_text() == "x\n"
    assert it.clean()
    assert it.verdict() == []


@pytest.mark.parametrize("name", ["moved", "as committed"])
def test_who_is_killed_behind_the_commit_leaves_an_index_that_follows(tmp_path: Path, name: str) -> None:
    it = desk(tmp_path)
    hook(it, "pre-commit", FORMATS)

    def die(passed: str) -> None:
        if passed == name:
            os.kill(os.getpid(), signal.SIGKILL)

    def work() -> None:
        steps.listener = die
        new_card(it)

    before = it.memory.head()
    assert os.waitstatus_to_exitcode(os.waitpid(in_child(work), 0)[1]) == -signal.SIGKILL
    assert it.memory.head() != before
    assert it.workspace.archive([id_of("Beta")], "done", now="2026-09-14T10:15:00Z", commit=True).commit
    assert b"SAW" in it.head()
    assert it.clean()
    assert left_open(it.memory) == []
