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


def test_a_hook_here_that_stops_a_push_isn_t_taken_for_the_other_side(
    pair: Pair, capsys: pytest.CaptureFixture[str]
) -> None:
    main(("sync",))
    pair.bo.workspace.install_hooks()
    pair.bo.memory.commit({"PLAN.md": board(A, card("Ada's"))}, "past every hook")
    tip = pair.tip()
    capsys.readouterr()
    assert main(("sync",)) == 1
    said = capsys.readouterr().err
    assert "a hook here (pre-push) doesn't let main go to origin, which wasn't asked" in said
    assert 'card "Beta" is gone' in said
    assert "next: mend what it said (wbmem audit, wbmem rescue), then: wbmem sync" in said
    assert pair.tip() == tip
    main(("rescue", "--restore", id_of("Beta"), "--commit"))
    assert main(("sync",)) == 0


def test_the_other_side_that_refuses_is_named(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    hook = pair.bare / "hooks" / "pre-receive"
    hook.write_text("#!/bin/sh\necho 'not today' >&2\nexit 1\n")
    hook.chmod(0o755)
    pair.bo.memory.commit({"x.txt": "x"})
    assert main(("sync",)) == 1
    said = capsys.readouterr().err
    assert "origin doesn't take main" in said
    assert "not today" in said


@pytest.mark.parametrize(
    ("url", "hint"),
    [
        ("{}/nowhere.git", "see whether {}/nowhere.git is there"),
        ("file://{}/nowhere.git", "see whether file://{}/nowhere.git is there"),
        ("http://127.0.0.1:1/x.git", "try again when there is a connection"),
    ],
)
def test_a_place_on_this_machine_lacks_no_connection(
    pair: Pair, capsys: pytest.CaptureFixture[str], url: str, hint: str
) -> None:
    pair.bo.memory.git("remote", "set-url", "origin", url.format(pair.bare.parent))
    assert main(("sync",)) == 2
    assert f"  next: {hint.format(pair.bare.parent)}" in capsys.readouterr().err


def test_in_a_merge_it_names_what_settles_it(pair: Pair, capsys: pytest.CaptureFixture[str]) -> None:
    pair.bo.memory.commit({"PLAN.md": board(A, card("Beta", "Bo's"))})
    pair.bo.memory.git("fetch", "-q")
    pair.bo.memory.git("merge", "-q", "--no-commit", "--no-ff", "origin/main", check=False)
    assert main(("sync",)) == 2
    said = capsys.readouterr().err
    assert "a merge is going on here" in said
    assert "wbmem resolve" in said
    assert "--commit" not in said


@pytest.mark.parametrize("is_ahead", [False, True])
def test_who_takes_a_merge_over_is_told_which_card_of_his_has_another_title(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *, is_ahead: bool
) -> None:
    mine = card("Ada's", "Bo's words")
    pair.bo.memory.commit({"PLAN.md": board(A, B, mine)})
    pair.bo.memory.git("fetch", "-q")
    pair.bo.memory.git("merge", "-q", "-s", "ours", "--no-commit", "origin/main")
    hers = card("Ada's (2)", "Next: work on Ada's as the ticket says")
    pair.bo.memory.commit({"PLAN.md": board(A, B, mine, hers)}, "Bo's keeps the title")
    assert main(("sync",)) == 0
    monkeypatch.chdir(pair.ada.memory.top)
    if is_ahead:
        pair.ada.memory.commit({"x.txt": "x"})
    capsys.readouterr()
    assert main(("sync", "--dry-run")) == 0
    told = '  PLAN.md: "Ada\'s (2)": it was "Ada\'s" here; under that title stands the other side\'s card now'
    assert told in capsys.readouterr().out.splitlines()
    assert main(("sync", "--json")) == 0
    notes = json.loads(capsys.readouterr().out)["notes"]
    assert [(one["kind"], one["id"], one["title"]) for one in notes] == [
        ("retitled", id_of("Ada's (2)"), "Ada's (2)")
    ]


def test_a_card_that_somebody_edits_or_adds_to_has_no_other_title(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main(("sync",))
    said = "Next: work on Alpha as the ticket says", "Next: work on Beta as the ticket says"
    new = card("Other", said[0]), card("Alpha (two)", said[0]), card("Beta (2)", said[1])
    text = board(card("Alpha", "Bo's"), B, card("Ada's"), *new)
    pair.bo.memory.commit({"PLAN.md": text})
    main(("sync",))
    monkeypatch.chdir(pair.ada.memory.top)
    capsys.readouterr()
    assert main(("sync",)) == 0
    assert "under that title" not in capsys.readouterr().out


def test_from_outside_its_way_out_merges_the_memory_and_no_other_repository(
    pair: Pair, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pair.bo.memory.commit({"PLAN.md": board(card("Alpha", "Bo's"), B)})
    pair.ada.memory.commit({"PLAN.md": board(card("Alpha", "Ada's"), B, card("Ada's"))})
    pair.ada.sync()
    for folder, git in ((pair.bo.memory.top, "git"), (pair.bo.memory.top.parent, "git -C handoff")):
        monkeypatch.chdir(folder)
        assert main(("sync",)) == 1
        said = capsys.readouterr().out
        assert f"next: {git} merge origin/main, settle them as told, {git} commit, then: wbmem sync" in said
