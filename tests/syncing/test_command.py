"""`wbmem sync` as it is typed: what it says, as lines and as JSON, and how it ends."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import pytest
from pages import board, card, id_of
from syncing.clones import A, B, Pair

from wbmem_git.cli import main

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def pair(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Pair:
    """Bo's clone is the current folder, and Ada has pushed a card."""
    made = Pair.of(tmp_path)
    made.ada.memory.commit({"PLAN.md": board(A, B, card("Ada's"))})
    made.ada.sync()
    monkeypatch.chdir(made.bo.memory.top)
    return made


def test_it_tells_what_came_what_went_and_the_backup(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    pair.bo.memory.commit({"PLAN.md": board(A, B, card("Ada's", "Bo's words"))})
    assert main(("sync",)) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"1 commit of origin/main merged by card: {pair.bo.memory.head()[:12]}"
    assert lines[1].startswith('  PLAN.md: "Ada\'s (2)": both sides made a card')
    assert lines[2] == "2 commits pushed to origin/main"
    assert lines[3].startswith("what stood here before is refs/wbmem/backup/20")
    assert main(("sync",)) == 0
    assert capsys.readouterr().out == "origin/main has all that is here, and nothing else\n"


def test_a_dry_run_tells_what_would_be(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    pair.bo.memory.commit({"x.txt": "x"})
    assert main(("sync", "--dry-run", "origin")) == 0
    assert capsys.readouterr().out.splitlines() == [
        "1 commit of origin/main would be merged by card",
        "2 commits would be pushed to origin/main",
    ]


def test_conflicts_are_listed_with_what_to_type(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    pair.ada.memory.commit({"PLAN.md": board(card("Alpha", "Ada's words"), B, card("Ada's"))})
    pair.ada.sync()
    pair.bo.memory.commit({"PLAN.md": board(card("Alpha", "Bo's words"), B)})
    assert main(("sync",)) == 1
    said = capsys.readouterr().out
    assert "1 place needs a person; nothing was changed here" in said
    assert f"PLAN.md: 'Alpha' {id_of('Alpha')}: both sides changed the same lines" in said
    assert f"wbmem resolve {id_of('Alpha')}" in said
    assert "next: git merge origin/main" in said
    assert main(("sync", "--json")) == 1
    told = json.loads(capsys.readouterr().out)
    assert (told["ok"], told["done"], told["pushed"]) == (False, "conflict", False)
    assert told["conflicts"][0]["id"] == id_of("Alpha")


def test_offline_is_one_sentence_and_status_2(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    pair.bare.rename(pair.bare.with_name("away.git"))
    assert main(("sync", "--json")) == 2
    said = capsys.readouterr()
    assert said.err.startswith("wbmem: origin can't be reached")
    assert json.loads(said.out)["ok"] is False
