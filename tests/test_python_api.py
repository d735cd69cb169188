"""The API as docs/python.md tells it: its lines run, and `--json` prints what the methods return."""

from __future__ import annotations

import json
import os
import re
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from desk import Desk, desk
from pages import card, id_of, ledger

from wbmem_git.cli import main

if TYPE_CHECKING:
    from collections.abc import Callable

PAGE = Path(__file__).resolve().parents[1] / "docs/python.md"
LEDGER = "handoff-20260914-101500.md"
PLAN = f"# Plan\n\n## Doing\n\n{card('Alpha', 'Next: the retry in `src/login.ts`, topic:login')}"


@pytest.fixture
def it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = desk(tmp_path, text=PLAN)
    made.memory.commit({LEDGER: ledger()}, "a ledger")
    monkeypatch.chdir(made.memory.top)
    return made


@pytest.mark.usefixtures("it")
def test_the_lines_of_the_page_run(capsys: pytest.CaptureFixture[str]) -> None:
    blocks = re.findall(r"(?ms)^```python\n(.*?)^```$", PAGE.read_text(encoding="utf-8"))
    assert len(blocks) == 3
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, str(PAGE), "exec"), names)  # noqa: S102  # that is what the page promises
    said = capsys.readouterr().out
    assert id_of("Alpha") in said
    assert id_of("Ship the release notes") in said


def answers(it: Desk) -> dict[str, Callable[[], Any]]:
    """Each command that answers with an object, as it is typed, and the method that returns the same."""
    ask, alpha, today = it.workspace, id_of("Alpha"), datetime.now(UTC).astimezone().date()
    return {
        "expand topic:login": lambda: ask.expand("topic:login", today=today),
        "expand type:* --limit 2 --status all": lambda: ask.expand(
            "type:*", limit=2, status="all", today=today
        ),
        "trace Alpha": lambda: ask.trace(alpha),
        f"trace {LEDGER}": lambda: ask.trace(LEDGER),
        "recall retry": lambda: ask.recall("retry", today=today),
        "recall retry --scope board -k 1 --by-page": lambda: ask.recall(
            "retry", "board", k=1, by_page=True, today=today
        ),
        "versions Alpha": lambda: ask.versions(alpha),
        "show Alpha": lambda: ask.show(alpha),
        "show Alpha HEAD~1": lambda: ask.show(alpha, "HEAD~1"),
        "diff Alpha": lambda: ask.diff(alpha),
        "blame Alpha": lambda: ask.blame(alpha),
        "lint": lambda: ask.lint(today=today),
        "index": lambda: json.loads(ask.index_json()),
        "index --lines": lambda: list(ask.index_lines()),
        "status": lambda: ask.overview(today=today),
    }


def said(capsys: pytest.CaptureFixture[str], typed: str) -> Any:
    words = [id_of("Alpha") if word == "Alpha" else word for word in typed.split()]
    capsys.readouterr()
    main([*words, "--json"])
    return json.loads(capsys.readouterr().out)


def test_json_is_what_the_methods_return(it: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    asked = answers(it)
    for typed, method in asked.items():
        assert said(capsys, typed) == json.loads(json.dumps(method())), typed
    objects = {typed.split()[0] for typed in asked}
    assert objects == {
        "expand", "trace", "recall", "versions", "show", "diff", "blame", "lint", "index", "status",
    }  # fmt: skip


def test_json_is_what_the_methods_return_as_of_a_commit(it: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    ask, alpha = it.workspace, id_of("Alpha")
    asked: dict[str, Callable[[], Any]] = {
        "expand topic:login": lambda: ask.expand("topic:login", as_of="HEAD~1"),
        "trace Alpha": lambda: ask.trace(alpha, as_of="HEAD~1"),
        "recall retry": lambda: ask.recall("retry", as_of="HEAD~1"),
        "versions Alpha": lambda: ask.versions(alpha, as_of="HEAD~1"),
        "show Alpha": lambda: ask.show(alpha, as_of="HEAD~1"),
        "diff Alpha": lambda: ask.diff(alpha, as_of="HEAD~1"),
        "blame Alpha": lambda: ask.blame(alpha, as_of="HEAD~1"),
        "lint": lambda: ask.lint(as_of="HEAD~1"),
        "index": lambda: json.loads(ask.index_json(as_of="HEAD~1")),
    }
    for typed, method in asked.items():
        assert said(capsys, f"{typed} --as-of HEAD~1") == json.loads(json.dumps(method())), typed


def test_status_of_a_shallow_clone_says_that_nothing_is_audited(
    it: Desk, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    it.memory.git("clone", "-q", "--depth", "1", f"file://{it.memory.top}", str(tmp_path / "clone/handoff"))
    monkeypatch.chdir(tmp_path / "clone/handoff")
    found = said(capsys, "status")
    assert "not audited: " in found["degraded"]
    assert found["open"] == []


@pytest.mark.usefixtures("it")
def test_a_number_out_of_bounds_is_taken_for_the_nearest_bound() -> None:
    from wbmem_git.workspace import Workspace  # as the page has it

    with Workspace(".", dict(os.environ)) as memory:
        assert len(memory.expand("type:*", limit=0)["entries"]) == 1
        assert len(memory.recall("retry", k=0)["hits"]) == 1
        assert memory.trace(id_of("Alpha"), neighbor_limit=-1)["neighbors"] == []
