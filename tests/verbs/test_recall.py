"""What recall answers: scopes, bounds, statuses, snippets, reasons, and that it always answers."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest

from wbmem_git.store import matches, words
from wbmem_git.store.contents import remove_page, replace_page
from wbmem_git.store.sidecar import memory
from wbmem_git.text.contents import contents_of, layer_of
from wbmem_git.text.names import kind_of
from wbmem_git.text.settings import parse_settings
from wbmem_git.verbs.recall import SCOPES, NotADay, UnknownScope, as_json, recall, search, sources

if TYPE_CHECKING:
    import sqlite3

    from wbmem_git.verbs.recall import RecallAnswer

KEY = "recall-0badcafe"
TODAY = "2026-09-15"
LEDGER = """# Handoff
## Goals
- Nothing is lost
## Tried and failed
- Lock around the token refresh → blocks the loop
- Token kept in a cookie → cut at 4096 bytes
- Token cached → valid after logout
"""
PAGES = {
    "PLAN.md": "# Plan\nThe token is our theme.\n## Doing\n"
    + "".join(
        f"### Card {name}\n<!-- date: 2026-09-0{n} -->\nThe token of {name}\n"
        for n, name in enumerate(("alpha", "beta", "gamma", "delta"), 1)
    ),
    "MEMORY.md": """# Memory
## Token lifetime
<!-- status: current / date: 2026-05-01 -->
Tokens live for an hour.
## Old token lifetime
<!-- status: superseded / date: 2026-01-01 -->
Tokens live for a day.
## Token holiday
<!-- expiry: 2026-09-14 -->
Tokens are frozen.
## Token future
<!-- valid_from: 2026-09-16 -->
Tokens live for a minute.
## Token odd
<!-- status: shiny -->
Tokens shine.
""",
    "handoff-20260910-101500.md": LEDGER,
    "log/2026-09-11.md": "# 2026-09-11\n- 修复登录超时，见 src/auth/session.py\n- It was Mara\n- Lunch\n",
}


def build(pages: dict[str, str]) -> sqlite3.Connection:
    db = memory()
    for path, text in pages.items():
        write(db, path, text)
    words.settle(db)
    return db


def write(db: sqlite3.Connection, path: str, text: str) -> None:
    settings, _ = parse_settings(f"format: 1\nworkspace: {KEY}\n")
    assert settings is not None
    kind = kind_of(path, settings)
    contents = contents_of(path, kind, text, KEY)
    replace_page(db, path, path, kind, layer_of(path, kind), "", contents)


@pytest.fixture(scope="module")
def db() -> sqlite3.Connection:
    return build(PAGES)


def ask(db: sqlite3.Connection, q: str, scope: str = "all", **more: Any) -> RecallAnswer:
    return recall(db, q, scope, today=TODAY, **more)


def titles(answer: RecallAnswer) -> set[str]:
    return {hit.title for hit in answer.hits}


def test_a_hit_says_all_that_the_contract_asks_for(db: sqlite3.Connection) -> None:
    told = as_json(ask(db, "登录超时"))["hits"][0]
    assert list(told) == [
        "id", "source", "line", "title", "snippet", "score", "rank", "why", "layer", "status", "date"
    ]  # fmt: skip
    assert told["source"] == "log/2026-09-11.md"
    assert (told["line"], told["rank"], told["layer"], told["status"]) == (2, 1, "log", "current")
    assert told["date"] == "2026-09-11"
    assert told["why"] == ["登录超时 ×1"]
    assert told["snippet"] == "- 修复登录超时，见 src/auth/session.py"
    json.dumps(told)


def test_no_text_is_hit_twice(db: sqlite3.Connection) -> None:
    hits = ask(db, "token cookie lock", k=50, per_source=50).hits
    spans = [(hit.source, hit.line) for hit in hits]
    assert len(spans) == len(set(spans))
    assert sum("4096" in hit.snippet for hit in hits) == 1
    assert {hit.snippet for hit in hits if hit.title == "Plan"} == {
        "# Plan\nThe token is our theme.\n## Doing"
    }


def test_a_page_has_so_many_hits_and_more_when_asked(db: sqlite3.Connection) -> None:
    few = [hit.source for hit in ask(db, "token", k=50).hits]
    assert few.count("PLAN.md") == 3
    assert few.count("handoff-20260910-101500.md") == 2
    many = [hit.source for hit in ask(db, "token", k=50, per_source=50).hits]
    assert many.count("PLAN.md") == 5
    assert many.count("handoff-20260910-101500.md") == 3


@pytest.mark.parametrize(
    ("scope", "layers"),
    [
        ("board", {"whiteboard"}),
        ("handoff", {"whiteboard", "ledger"}),
        ("memory", {"memory"}),
        ("log", set()),
        ("archive", set()),
        ("all", {"whiteboard", "ledger", "memory"}),
    ],
)
def test_a_scope_is_a_part_of_the_memory(db: sqlite3.Connection, scope: str, layers: set[str]) -> None:
    assert {hit.layer for hit in ask(db, "token", scope, k=50).hits} == layers


def test_sessions_are_not_indexed_and_the_answer_says_so(db: sqlite3.Connection) -> None:
    answer = ask(db, "token", "sessions")
    assert answer.hits == ()
    assert "session" in answer.hint


def test_a_scope_or_a_day_that_is_none_is_said(db: sqlite3.Connection) -> None:
    with pytest.raises(UnknownScope, match="handoff"):
        ask(db, "token", "everything")
    with pytest.raises(NotADay, match="since"):
        ask(db, "token", since="yesterday")


def test_what_does_not_hold_today_is_left_out_unless_asked(db: sqlite3.Connection) -> None:
    assert titles(ask(db, "tokens", "memory")) == {"Token lifetime"}
    assert len(ask(db, "tokens", "memory", status="all").hits) == 5
    assert titles(ask(db, "tokens", "memory", status="superseded")) == {"Old token lifetime"}
    before = recall(db, "tokens", "memory", today="2026-09-14").hits
    assert {hit.title for hit in before} == {"Token lifetime", "Token holiday"}


def test_an_unknown_status_is_left_out_and_said(db: sqlite3.Connection) -> None:
    assert "1 left out" in ask(db, "tokens", "memory").hint


def test_bounds_are_days_and_both_count(db: sqlite3.Connection) -> None:
    assert titles(ask(db, "token", "board", since="2026-09-02", until="2026-09-03")) == {
        "Card beta", "Card gamma"
    }  # fmt: skip


def test_the_handoff_comes_first_at_equal_score() -> None:
    name = "mem_" + "0" * 32
    archived = (
        f"---\nid: {name}\ntitle: Same thing\npage: PLAN.md\nreason: done\n---\n### Same thing\nsame words\n"
    )
    db = build({"MEMORY.md": "# M\n## Same thing\nsame words\n", f"archive/{name}.md": archived})
    hits = ask(db, "same words").hits
    assert hits[0].score == hits[1].score
    assert [hit.source for hit in hits] == [f"archive/{name}.md", "MEMORY.md"]


def test_a_scope_finds_what_has_only_the_frequent_words() -> None:
    log = "# L\n" + "".join(f"- token number {number}\n" for number in range(4000)) + "- token rare\n" * 200
    db = build({"log/2026-09-01.md": log, "PLAN.md": "# P\n## D\n### A card\nabout the token\n"})
    assert titles(ask(db, "token rare", "board")) == {"A card"}


def test_what_stands_beside_a_hit_in_a_log_comes_behind_it(db: sqlite3.Connection) -> None:
    hits = ask(db, "登录超时").hits
    assert [hit.why for hit in hits[1:]] == [("next to a hit",)] * 2
    assert hits[0].score > hits[1].score


@pytest.mark.parametrize("scope", sorted(SCOPES))
@pytest.mark.parametrize(
    "q",
    ["", "/", "*", '"', "NEAR", "登录 AND", "C++", "don't", "a-b", "foo:bar", "2026-05-08", "录", "\x00\x1b",
     "\ud800", "token " * 1000, "登录" * 2500, "(token", "token*", "-token", "token OR", "title:token"],
)  # fmt: skip
def test_every_question_is_answered(db: sqlite3.Connection, q: str, scope: str) -> None:
    answer = ask(db, q, scope)
    assert answer.hits or answer.hint
    json.dumps(as_json(answer)["hits"])


def test_one_character_is_found(db: sqlite3.Connection) -> None:
    assert "登录" in ask(db, "录").hits[0].snippet


def test_an_empty_memory_answers() -> None:
    assert ask(memory(), "token").hits == ()
    assert sources(memory(), "token", today=TODAY) == []


def test_numbers_of_entries_are_given_to_those_who_go_on(db: sqlite3.Connection) -> None:
    numbers = search(db, "tokens live", 3, TODAY)
    hits = ask(db, "tokens live", k=3).hits
    found = matches.texts(db, numbers)
    assert [found[number].id for number in numbers] == [hit.id for hit in hits]


def test_the_same_memory_answers_the_same_however_it_came_about() -> None:
    chance = random.Random(5)
    straight, crooked = build(PAGES), memory()
    for path in chance.sample(sorted(PAGES), len(PAGES)):
        write(crooked, path, LEDGER if path.startswith("handoff") else "# X\n- token\n## token\n### token\n")
        words.settle(crooked)
    remove_page(crooked, "log/2026-09-11.md")
    for path in chance.sample(sorted(PAGES), len(PAGES)):
        write(crooked, path, PAGES[path])
        words.settle(crooked)
    for q in ("token", "登录", "card alpha", "lock cookie", "录", "lifetime of tokens", "Mara"):
        for k in (1, 3, 50):
            assert ask(straight, q, k=k) == ask(crooked, q, k=k)


def test_many_equal_entries_are_chosen_by_path_and_place() -> None:
    paths = [f"log/2026-09-{day:02}.md" for day in range(1, 29)]
    pages = dict.fromkeys(paths, "# L\n" + "- the same token\n" * 10)
    straight, crooked = build(pages), build(dict(reversed(pages.items())))
    hits = ask(straight, "token", k=20).hits
    assert hits == ask(crooked, "token", k=20).hits
    assert len(hits) == 20


def test_a_credential_stands_in_no_snippet() -> None:
    secret = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
    db = build({"log/2026-09-01.md": f"# L\n- the deploy token {secret} of Mara\n- token of Ada\n"})
    hits = ask(db, "deploy token").hits
    assert any("deploy token" in hit.snippet for hit in hits)
    assert not any(secret in hit.snippet for hit in hits)
