"""`blame`: who wrote which line; git itself is asked, and gives the same answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, Desk, desk
from pages import AGENT, id_of

from wbmem_git.errors import UnknownId

if TYPE_CHECKING:
    from pathlib import Path


def by_git(it: Desk, rev: str, first: int, last: int) -> list[str]:
    """The commit of each of these lines, as `git blame` has it."""
    said = it.memory.git("blame", "-l", "--root", "-s", f"-L{first},{last}", rev, "--", "PLAN.md")
    return [line.split(" ")[0].lstrip("^") for line in said.split("\n")]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_each_line_of_a_card(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    first = it.memory.git("log", "--format=%H", "--diff-filter=A", "--", "PLAN.md")
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    second = it.memory.commit({}, "beta", "--author", AGENT)
    said = it.workspace.blame(id_of("Beta"))
    assert list(said) == ["ok", "id", "commit", "page", "lines"]
    assert (said["id"], said["commit"], said["page"]) == (id_of("Beta"), second, "PLAN.md")
    lines = said["lines"]
    assert list(lines[0]) == ["line", "commit", "time", "author", "actor", "text"]
    assert [one["line"] for one in lines] == list(range(15, 15 + len(lines)))
    assert [one["text"] for one in lines if one["text"]] == it.workspace.show(id_of("Beta"))["text"].split(
        "\n"
    )[:6]
    if layout == "cr":  # to git such a page is one line
        assert {one["commit"] for one in lines} == {second}
        return
    assert [one["commit"] for one in lines] == by_git(it, "HEAD", 15, 14 + len(lines))
    assert {(one["commit"], one["author"], one["actor"]) for one in lines} == {
        (first, "Ada", "human"),
        (second, "Bot", "agent"),
    }
    assert lines[4]["commit"] == second


def test_a_whole_page_and_as_of_an_earlier_commit(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    it.memory.commit({})
    count = it.memory.read("PLAN.md").count("\n")
    for rev, said in (
        ("HEAD", it.workspace.blame("PLAN.md")),
        ("HEAD~1", it.workspace.blame("PLAN.md", as_of="HEAD~1")),
    ):
        assert said["commit"] == it.memory.git("rev-parse", rev)
        assert [one["commit"] for one in said["lines"]] == by_git(it, rev, 1, count)


def test_an_empty_page_has_no_lines(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"PINNED.md": ""})
    assert it.workspace.blame("PINNED.md")["lines"] == []


def test_lines_that_end_in_a_bare_cr_are_counted_as_git_does(tmp_path: Path) -> None:
    it = desk(tmp_path)
    mixed = it.head().replace(b"## Doing\n\n", b"## Doing\rone\rtwo\n\n")
    it.memory.commit({"PLAN.md": mixed}, "mixed")
    it.edit("work on Gamma as the ticket says", "Gamma is nearly done")
    third = it.memory.commit({}, "gamma")
    said = it.workspace.blame(id_of("Gamma"))["lines"]
    assert [one["text"] for one in said if one["commit"] == third] == ["Next: Gamma is nearly done"]


def test_what_is_gone_has_no_lines_to_blame(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"notes.md": "x\n", "PINNED.md": "# Pinned\n"})
    it.memory.commit({"PINNED.md": None})
    with pytest.raises(UnknownId):
        it.workspace.blame("PINNED.md")
