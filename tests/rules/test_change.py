"""Assembling a change: who holds which id, what the commit itself wrote, what lines it adds."""

from __future__ import annotations

from rules.building import change_of
from rules.loader import card_id, parse


def build(text: str):  # type: ignore[no-untyped-def]  # noqa: ANN201
    (case,) = parse(text + "---- expect\npasses\n", "C2")
    return change_of(case, "human")


def test_judged_is_what_equals_no_parent() -> None:
    change = build("""
---- old same.md
x
---- old gone.md
x
==== case
---- old ours.md
x
---- parent 2 theirs.md
x
---- new gone.md (gone)
---- new theirs.md
x
---- new own.md
x
""")
    assert change.judged == {"gone.md", "own.md"}


def test_a_file_that_becomes_a_link_to_its_own_text_is_judged() -> None:
    change = build("""
==== case
---- old a.md (no newline)
b.md
---- new a.md (symlink)
b.md
""")
    assert change.judged == {"a.md"}


def test_an_executable_bit_alone_is_no_change_of_a_page() -> None:
    change = build("==== case\n---- old a.md\nx\n---- new a.md (executable)\nx\n")
    assert change.judged == frozenset()


def test_added_lines_are_those_that_stand_nowhere_in_an_old_tree() -> None:
    change = build("""
==== case
---- old a.md
moved away
kept
---- old b.md
there
---- new a.md
kept
new
---- new b.md (crlf)
there
moved away
also new
""")
    assert change.added == {"a.md": ((2, "new"),), "b.md": ((3, "also new"),)}


def test_the_first_commit_adds_every_line() -> None:
    change = build("==== case\nparents: 0\n---- new a.md\nx\nx\n")
    assert change.added["a.md"] == ((1, "x"), (2, "x"))
    assert change.adopting
    assert change.old.oid == ""


def test_holders_are_the_cards_of_every_page() -> None:
    change = build("""
==== case
---- old PLAN.md
### A
---- old MEMORY.md
## A
""")
    assert {name: cards[0].path for name, cards in change.new.holders.items()} == {
        card_id("A"): "PLAN.md",
        card_id("A", "MEMORY.md"): "MEMORY.md",
    }


def test_a_card_without_an_anchor_takes_the_next_id_where_another_page_holds_its_own() -> None:
    change = build("""
==== case
---- old PLAN.md
### A
one
### A
two
### B
three
---- old MEMORY.md
## A
<!-- memory:mem_{A} -->
## C
<!-- memory:mem_{A #3} -->
""")
    ids = [(card.title, card.id) for card in change.new.pages["PLAN.md"].cards]
    assert ids == [("A", card_id("A", n=2)), ("A", card_id("A", n=4)), ("B", card_id("B"))]
    assert change.new.holders[card_id("A", n=2)][0].body_lines == ("one",)


def test_pages_of_both_trees_are_those_that_the_old_settings_name() -> None:
    change = build("""
==== case
---- old wbmem.yaml (edit)
+boards: [team.md]
---- old team.md
### A
---- new wbmem.yaml (edit)
-boards: [team.md]
---- new other.md
### B
""")
    assert set(change.new.pages) == set(change.old.pages) == {"team.md"}
