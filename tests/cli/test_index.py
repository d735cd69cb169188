"""`wbmem index`: what there is, from nothing, compared, as lines."""

from __future__ import annotations

import json
import os
import sqlite3
from time import monotonic, sleep
from typing import TYPE_CHECKING

import pytest
from pages import card, id_of

from wbmem_git.store.failures import Failures

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk, Run


def sidecar(it: Desk) -> Path:
    return it.memory.top / ".git/wbmem/sidecar.sqlite"


def test_alone_it_refreshes_and_says_what_it_has(it: Desk, run: Run) -> None:
    assert not sidecar(it).exists()
    status, out, err = run("index")
    assert (status, err) == (0, "")
    assert out.startswith(f"{it.memory.git('rev-parse', '--short=12', 'HEAD')}: 3 pages, ")
    assert ", 1 commits, " in out
    assert sidecar(it).exists()


def test_json_is_index_json(it: Desk, run: Run) -> None:
    it.memory.commit({".gitignore": "index.json\nevents.jsonl\n"})
    status, out, _ = run("index", "--json")
    assert status == 0
    assert json.loads(out)["head"] == it.memory.git("rev-parse", "HEAD")
    assert out == it.memory.read("index.json")
    assert out == it.workspace.index_json()


def test_json_is_index_json_byte_for_byte_whatever_a_page_holds(it: Desk, run: Run) -> None:
    strange = card("Odd \x9b\u202e\U000e0041", "See `a\x7fb` \u3000 and 例\u200d子.")
    it.memory.commit(
        {".gitignore": "index.json\nevents.jsonl\n", "PLAN.md": f"# Plan\n\n## Doing\n\n{strange}"}
    )
    status, out, _ = run("index", "--json")
    assert status == 0
    assert out == it.memory.read("index.json") == it.workspace.index_json()
    assert out.replace("\n", "").isprintable()
    titles = [entry["title"] for entry in json.loads(out)["entries"]]
    assert "Odd \x9b\u202e\U000e0041" in titles


def test_lines_say_what_the_workspace_says(it: Desk, run: Run) -> None:
    it.memory.commit({"PLAN.md": "# Plan\n\n## Doing\n\n" + card("Odd", "See the \u202e mark")})
    status, out, _ = run("index", "--lines")
    assert status == 0
    assert out == "".join(f"{line}\n" for line in it.workspace.index_lines())
    assert "\\u202e" in out


def test_rebuild_and_check_agree_and_a_changed_row_is_found(it: Desk, run: Run) -> None:
    assert run("index", "--rebuild")[0] == 0
    before = run("index", "--json")[1]
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    it.memory.commit({})
    assert run("index")[0] == 0
    status, out, err = run("index", "--check")
    assert (status, err) == (0, "")
    assert "what the commits say" in out
    stamp = sidecar(it).stat()
    with sqlite3.connect(sidecar(it)) as db:
        db.execute("UPDATE entries SET title = 'forged' WHERE title = 'Beta'")
    db.close()
    os.utime(sidecar(it), ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    status, out, err = run("index", "--check")
    assert status == 1
    assert "entries: " in out
    assert err == "next: wbmem index --rebuild\n"
    status, out, _ = run("index", "--check", "--json")
    assert (status, json.loads(out)[0]["where"]) == (1, "entries")
    assert run("index", "--rebuild")[0] == 0
    assert run("index", "--check")[0] == 0
    assert run("index", "--json")[1] != before


def test_lines_also_as_the_memory_stood(it: Desk, run: Run) -> None:
    status, out, err = run("index", "--lines")
    assert (status, err) == (0, "")
    assert f"- [Beta](PLAN.md#{id_of('Beta')}) — " in out
    assert list(it.workspace.index_lines()) == out.splitlines()
    assert json.loads(run("index", "--lines", "--json")[1]) == out.splitlines()
    it.memory.commit({"PLAN.md": it.memory.read("PLAN.md") + "\n" + card("Delta")})
    assert "[Delta]" in run("index", "--lines")[1]
    assert run("index", "--lines", "--as-of", "HEAD~1")[1] == out
    assert json.loads(run("index", "--json", "--as-of", "HEAD~1")[1])["head"] == it.memory.git(
        "rev-parse", "HEAD~1"
    )


def test_an_unborn_branch_is_no_obstacle(it: Desk, run: Run) -> None:
    it.memory.git("checkout", "-q", "--orphan", "fresh")
    for args in (("index",), ("index", "--lines"), ("index", "--json"), ("expand", "x"), ("recall", "x")):
        status, _, err = run(*args)
        assert (status, "rror" in err) == (0, False), args


def test_as_of_goes_with_what_is_read_only(it: Desk, run: Run) -> None:
    for what in ("--rebuild", "--check"):
        status, _, err = run("index", what, "--as-of", "HEAD")
        assert status == 2
        assert "--as-of" in err
    assert it


def test_progress_is_nothing_where_nobody_looks(it: Desk, run: Run) -> None:
    assert run("index", "--rebuild")[2] == ""
    assert it


# --- where the file can't be written ----------------------------------------------------------------------


@pytest.mark.parametrize("command", [("--lines",), ("--lines", "--json"), ("--json",)])
def test_an_answer_from_elsewhere_says_so_beside_it(it: Desk, run: Run, command: tuple[str, ...]) -> None:
    _, plain, _ = run("index", *command)
    in_its_place(it)
    status, out, err = run("index", *command)
    assert (status, out) == (0, plain)
    assert err.startswith("note: the sidecar can't be written")


def test_a_status_from_elsewhere_says_so(it: Desk, run: Run) -> None:
    assert json.loads(run("status", "--json")[1])["degraded"] is None
    in_its_place(it)
    assert "the sidecar can't be written" in json.loads(run("status", "--json")[1])["degraded"]
    assert "note: the sidecar can't be written" in run("status")[2]
    with it.workspace as memory:
        assert memory.status().degraded == memory.degraded != ""


def in_its_place(it: Desk) -> None:
    """Put a folder where the sidecar's file is to stand: nobody can write it, whoever they are."""
    it.workspace.close()
    sidecar(it).unlink(missing_ok=True)
    (sidecar(it) / "in the way").mkdir(parents=True)


# --- the views --------------------------------------------------------------------------------------------

VIEWS = ("index.json", "events.jsonl")


def with_views(it: Desk, run: Run) -> dict[str, str]:
    it.memory.commit({".gitignore": "index.json\nevents.jsonl\n"})
    assert run("index")[0] == 0
    return {name: it.memory.read(name) for name in VIEWS}


def test_views_that_are_gone_or_tampered_with_come_back(it: Desk, run: Run) -> None:
    views = with_views(it, run)
    (it.memory.top / "index.json").unlink()
    it.memory.write("events.jsonl", "tampered\n")
    assert run("index", "--check")[0] == 1
    assert run("index")[0] == 0
    assert {name: it.memory.read(name) for name in VIEWS} == views
    assert run("index", "--check")[0] == 0


@pytest.mark.parametrize("what", ["a link", "a folder", "a pipe"])
def test_what_stands_in_a_views_place_is_told(it: Desk, run: Run, what: str) -> None:
    with_views(it, run)
    place = it.memory.top / "index.json"
    place.unlink()
    if what == "a link":
        place.symlink_to("PLAN.md")
    elif what == "a folder":
        place.mkdir()
    else:
        os.mkfifo(place)
    status, out, _ = run("index", "--check")
    assert (status, out) == (1, "index.json: something else stands there, no plain file: move it away\n")


def test_views_dont_stay_those_of_another_branch(it: Desk, run: Run) -> None:
    with_views(it, run)
    it.memory.git("checkout", "-q", "--orphan", "fresh")
    assert run("recall", "x")[0] == 0
    assert json.loads(it.memory.read("index.json"))["head"] == it.memory.read("events.jsonl") == ""
    assert run("index", "--check")[0] == 0


def test_one_thing_at_a_time(it: Desk, run: Run) -> None:
    status, _, err = run("index", "--rebuild", "--check")
    assert status == 2
    assert "exclude each other" in err
    assert not sidecar(it).exists()


@pytest.mark.parametrize(
    "args", [("index",), ("recall", "x"), ("expand", "x"), ("versions", "PLAN.md"), ("lint",)]
)
def test_an_empty_commit_is_no_commit(it: Desk, run: Run, args: tuple[str, ...]) -> None:
    for blank in ("--as-of=", "--as-of= "):
        status, _, err = run(*args, blank)
        assert status == 2
        assert "'--as-of': it is empty: name a commit, or leave it out" in err
    assert run(*args, "--as-of", "HEAD")[0] == 0
    assert it


@pytest.mark.parametrize(
    "line",
    ["show PLAN.md _", "diff PLAN.md _", "diff PLAN.md HEAD _", "check --from _ --to _", "show x --rev _"],
)
@pytest.mark.parametrize("blank", ["", " "])
def test_an_empty_variable_is_not_head(it: Desk, run: Run, line: str, blank: str) -> None:
    status, out, err = run(*(blank if word == "_" else word for word in line.split()))
    assert (status, out) == (2, "")
    assert "it is empty: name a commit, or leave it out" in err
    assert it.clean()


def test_a_page_that_cannot_be_read_is_not_nothing(it: Desk, run: Run) -> None:
    it.memory.commit({"PLAN.md": it.memory.read("PLAN.md").encode() + b"\xff"})
    for args in (("index",), ("index", "--lines"), ("index", "--json"), ("lint",), ("recall", "Beta")):
        _, out, err = run(*args)
        assert "PLAN.md is no UTF-8 text" in err, args
        assert "nothing yet" not in out + err


def test_compared_where_none_can_be_written_it_says_what_is_in_the_way(it: Desk, run: Run) -> None:
    folder = it.memory.top / ".git/wbmem"
    folder.write_text("no folder")
    status, out, _ = run("index", "--check")
    assert (status, "the next question" in out) == (1, False)
    assert f"there is none, for {folder} is no folder: move {folder} away, then wbmem index" in out


def test_compared_while_nobody_tries_it_says_so(it: Desk, run: Run) -> None:
    assert "the next question builds it" in run("index", "--check")[1]
    failures = Failures(str(it.memory.top / ".git"), monotonic)
    for _ in range(3):
        failures.add(it.memory.head())
        sleep(0.001)
    assert "nobody tries until the next commit" in run("index", "--check")[1]
    assert "couldn't be written several times" in run("doctor")[1]
