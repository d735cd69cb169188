"""Many cards of one title: what is worked out grows with their number and not with its square."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pages import KEY, SETTINGS, archived, card, id_of
from rules.building import change_of
from rules.loader import Case, Content

from wbmem_git.rules import archive, cards
from wbmem_git.rules import change as changes
from wbmem_git.text.archive import parse_archive
from wbmem_git.text.ids import Drawn, card_id
from wbmem_git.text.names import archived_id
from wbmem_git.text.page import parse_page
from wbmem_git.verbs import assign

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import ModuleType

    from wbmem_git.model import Card, Change

MANY = 200
LINEAR = 4 * MANY


class Counted:
    """How many ids a module computed."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *modules: ModuleType) -> None:
        self.count = 0
        for module in modules:
            monkeypatch.setattr(module, "card_id", self._card_id)

    def _card_id(self, key: str, page: str, title: str, n: int = 1) -> str:
        self.count += 1
        return card_id(key, page, title, n)


def namesakes(numbers: Sequence[int] = (), *, page: str = "PLAN.md", without: int = 0) -> str:
    """Cards called Tasks: one for each number, with the anchor of that number, and some without any."""
    anchored = (card("Tasks", f"part {n}", anchor=card_id(KEY, page, "Tasks", n)) for n in numbers)
    return "\n".join((*anchored, *(card("Tasks", f"new {n}", anchor="") for n in range(without))))


def change(old: str, new: str, **others: str) -> Change:
    sides = [{"wbmem.yaml": SETTINGS, "PLAN.md": f"# Plan\n\n## Doing\n\n{text}"} for text in (old, new)]
    sides[1] |= {path.replace("_", "/") + ".md": text for path, text in others.items()}
    old_side, new_side = (
        {path: Content(text.encode(), "100644") for path, text in side.items()} for side in sides
    )
    return change_of(Case("C1", 1, "", (), {}, {}, (old_side,), new_side, {}, (), "", ()), "agent")


def side(text: str) -> assign.Side:
    return assign.Side({"PLAN.md": parse_page("PLAN.md", text, KEY, "board")}, {})


def test_new_namesakes_get_their_numbers_by_one_digest_each(monkeypatch: pytest.MonkeyPatch) -> None:
    new = side(namesakes(without=MANY))
    counted = Counted(monkeypatch, assign)
    found = assign.assign(new, [side("")], KEY)
    assert set(found.ids.values()) == {card_id(KEY, "PLAN.md", "Tasks", n) for n in range(1, MANY + 1)}
    assert counted.count <= LINEAR


def test_their_anchors_are_known_again_by_one_digest_each(monkeypatch: pytest.MonkeyPatch) -> None:
    new = side(namesakes(range(MANY, 0, -1)))
    counted = Counted(monkeypatch, assign)
    assert not assign.assign(new, [side("")], KEY).ids
    assert counted.count <= LINEAR


def test_cards_that_lost_their_anchors_are_each_compared_once(monkeypatch: pytest.MonkeyPatch) -> None:
    old = side(namesakes(range(1, MANY + 1)))
    new = side("\n".join(card("Tasks", f"part {n}", anchor="") for n in range(MANY, 0, -1)))
    asked: list[object] = []
    by_text = assign._by_text

    def counting(card: Card) -> object:
        asked.append(card.id)
        return by_text(card)

    monkeypatch.setattr(assign, "_by_text", counting)
    found = assign.assign(new, [old], KEY)
    assert [*found.ids.values()] == [card_id(KEY, "PLAN.md", "Tasks", n) for n in range(MANY, 0, -1)]
    assert len(asked) <= LINEAR


def test_of_known_cards_with_one_text_each_id_is_given_once() -> None:
    same = [card_id(KEY, "PLAN.md", "Tasks", n) for n in (1, 2)]
    old = side("\n".join(card("Tasks", "same", anchor=name) for name in same))
    new = side("\n".join(card("Tasks", "same", anchor="") for _ in range(3)))
    assert [*assign.assign(new, [old], KEY).ids.values()] == [*same, card_id(KEY, "PLAN.md", "Tasks", 3)]


@pytest.mark.parametrize("numbers", [range(1, MANY + 1), range(MANY, 0, -1)])
def test_c1_takes_each_number_by_one_digest(numbers: range, monkeypatch: pytest.MonkeyPatch) -> None:
    added = change("", namesakes(numbers))
    counted = Counted(monkeypatch, cards)
    assert not list(cards.c1(added))
    assert counted.count <= LINEAR


def test_c1_still_refuses_a_number_far_above_those_in_use() -> None:
    (finding,) = cards.c1(change("", namesakes([1, 2, 40])))
    assert finding.card == card_id(KEY, "PLAN.md", "Tasks", 40)


def test_c5_looks_for_an_archived_namesake_once(monkeypatch: pytest.MonkeyPatch) -> None:
    added = change("", namesakes(range(1, MANY + 1)))
    path, text = archived("Tasks", card("Tasks"))
    kept = {archived_id(path): parse_archive(text, KEY)}
    added = added._replace(new=added.new._replace(archive=kept, archived=frozenset([id_of("Other")])))
    counted = Counted(monkeypatch, archive)
    assert not list(archive.c5(added))
    assert counted.count <= LINEAR


def test_c5_names_every_new_card_that_steps_over_an_archived_one() -> None:
    added = change("", namesakes([1, 3, 4]))
    added = added._replace(new=added.new._replace(archived=frozenset([card_id(KEY, "PLAN.md", "Tasks", 2)])))
    told = [finding.card for finding in archive.c5(added)]
    assert told == [card_id(KEY, "PLAN.md", "Tasks", n) for n in (3, 4)]


def test_cards_of_other_pages_take_numbers_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards that moved to another page hold the ids of this page's cards without anchors."""
    moved = "\n".join(
        card("Tasks", f"part {n}", anchor=card_id(KEY, "PLAN.md", "Tasks", n)) for n in range(1, MANY + 1)
    )
    pages = {
        "PLAN.md": parse_page("PLAN.md", namesakes(without=MANY), KEY, "board"),
        "OTHER.md": parse_page("OTHER.md", moved, KEY, "board"),
    }
    settings = change("", "").settings._replace(workspace=KEY)
    counted = Counted(monkeypatch, changes)
    tree = changes.build_tree(files={}, pages=pages, settings=settings)
    assert all(len(holders) == 1 for holders in tree.holders.values())
    assert len(tree.holders) == 2 * MANY
    assert counted.count <= LINEAR


def test_drawn_ids_are_drawn_as_far_as_somebody_asks() -> None:
    drawn: list[str] = []

    def computed() -> Iterator[str]:
        for name in ("a", "b", "c"):
            drawn.append(name)
            yield name

    ids = Drawn(computed())
    assert "b" in ids
    assert "a" in ids
    assert drawn == ["a", "b"]
    assert "d" not in ids
    assert "c" in ids
