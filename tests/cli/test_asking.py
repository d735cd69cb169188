"""`expand`, `trace`, `recall` as a person or a program types them."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

import pytest
from desk import Desk, desk
from pages import card, id_of, ledger

from wbmem_git.cli import asking
from wbmem_git.cli.table import cut_to, width_of
from wbmem_git.verbs.ask import filters

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Run

LEDGER = "handoff-20260914-101500.md"
CHINESE = card(
    "登录流程", "下一步：修复 `src/login.ts` 的超时，topic:登录", more=" / tags: topic:登录流程, area:auth"
)
PLAN = f"# Plan\n\n## Doing\n\n{card('Alpha', 'Next: the retry in `src/login.ts`')}\n{CHINESE}"


@pytest.fixture
def it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    made = desk(tmp_path, text=PLAN)
    made.memory.commit({LEDGER: ledger()}, "a ledger")
    monkeypatch.chdir(made.memory.top)
    return made


def answer(run: Run, *args: str) -> Any:
    status, out, err = run(*args, "--json")
    assert (status, err) == (0, "")
    return json.loads(out)


# --- the same objects by every way ----------------------------------------------------------------------


def test_json_is_what_the_workspace_returns(it: Desk, run: Run) -> None:
    ask = it.workspace
    assert answer(run, "expand", "topic:登录") == ask.expand("topic:登录")
    assert answer(run, "expand", "type:*", "--limit", "3") == ask.expand("type:*", limit=3)
    assert answer(run, "expand", "topic:登录", "--as-of", "HEAD~1") == ask.expand(
        "topic:登录", as_of="HEAD~1"
    )
    wanted = id_of("登录流程")
    assert answer(run, "trace", wanted) == ask.trace(wanted)
    assert answer(run, "trace", wanted, "--no-neighbors") == ask.trace(wanted, neighbors=False)
    assert answer(run, "trace", wanted, "--neighbor-limit", "1") == ask.trace(wanted, neighbor_limit=1)
    assert answer(run, "recall", "超时", "--today", "2026-11-30") == ask.recall("超时")
    assert answer(run, "recall", "login", "-k", "1", "--scope", "board") == ask.recall("login", "board", k=1)


def test_as_of_a_commit_it_is_the_day_of_that_commit(it: Desk, run: Run) -> None:
    bounded = card("Bounded", "Next: topic:bounded", more=" / expiry: 2020-01-02")
    it.memory.write("PLAN.md", f"{PLAN}\n{bounded}")
    it.memory.git("commit", "-qam", "then", env={"GIT_COMMITTER_DATE": "2020-01-01T00:00:00Z"})
    then = it.memory.git("rev-parse", "HEAD")
    assert answer(run, "recall", "bounded", "--as-of", then) == it.workspace.recall("bounded", as_of=then)
    assert answer(run, "recall", "bounded", "--as-of", then)["hits"]
    assert answer(run, "recall", "bounded", "--as-of", then, "--today", "2020-01-03")["hits"] == []
    assert answer(run, "recall", "bounded")["hits"] == []
    assert answer(run, "lint", "--as-of", then)["today"] == "2020-01-01"


def test_the_scopes_of_the_command_line_are_those_of_recall() -> None:
    assert set(asking.SCOPES) == set(filters.SCOPES)


def test_keys_stand_in_the_order_of_the_contract(it: Desk, run: Run) -> None:
    _, out, _ = run("expand", "topic:登录", "--json")
    assert re.findall(r'^  "(\w+)"', out, re.MULTILINE) == [
        "ok", "tag", "entries", "total", "truncated", "remaining", "degraded", "hint",
    ]  # fmt: skip
    _, out, _ = run("trace", id_of("登录流程"), "--json")
    assert re.findall(r'^  "(\w+)"', out, re.MULTILINE) == [
        "ok", "entry", "cues", "tags", "neighbors", "versions", "degraded", "hint",
    ]  # fmt: skip
    hit = answer(run, "recall", "login")["hits"][0]
    assert list(hit) == [
        "id", "source", "line", "title", "snippet", "score", "rank", "why", "layer", "status", "date",
    ]  # fmt: skip
    assert it


# --- what a person reads --------------------------------------------------------------------------------


def test_expand_is_a_table_with_weights_and_sources(it: Desk, run: Run) -> None:
    status, out, err = run("expand", "src/login.ts")
    assert (status, err) == (0, "")
    head, columns, *rows, last = out.splitlines()
    assert head == "src/login.ts: 2 of 2"
    assert columns.split() == ["weight", "criteria", "id", "source", "what"]
    assert len(rows) == 2
    for row in rows:
        assert re.match(r"  \.40 +passed +[0-9a-f]{8} +PLAN\.md:\d+ +\S", row)
    assert last.startswith("next: ")
    assert it


def test_trace_has_the_history_beside_the_card(it: Desk, run: Run) -> None:
    commit = it.memory.git("rev-parse", "HEAD~1")
    status, out, err = run("trace", id_of("登录流程")[:12])
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0] == f"PLAN.md:12  {id_of('登录流程')}"
    assert lines[1] == "kind: card · section: Doing · status: current · layer: whiteboard · criteria: passed"
    assert "tags: topic:登录流程 · area:auth · topic:登录" in lines
    assert next(line for line in lines if line.startswith("### ")).endswith(
        f"created  {commit[:12]}  Ada: a commit"
    )
    assert any(re.match(r"  \.?\d.* PLAN\.md:5 +src/login\.ts +Alpha", line) for line in lines), out


@pytest.mark.usefixtures("it")
def test_what_trace_says_of_an_archived_card_has_labels(run: Run) -> None:
    run("archive", id_of("Alpha"), "--reason", "done", "--commit")
    _, out, _ = run("trace", id_of("Alpha"))
    assert "kind: archive · status: current · layer: archive · criteria: unknown" in out.splitlines()


@pytest.mark.parametrize("command", ["recall x", "expand x", "lint", "status", "new card x", "new entry x"])
@pytest.mark.parametrize("day", ["明天", "2026-13-01", "", "2026-09-14T10:15"])
def test_what_is_no_day_is_answered_with_its_shape(it: Desk, run: Run, command: str, day: str) -> None:
    status, out, err = run(*command.split(), "--today", day)
    assert (status, out) == (2, "")
    assert f"'--today': {day!r} is no date: write YYYY-MM-DD, for example 2026-09-14" in err
    assert it.clean()


def test_a_card_with_long_lines_has_its_history_below(it: Desk, run: Run) -> None:
    it.edit("the retry in", "the retry " + "and so on " * 30 + "in")
    it.memory.commit({}, "long")
    _, out, _ = run("trace", id_of("Alpha"))
    lines = out.splitlines()
    assert "│" not in out
    assert lines.index("<!-- /model -->") < next(n for n, line in enumerate(lines) if "edited" in line)


def test_recall_says_why(it: Desk, run: Run) -> None:
    status, out, _ = run("recall", "超时")
    assert status == 0
    assert out.startswith(" 1  登录流程")
    assert "why: 超时" in out
    assert f"{id_of('登录流程')[4:12]}  PLAN.md:" in out
    assert it


def test_nothing_found_is_no_failure_and_says_what_to_try_next(it: Desk, run: Run) -> None:
    for args in (("expand", "zzz"), ("recall", "zzz"), ("recall", "超时", "--scope", "sessions")):
        status, out, _ = run(*args)
        assert status == 0
        assert "nothing found" in out
        assert "next: " in out
    assert it


def test_where_no_tag_matches_the_words_answer_and_it_says_so(it: Desk, run: Run) -> None:
    said = answer(run, "expand", "the retry")
    assert (said["degraded"] or "").endswith("the words search answered")
    assert [one["id"] for one in said["entries"]] == [id_of("Alpha")]
    _, out, err = run("expand", "the retry")
    assert "the words search answered" in err
    assert "Alpha" in out
    assert it


def test_in_a_session_no_tag_is_answered_twice(it: Desk, run: Run) -> None:
    assert answer(run, "expand", "topic:登录", "--session", "s")["total"] == 1
    again = answer(run, "expand", "topic:登录", "--session", "s")
    assert (again["repeated"], again["entries"]) == (True, [])
    _, out, _ = run("expand", "topic:登录", "--session", "s")
    assert "expanded before" in out
    assert it


def test_what_is_not_committed_is_named(it: Desk, run: Run) -> None:
    it.edit("the retry in", "no retry in")
    it.memory.write("PINNED.md", "# Pinned\n")
    it.memory.write("notes.txt", "x")
    for extra in ((), ("--json",)):
        _, out, err = run("expand", "src/login.ts", *extra)
        assert err == "answers are HEAD's; not committed yet: PINNED.md, PLAN.md\n"
        assert "no retry" not in out
    _, _, err = run("expand", "src/login.ts", "--as-of", "HEAD")
    assert err == ""


# --- what a stranger wrote ------------------------------------------------------------------------------


def test_no_escape_reaches_the_terminal_and_no_credential_anybody(it: Desk, run: Run) -> None:
    secret = "ghp_" + "a1B2c3D4e5" * 4
    evil = f"Next: \x1b]0;owned\x07 \x1b[31mred \u202e token {secret} in `src/evil.ts`\tand a tab"
    it.memory.commit({"PLAN.md": f"{PLAN}\n{card('Evil', evil)}"}, f"\x1b[2Jsubject {secret}")
    for args in (("expand", "src/evil.ts"), ("trace", id_of("Evil")), ("recall", "owned red")):
        for extra in ((), ("--json",)):
            status, out, err = run(*args, *extra)
            assert status == 0
            assert secret not in out + err
            assert not re.search(r"[\x1b\x07\u202e]", out + err)
    _, out, _ = run("trace", id_of("Evil"))
    assert "\tand a tab" in out


def test_a_question_of_any_kind_is_answered(it: Desk, run: Run) -> None:
    for text in (
        "C++",
        "don't",
        "a-b",
        "登录 AND",
        '"',
        "*",
        "NEAR(",
        "x" * 5000,
        "2026-05-08",
        "\udcff",
        "%_",
        " ",
    ):
        for command in ("expand", "recall"):
            status, _, err = run(command, "--", text)
            assert (status, "rror" in err) == (0, False), (command, text, err)
    assert it


def test_mistakes_are_sentences(it: Desk, run: Run) -> None:
    for args, said in (
        (("trace", "zzz"), "nothing answers to 'zzz'"),
        (("trace", "abc"), "too short"),
        (("trace", "deadbeef"), "nothing answers"),
        (("expand", "x", "--as-of", "nowhere"), "names no commit"),
        (("expand", "x", "--limit", "21"), "21"),
        (("recall", "x", "--since", "yesterday"), "no date"),
        (("recall", "x", "--scope", "moon"), "moon"),
    ):
        status, out, err = run(*args)
        assert (status, out) == (2, "")
        assert said in err
    assert it


# --- columns --------------------------------------------------------------------------------------------


def test_wide_characters_take_two_places(it: Desk, run: Run) -> None:
    it.memory.commit({"项目.md": "x", "PLAN.md": f"{PLAN}\n{card('a', 'x', more=' / tags: topic:登录')}"})
    _, out, _ = run("trace", id_of("登录流程"))
    beside = [line for line in out.splitlines() if "│" in line]
    assert {width_of(line[: line.index("│")]) for line in beside} == {
        width_of(beside[0][: beside[0].index("│")])
    }
    assert width_of("登录a") == 5
    assert width_of("e\u0301") == 1
    assert (cut_to("登录流程", 5), cut_to("登录", 4), cut_to("abcdef", 4)) == ("登录…", "登录", "abc…")


@pytest.mark.usefixtures("it")
def test_a_word_that_looks_like_an_option_is_asked_for_behind_two_dashes(run: Run) -> None:
    status, _, err = run("recall", "login", "-Werror")
    assert status == 2
    assert err.rstrip().endswith("If it is a word to look for: wbmem recall -- login -Werror")
    assert run("recall", "--", "login", "-Werror")[0] == 0
    assert "If it is a word" not in run("trace", "-Werror")[2]


@pytest.mark.usefixtures("it")
def test_a_question_is_told_again_in_one_short_line(run: Run) -> None:
    for verb in ("recall", "expand"):
        _, out, _ = run(verb, "zzqx " * 1000)
        assert max(map(len, out.splitlines()[:1])) < 80
        assert out.startswith("zzqx zzqx")
        _, out, _ = run(verb, "")
        assert out.startswith("(an empty question): nothing found\n")


# --- what is left out, and why something was found ----------------------------------------------------------


def test_expand_and_recall_leave_out_the_same_and_say_so(it: Desk, run: Run) -> None:
    old = card("Old", "wombat", more=" / tags: area:old").replace("current", "superseded")
    it.memory.commit({"PLAN.md": f"{PLAN}\n{old}"})
    for asked in (("expand", "area:old"), ("expand", "wombat"), ("recall", "wombat")):
        _, out, _ = run(*asked)
        assert "nothing found" in out
        assert "1 " in out
        assert "--status all" in out
        assert "Old" in run(*asked, "--status", "all")[1]
    assert run("expand", "area:old", "--status", "done")[0] == 2
    assert answer(run, "expand", "area:old", "--status", "all") == it.workspace.expand(
        "area:old", status="all"
    )


def test_a_renamed_card_comes_once(it: Desk, run: Run) -> None:
    it.workspace.rename(id_of("登录流程"), "登录流程二", now="2026-11-30T10:00:00Z", commit=True)
    assert [one["source"] for one in answer(run, "expand", "area:auth")["entries"]] == ["PLAN.md"]


def test_expand_shows_by_which_tag_or_cue_each_was_found(it: Desk, run: Run) -> None:
    _, out, _ = run("expand", "topic:*")
    columns, *rows = out.splitlines()[1:-1]
    assert columns.split() == ["weight", "criteria", "id", "source", "found", "by", "what"]
    assert any(re.search(r"PLAN\.md:12 +topic:登录流程 \+1 +登录流程", row) for row in rows)
    assert "found by" not in run("expand", "topic:登录流程")[1]
    assert it


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("table", "asking", "past"):
        monkeypatch.setattr(f"wbmem_git.cli.{module}.line_width", lambda: 80)


@pytest.mark.usefixtures("terminal")
def test_on_a_narrow_terminal_the_text_has_half_of_the_line(it: Desk, run: Run) -> None:
    long = "a line that says what is to be known of it"
    name = id_of("Retry")
    it.memory.commit({"PLAN.md": f"{PLAN}\n{card('Retry', f'{long} `src/pay.py`')}"})
    it.workspace.archive([name], "done", now="2026-11-30T10:00:00Z", commit=True)
    _, out, _ = run("expand", "src/pay.py")
    assert f"archive/mem_{name[4:12]}….md:" in out
    assert long in out
    assert long in run("blame", f"archive/{name}.md")[1]
    for asked in (("expand", "type:*"), ("versions", name), ("blame", "PLAN.md")):
        _, out, _ = run(*asked)
        assert max(map(width_of, out.splitlines()[1:])) <= 80, out


def test_how_to_go_about_it_is_told_to_programs_only(
    it: Desk, run: Run, request: pytest.FixtureRequest
) -> None:
    for asked in (("expand", "area:auth"), ("trace", id_of("Alpha"))):
        assert "at most 4 expansions" in run(*asked)[1]
    request.getfixturevalue("terminal")
    for asked in (("expand", "area:auth"), ("trace", id_of("Alpha"))):
        _, out, _ = run(*asked)
        assert "at most 4 expansions" not in out
        assert not out.endswith("; \n")
    assert it


def test_recall_tells_a_bullet_once(it: Desk, run: Run) -> None:
    text = ledger().replace("## ", "## ", 1) + "\n- the wombat survives a restart\n"
    it.memory.commit({"handoff-20260915-101500.md": text})
    assert run("recall", "wombat")[1].count("the wombat survives a restart") == 1


@pytest.mark.usefixtures("it")
def test_history_stands_in_columns(run: Run) -> None:
    run("archive", id_of("Alpha"), "--reason", "dup", "--superseded-by", id_of("登录流程"), "--commit")
    _, out, _ = run("trace", id_of("Alpha"))
    commits = [
        found.start() for line in out.splitlines() if (found := re.search(r" [0-9a-f]{12}  Ada", line))
    ]
    assert len(commits) == 2
    assert len(set(commits)) == 1
