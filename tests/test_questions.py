"""Questions to a workspace: never stale, whatever moved HEAD; warm ones start no process."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

import pytest
from desk import BOARD, Desk, desk
from pages import card, id_of, ledger

from wbmem_git.errors import NotAMemory
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

LEDGER = "handoff-20260914-101500.md"
TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
TAGGED = BOARD + "\n" + card("Delta", "Next: `src/delta.py` topic:login")


@pytest.fixture
def it(tmp_path: Path) -> Desk:
    made = desk(tmp_path, text=TAGGED)
    made.memory.commit({LEDGER: ledger()}, "a ledger")
    return made


def found(it: Desk, tag: str) -> list[str]:
    return [entry["id"] for entry in it.workspace.expand(tag)["entries"]]


def questions(it: Desk) -> dict[str, Callable[[], Any]]:
    """One of each kind that needs no look at an old blob."""
    ask = it.workspace
    return {
        "expand": lambda: ask.expand("topic:login"),
        "expand, free text": lambda: ask.expand("the tree in the hook"),
        "trace": lambda: ask.trace(id_of("Delta")),
        "recall": lambda: ask.recall("login"),
        "versions": lambda: ask.versions("PLAN.md"),
        "lines": ask.index_lines,
        "index.json": ask.index_json,
    }


def test_a_warm_question_starts_no_process(it: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    cold = {name: ask() for name, ask in questions(it).items()}

    def refuse(*_: object, **__: object) -> int:
        raise AssertionError("a process was started")

    monkeypatch.setattr(os, "posix_spawn", refuse)
    assert {name: ask() for name, ask in questions(it).items()} == cold


def test_whatever_moves_head_the_next_answer_is_of_the_new_one(it: Desk) -> None:
    git, delta = it.memory.git, id_of("Delta")
    assert found(it, "topic:login") == [delta]
    it.edit("topic:login", "topic:logout")
    it.memory.commit({})
    assert (found(it, "topic:login"), found(it, "topic:logout")) == ([], [delta])
    git("reset", "-q", "--hard", "HEAD~1")
    assert (found(it, "topic:login"), found(it, "topic:logout")) == ([delta], [])
    git("checkout", "-q", "-b", "side")
    it.edit("topic:login", "topic:side")
    it.memory.commit({})
    assert found(it, "topic:side") == [delta]
    git("checkout", "-q", "main")
    assert found(it, "topic:side") == []
    git("update-ref", "refs/heads/main", "side")
    assert found(it, "topic:side") == [delta]
    git("pack-refs", "--all")
    assert found(it, "topic:side") == [delta]
    git("reset", "-q", "--hard")
    git("commit", "-q", "--amend", "-m", "other words")
    assert it.workspace.versions(delta)["versions"][0]["subject"] == "other words"


def test_another_workspace_object_and_another_process_say_the_same(it: Desk) -> None:
    said = {name: ask() for name, ask in questions(it).items()}
    assert {name: ask() for name, ask in questions(Desk.of(it.memory)).items()} == said


def test_a_refresh_answers_as_a_rebuild_does(it: Desk) -> None:
    for number in range(3):
        it.memory.commit(
            {"PLAN.md": it.memory.read("PLAN.md") + "\n" + card(f"More {number}", "topic:login")}
        )
        refreshed = {name: ask() for name, ask in questions(it).items()}
        it.workspace.rebuild_index()
        assert {name: ask() for name, ask in questions(it).items()} == refreshed
        assert it.workspace.check_index() == ()


def test_as_of_is_what_was_answered_then(it: Desk) -> None:
    then = it.memory.git("rev-parse", "HEAD")
    before = {
        "expand": it.workspace.expand("topic:login"),
        "trace": it.workspace.trace(id_of("Delta")),
        "recall": it.workspace.recall("login"),
        "versions": it.workspace.versions("PLAN.md"),
        "lines": it.workspace.index_lines(),
        "index.json": it.workspace.index_json(),
        "state": it.workspace.index_state(),
        "blame": it.workspace.blame(id_of("Delta")),
        "show": it.workspace.show(id_of("Delta")),
    }
    it.edit("topic:login", "topic:logout")
    it.memory.commit({"handoff-20260915-101500.md": ledger()})
    it.memory.commit({"PLAN.md": BOARD}, "Delta is gone")
    ask = it.workspace
    assert {
        "expand": ask.expand("topic:login", as_of=then),
        "trace": ask.trace(id_of("Delta"), as_of=then),
        "recall": ask.recall("login", as_of=then),
        "versions": ask.versions("PLAN.md", as_of=then),
        "lines": ask.index_lines(as_of=then),
        "index.json": ask.index_json(as_of=then),
        "state": ask.index_state(as_of=then),
        "blame": ask.blame(id_of("Delta"), as_of=then),
        "show": ask.show(id_of("Delta"), then),
    } == before
    assert found(it, "topic:login") == []


def test_as_of_a_commit_validity_and_ages_are_those_of_its_day(it: Desk) -> None:
    dated = card("Epsilon", "Next: topic:bounded", more=" / expiry: 2026-10-01")
    made = {"GIT_COMMITTER_DATE": "2026-09-20T00:00:00Z"}
    it.memory.write("PLAN.md", f"{TAGGED}\n{dated}")
    it.memory.git("add", "PLAN.md")
    it.memory.git("commit", "-q", "-m", "bounded", env=made)
    then = it.memory.git("rev-parse", "HEAD")
    it.memory.write("notes.md", "later\n")
    it.memory.git("add", "notes.md")
    it.memory.git("commit", "-q", "-m", "later", env={"GIT_COMMITTER_DATE": "2026-12-01T00:00:00Z"})
    assert it.workspace.recall("bounded", as_of=then)["hits"]
    assert it.workspace.recall("bounded")["hits"] == []
    assert it.workspace.lint(as_of=then)["today"] == "2026-09-20"


def test_a_session_loses_no_answer(it: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = it.workspace

    def refuse(*_: object) -> int:
        raise OSError

    assert ask.expand("topic:logout", session="one")["entries"] == []
    assert ask.expand("topic:login", session="one", as_of="HEAD")["entries"]
    assert ask.expand("topic:login", session="one", as_of="HEAD")["repeated"]
    with monkeypatch.context() as patched:
        patched.setattr("wbmem_git.verbs.ask.expand.hits_of", refuse)
        with pytest.raises(OSError):  # noqa: PT011  # whatever it is
            ask.expand("topic:login", session="one")
    assert ask.expand("topic:login", session="one")["entries"]
    assert ask.expand("topic:login", session="one")["repeated"]
    it.memory.commit({"PLAN.md": TAGGED.replace("topic:login", "topic:logout")})
    assert ask.expand("topic:logout", session="one")["entries"]


def test_a_session_is_told_what_a_commit_changed_and_nothing_else(it: Desk) -> None:
    def asked() -> list[str]:
        said = it.workspace.expand("topic:login", session="one")
        assert said.get("repeated", False) == (not said["entries"])
        return [one["preview"] for one in said["entries"]]

    first = asked()
    assert first
    it.memory.commit({"PLAN.md": f"{TAGGED}\n{card('Another')}", "log/2026-09-14.md": "# Log\n\n- x\n"})
    assert asked() == []
    it.memory.commit({"PLAN.md": TAGGED.replace("topic:login", "topic:login again")})
    assert asked()
    assert asked() == []


def test_no_way_to_ask_tells_a_credential(it: Desk) -> None:
    told = f"Next: `{TOKEN}` topic:{TOKEN} key={TOKEN}"
    it.memory.commit({"PLAN.md": f"{BOARD}\n{card('Zeta', told)}\n{card(f'Eta {TOKEN}')}"}, f"use {TOKEN}")
    ask, zeta = it.workspace, id_of("Zeta")
    answers = {
        "expand": ask.expand(TOKEN),
        "trace": ask.trace(zeta),
        "recall": ask.recall("key"),
        "versions": ask.versions(zeta),
        "show": ask.show(zeta),
        "diff": ask.diff(zeta),
        "blame": ask.blame(zeta),
        "lint": ask.lint(),
    }
    assert [name for name, answer in answers.items() if TOKEN in json.dumps(answer)] == []
    assert "ghp_…" in answers["trace"]["entry"]["text"]
    assert answers["versions"]["versions"][0]["subject"] == "use ghp_…"


def test_a_commit_of_a_year_that_no_calendar_has(it: Desk) -> None:
    it.memory.write("MEMORY.md", "# Memory\n\n## Undated\n\nabout kappa\n")
    it.memory.git("add", "MEMORY.md")
    late = {"GIT_COMMITTER_DATE": "@400000000000 +0000", "GIT_AUTHOR_DATE": "@400000000000 +0000"}
    it.memory.git("commit", "-q", "-m", "late", env=late)
    assert it.workspace.recall("kappa")["hits"][0]["date"] == "9999-12-31"
    assert it.workspace.versions("MEMORY.md")["versions"][0]["time"] == "9999-12-31T23:59:59Z"


def test_where_the_sidecar_can_not_be_written_the_answer_says_so(it: Desk) -> None:
    (it.memory.top / ".git/wbmem").write_text("in the way")
    said = it.workspace.expand("topic:login")
    assert [entry["id"] for entry in said["entries"]] == [id_of("Delta")]
    assert said["degraded"]
    for answer in (
        it.workspace.trace(id_of("Delta")),
        it.workspace.versions("PLAN.md"),
        it.workspace.show("PLAN.md"),
        it.workspace.blame("PLAN.md"),
        it.workspace.diff("PLAN.md"),
        it.workspace.recall("login"),
        it.workspace.index_state(),
    ):
        assert answer["degraded"].endswith("answered from the commits")


def test_a_closed_workspace_opens_again(it: Desk) -> None:
    with it.workspace as memory:
        assert memory.expand("topic:login")["total"] == 1
    assert it.workspace.expand("topic:login")["total"] == 1
    it.workspace.close()
    it.workspace.close()


def test_a_workspace_is_named_by_its_own_folder_or_by_its_memorys(it: Desk) -> None:
    top = str(it.memory.top)
    asked = Workspace(it.memory.top.parent, dict(os.environ))
    assert asked.top == top
    assert asked.expand("topic:login") == it.workspace.expand("topic:login")


@pytest.mark.parametrize("name", ["", "empty", "not/there"])
def test_where_no_memory_is_that_is_said_and_nothing_untrue(tmp_path: Path, name: str) -> None:
    (tmp_path / "empty").mkdir()
    asked = Workspace(tmp_path / name, dict(os.environ))
    with pytest.raises(NotAMemory, match="no memory here") as caught:
        asked.expand("x")
    assert "Workspace.find" in caught.value.hint
