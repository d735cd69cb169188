"""Two cards of one title, of which a merge gave one another: what a side does then comes to its own card."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from merging.desks import Desk, Sheet, deeds, desks
from merging.sides import cards_of, merge, refused, side_of
from pages import KEY, archived, board, card, id_of
from text.spec import TIMES

from wbmem_git.rules.lines import lines_of
from wbmem_git.verbs.merge.swaps import Swaps, by_text, is_after

if TYPE_CHECKING:
    from merging.desks import Deed
    from merging.sides import Files

    from wbmem_git.model import Card
    from wbmem_git.verbs.merge.values import First

MANY = settings(max_examples=60 * TIMES, deadline=None, suppress_health_check=list(HealthCheck))
OWNERS = ("of:a", "of:b")
A = card("Alpha")


def made(owner: str, title: str = "T") -> Sheet:
    """A card of one of the two."""
    lines = tuple(f"{owner} {n}" for n in range(3))
    return Sheet("PLAN.md", title, lines, None, tags=(owner,))


def owned(files: Files) -> dict[str, set[str]]:
    """Owner → every line that stands in a card of his, on a page or in the archive.

    A renamed card's archive file holds what its owner wrote anew under the later title.
    """
    side = side_of(files)
    closed = [file for file in side.archive.values() if not file.superseded_by]
    cards = [*side.cards, *(file.card for file in closed if file.card is not None)]
    return {
        owner: {line for one in cards if owner in tags(one) for line in one.body_lines} for owner in OWNERS
    }


def owners(files: Files) -> dict[str, list[str]]:
    """Id → whose card it is, of cards on a page and in the archive."""
    side = side_of(files)
    gone = {name: file.card for name, file in side.archive.items() if file.card is not None}
    cards = {**gone, **cards_of(files)}
    return {name: [owner for owner in OWNERS if owner in tags(one)] for name, one in cards.items()}


def tags(one: Card) -> str:
    return dict(one.metadata.pairs).get("tags", "")


@MANY
@given(desks(), deeds(), deeds(), st.booleans(), st.booleans(), st.booleans())
def test_no_text_of_two_namesakes_is_lost_and_none_lands_in_the_other_one_s_card(  # noqa: PLR0917
    desk: Desk, mine: list[Deed], other: list[Deed], is_kept: bool, is_ours: bool, is_first: bool
) -> None:
    here = desk.stretches[0][3]
    base = desk.put(0, [made("of:a"), *here])
    titles = ("T", "T (2)") if is_kept else ("T (2)", "T")
    merged = desk.put(0, [*map(made, OWNERS, titles), *here])
    changed = [deed for deed in (*mine, *other) if deed[0] not in {"lose", "supersede"}]
    alone = base.after(changed[: len(mine)], "o").files
    both = merged.after(changed[len(mine) :], "t").files
    swaps = {} if is_kept else {id_of("T"): id_of("T (2)")}
    first: First = "theirs" if is_first else "ours"
    if is_ours:
        ours, theirs, known = alone, both, Swaps({}, swaps)
    else:
        ours, theirs, known = both, alone, Swaps(swaps, {})
    outcome = merge(base.files, ours, theirs, first=first, swaps=known)
    whole = {line for text in outcome.files.values() for line in lines_of(text)}
    was, sides = owned(base.files), (owned(alone), owned(both))
    for owner in OWNERS:
        gone = {line for line in was[owner] if any(line not in side[owner] for side in sides)}
        assert {line for side in sides for line in side[owner]} - gone <= whole
    for one in cards_of(outcome.files).values():  # not between markers either
        assert len({line[:4] for line in one.body_lines if line.startswith(OWNERS)}) < 2
    if outcome.merged.conflicts:
        return
    kept = {**owners(alone), **owners(both)}
    for name, his in owners(outcome.files).items():
        assert his == kept.get(name, his)
    now, (a, b) = owned(outcome.files), OWNERS
    remarks = {line for line in whole if line.startswith("remark ")}
    for owner, rest in ((a, b), (b, a)):
        foreign = {line for side in sides for line in side[rest]} - {
            line for side in sides for line in side[owner]
        }
        assert not now[owner] & foreign - remarks
    assert [told for told in refused(base.files, ours, theirs, outcome.files) if told[0] == "human"] == []


def test_pages_alone_tell_that_a_title_is_another_card_s_by_now() -> None:
    base = {"PLAN.md": board(A, card("T", "one"))}
    there = {"PLAN.md": board(A, card("T", "two"), card("T (2)", "one"))}
    here = {"PLAN.md": board(A, card("T", "one b"))}
    wanted = board(A, card("T", "two"), card("T (2)", "one b"))
    swaps = by_text(side_of(base), side_of(there), side_of(here), KEY)
    assert swaps == {id_of("T"): id_of("T (2)")}
    for alone in (False, True):
        outcome = merge(base, here, there, swaps=Swaps({}, swaps), alone=alone)
        assert (outcome.board, outcome.notes, outcome.why) == (wanted, ["retitled"], [])


@pytest.mark.parametrize(
    "there",
    [
        board(A, card("T", "one\ntwo"), card("T (2)", "one")),  # a copy, and something is left of it
        board(A, card("T", "two"), card("T 2", "one")),  # no title that a merge makes
        board(A, card("T", "two"), card("T (2)", "three")),
    ],
)
def test_pages_alone_don_t_tell_it_of_a_card_that_somebody_made(there: str) -> None:
    base, here = {"PLAN.md": board(A, card("T", "one"))}, {"PLAN.md": board(A, card("T", "one b"))}
    assert by_text(side_of(base), side_of({"PLAN.md": there}), side_of(here), KEY) == {}


def test_a_driver_leaves_a_card_that_is_gone_from_the_page_to_whom_sees_all_files() -> None:
    base = {"PLAN.md": board(A, card("T", "one"))}
    there = {"PLAN.md": board(A, card("T", "two"), card("T (2)", "one"))}
    swaps = Swaps({}, {id_of("T"): id_of("T (2)")})
    outcome = merge(base, {"PLAN.md": board(A)}, there, swaps=swaps, alone=True)
    assert [one.way_out for one in outcome.merged.conflicts] == ["wbmem resolve"]


def test_what_speaks_of_the_card_follows_it() -> None:
    name, later = id_of("T"), id_of("T (2)")
    base = {"PLAN.md": board(A, card("T", "one"))}
    there = {"PLAN.md": board(A, card("T", "two"), card("T (2)", "one"))}
    here = {"PLAN.md": board(A, card("T", "one b"), card("New", f"see {name}"))}
    outcome = merge(base, here, there, swaps=Swaps({}, {name: later}))
    assert cards_of(outcome.files)[id_of("New")].body_lines == (f"see {later}",)


@pytest.mark.parametrize("first", ["ours", "theirs"])
def test_of_two_new_cards_of_one_title_the_first_keeps_it(first: First) -> None:
    name = id_of("T")
    base, new = {"PLAN.md": board(A)}, {"ours": "one", "theirs": "two"}
    ours = {"PLAN.md": board(A, card("T", "one", user="by Ada"), card("O", f"see {name}"))}
    theirs = {"PLAN.md": board(A, card("T", "two", user="by Bo"), card("P", f"see {name}"))}
    outcome = merge(base, ours, theirs, first=first)
    cards = cards_of(outcome.files)
    later = id_of("T (2)")
    assert cards[name].body_lines == (new.pop(first), "by Ada", "by Bo")
    assert cards[later].body_lines == (*new.values(),)
    of_ours, of_theirs = (name, later) if first == "ours" else (later, name)
    assert cards[id_of("O")].body_lines == (f"see {of_ours}",)
    assert cards[id_of("P")].body_lines == (f"see {of_theirs}",)
    assert outcome.merged.notes[0].told.endswith(
        "so theirs has another title" if first == "ours" else "so ours has another title"
    )
    assert refused(base, ours, theirs, outcome.files) == []


def test_a_number_behind_a_title_is_that_of_a_merge() -> None:
    assert is_after("T (2)", "T")
    assert not any(is_after(title, "T") for title in ("T", "T (two)", "T 2", "T (2) more", "U (2)"))


def test_a_namesake_that_stands_on_a_page_with_another_level_keeps_its_own() -> None:
    base = {"PLAN.md": board(A), "MEMORY.md": "# Memory\n"}
    ours = {**base, "PLAN.md": board(A, card("T", "one"))}
    theirs = {**base, "MEMORY.md": "# Memory\n\n" + card("T", "two").replace("###", "##")}
    outcome = merge(base, ours, theirs)
    assert {one.title: one.body_lines for one in cards_of(outcome.files).values()} == {
        "Alpha": ("Next: work on Alpha as the ticket says",),
        "T": ("one",),
        "T (2)": ("two",),
    }
    assert refused(base, ours, theirs, outcome.files) == []


def test_the_card_that_took_the_title_is_back_where_its_archive_file_would_close_the_other_one() -> None:
    base = {"PLAN.md": board(A, card("T", "one"))}
    path, text = archived("T", card("T", "two"))
    there = {"PLAN.md": board(A, card("T (2)", "one")), path: text}
    here = {"PLAN.md": board(A, card("T", "one b"))}
    swaps = by_text(side_of(base), side_of(there), side_of(here), KEY)
    outcome = merge(base, here, there, swaps=Swaps({}, swaps))
    assert (outcome.notes, outcome.why) == (["unarchived", "retitled"], [])
    said = {one.title: one.body_lines for one in cards_of(outcome.files).values()}
    assert (said["T"], said["T (2)"]) == (("two",), ("one b",))
    assert path not in outcome.files
    assert refused(base, here, there, outcome.files) == []
