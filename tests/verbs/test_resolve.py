"""What an id, its beginning, a path or a stem means in a sidecar."""

from __future__ import annotations

import pytest
from ground import Filled
from pages import KEY, id_of

from wbmem_git.errors import AmbiguousId, ShortId, UnknownId
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.ask.resolve import Resolved, resolve

LEDGER = "handoff-20260914-101500.md"


@pytest.fixture
def filled() -> Filled:
    made = Filled.empty().page("PLAN.md").page(LEDGER, "ledger", "ledger").commit(1)
    made.revision(made.entry("Alpha"), 1)
    for page in ("PLAN.md", LEDGER, "GONE.md", "handoff-20250101-000000.md"):
        made.revision(card_id(KEY, page, ""), 1, "created", page)
    return made


def test_an_id_its_beginning_and_any_case(filled: Filled) -> None:
    name = id_of("Alpha")
    for wanted in (name, name[:12], name[4:12], name[4:30].upper(), f"  {name} "):
        assert resolve(filled.db, wanted) == Resolved(name, name, "PLAN.md")


def test_paths_and_stems_of_what_is_there_and_of_what_is_gone(filled: Filled) -> None:
    for wanted, path in (
        ("PLAN.md", "PLAN.md"),
        ("PLAN", "PLAN.md"),
        (LEDGER[:-3], LEDGER),
        (LEDGER, LEDGER),
    ):
        name = card_id(KEY, path, "")
        assert resolve(filled.db, wanted) == Resolved(name, name, path)
        assert resolve(filled.db, name[4:14]).path == path
    for wanted in ("GONE.md", "GONE"):
        assert resolve(filled.db, wanted) == Resolved(
            card_id(KEY, "GONE.md", ""), card_id(KEY, "GONE.md", ""), ""
        )
    assert resolve(filled.db, "handoff-20250101-000000").path == ""


def test_what_has_no_history_of_its_own_has_its_pages(filled: Filled) -> None:
    bullet = filled.entry("tried it", path=LEDGER, kind="leaf")
    assert resolve(filled.db, bullet) == Resolved(bullet, card_id(KEY, LEDGER, ""), LEDGER)


def test_what_is_only_in_the_past_is_found_too(filled: Filled) -> None:
    filled.revision(id_of("Beta"), 1, "removed")
    assert resolve(filled.db, id_of("Beta")[:14]) == Resolved(id_of("Beta"), id_of("Beta"), "")


def test_what_nothing_answers_to(filled: Filled) -> None:
    for wanted in ("zzz", "", "mem_", "deadbeef", "PLAN.txt", "%", "'", "\udcff", "\0"):
        with pytest.raises(UnknownId):
            resolve(filled.db, wanted)
    with pytest.raises(ShortId):
        resolve(filled.db, id_of("Alpha")[:11])


def test_several_of_one_beginning(filled: Filled) -> None:
    names = [f"mem_{'ab' * 4}{digit * 24}" for digit in "123"]
    for name in names:
        filled.entry("namesake", name=name)
    with pytest.raises(AmbiguousId) as caught:
        resolve(filled.db, "abababab")
    assert all(name in caught.value.message for name in names)
    assert resolve(filled.db, "abababab2").id == names[1]


@pytest.mark.parametrize("folder", ["", "handoff/", "./"])
def test_what_wbmem_writes_of_a_place_is_taken_back(filled: Filled, folder: str) -> None:
    alpha, page = id_of("Alpha"), card_id(KEY, "PLAN.md", "")
    beta = filled.entry("Beta", name=id_of("Beta"))
    leaf = filled.entry("a bullet", kind="leaf", lines=(14, 14))
    section = filled.entry("a part", path=LEDGER, kind="section", lines=(3, 20))
    for wanted, name in (
        (f"PLAN.md#{alpha}", alpha),
        (f"PLAN.md#{beta[:12]}", beta),
        ("PLAN.md:1", alpha),
        ("PLAN.md:9", alpha),
        ("PLAN.md:13", beta),
        ("PLAN.md:14", leaf),
        ("PLAN.md:15", beta),
        (f"{LEDGER}:5", section),
        ("PLAN.md", page),
        ("GONE.md", card_id(KEY, "GONE.md", "")),
    ):
        assert resolve(filled.db, f"{folder}{wanted}").id == name, wanted
    for anchor in (f"<!-- memory:{alpha} -->", f" <!--memory:{alpha}--> "):
        assert resolve(filled.db, anchor).id == alpha


def test_a_line_where_nothing_stands_names_nothing(filled: Filled) -> None:
    for wanted in (
        "PLAN.md:99",
        "PLAN.md:0",
        "PLAN.md:",
        "NONE.md:1",
        "PLAN.md:-1",
        "PLAN.md#",
        ":1",
        "#mem_",
    ):
        with pytest.raises(UnknownId):
            resolve(filled.db, wanted)


def test_a_page_whose_name_looks_like_a_place_is_that_page(filled: Filled) -> None:
    for path in ("PLAN.md:1", "handoff/PLAN.md"):
        filled.page(path)
        assert resolve(filled.db, path).path == path
