"""wbmem in a hook of what wbmem writes: it stages, and it makes no commit on top of one that isn't made."""

from __future__ import annotations

import os
import sys
import threading
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from desk import Desk, desk
from syncing.clones import Pair
from writing.states import left_open

from wbmem_git.store import steps
from wbmem_git.store.intent import IntentFile
from wbmem_git.variables import WITHIN
from wbmem_git.verbs.commit.going_on import WithinWrite
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

NOW = datetime(2026, 9, 14, 10, 15, tzinfo=UTC)
WBMEM = f"{sys.executable} -m wbmem_git.cli"


def hook(top: Path, name: str, script: str) -> None:
    path = top / ".git/hooks" / name
    path.parent.mkdir(exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def new_card(it: Desk, title: str = "Delta") -> str:
    return it.workspace.new_card(title, today=date(2026, 9, 14), column="Doing", commit=True).commit


@pytest.mark.parametrize("name", ["pre-commit", "post-commit"])
@pytest.mark.parametrize("command", ["new card Within --commit", "sync"])
def test_a_commit_in_a_hook_is_refused_in_a_sentence(tmp_path: Path, name: str, command: str) -> None:
    pair = Pair.of(tmp_path)
    top, said = pair.bo.memory.top, tmp_path / "said"
    intent_file = tmp_path / "intent"
    hook(
        top,
        name,
        f"timeout 20 {WBMEM} {command} >{said} 2>&1; cp .git/wbmem/writing.json {intent_file}; true",
    )
    it = Desk.of(pair.bo.memory)
    assert new_card(it)
    assert "this runs in a hook of what wbmem is writing" in said.read_text()
    assert "Traceback" not in said.read_text()
    assert '"token"' in intent_file.read_text()
    assert it.clean()
    assert left_open(it.memory) == []


def test_a_sync_in_a_hook_behind_a_fast_forward_is_refused_too(tmp_path: Path) -> None:
    pair = Pair.of(tmp_path)
    pair.ada.memory.commit({"x.txt": "x"})
    pair.ada.sync()
    said = tmp_path / "said"
    hook(pair.bo.memory.top, "post-merge", f"timeout 20 {WBMEM} sync >{said} 2>&1; true")
    assert pair.bo.sync().done == "fast-forward"
    assert "this runs in a hook" in said.read_text()
    assert pair.bo.clean()
    assert not Path(IntentFile(str(pair.bo.memory.top / ".git")).path).exists()


def test_a_job_that_outlives_the_hook_waits_like_any_other(tmp_path: Path) -> None:
    it = desk(tmp_path)
    kept = tmp_path / "kept"
    hook(it.memory.top, "post-commit", f"echo ${WITHIN} >{kept}")
    assert new_card(it)
    token = kept.read_text().strip()
    assert token.startswith("wbmem ")
    left = Workspace(it.memory.top, {**os.environ, WITHIN: token})
    order: list[str] = []

    def work() -> None:
        left.new_card("Left", today=date(2026, 9, 14), column="Doing", commit=True)
        order.append("left")

    other = threading.Thread(target=work)

    def begin(passed: str) -> None:
        if threading.current_thread() is other:
            return
        if passed == "locked":
            other.start()
        if passed in {"marked", "done"}:
            order.append("first")

    steps.listener = begin
    try:
        assert new_card(it, "Epsilon")
    finally:
        steps.listener = None
    other.join(60)
    assert order[0] == "first"
    assert order[-1] == "left"
    assert it.clean()


def test_within_is_told_as_such(tmp_path: Path) -> None:
    it = desk(tmp_path)
    caught: list[type[Exception]] = []

    def nested(passed: str) -> None:
        if passed != "index":
            return
        token = IntentFile(str(it.memory.top / ".git")).read()
        assert token is not None
        inner = Workspace(it.memory.top, {**os.environ, WITHIN: token.token.strip()})

        def work() -> None:
            steps.listener = None
            with pytest.raises(WithinWrite):
                inner.new_card("Within", today=date(2026, 9, 14), column="Doing", commit=True)

        caught.extend([WithinWrite] if exits_well(in_child(work)) else [])

    listen: Callable[[str], None] = nested
    steps.listener = listen
    try:
        assert new_card(it)
    finally:
        steps.listener = None
    assert caught == [WithinWrite]
    assert b"Within" not in it.head()
