"""What recall answers: scopes, bounds, statuses, snippets, reasons, and that it always answers."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import pytest
from stored import put

from wbmem_git.store import kept_words, matches, words
from wbmem_git.store.contents import remove_page
from wbmem_git.store.sidecar import memory
from wbmem_git.text.content import Content
from wbmem_git.text.contents import contents_of
from wbmem_git.text.ids import card_id
from wbmem_git.text.names import kind_of
from wbmem_git.text.settings import parse_settings
from wbmem_git.verbs.ask import ranking
from wbmem_git.verbs.ask.filters import SCOPES, NoDays, NotADay, Query, UnknownScope
from wbmem_git.verbs.ask.recall import as_json, recall, search
from wbmem_git.verbs.ask.validity import UnknownStatus

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable

    from wbmem_git.store.kept_words import Wanted
    from wbmem_git.store.matches import Candidate
    from wbmem_git.text.content import ContentKind
    from wbmem_git.verbs.ask.recall import RecallAnswer

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
    put(db, contents_of(path, kind, text, KEY), path, kind)


@pytest.fixture(scope="module")
def db() -> sqlite3.Connection:
    return build(PAGES)


def ask(db: sqlite3.Connection, q: str, scope: str = "all", **more: Any) -> RecallAnswer:
    return recall(db, Query(q, TODAY, scope, **more))


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
    ("kind", "most"), [("card", 3), ("board", 3), ("ledger", 2), ("section", 2), ("leaf", 2), ("archive", 2)]
)
def test_of_each_kind_a_page_has_no_more_hits_than_that(kind: ContentKind, most: int) -> None:
    db = memory()
    contents = [Content(f"mem_{n:032x}", kind, "X.md", n, n, "", "# x", "# token\n") for n in range(1, 6)]
    put(db, contents, "X.md")
    assert len(ask(db, "token", k=50).hits) == most


def test_who_asks_writes_nothing() -> None:
    db = build({"PLAN.md": PAGES["PLAN.md"]})
    db.execute("UPDATE words SET settled = 0")
    db.execute("PRAGMA query_only = ON")
    assert ask(db, "token").hits


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
    with pytest.raises(UnknownStatus, match="superseded, retracted, all"):
        ask(db, "login", status="foo")
    with pytest.raises(NoDays, match="2026-05-09 is later than --until 2026-05-08"):
        ask(db, "login", since="2026-05-09", until="2026-05-08")
    with pytest.raises(NotADay, match="since"):
        ask(db, "token", since="yesterday")


def test_what_a_tag_alone_holds_is_told_too() -> None:
    db = memory()
    page = "# P\n## Doing\n### Alpha\n<!-- tags: topic:login -->\ntext\n"
    put(db, contents_of("PLAN.md", "board", page, KEY))
    words.settle(db)
    for asked in ("login", "topic:", "topic:login"):
        assert all(hit.why for hit in ask(db, asked).hits)
        assert ask(db, asked).hits


def test_what_does_not_hold_today_is_left_out_unless_asked(db: sqlite3.Connection) -> None:
    assert titles(ask(db, "tokens", "memory")) == {"Token lifetime"}
    assert len(ask(db, "tokens", "memory", status="all").hits) == 5
    assert titles(ask(db, "tokens", "memory", status="superseded")) == {"Old token lifetime"}
    before = recall(db, Query("tokens", "2026-09-14", "memory")).hits
    assert {hit.title for hit in before} == {"Token lifetime", "Token holiday"}


def test_an_unknown_status_is_left_out_and_said(db: sqlite3.Connection) -> None:
    assert "1 left out" in ask(db, "tokens", "memory").hint


@pytest.mark.parametrize(
    ("filters", "hint"),
    [
        ({"scope": "memory"}, "1 with some of these words left out: ask --status all"),
        ({"scope": "log"}, "1 with some of these words left out: ask --scope all, --status all"),
        (
            {"since": "2027-01-01", "status": "all"},
            "1 with some of these words left out: ask without --since 2027-01-01",
        ),
    ],
)
def test_where_all_that_has_the_words_is_left_out_the_hint_counts_it_and_says_how_to_ask(
    db: sqlite3.Connection, filters: dict[str, str], hint: str
) -> None:
    answer = ask(db, "frozen", **filters)
    assert (answer.hits, answer.hint) == ((), hint)


def test_a_question_that_names_an_id_is_led_to_trace(db: sqlite3.Connection) -> None:
    digits = card_id(KEY, "PLAN.md", "Card beta")[4:]
    for asked in (f"mem_{digits}", digits, f"what of {digits}?", f"PLAN.md#mem_{digits.upper()}"):
        hint = ask(db, asked).hint.split("; ")[0]
        assert hint == f"{digits} is an id: wbmem trace {digits} shows what has it"
    assert f"wbmem trace {digits[:8]} shows" in ask(db, digits[:8]).hint
    assert ask(db, f"token {digits[:8]}").hits
    for asked in (digits[:7], "deadbeef", f"{digits[:8]}-x", f"x{digits}"):
        assert "is an id" not in ask(db, asked).hint


def test_where_no_entry_has_the_words_the_hint_says_that(db: sqlite3.Connection) -> None:
    assert ask(db, "zeppelin").hint.startswith("no entry has any of these words")


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


def test_a_word_of_its_own_needs_no_neighbour_and_another_word_does() -> None:
    filler = "- nothing of it\n" * 8
    log = f"# L\n- ferry one\n- ferry two\n- ferry three\n{filler}- ferry four\n- harbour\n{filler}"
    said = [hit.snippet for hit in ask(build({"log/2026-09-11.md": log}), "ferry harbour").hits]
    assert said.index("- ferry four") < said.index("- ferry two")


def test_who_was_asked_for_has_the_factor_on_what_stands_around_it_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    db = build({"log/2026-09-11.md": "# L\n- Mara: which ferry\n- Omar: the late one\n- Mara: fine\n"})
    scores = {}
    for factor in (1.0, 1.5):
        monkeypatch.setattr(ranking, "ASKED_HEAD", factor)
        scores[factor] = next(hit.score for hit in ask(db, "ferry Omar").hits if "late" in hit.snippet)
    assert scores[1.5] == pytest.approx(1.5 * scores[1.0])


@pytest.mark.parametrize(("k", "beside"), [(5, 0), (10, 3)])
def test_what_stands_beside_a_hit_is_looked_up_only_where_it_may_be_among_the_first(
    monkeypatch: pytest.MonkeyPatch, k: int, beside: int
) -> None:
    log = "# L\n" + "- ferry\n" * 5 + f"- ferry {'and more ' * 20}\n- pier\n- quay\n- dock\n"
    db = build({"log/2026-09-11.md": log})
    looked_up: list[tuple[int, int]] = []
    at = matches.at

    def telling(db: sqlite3.Connection, spots: Iterable[tuple[int, int]]) -> list[Candidate]:
        looked_up.extend(spots)
        return at(db, spots)

    monkeypatch.setattr(matches, "at", telling)
    hits = ask(db, "ferry", k=k).hits
    assert [hit.why for hit in hits].count(("next to a hit",)) == beside
    assert bool(looked_up) == bool(beside)


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
    assert recall(memory(), Query("token", TODAY, by_page=True)).hits == ()


def test_numbers_of_entries_are_given_to_those_who_go_on(db: sqlite3.Connection) -> None:
    numbers = search(db, Query("tokens live", TODAY, k=3))
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


# --- filters that keep little ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def crowd() -> sqlite3.Connection:
    """Much that has the words and isn't asked for, and a little of every kind that is."""
    pages = {
        f"log/2026-0{month}-{day:02}.md": "# L\n"
        + "".join(f"- token{' more' * (3 * n)}\n" for n in range(100))
        for month in (3, 4)
        for day in range(1, 29)
    }
    pages["PLAN.md"] = "# P\n## D\n" + "".join(
        f"### Card {n}\n<!-- memory:mem_{n:032x} -->\n<!-- status: {status}{more} -->\n{filler} token\n"
        for n, (status, more, filler) in enumerate(
            [
                ("current", "", "undated " * 30),
                ("current", " / date: 2026-05-02", "dated " * 30),
                ("retracted", " / date: 2026-05-03", "gone " * 30),
                ("current", " / date: 2026-05-04 / expiry: 2026-06-01", "expired " * 30),
                ("current", "", "old " * 30),
            ]
        )
    )
    db = build(pages)
    for seq, time in ((1, 1_777_593_600), (2, 1_767_225_600)):  # 2026-05-01, 2026-01-01
        db.execute("INSERT INTO commits VALUES (?, ?, '', 1, ?, '', 'human', '')", (seq, f"{seq:040x}", time))
    for n, seq in ((0, 1), (4, 2)):
        db.execute(
            "INSERT INTO revisions (id, seq, kind, path, blob) VALUES (?, ?, 'edited', '', '')",
            (f"mem_{n:032x}", seq),
        )
    return db


KEEPING = [
    ({"scope": "board"}, {"Card 0", "Card 1", "Card 4"}),
    ({"status": "retracted"}, {"Card 2"}),
    ({"since": "2026-05-01"}, {"Card 0", "Card 1"}),
    ({"until": "2026-01-01"}, {"Card 4"}),
    ({"since": "2026-05-01", "until": "2026-05-01"}, {"Card 0"}),
    ({"since": "2026-05-01", "status": "all"}, {"Card 0", "Card 1", "Card 2", "Card 3"}),
    ({"since": "2099-01-01"}, set()),
]


@pytest.mark.parametrize(("filters", "found"), KEEPING)
def test_a_filter_that_keeps_little_finds_it_among_much(
    crowd: sqlite3.Connection, filters: dict[str, str], found: set[str]
) -> None:
    assert titles(ask(crowd, "token", k=50, per_source=9, **filters)) == found


@pytest.mark.parametrize(("filters", "found"), KEEPING)
@pytest.mark.parametrize("most", [0, 1, 2])
def test_it_finds_the_same_where_little_is_much(
    crowd: sqlite3.Connection,
    monkeypatch: pytest.MonkeyPatch,
    filters: dict[str, str],
    found: set[str],
    most: int,
) -> None:
    monkeypatch.setattr(ranking, "MOST_FEW", most)
    assert titles(ask(crowd, "token", k=50, per_source=9, **filters)) == found


@pytest.mark.parametrize(("filters", "found"), KEEPING)
def test_what_a_filter_keeps_is_looked_up_and_not_searched_for(
    crowd: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch, filters: dict[str, str], found: set[str]
) -> None:
    looked_at = 0
    candidates = matches.candidates

    def counting(
        db: sqlite3.Connection, numbers: Iterable[int], wanted: Wanted | None = None
    ) -> list[Candidate]:
        nonlocal looked_at
        some = candidates(db, numbers, wanted)
        looked_at += len(set(numbers))
        return some

    monkeypatch.setattr(matches, "candidates", counting)
    assert titles(ask(crowd, "token undated dated gone expired old", k=50, per_source=9, **filters)) == found
    assert looked_at < 1000


@pytest.mark.parametrize(("first", "asked"), [(900, False), (999, True)])
def test_what_a_filter_keeps_is_looked_up_only_where_it_is_hardly_any(
    monkeypatch: pytest.MonkeyPatch, first: int, asked: bool
) -> None:
    cards = "".join(
        f"### Card {n}\n<!-- date: 2026-0{9 if n >= first else 1}-01 -->\ntoken{' more' * (n % 100)}\n"
        for n in range(1000)
    )
    db = build({"PLAN.md": f"# P\n## D\n{cards}"})
    asked_for: list[int] = []

    def telling(db: sqlite3.Connection, wanted: Wanted, most: int) -> set[int] | None:
        asked_for.append(most)
        return kept_words.few(db, wanted, most)

    monkeypatch.setattr("wbmem_git.verbs.ask.filters.few", telling)
    hits = ask(db, "token", since="2026-08-01", per_source=50).hits
    assert len(hits) == min(10, 1000 - first)
    assert {hit.date for hit in hits} == {"2026-09-01"}
    assert bool(asked_for) == asked


@pytest.mark.parametrize(("filters", "_"), KEEPING)
def test_a_filter_goes_through_an_index(
    crowd: sqlite3.Connection, filters: dict[str, str], _: set[str]
) -> None:
    told: list[str] = []
    crowd.set_trace_callback(told.append)
    ask(crowd, "token", **filters)
    crowd.set_trace_callback(None)
    plans = [
        row[3] for sql in told if "words_kept" in sql or "SELECT words.number FROM words" in sql
        for row in crowd.execute(f"EXPLAIN QUERY PLAN {sql}")
    ]  # fmt: skip
    assert plans
    assert not [plan for plan in plans if plan.startswith("SCAN")]
