"""Two clones make a card of one title: whose card it is afterwards, whatever either of them does next."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from merging.sides import cards_of
from pages import archived, board, card, id_of
from syncing.clones import A, B, Pair

if TYPE_CHECKING:
    from pathlib import Path

    from syncing.clones import Clone

ONE, TWO = "one of Ada's", "two of Bo's"
GONE = dict([archived("T", card("T", ONE), superseded_by=id_of("U"))])


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """Ada has pushed a card, and Bo, who has made another one of that title, has synced behind her."""
    made = Pair.of(tmp_path)
    made.ada.memory.commit({"PLAN.md": board(A, B, card("T", ONE))})
    made.ada.sync()
    made.bo.memory.commit({"PLAN.md": board(A, B, card("T", TWO))})
    return made


def texts(clone: Clone) -> dict[str, str]:
    """Title → what stands in the card."""
    cards = cards_of({"PLAN.md": clone.memory.read("PLAN.md")}).values()
    return {one.title: "\n".join(one.body_lines) for one in cards if one.title not in {"Alpha", "Beta"}}


def swapped(pair: Pair) -> None:
    """What a merge makes in which Bo's card keeps the title, as one between branches of one clone may."""
    bo = pair.bo.memory
    bo.git("fetch", "-q")
    bo.git("merge", "-q", "-s", "ours", "--no-commit", "origin/main")
    bo.commit({"PLAN.md": board(A, B, card("T", TWO), card("T (2)", ONE))}, "merge")
    bo.git("push", "-q", "origin", "main")


def test_the_card_that_was_pushed_first_keeps_its_title(pair: Pair) -> None:
    report = pair.bo.sync()
    assert texts(pair.bo) == {"T": ONE, "T (2)": TWO}
    assert [(one.kind, one.title) for one in report.notes] == [("retitled", "T (2)")]
    assert report.notes[0].told == "both sides made a card 'T', so ours has another title"
    assert pair.ada.sync().notes == ()
    assert texts(pair.ada) == {"T": ONE, "T (2)": TWO}


@pytest.mark.parametrize("is_renamed", [False, True])
def test_what_the_first_one_does_before_he_has_synced_comes_to_his_card(pair: Pair, is_renamed: bool) -> None:
    title = "U" if is_renamed else "T"
    files = GONE if is_renamed else {}
    pair.bo.sync()
    pair.ada.memory.commit({"PLAN.md": board(A, B, card(title, f"{ONE} b")), **files})
    assert pair.ada.sync().conflicts == ()
    assert texts(pair.ada) == {title: f"{ONE} b", "T (2)": TWO}
    assert pair.ada.refused() == []


def test_of_two_that_merge_one_branch_the_remote_s_keeps_its_title(pair: Pair) -> None:
    pair.bo.workspace.install_hooks()
    pair.bo.memory.git("fetch", "-q")
    pair.bo.memory.git("merge", "-q", "origin/main")
    assert texts(pair.bo) == {"T": ONE, "T (2)": TWO}
    assert pair.bo.refused() == []


@pytest.mark.parametrize("how", ["sync", "driver", "resolve", "rebase"])
@pytest.mark.parametrize("shared", ["", "Next: what both say.\n\nAnd more of that.\n\nThe end."])
def test_an_edit_follows_the_card_that_has_another_title_since(pair: Pair, how: str, shared: str) -> None:
    one, two = (f"{said}\n\n{shared}".strip() for said in (ONE, TWO))
    pair.ada.memory.commit({"PLAN.md": board(A, B, card("T", one))})
    pair.ada.memory.git("push", "-q")
    pair.bo.memory.commit({"PLAN.md": board(A, B, card("T", two))})
    bo = pair.bo.memory
    bo.git("fetch", "-q")
    bo.git("merge", "-q", "-s", "ours", "--no-commit", "origin/main")
    bo.commit({"PLAN.md": board(A, B, card("T", two), card("T (2)", one))}, "merge")
    bo.git("push", "-q", "origin", "main")
    ada = pair.ada
    ada.memory.commit({"PLAN.md": board(A, B, card("T", one.replace("Ada's", "Ada's, b")))})
    if how == "sync":
        assert ada.sync().conflicts == ()
    else:
        ada.workspace.install_hooks()
        if how == "resolve":
            ada.memory.git("config", "--remove-section", "merge.wbmem")
        ada.memory.git("fetch", "-q")
        ada.memory.git("rebase" if how == "rebase" else "merge", "-q", "origin/main", check=False)
        if how == "resolve":
            settled = ada.workspace.resolve()
            assert settled.left == ()
            ada.memory.git("commit", "-q", "--no-edit")
    said = texts(ada)
    assert set(said) == {"T", "T (2)"}
    assert TWO in said["T"]
    assert "Ada's" not in said["T"]
    assert "Ada's, b" in said["T (2)"]
    assert ada.refused() == []


def test_a_rename_of_the_card_that_has_another_title_since_takes_nothing_of_the_other_one(pair: Pair) -> None:
    swapped(pair)
    pair.ada.memory.commit({"PLAN.md": board(A, B, card("U", ONE)), **GONE})
    report = pair.ada.sync()
    assert report.conflicts == ()
    assert texts(pair.ada) == {"T": TWO, "T (2)": ONE, "U": ONE}
    assert (report.notes[0].kind, report.notes[0].title) == ("joined", "T (2)")
    assert pair.ada.refused() == []


def test_of_an_archived_card_that_has_another_title_since_no_line_is_lost(pair: Pair) -> None:
    swapped(pair)
    gone = dict([archived("T", card("T", f"{ONE}\n\nAnd more."))])
    pair.ada.memory.commit({"PLAN.md": board(A, B), **gone})
    report = pair.ada.sync()
    assert report.conflicts == ()
    assert texts(pair.ada) == {"T": TWO, "T (2)": f"{ONE}\nAnd more."}
    assert [one.kind for one in report.notes] == ["unarchived"]
    assert pair.ada.refused() == []


def test_where_the_other_title_is_taken_both_cards_have_one_of_their_own(pair: Pair) -> None:
    swapped(pair)
    pair.ada.memory.commit({"PLAN.md": board(A, B, card("T", f"{ONE} b"), card("T (2)", "of her own"))})
    report = pair.ada.sync()
    assert report.conflicts == ()
    said = texts(pair.ada)
    assert said["T"] == TWO
    assert sorted(said.values()) == sorted([TWO, ONE, f"{ONE} b", "of her own"])
    assert pair.ada.refused() == []


def test_what_a_person_wrote_stays_under_the_title_that_both_know(pair: Pair) -> None:
    swapped(pair)
    pair.ada.memory.commit({"PLAN.md": board(A, B, card("T", f"{ONE} b", user="ask Ada"))})
    assert pair.ada.sync().conflicts == ()
    found = cards_of({"PLAN.md": pair.ada.memory.read("PLAN.md")})
    assert "ask Ada" in found[id_of("T")].body_lines
    assert "ask Ada" not in found[id_of("T (2)")].body_lines
    assert f"{ONE} b" in found[id_of("T (2)")].body_lines
    assert pair.ada.refused() == []
