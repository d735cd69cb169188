"""`diff`: two versions of a card or a page, as `patch` and git know it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import NOW, desk
from pages import card, id_of

from wbmem_git.errors import UnknownId

if TYPE_CHECKING:
    from pathlib import Path

    from memory import Memory


def hunks(diff: str) -> str:
    """A diff without its first two lines."""
    return diff.split("\n", 2)[2].rstrip("\n")


def git_hunks(memory: Memory, *args: str) -> str:
    """What git prints of one file, from the first hunk on, without what it adds behind `@@`."""
    said = memory.git("-c", "diff.indentHeuristic=false", "diff", "--no-ext-diff", *args)
    lines = said[said.index("@@") :].split("\n")
    return "\n".join(line[: line.index("@@", 2) + 2] if line.startswith("@@") else line for line in lines)


def test_the_last_two_versions_of_a_card(tmp_path: Path) -> None:
    it = desk(tmp_path)
    first = it.memory.git("rev-parse", "HEAD")
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    second = it.memory.commit({})
    it.memory.commit({"MEMORY.md": "# Memory\n\nelsewhere\n"})
    said = it.workspace.diff(id_of("Beta"))
    assert list(said) == ["ok", "id", "old", "new", "diff"]
    assert said["old"] == {"commit": first, "id": id_of("Beta"), "page": "PLAN.md"}
    assert said["new"]["commit"] == second
    assert said["diff"].split("\n")[:2] == [f"--- PLAN.md {first[:12]}", f"+++ PLAN.md {second[:12]}"]
    assert "-Next: work on Beta as the ticket says\n+Next: Beta is nearly done\n" in said["diff"]
    assert it.workspace.diff(id_of("Beta"), "HEAD~1")["diff"] == ""


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("one\ntwo\nthree\n", "one\n2\nthree\n"),
        ("one\n", "one\ntwo"),
        ("one", "two\n"),
        ("one\r\ntwo\r\n", "one\r\n2\r\n"),
        ("", "one\n"),
        ("one\n", ""),
        ("".join(f"line {number}\n" for number in range(40)), "".join(f"line {n}\n" for n in range(3, 41))),
    ],
)
def test_of_a_page_it_is_what_git_diff_prints(tmp_path: Path, old: str, new: str) -> None:
    it = desk(tmp_path)
    it.memory.commit({"PLAN.md": old})
    it.memory.commit({"PLAN.md": new})
    said = it.workspace.diff("PLAN.md")["diff"]
    assert said.count("\r") == sum(line.endswith("\r") for line in said.split("\n"))
    assert ("\r" in said) == ("\r" in old)
    assert hunks(said).replace("\r\n", "\n").rstrip("\r") == git_hunks(it.memory, "HEAD~1", "HEAD")


def test_between_any_two_commits_through_a_rename(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.rename(id_of("Beta"), "Omega", now=NOW, commit=True)
    it.edit("work on Beta as the ticket says", "nearly done")
    it.memory.commit({})
    said = it.workspace.diff(id_of("Omega"), "HEAD~2", "HEAD")
    assert (said["old"]["id"], said["new"]["id"]) == (id_of("Beta"), id_of("Omega"))
    assert "-### Beta\n" in said["diff"]
    assert "+### Omega\n" in said["diff"]
    assert "+Next: nearly done\n" in said["diff"]


def test_what_is_new_and_what_is_gone(tmp_path: Path) -> None:
    it = desk(tmp_path)
    new = it.workspace.diff(id_of("Beta"))
    assert (new["old"], new["diff"].split("\n")[0]) == (None, "--- /dev/null")
    it.memory.commit({"PLAN.md": it.memory.read("PLAN.md").replace(card("Beta"), "")})
    gone = it.workspace.diff(id_of("Beta"))
    assert (gone["new"], gone["diff"].split("\n")[1]) == (None, "+++ /dev/null")


def test_another_branch_that_head_knows_nothing_of(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.git("checkout", "-q", "-b", "side")
    it.memory.commit({"PLAN.md": it.memory.read("PLAN.md") + "\n" + card("Delta")})
    it.edit("work on Delta", "on the side")
    it.memory.commit({})
    it.memory.git("checkout", "-q", "main")
    found = it.workspace.diff(id_of("Delta"), "side~1", "side")
    assert "on the side" in found["diff"]
    assert it.workspace.diff(id_of("Delta"), as_of="side") == found
    gone = it.workspace.diff(id_of("Delta"), "side")
    assert (gone["old"]["commit"], gone["new"]) == (it.memory.git("rev-parse", "side"), None)
    with pytest.raises(UnknownId, match="nothing answers"):
        it.workspace.diff(id_of("Delta"), "main~0")


def test_as_of_a_commit_it_is_the_last_change_until_then(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("work on Beta", "first")
    then = it.memory.commit({})
    it.edit("first", "second")
    it.memory.commit({})
    found = it.workspace.diff(id_of("Beta"), as_of=then)
    assert "+" in found["diff"]
    assert "second" not in found["diff"]
    assert it.workspace.diff(id_of("Beta"), f"{then}~1", as_of=then) == found


def test_where_it_stood_in_neither(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"notes.md": "x\n"})
    it.memory.commit({"PINNED.md": "# Pinned\n"})
    with pytest.raises(UnknownId, match="wbmem versions"):
        it.workspace.diff("PINNED.md", "HEAD~2", "HEAD~1")
