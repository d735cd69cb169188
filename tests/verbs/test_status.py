"""`status` on real repositories: cards, who changed each last, what isn't committed."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, NOW, Desk, conflict, desk
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
    if layout != "cr":  # to git such a page is one line
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
    assert status.files == (("MEMORY.md",), ("PLAN.md",), ("notes 一.txt",), ())
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


def test_lines_that_end_in_a_bare_cr_are_counted_as_git_does(tmp_path: Path) -> None:
    it = desk(tmp_path)
    first = it.memory.git("rev-parse", "HEAD")
    mixed = it.head().replace(b"## Doing\n\n", b"## Doing\rone\rtwo\n\n")
    second = it.memory.commit({"PLAN.md": mixed}, "mixed")
    it.edit("work on Gamma as the ticket says", "Gamma is nearly done")
    third = it.memory.commit({}, "gamma", "--author", "Eve <eve@example.org>")
    lasts = [one.last.commit for one in cards(it).values() if one.last is not None]
    assert second
    assert lasts == [first, first, third]


def test_a_commit_that_only_takes_a_line_out_changed_the_card(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("Next: sharpen the saw\n", "")
    second = it.memory.commit({}, "less", "--author", "Eve <eve@example.org>")
    last = cards(it)["Alpha"].last
    assert last is not None
    assert (last.commit, last.author) == (second, "Eve")


def test_a_merge_that_takes_one_side_changed_nothing(tmp_path: Path) -> None:
    it = conflict(desk(tmp_path))
    it.memory.git("checkout", "-q", "--ours", "PLAN.md")
    ours = it.memory.git("rev-parse", "HEAD")
    it.memory.commit({}, "merge")
    last = cards(it)["Alpha"].last
    assert last is not None
    assert last.commit == ours


@pytest.mark.parametrize(
    ("message", "author"),
    [("work\n\nWbmem-Actor: agent", "Ada <ada@example.org>"), ("work", "Bot <bot@agent.local>")],
)
def test_an_agents_commit_is_told_as_an_agents(tmp_path: Path, message: str, author: str) -> None:
    it = desk(tmp_path)
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    it.memory.commit({}, message, "--author", author)
    actors = {title: one.last.actor for title, one in cards(it).items() if one.last is not None}
    assert actors == {"Alpha": "human", "Beta": "agent", "Gamma": "human"}


def test_an_unresolved_merge_is_no_obstacle(tmp_path: Path) -> None:
    it = conflict(desk(tmp_path))
    status = it.workspace.status()
    assert status.files == ((), (), (), ("PLAN.md",))
    assert {"Alpha", "Beta", "Gamma"} <= cards(it).keys()


def test_a_users_list_of_commits_to_skip_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = desk(tmp_path)
    config = tmp_path / "config"
    config.write_text("[blame]\n\tignoreRevsFile = .git-blame-ignore-revs\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    assert all(one.last is not None for one in cards(Desk.of(it.memory)).values())


def test_an_index_that_no_tree_can_be_written_of_is_read_all_the_same(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("work on Beta as the ticket says", "Beta is nearly done")
    it.memory.git("add", "PLAN.md")
    before = it.workspace.status()
    (it.memory.top / ".git/index.lock").mkdir()  # as on a read-only disk: git can't write there
    assert it.workspace.status() == before
    assert before.files.staged == ("PLAN.md",)


def test_a_detached_head_is_told_with_the_way_to_a_branch(tmp_path: Path) -> None:
    it = desk(tmp_path)
    assert it.workspace.status().to_branch == ""
    assert it.workspace.overview()["to_branch"] is None
    it.memory.git("checkout", "-q", "--detach")
    assert it.workspace.status().branch == ""
    assert it.workspace.overview()["to_branch"].startswith(f"git -C {it.memory.top} switch main ")
