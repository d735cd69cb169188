"""Which id each card gets: pages in, ids out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pages import KEY, archived, id_of

from wbmem_git.text.archive import parse_archive
from wbmem_git.text.ids import card_id
from wbmem_git.text.names import archived_id
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.assign import Assignment, Side
from wbmem_git.verbs.assign import assign as assign_sides

if TYPE_CHECKING:
    from collections.abc import Sequence


def side(text: str = "", archive: Sequence[tuple[str, str]] = (), **others: str) -> Side:
    pages = {"PLAN.md": text, **{f"{name}.md": page for name, page in others.items()}}
    return Side(
        {path: parse_page(path, page, KEY, "board") for path, page in pages.items() if page},
        {archived_id(path): parse_archive(file, KEY) for path, file in archive},
    )


def assign(new: Side, old: Side, key: str, known: Sequence[Side] = ()) -> Assignment:
    """With HEAD alone for the old tree, as outside a merge."""
    return assign_sides(new, [old], key, known)


def anchored(title: str, name: str | None = None, body: str = "") -> str:
    return f"### {title}\n<!-- memory:{name or id_of(title)} -->\n{body or f'about {title}'}\n\n"


def nth(title: str, n: int) -> str:
    return card_id(KEY, "PLAN.md", title, n)


def names(found: Assignment) -> dict[int, str]:
    """Heading line → new id."""
    return {line: name for (_, line), name in found.ids.items()}


NOTHING = Assignment({}, (), (), ())


def test_a_page_in_order_needs_nothing() -> None:
    board = side(anchored("A") + anchored("B"))
    assert assign(board, board, KEY) == NOTHING


def test_a_missing_anchor_is_the_computed_one() -> None:
    assert names(assign(side("### A\ntext\n"), side(), KEY)) == {1: id_of("A")}


def test_namesakes_get_the_smallest_free_number_each() -> None:
    new = side("### Tasks\none\n### Tasks\ntwo\n### Tasks\nthree\n")
    assert names(assign(new, side(), KEY)) == {1: nth("Tasks", 1), 3: nth("Tasks", 2), 5: nth("Tasks", 3)}


def test_a_new_namesake_above_takes_no_id_of_an_anchored_one() -> None:
    old = side(anchored("Tasks"))
    new = side("### Tasks\nnew\n\n" + anchored("Tasks"))
    assert names(assign(new, old, KEY)) == {1: nth("Tasks", 2)}


def test_namesakes_that_lost_their_anchors_find_them_by_their_text() -> None:
    old = side(anchored("Tasks", nth("Tasks", 1), "one") + anchored("Tasks", nth("Tasks", 2), "two"))
    new = side("### Tasks\ntwo\n### Tasks\none\n")
    assert names(assign(new, old, KEY)) == {1: nth("Tasks", 2), 3: nth("Tasks", 1)}


def test_an_anchor_that_the_old_tree_has_for_that_title_is_right_on_any_page() -> None:
    old = side(OTHER=anchored("A", card_id(KEY, "OTHER.md", "A")))
    new = side(anchored("A", card_id(KEY, "OTHER.md", "A")))
    assert assign(new, old, KEY) == NOTHING
    bare = side("### A\nabout A\n")
    assert names(assign(bare, old, KEY)) == {1: card_id(KEY, "OTHER.md", "A")}


def test_a_stale_anchor_whose_card_is_gone_is_a_rename() -> None:
    old = side(anchored("A") + anchored("B"))
    found = assign(side(anchored("A2", id_of("A")) + anchored("B")), old, KEY)
    assert names(found) == {1: id_of("A2")}
    (renamed,) = found.renamed
    assert (renamed.old.title, renamed.new.title, renamed.new_id) == ("A", "A2", id_of("A2"))


def test_a_stale_anchor_whose_card_still_stands_is_a_copy() -> None:
    old = side(anchored("A"))
    for new in (anchored("A") + anchored("A2", id_of("A")), anchored("A2", id_of("A")) + anchored("A")):
        found = assign(side(new), old, KEY)
        assert list(found.ids.values()) == [id_of("A2")]
        assert not found.renamed


def test_the_card_still_stands_where_a_heading_slipped_between_it_and_its_anchor() -> None:
    old = side(anchored("A"))
    found = assign(side(f"### A\n### New\n<!-- memory:{id_of('A')} -->\nabout A\n"), old, KEY)
    assert names(found) == {1: id_of("A"), 2: id_of("New")}
    assert not found.renamed


def test_of_two_cards_with_one_id_the_one_of_heads_page_keeps_it() -> None:
    old = side(anchored("A"), OTHER="## x\n")
    found = assign(side(anchored("A"), OTHER=anchored("A")), old, KEY)
    assert dict(found.ids) == {("OTHER.md", 1): card_id(KEY, "OTHER.md", "A")}
    swapped = assign(side(anchored("A", body="else") + anchored("A")), old, KEY)
    assert names(swapped) == {1: nth("A", 2)}


def test_swapped_anchors_go_back_to_their_cards() -> None:
    old = side(anchored("A") + anchored("B"))
    found = assign(side(anchored("A", id_of("B")) + anchored("B", id_of("A"))), old, KEY)
    assert list(found.ids.values()) == [id_of("A"), id_of("B")]
    assert not found.renamed


def test_an_anchor_that_nobody_ever_had_is_exchanged_and_archives_nothing() -> None:
    found = assign(side(anchored("A", "mem_" + "0" * 32)), side(), KEY)
    assert (list(found.ids.values()), found.renamed) == ([id_of("A")], ())


def test_a_new_card_of_an_archived_title_is_left_to_a_person() -> None:
    archive = [archived("A", anchored("A"))]
    found = assign(side("### A\nagain\n", archive), side("## x\n", archive), KEY)
    assert not found.ids
    assert [(card.title, name) for card, name in found.left] == [("A", id_of("A"))]


def test_a_card_renamed_back_has_its_earlier_id_again() -> None:
    archive = [
        archived("A", anchored("A"), superseded_by=id_of("B")),
        archived("B", anchored("B"), superseded_by=id_of("C")),
    ]
    old = side(anchored("C"), archive)
    found = assign(side(anchored("A", id_of("C")), archive), old, KEY)
    assert names(found) == {1: id_of("A")}
    assert found.restored == (id_of("A"),)
    assert [one.old.title for one in found.renamed] == ["C"]


def test_a_rename_to_a_title_that_another_card_had_is_left_to_a_person() -> None:
    archive = [archived("A", anchored("A"))]
    found = assign(side(anchored("A", id_of("B")), archive), side(anchored("B"), archive), KEY)
    assert (found.ids, found.restored, len(found.left)) == ({}, (), 1)


def test_no_number_of_an_archived_namesake_is_given_again() -> None:
    text = anchored("Tasks", nth("Tasks", 2))
    path, file = archived("Tasks", text)
    archive = [(path.replace(id_of("Tasks"), nth("Tasks", 2)), file)]
    found = assign(
        side(anchored("Tasks") + "### Tasks\nnew\n", archive), side(anchored("Tasks"), archive), KEY
    )
    assert list(found.ids.values()) == [nth("Tasks", 3)]


def test_a_card_keeps_the_id_that_the_index_has_for_the_same_text() -> None:
    index = side(anchored("Tasks") + anchored("Tasks", nth("Tasks", 2), "mine"))
    file = side("### Tasks\nfresh\n\n" + anchored("Tasks") + "### Tasks\nmine\n")
    found = assign(file, side(anchored("Tasks")), KEY, [index])
    assert list(found.ids.values()) == [nth("Tasks", 3), nth("Tasks", 2)]


def test_a_fresh_card_takes_no_id_that_the_index_has_on_another_page() -> None:
    index = side(OTHER=anchored("A"))
    assert names(assign(side("### A\nfresh\n"), side(), KEY, [index])) == {1: nth("A", 2)}


def test_a_misplaced_anchor_is_a_claim_and_two_are_none() -> None:
    old = side(anchored("A"))
    moved = f"### A\ntext\n\n<!-- memory:{id_of('A')} -->\n"
    assert names(assign(side(moved), old, KEY)) == {1: id_of("A")}
    swallowed = f"### A\ntext\n\n<!-- memory:{id_of('A')} -->\n\n<!-- memory:{id_of('B')} -->\n"
    found = assign(side(swallowed), side(anchored("A") + anchored("B")), KEY)
    assert (list(found.ids.values()), found.renamed) == ([id_of("A")], ())


def test_a_card_without_a_title_gets_no_id() -> None:
    assert assign(side("###\ntext\n"), side(), KEY) == NOTHING


def test_in_a_merge_every_head_is_the_old_tree() -> None:
    theirs = side(
        OTHER=anchored("A", card_id(KEY, "OTHER.md", "A")) + anchored("B", card_id(KEY, "OTHER.md", "B"))
    )
    ours = side("## x\n")
    moved = side(anchored("A", card_id(KEY, "OTHER.md", "A")) + anchored("B2", card_id(KEY, "OTHER.md", "B")))
    found = assign_sides(moved, [ours, theirs], KEY)
    assert list(found.ids.values()) == [id_of("B2")]
    assert [(one.old.title, one.page.path) for one in found.renamed] == [("B", "OTHER.md")]
