"""`versions` on real repositories: edits, moves, renames, the archive, whole pages; beside what git says."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Any

import pytest
from desk import BOARD, NOW, Desk, desk
from ground import Filled
from pages import AGENT, card, id_of, ledger

from wbmem_git.errors import UnknownId
from wbmem_git.text.moments import moment
from wbmem_git.verbs.ask.versions import versions

if TYPE_CHECKING:
    from pathlib import Path

LEDGER = "handoff-20260914-101500.md"


def kinds(it: Desk, wanted: str) -> list[str]:
    return [one["kind"] for one in it.workspace.versions(wanted)["versions"]]


def test_each_version_says_who_and_when_and_what(tmp_path: Path) -> None:
    it = desk(tmp_path)
    first = it.memory.git("rev-parse", "HEAD")
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    second = it.memory.commit({}, "beta\n\nbody", "--author", AGENT, "--date", "2020-01-01T00:00:00Z")
    said = it.workspace.versions(id_of("Beta"))
    assert list(said) == ["ok", "id", "page", "versions"]
    assert (said["id"], said["page"]) == (id_of("Beta"), "PLAN.md")
    time = it.memory.git("log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd")
    assert list(said["versions"][0].items()) == [
        ("commit", second),
        ("time", time),
        ("author", "Bot"),
        ("actor", "agent"),
        ("subject", "beta"),
        ("kind", "edited"),
        ("page", "PLAN.md"),
    ]
    assert [(one["commit"], one["actor"], one["kind"]) for one in said["versions"][1:]] == [
        (first, "human", "created")
    ]
    assert kinds(it, id_of("Alpha")) == ["created"]


def test_a_card_goes_through_everything(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    it.memory.commit({})
    it.workspace.rename(id_of("Beta"), "Omega", now=NOW, commit=True)
    it.workspace.archive([id_of("Omega")], "done", now=NOW, commit=True)
    assert kinds(it, id_of("Omega")) == ["archived", "renamed", "edited", "created"]
    it.workspace.restore(id_of("Omega"), commit=True)
    assert kinds(it, id_of("Omega")) == ["restored", "archived", "renamed", "edited", "created"]
    assert kinds(it, id_of("Beta"))[-2:] == ["edited", "created"]


def test_a_card_is_followed_to_another_page_and_column(tmp_path: Path) -> None:
    it = desk(tmp_path)
    moved = card("Beta")
    it.memory.commit({"PLAN.md": BOARD.replace(f"{moved}\n", "").rstrip("\n") + f"\n\n{moved}"}, "column")
    it.memory.commit(
        {
            "PLAN.md": it.memory.read("PLAN.md").replace(f"\n{moved}", ""),
            "MEMORY.md": "# Memory\n\n" + moved.replace("### ", "## "),
        },
        "page",
    )
    found = it.workspace.versions(id_of("Beta"))
    assert [(one["kind"], one["page"]) for one in found["versions"]] == [
        ("moved", "MEMORY.md"),
        ("moved", "PLAN.md"),
        ("created", "PLAN.md"),
    ]
    assert found["page"] == "MEMORY.md"


def test_a_page_as_a_whole_also_when_it_is_gone(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({LEDGER: ledger()}, "a ledger")
    it.memory.commit({LEDGER: None}, "gone")
    assert kinds(it, LEDGER) == kinds(it, LEDGER[:-3]) == ["removed", "created"]
    assert it.workspace.versions(LEDGER)["page"] == ""
    assert kinds(it, "PLAN.md") == kinds(it, "PLAN") == ["created"]


def test_a_section_and_a_bullet_have_the_versions_of_their_page(tmp_path: Path) -> None:
    it = desk(tmp_path)
    commit = it.memory.commit({LEDGER: ledger()}, "a ledger")
    bullet = it.workspace.expand("type:dead-end")["entries"][0]
    assert bullet["source"] == LEDGER
    found = it.workspace.versions(bullet["id"])
    assert ([one["commit"] for one in found["versions"]], found["page"]) == ([commit], LEDGER)


def test_what_nobody_knows(tmp_path: Path) -> None:
    it = desk(tmp_path)
    for wanted in ("mem_" + "0" * 32, "NOTES.md", "x"):
        with pytest.raises(UnknownId):
            it.workspace.versions(wanted)


def test_as_of_a_commit_later_ones_are_unknown(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({LEDGER: ledger()}, "a ledger")
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    it.memory.commit({})
    assert [one["kind"] for one in it.workspace.versions("PLAN.md", as_of="HEAD~1")["versions"]] == [
        "created"
    ]
    with pytest.raises(UnknownId):
        it.workspace.versions(LEDGER, as_of="HEAD~2")


def test_a_whole_page_has_the_commits_that_git_log_lists(tmp_path: Path) -> None:
    it = desk(tmp_path)
    lucky = random.Random(7)
    for number in range(30):
        path = lucky.choice(("PLAN.md", "MEMORY.md", "notes.md"))
        text = it.memory.read(path) if (it.memory.top / path).exists() else "# Notes\n"
        it.memory.commit({path: f"{text}\nline {number}\n"}, f"edit {number}")
    for path in ("PLAN.md", "MEMORY.md"):
        listed = it.memory.git("log", "--format=%H", "--", path).split()
        assert [one["commit"] for one in it.workspace.versions(path)["versions"]] == listed


def test_a_card_has_the_commits_that_git_log_l_lists(tmp_path: Path) -> None:
    it = desk(tmp_path)
    lucky = random.Random(11)
    for number in range(30):
        title = lucky.choice(("Alpha", "Beta", "Gamma"))
        mark = (
            f"<!-- memory:{id_of(title)} -->\n<!-- status: current / date: 2026-09-14 -->\n<!-- model -->\n"
        )
        it.edit(mark, f"{mark}did {number}\n")
        it.memory.commit({}, f"edit {number}")
    for title in ("Alpha", "Beta", "Gamma"):
        first, last = lines_of_card(it, title)
        said = it.memory.git("log", "--format=commit %H", f"-L{first},{last}:PLAN.md")
        listed = re.findall(r"^commit ([0-9a-f]{40})$", said, re.MULTILINE)
        assert [one["commit"] for one in it.workspace.versions(id_of(title))["versions"]] == listed


def lines_of_card(it: Desk, title: str) -> tuple[int, int]:
    """Its first and last line that isn't blank."""
    found: dict[str, Any] = it.workspace.show(id_of(title))
    return found["line"], found["line"] + found["text"].rstrip("\n").count("\n")


def test_any_number_that_git_takes_for_a_time_is_told() -> None:
    assert (moment(-5), moment(0)) == ("1970-01-01T00:00:00Z", "1970-01-01T00:00:00Z")
    assert moment(1 << 62) == "9999-12-31T23:59:59Z"


def test_a_row_that_a_merge_hid_is_left_out() -> None:
    filled = Filled.empty().page("PLAN.md").commit(1).commit(2).commit(3)
    name = filled.entry("Alpha")
    filled.revision(name, 1, "created").revision(name, 2, hidden=3)
    assert [one.seq for one in versions(filled.ground, name).versions] == [1]
