"""A person types a new card with a remark while an agent works on the same page."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from desk import Desk, desk
from pages import card, id_of

from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

AGENT = {"GIT_AUTHOR_NAME": "Bot", "GIT_AUTHOR_EMAIL": "bot@agent.local"}


def wish(folder: Path) -> Desk:
    """A memory with hooks; the person's card stands in the file only, beside an agent's edit."""
    it = desk(folder, "hooks")
    typed = card("Wish", user="please in blue")
    it.edit("## Later\n", f"## Later\n\n{typed}\n")
    it.edit("Next: sharpen the saw", "Next: sharpen the axe")
    return it


def as_agent(it: Desk, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for name, value in AGENT.items():
        monkeypatch.setenv(name, value)
    return Desk(it.memory, Workspace(it.memory.top, dict(os.environ)))


def test_an_agent_isnt_trapped_beside_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it = as_agent(wish(tmp_path), monkeypatch)
    refused = it.memory.try_git("commit", "-q", "-a", "-m", "axe")
    assert "U1" in refused.stderr
    assert "wbmem remarks" in refused.stderr
    report = it.workspace.remarks()
    assert [(one.id, one.what) for one in report.remarks] == [(id_of("Wish"), "taken out")]
    assert report.staged == ("PLAN.md",)
    assert "without -a" in report.next
    it.memory.git("commit", "-q", "-m", "axe")
    assert b"please in blue" not in it.head()
    assert b"sharpen the axe" in it.head()
    assert b"<!-- user -->\nplease in blue\n<!-- /user -->" in it.file()


def test_the_person_commits_the_remark_afterwards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it = as_agent(wish(tmp_path), monkeypatch)
    it.workspace.remarks()
    it.memory.git("commit", "-q", "-m", "axe")
    for name in AGENT:
        monkeypatch.delenv(name)
    person = Desk.of(it.memory)
    assert person.workspace.remarks().commit
    assert b"please in blue" in person.head()
    assert person.memory.git("log", "-1", "--format=%ae") == "ada@example.org"
    assert person.clean()


def test_a_person_is_told_how_the_card_is_committed(tmp_path: Path) -> None:
    it = wish(tmp_path)
    report = it.workspace.remarks()
    assert (report.remarks, report.commit) == ((), "")
    assert report.next.endswith("git add PLAN.md")


@pytest.mark.parametrize("text", ["", "  "])
def test_a_new_card_with_an_empty_zone_is_no_remark(text: str, tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("## Later\n", f"## Later\n\n{card('Wish', user=text)}\n")
    assert it.workspace.remarks().next == ""
