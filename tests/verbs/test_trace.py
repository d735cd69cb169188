"""`trace`: an entry whole, its tags and cues, its neighbours, its history."""

from __future__ import annotations

import pytest
from ground import Filled, oid
from pages import KEY, id_of

from wbmem_git.errors import UnknownId
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.ask.resolve import Gone
from wbmem_git.verbs.ask.trace import as_json, trace


@pytest.fixture
def filled() -> Filled:
    return Filled.empty().page("PLAN.md")


def near(filled: Filled, title: str, limit: int = 6) -> dict[str, float]:
    found = trace(filled.ground, id_of(title), neighbor_limit=limit)
    return {one.hit.entry.title: one.weight for one in found.neighbors}


def test_the_object_has_the_keys_of_the_contract_in_their_order(filled: Filled) -> None:
    filled.commit(1, time=1_780_000_000, actor="agent", subject="begin")
    name = filled.entry("Alpha", tags=("b", "a"), cues=("y", "x"), text="### Alpha\nwhole\n")
    other = filled.entry("Beta", tags=("a",))
    filled.revision(name, 1, "created")
    said = as_json(trace(filled.ground, name))
    assert list(said) == ["ok", "entry", "cues", "tags", "neighbors", "versions", "degraded", "hint"]
    plain = ["id", "kind", "section", "preview", "source", "line", "mtime", "cues", "criteria", "status"]
    assert list(said["entry"]) == [*plain, "text"]
    assert said["entry"]["text"] == "### Alpha\nwhole\n"
    assert (said["cues"], said["tags"]) == (["y", "x"], ["b", "a"])
    assert list(said["neighbors"][0]) == [*plain, "shared", "weight"]
    assert [(one["id"], one["shared"], one["weight"]) for one in said["neighbors"]] == [(other, ["a"], 0.5)]
    assert [list(one.items()) for one in said["versions"]] == [
        [
            ("commit", oid(1)),
            ("time", "2026-05-28T20:26:40Z"),
            ("author", "Ada"),
            ("actor", "agent"),
            ("subject", "begin"),
            ("kind", "created"),
            ("page", "PLAN.md"),
        ]
    ]
    assert "no tag twice" in said["hint"]


def test_a_rare_tag_weighs_more_than_a_common_one(filled: Filled) -> None:
    filled.entry("Alpha", tags=("rare", "common"))
    filled.entry("rare one", tags=("rare",))
    for number in range(8):
        filled.entry(f"common {number}", tags=("common",))
    found = near(filled, "Alpha")
    assert next(iter(found.items())) == ("rare one", 1 / 2)
    assert len(found) == 6
    assert set(found.values()) == {1 / 2, 1 / 9}


def test_tags_and_cues_add_up(filled: Filled) -> None:
    filled.entry("Alpha", tags=("t",), cues=("c",))
    filled.entry("both", tags=("t",), cues=("C",))
    filled.entry("a tag", tags=("t",))
    assert near(filled, "Alpha") == {"both": 1 / 3 + 1 / 2, "a tag": 1 / 3}


def test_what_weighs_the_same_stands_in_the_order_of_expand(filled: Filled) -> None:
    filled.commit(1).commit(2).entry("Alpha", tags=("t",))
    for title, seq, said in (("failed", 2, "failed"), ("old", 1, "passed"), ("new", 2, "passed")):
        filled.revision(filled.entry(title, tags=("t",), path="PLAN.md"), seq)
        if said == "passed":
            filled.verdict(seq, said)
    assert list(near(filled, "Alpha")) == ["new", "failed", "old"]


def test_what_everybody_has_tells_no_neighbours(filled: Filled) -> None:
    filled.entry("Alpha", tags=("everywhere",))
    for number in range(250):
        filled.entry(f"card {number}", tags=("everywhere",))
    assert near(filled, "Alpha") == {}


def test_a_section_is_no_neighbour_of_its_own_bullets_nor_a_card_of_its_page(filled: Filled) -> None:
    filled.entry("Alpha", tags=("t",), lines=(5, 9))
    filled.entry("the page", tags=("t",), lines=(1, 99))
    filled.entry("a line of Alpha", tags=("t",), lines=(6, 6))
    filled.entry("Beta", tags=("t",), lines=(10, 12))
    assert list(near(filled, "Alpha")) == ["Beta"]


def test_limits(filled: Filled) -> None:
    filled.entry("Alpha", tags=("t",))
    for number in range(15):
        filled.entry(f"card {number}", tags=("t",))
    assert [len(near(filled, "Alpha", limit)) for limit in (-1, 0, 1, 6, 10, 11)] == [0, 0, 1, 6, 10, 10]


def test_versions_go_back_through_renames(filled: Filled) -> None:
    new, old = filled.entry("New"), id_of("Old")
    for seq, name, kind, before in (
        (1, old, "created", ""),
        (2, old, "edited", ""),
        (3, new, "renamed", old),
        (4, new, "edited", ""),
    ):
        filled.commit(seq).revision(name, seq, kind, before=before)
    filled.revision(old, 3, "archived", f"archive/{old}.md")
    kinds = [version.kind for version in trace(filled.ground, new).versions]
    assert kinds == ["edited", "renamed", "edited", "created"]


def test_there_and_back_again_ends(filled: Filled) -> None:
    one, other = filled.entry("One"), id_of("Other")
    filled.commit(1).commit(2).commit(3).revision(one, 1, "created")
    filled.revision(other, 2, "renamed", before=one).revision(one, 2, "archived")
    filled.revision(one, 3, "renamed", before=other)
    assert [version.seq for version in trace(filled.ground, one).versions] == [3, 2, 1]


def test_a_long_history_is_cut_and_says_so(filled: Filled) -> None:
    name = filled.entry("Alpha")
    for seq in range(1, 101):
        filled.commit(seq).revision(name, seq)
    assert "wbmem versions" not in trace(filled.ground, name).hint
    filled.commit(101).revision(name, 101)
    found = trace(filled.ground, name)
    assert [version.seq for version in found.versions] == list(range(101, 1, -1))
    assert f"wbmem versions {name[4:12]}" in found.hint


def test_what_can_not_be_traced_says_what_can_be_done(filled: Filled) -> None:
    filled.commit(1).revision(id_of("Beta"), 1, "removed")
    with pytest.raises(Gone) as caught:
        trace(filled.ground, id_of("Beta"))
    assert f"wbmem versions {id_of('Beta')[4:12]}" in caught.value.hint
    with pytest.raises(UnknownId, match=r"wbmem show PLAN\.md"):
        trace(filled.ground, "PLAN.md")
    filled.entry("Plan", kind="board", name=card_id(KEY, "PLAN.md", ""))
    assert trace(filled.ground, "PLAN.md").hit.entry.kind == "board"


def test_the_id_of_a_card_without_a_title_is_its_pages(filled: Filled) -> None:
    page = card_id(KEY, "PLAN.md", "")
    filled.entry("", name=page)
    for wanted in (page, "PLAN.md"):
        with pytest.raises(UnknownId, match=r"PLAN\.md as a whole is no entry"):
            trace(filled.ground, wanted)
    filled.page("handoff-20260914-101500.md", "ledger", "ledger")
    ledger = filled.entry(
        "",
        path="handoff-20260914-101500.md",
        kind="ledger",
        name=card_id(KEY, "handoff-20260914-101500.md", ""),
    )
    assert trace(filled.ground, ledger).hit.entry.id == ledger


def test_a_page_has_the_tags_cues_and_neighbours_of_its_parts(filled: Filled) -> None:
    path = "handoff-20260914-101500.md"
    filled.page(path, "ledger", "ledger")
    name = filled.entry("a ledger", path=path, kind="ledger", lines=(1, 20))
    filled.entry("one", path=path, kind="leaf", lines=(5, 6), tags=("topic:a", "topic:b"), cues=("x.py",))
    filled.entry("two", path=path, kind="leaf", lines=(7, 7), tags=("topic:b",), cues=("y.py",))
    filled.entry("elsewhere", cues=("y.py",))
    found = trace(filled.ground, name)
    assert (found.tags, found.hit.cues) == (("topic:a", "topic:b"), ("x.py", "y.py"))
    assert [(one.hit.entry.title, one.shared) for one in found.neighbors] == [("elsewhere", ("y.py",))]
    assert "wbmem expand CUE" in found.hint
    assert as_json(found)["cues"] == ["x.py", "y.py"]


def test_where_nothing_leads_on_no_cue_is_spoken_of(filled: Filled) -> None:
    found = trace(filled.ground, filled.entry("Alone"))
    assert "CUE" not in found.hint
    assert "wbmem recall WORDS" in found.hint


def test_a_line_of_a_private_key_in_a_part_is_no_cue_of_the_page(filled: Filled) -> None:
    line = "MIIEowIBAAKCAQEA7bq5zYxw3n0cLk2pQvT9sR1eHf8dGj4mXuWo6aBtKyZi5CrN"
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{line}\n-----END RSA PRIVATE KEY-----\n"
    text = f"### Alpha\nsee src/a.py\n{key}"
    name = filled.entry("whole", kind="board", lines=(1, 50), text=f"# Plan\n\n{text}")
    filled.entry("Alpha", cues=("src/a.py", line), text=text)
    assert trace(filled.ground, name).hit.cues == ("src/a.py",)
