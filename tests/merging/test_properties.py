"""What must hold for every merge of two memories that went apart, said in one sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from merging.desks import Desk, deeds, desks
from merging.sides import cards_of, merge, refused, side_of
from pages import id_of
from text.spec import TIMES

from wbmem_git.rules.lines import lines_of
from wbmem_git.text.names import archived_id

if TYPE_CHECKING:
    from merging.desks import Deed
    from merging.sides import Files

    from wbmem_git.model import Card

MANY = settings(max_examples=40 * TIMES, deadline=None, suppress_health_check=list(HealthCheck))


def ids(files: Files) -> set[str]:
    """Every id, on a page or in the archive."""
    return {*cards_of(files), *(name for path in files if (name := archived_id(path)))}


def words(files: Files) -> set[str]:
    """Every line that some deed wrote, metadata and headings aside."""
    written = ("edited ", "added ", "remark ", "new ", "said ", "prose ")
    return {line for text in files.values() for line in lines_of(text) if line.startswith(written)}


def sides(base: Desk, mine: list[Deed], other: list[Deed]) -> tuple[Files, Files, Files]:
    found = base.files, base.after(mine, "o").files, base.after(other, "t").files
    for side in found[1:]:  # the deeds themselves are what a person may commit
        assert [told for told in refused(found[0], side, side, side) if told[0] == "human"] == []
    return found


@MANY
@given(desks(), deeds(), deeds())
def test_no_card_vanishes_and_none_is_there_twice(base: Desk, mine: list[Deed], other: list[Deed]) -> None:
    three = sides(base, mine, other)
    files = merge(*three).files
    assert ids(three[1]) | ids(three[2]) <= ids(files) | {
        conflict.id for conflict in merge(*three).merged.conflicts
    }
    held = [card.id for card in side_of(files).cards]
    assert len(held) == len(set(held))
    assert not set(held) & {name for path in files if (name := archived_id(path))}


@MANY
@given(desks(), deeds(), deeds())
def test_no_line_that_either_side_wrote_is_lost(base: Desk, mine: list[Deed], other: list[Deed]) -> None:
    three = sides(base, mine, other)
    assert words(three[1]) | words(three[2]) <= words(merge(*three).files)


@MANY
@given(desks(), deeds(), deeds())
def test_every_merge_without_a_conflict_passes_the_gate(
    base: Desk, mine: list[Deed], other: list[Deed]
) -> None:
    three = sides(base, mine, other)
    outcome = merge(*three)
    assume(not outcome.merged.conflicts)
    assert refused(*three, outcome.files) == []


@MANY
@given(desks(), deeds(), deeds())
def test_every_merge_is_the_same_from_both_sides_but_for_order(
    base: Desk, mine: list[Deed], other: list[Deed]
) -> None:
    one, two, three = sides(base, mine, other)
    here, there = merge(one, two, three), merge(one, three, two)
    assert {c.id for c in here.merged.conflicts} == {c.id for c in there.merged.conflicts}
    assert sorted(here.notes) == sorted(there.notes)
    assume(not here.merged.conflicts and "retitled" not in here.notes)
    assert ids(here.files) == ids(there.files)
    ours, theirs = cards_of(here.files), cards_of(there.files)
    for name, card in ours.items():
        assert sorted(_plain(card.body_lines)) == sorted(_plain(theirs[name].body_lines))
        assert _says(card) == _says(theirs[name])


@MANY
@given(desks(), deeds(), deeds())
def test_every_merge_with_what_it_has_already_changes_nothing(
    base: Desk, mine: list[Deed], other: list[Deed]
) -> None:
    assume("lose" not in {kind for kind, *_ in (*mine, *other)})
    one, two, three = sides(base, mine, other)
    assert merge(one, two, two).files == two
    assert merge(one, two, one).files == two
    assert merge(one, one, two).files == two
    outcome = merge(one, two, three)
    assume(not outcome.merged.conflicts)
    for side in (two, three):
        assert merge(side, outcome.files, side).files == outcome.files
        assert merge(side, side, outcome.files).files == outcome.files


SOUP = st.sampled_from([
    "# Plan", "## Doing", "## Done", "### Alpha", "### Beta", "Title\n===", "Title\n---", "---", "title: x",
    f"<!-- memory:{id_of('Alpha')} -->", f"<!-- memory:{id_of('Beta')} -->", "<!-- memory:x -->",
    "<!-- user -->", "<!-- /user -->", "<!-- model -->", "<!-- /model -->", "<!-- user --> a <!-- /user -->",
    "```", "~~~~", "<!--", "-->", "<div>", "- item", "  more", "> quote", "", "", "a", "b", "c", "d",
    "<!-- status: current -->", "<!-- tags: a, b / date: 2026-09-14 -->", "<<<<<<< ours", "=======", "\ufeff",
])  # fmt: skip
SOUPS = st.lists(SOUP, max_size=14).map("\n".join)


@MANY
@given(SOUPS, SOUPS, SOUPS, st.booleans(), st.sampled_from(["PLAN.md", "MEMORY.md"]))
def test_no_nasty_page_raises_and_none_loses_a_line(
    base: str, ours: str, theirs: str, alone: bool, path: str
) -> None:
    ours, theirs = (f"{side}\n{side[:9]} {who}" for side, who in ((ours, "o"), (theirs, "t")))
    outcome = merge({path: base}, {path: ours}, {path: theirs}, alone=alone)
    known = _stripped(base) | _stripped(outcome.files[path])
    lost = (_stripped(ours) | _stripped(theirs)) - known
    assert {line for line in lost if not line.startswith(("<!--", "#"))} == set()
    assert merge({path: base}, {path: ours}, {path: ours}, alone=alone).files == {path: ours}


def _stripped(text: str) -> set[str]:
    return {line.strip("\ufeff ") for line in lines_of(text)} | {""}


def _says(card: Card) -> dict[str, object]:
    """What a card's metadata says, key by key; tags, cues and ids stand in no order."""
    return {key: frozenset(part.strip() for part in value.split(",")) for key, value in card.metadata.pairs}


def _plain(lines: tuple[str, ...]) -> list[str]:
    return [line.lstrip("#").strip() for line in lines]
