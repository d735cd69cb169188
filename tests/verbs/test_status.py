"""`status` on real repositories: cards, who changed each last, what isn't committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, NOW, Desk, desk
from pages import card, id_of

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.verbs.status import CardStatus


def cards(it: Desk) -> dict[str, CardStatus]:
    return {card.title: card for page in it.workspace.status().pages for card in page.cards}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_every_card_with_its_column_and_its_last_commit(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    first = it.memory.git("log", "--format=%H", "--diff-filter=A", "--", "PLAN.md")
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    it.memory.git("commit", "-q", "-a", "-m", "beta", "--author", "Eve <eve@example.org>")
    found = cards(it)
    assert [(one.title, one.column, one.id) for one in found.values()] == [
        ("Alpha", "Doing", id_of("Alpha")),
        ("Beta", "Doing", id_of("Beta")),
        ("Gamma", "Later", id_of("Gamma")),
    ]
    alpha, beta = found["Alpha"].last, found["Beta"].last
    assert alpha is not None
    assert beta is not None
    assert (alpha.commit, alpha.author) == (first, "Ada")
    assert (beta.commit, beta.author) == (it.memory.git("rev-parse", "HEAD"), "Eve")
    assert found["Beta"].date == "2026-09-14"
    assert not any(one.changed or one.unconfirmed for one in found.values())


def test_what_is_staged_changed_and_unknown_is_listed(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("sharpen the saw", "sharpen the axe")
    it.memory.write("MEMORY.md", "# Memory\n\n## New\n")
    it.memory.git("add", "MEMORY.md")
    it.memory.write("notes 一.txt", "x")
    status = it.workspace.status()
    assert status.files == (("MEMORY.md",), ("PLAN.md",), ("notes 一.txt",))
    assert {one.title for one in cards(it).values() if one.changed} == {"Alpha", "New"}
    assert cards(it)["New"].last is None


def test_a_status_and_unreadable_pages_are_told(tmp_path: Path) -> None:
    it = desk(tmp_path, text="# Plan\n\n## Doing\n\n" + card("Beta").replace("current", "superseded"))
    it.memory.write("MEMORY.md", b"\xff\xfe\x00")
    assert cards(it)["Beta"].status == "superseded"
    status = it.workspace.status()
    assert status.unreadable == ("MEMORY.md",)
    assert (status.branch, status.commit) == ("main", it.memory.git("rev-parse", "HEAD"))


def test_an_unborn_branch_and_an_empty_page(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"PINNED.md": ""})
    it.memory.git("checkout", "-q", "--orphan", "fresh")
    status = it.workspace.status()
    assert status.commit == ""
    assert all(one.last is None for one in cards(it).values())


def test_archived_cards_are_counted(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True)
    assert it.workspace.status().archived == 1
    assert "Beta" not in cards(it)
