"""`events.jsonl`: one line an event, keys in the contract's order."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from pages import AGENT, SETTINGS, board, card, id_of
from pasts import opened

from wbmem_git.store import revisions, sidecar
from wbmem_git.store.revisions import CommitRow, Event, add_commits, add_events
from wbmem_git.verbs.events_view import events_jsonl
from wbmem_git.verbs.governing import last_good
from wbmem_git.verbs.past.chronicle import advance

if TYPE_CHECKING:
    import sqlite3

    from memory import Memory

KEYS = ["ts", "commit", "actor", "event", "page", "ids", "rules"]


def one_commit(time: int = 1780000000) -> sqlite3.Connection:
    db = sidecar.memory()
    row = CommitRow(1, "a" * 40, "", 1, time, "Ada", "human", "begin")
    add_commits(db, [row])
    return db


def test_lines_of_a_memory(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha", user="x"), card("Beta"))}, "begin")
    text = board(card("Alpha", "Next: other", user="y"), card("Beta"))
    oid = memory.commit({"PLAN.md": text}, "edit", "--author", AGENT)
    with opened(memory.top) as repository:
        db = sidecar.memory()
        settings = last_good(repository, repository.head())
        assert settings is not None
        advance(repository, db, repository.head(), settings.settings)
    lines = list(events_jsonl(db))
    assert all(line.endswith("}\n") for line in lines)
    assert [list(json.loads(line)) for line in lines] == [KEYS] * len(lines)
    when = memory.git("log", "-1", "--format=%cd", "--date=format:%Y-%m-%dT%H:%M:%SZ")
    alpha = id_of("Alpha")
    begin = f'{{"ts": "{when}", "commit": "{oid}", "actor": "agent", "event": '
    assert lines[-2:] == [
        f'{begin}"written", "page": "PLAN.md", "ids": ["{alpha}"], "rules": []}}\n',
        f'{begin}"criteria.failed", "page": "PLAN.md", "ids": ["{alpha}"], "rules": ["U1"]}}\n',
    ]


def test_the_newest_ones_oldest_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(revisions, "MOST_EVENTS", 3)
    db = one_commit()
    add_events(db, [(1, [Event("written", f"{number}.md") for number in range(5)])])
    assert [json.loads(line)["page"] for line in events_jsonl(db)] == ["2.md", "3.md", "4.md"]


def test_pages_of_any_name_are_json() -> None:
    db = one_commit()
    page = 'log/"日志"\\x\n.md'
    add_events(db, [(1, [Event("written", page, ("a", "b"), ("C2", "P-S3"))])])
    (line,) = events_jsonl(db)
    told = json.loads(line)
    assert (told["page"], told["ids"], told["rules"]) == (page, ["a", "b"], ["C2", "P-S3"])
    assert "日志" in line


@pytest.mark.parametrize(("time", "shown"), [(-5, "1970-01-01T00:00:00Z"), (1 << 60, "9999-12-31T23:59:59Z")])
def test_times_that_no_calendar_has(time: int, shown: str) -> None:
    db = one_commit(time)
    add_events(db, [(1, [Event("written", "a.md")])])
    (line,) = events_jsonl(db)
    assert json.loads(line)["ts"] == shown


def test_nothing() -> None:
    assert list(events_jsonl(sidecar.memory())) == []
