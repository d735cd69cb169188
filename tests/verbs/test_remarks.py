"""`remarks` on real repositories: what a person wrote in user zones, and nothing else."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import pytest
from desk import BOARD, LAYOUTS, Desk, desk, end_of
from pages import card, id_of

from wbmem_git.verbs.remarks import RemarksReport
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path


def remarks(it: Desk) -> list[tuple[str, str]]:
    return [(one.title, one.what) for one in it.workspace.remarks().remarks]


def as_agent(it: Desk) -> Desk:
    return it._replace(
        workspace=Workspace(it.memory.top, {**it.workspace.environment, "WBMEM_ACTOR": "agent"})
    )


def trailers(it: Desk) -> str:
    return it.memory.git("log", "-1", "--format=%(trailers)")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_person_commits_every_edit_of_a_zone_and_nothing_else(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    it.edit("sharpen the saw", "sharpen the axe")
    it.edit("mine\n", "mine, and more\nstill mine\n")
    it.memory.write("MEMORY.md", "# Memory\n\nstaged\n")
    it.memory.git("add", "MEMORY.md")
    before, file = it.head(), it.file()
    assert remarks(it) == [("Alpha", "committed")]
    end = end_of(before.decode()).encode()
    assert it.head() == before.replace(b"mine" + end, b"mine, and more" + end + b"still mine" + end)
    assert it.staged_text() == it.head()
    assert it.file() == file
    assert it.staged() == ["M MEMORY.md"]
    assert it.verdict() == []
    assert it.memory.git("log", "-1", "--format=%an %s") == "Ada remarks: Alpha"
    assert trailers(it) == ""


def test_a_zone_may_be_added_emptied_or_taken_out(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("as the ticket says\n<!-- /model -->\n\n## Later", "as the ticket says\n<!-- /model -->\n"
            "<!-- user -->\nnew\n<!-- /user -->\n\n## Later")  # fmt: skip
    it.edit("<!-- user -->\nmine\n<!-- /user -->\n", "")
    assert remarks(it) == [("Alpha", "committed"), ("Beta", "committed")]
    assert it.clean()
    assert b"mine" not in it.head()
    assert b"<!-- user -->\nnew\n<!-- /user -->\n" in it.head()


def test_staged_work_on_the_same_card_stays_staged(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("sharpen the saw", "sharpen the axe")
    it.memory.git("add", "PLAN.md")
    it.edit("mine\n", "mine!\n")
    remarks(it)
    assert b"the saw" in it.head()
    assert b"the axe" in it.staged_text()
    assert b"mine!" in it.head()
    assert b"mine!" in it.staged_text()
    assert not it.memory.git("diff", "--name-only")


def test_nothing_to_remark_makes_no_commit(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("sharpen the saw", "sharpen the axe")
    before = it.memory.git("rev-parse", "HEAD")
    assert it.workspace.remarks() == RemarksReport((), "")
    assert it.memory.git("rev-parse", "HEAD") == before


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_agent_commits_additions_as_unconfirmed(tmp_path: Path, layout: str) -> None:
    it = as_agent(desk(tmp_path, layout))
    it.edit("mine\n", "before\nmine\nafter\n")
    it.edit("sharpen the saw", "sharpen the axe")
    assert remarks(it) == [("Alpha", "committed")]
    assert trailers(it).splitlines() == ["Wbmem-Remarks: unconfirmed", "Wbmem-Actor: agent"]
    assert it.verdict() == []
    assert b"after" in it.head()
    assert b"the axe" not in it.head()
    status = it.workspace.status()
    assert [card.title for page in status.pages for card in page.cards if card.unconfirmed] == ["Alpha"]


@pytest.mark.parametrize("layout", LAYOUTS)
def test_any_other_edit_leaves_an_agents_index_and_never_the_file(tmp_path: Path, layout: str) -> None:
    it = as_agent(desk(tmp_path, layout))
    it.edit("mine\n", "yours\n")
    it.edit("sharpen the saw", "sharpen the axe")
    it.memory.git("add", "PLAN.md")
    file = it.file()
    assert remarks(it) == [("Alpha", "taken out")]
    assert it.file() == file
    assert b"yours" not in it.staged_text()
    assert b"mine" in it.staged_text()
    assert b"the axe" in it.staged_text()
    it.memory.git("commit", "-q", "-m", "axe", "--author", "Bot <bot@agent.local>")
    assert it.verdict() == []


def test_a_blank_line_that_goes_is_no_addition(tmp_path: Path) -> None:
    it = desk(tmp_path, text=BOARD.replace("mine\n", "mine\n\nall mine\n"))
    it.edit("mine\n\nall mine\n", "mine\nall mine\nmore\n")
    assert remarks(as_agent(it)) == [("Alpha", "taken out")]


def test_an_agents_new_card_keeps_an_empty_zone(tmp_path: Path) -> None:
    it = as_agent(desk(tmp_path))
    (it.memory.top / "PLAN.md").write_bytes(it.file() + f"\n{card('Delta', user='said by nobody')}".encode())
    it.memory.git("add", "PLAN.md")
    assert remarks(it) == [("Delta", "taken out")]
    assert b"said by nobody" not in it.staged_text()
    assert b"said by nobody" in it.file()
    it.memory.git("commit", "-q", "-m", "delta", "--author", "Bot <bot@agent.local>")
    assert it.verdict() == []


def test_an_edit_that_is_staged_and_undone_in_the_file_leaves_an_agents_index(tmp_path: Path) -> None:
    it = as_agent(desk(tmp_path))
    it.edit("mine\n", "yours\n")
    it.memory.git("add", "PLAN.md")
    it.edit("yours\n", "mine\n")
    remarks(it)
    assert it.clean()


def test_a_moved_card_takes_its_remark_along(tmp_path: Path) -> None:
    it = desk(tmp_path)
    moved = card("Alpha", "Next: sharpen the saw", user="mine")
    it.edit(f"{moved}\n", "")
    (it.memory.top / "PLAN.md").write_bytes(it.file() + f"\n{moved}".replace("mine", "mine!").encode())
    assert remarks(it) == [("Alpha", "committed")]
    assert it.head().index(b"mine!") < it.head().index(b"Beta")
    assert it.verdict() == []


def test_unbalanced_marks_are_named_and_left(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("mine\n<!-- /user -->", "mine")
    before = it.memory.git("rev-parse", "HEAD")
    assert remarks(it) == [("Alpha", "unreadable")]
    assert it.memory.git("rev-parse", "HEAD") == before


def test_the_hooks_admit_it_too(tmp_path: Path) -> None:
    it = as_agent(desk(tmp_path, "hooks"))
    it.edit("mine\n", "mine\nmore\n")
    assert remarks(it) == [("Alpha", "committed")]
    assert it.verdict() == []
    assert id_of("Alpha").encode() in it.head()


OUTSIDE = BOARD.replace("## Doing", "<!-- user -->\nfor all\n<!-- /user -->\n\n## Doing")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_zone_outside_any_card_counts_too(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout, text=OUTSIDE)
    it.edit("for all\n", "for all and everyone\n")
    it.edit("sharpen the saw", "sharpen the axe")
    found = it.workspace.remarks().remarks
    assert [(one.id, one.title, one.line, one.what) for one in found] == [("PLAN.md#1", "", 3, "committed")]
    assert b"for all and everyone" in it.head()
    assert b"the axe" not in it.head()
    assert it.verdict() == []


def test_an_agent_takes_an_edit_outside_any_card_out_of_the_index(tmp_path: Path) -> None:
    it = as_agent(desk(tmp_path, text=OUTSIDE))
    it.edit("for all\n", "for me\n")
    it.memory.git("add", "PLAN.md")
    assert remarks(it) == [("", "taken out")]
    assert it.staged_text() == it.head()
    it.edit("for me\n", "for all\nfor me\n")
    assert remarks(it) == [("", "committed")]
    assert it.verdict() == []


def test_a_zone_whose_marks_do_not_stand_alone_keeps_what_stands_beside(tmp_path: Path) -> None:
    text = "# Plan\n\n## Doing\n\n### A\nbefore\n\n<!-- user --> mine <!-- /user -->\n\nafter\n"
    it = desk(tmp_path, text=text)
    it.edit(" mine ", " mine too ")
    remarks(it)
    assert it.head().decode() == text.replace(" mine ", " mine too ")
    assert it.verdict() == []


# --- an agent beside an edit that it may not commit -----------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_agents_other_edits_of_that_page_are_staged_and_its_commit_passes(
    tmp_path: Path, layout: str
) -> None:
    it = as_agent(desk(tmp_path, layout))
    it.edit("mine\n", "yours\n")
    it.edit("sharpen the saw", "sharpen the axe")
    before, file = it.head(), it.file()
    for axe in (b"axe", b"knife"):  # again and again: the file keeps the person's edit
        report = it.workspace.remarks()
        assert [(one.title, one.what) for one in report.remarks] == [("Alpha", "taken out")]
        assert report.staged == ("PLAN.md",)
        assert report.next.endswith("without -a and without naming PLAN.md: git commit -m MESSAGE")
        assert it.staged_text() == before.replace(b"the saw", b"the " + axe)
        assert it.file() == file
        it.memory.git("commit", "-q", "-m", "axe", "--author", "Bot <bot@agent.local>")
        assert it.verdict() == []
        it.edit("the axe", "the knife") if axe == b"axe" else None
        file = it.file()
    assert b"yours" in it.file()
    assert b"yours" not in it.head()


def test_an_agents_own_edits_beside_an_addition_are_staged_and_its_commit_passes(tmp_path: Path) -> None:
    it = as_agent(desk(tmp_path))
    it.edit("sharpen the saw", "sharpen the axe")
    it.edit("mine\n", "mine\nand more\n")
    report = it.workspace.remarks()
    assert report.next.endswith("git commit -m MESSAGE")
    assert report.staged == ("PLAN.md",)
    it.memory.git("commit", "-q", "-m", "axe", "--author", "Bot <bot@agent.local>")
    assert (it.verdict(), it.clean()) == ([], True)
    assert b"and more" in it.head()
    assert b"sharpen the axe" in it.head()


def test_what_an_agent_staged_of_that_page_stays_all_that_is_staged(tmp_path: Path) -> None:
    it = as_agent(desk(tmp_path))
    it.edit("sharpen the saw", "sharpen the axe")
    it.memory.git("add", "PLAN.md")
    it.edit("work on Beta", "hurry with Beta")
    it.edit("mine\n", "yours\n")
    report = it.workspace.remarks()
    assert report.staged == ()
    assert b"the axe" in it.staged_text()
    assert b"hurry" not in it.staged_text()


def test_where_the_zone_is_all_that_differs_nothing_is_staged(tmp_path: Path) -> None:
    it = as_agent(desk(tmp_path))
    it.edit("mine\n", "yours\n")
    report = it.workspace.remarks()
    assert (report.staged, it.staged()) == ((), [""])


def test_a_persons_other_edits_are_never_staged(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("mine\n", "yours\n")
    it.edit("sharpen the saw", "sharpen the axe")
    report = it.workspace.remarks()
    assert (report.staged, report.next, it.staged()) == ((), "", [""])


def test_the_advice_of_u1_leads_out(tmp_path: Path) -> None:
    """A refused `git commit -a`, `wbmem remarks`, and the commit that it names."""
    it = desk(tmp_path, "hooks")
    it.edit("mine\n", "yours\n")
    it.edit("sharpen the saw", "sharpen the axe")
    agent = {"GIT_AUTHOR_NAME": "Bot", "GIT_AUTHOR_EMAIL": "bot@agent.local"}
    refused = it.memory.try_git("commit", "-a", "-m", "step", env=agent)
    assert "U1" in refused.stderr
    assert re.search("run wbmem remarks, then .*without -a", refused.stderr)
    environment = {**it.workspace.environment, **agent}
    report = Workspace(it.memory.top, environment).remarks()
    it.memory.git(*report.next.rpartition(": git ")[2].split(), env=agent)
    assert it.memory.git("log", "-1", "--format=%an %s") == "Bot MESSAGE"
    assert b"the axe" in it.head()
    assert b"yours" not in it.head()
    assert b"yours" in it.file()
