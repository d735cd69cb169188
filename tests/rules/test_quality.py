"""S5 on many ledgers beside a large board: how often a card is read doesn't depend on the ledgers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from pages import board, card, ledger
from rules.building import change_of
from rules.loader import SETTINGS, Case, Content

from wbmem_git.rules import quality

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wbmem_git.model import Change

CARDS = 20


def change_with(ledgers: int, cards: int = CARDS) -> Change:
    """A commit that adds ledgers beside a board; each copies the last card."""
    copied = f"Next: turn wheel number {cards - 1} by hand\n- it turned {cards - 1} times so far"
    text = ledger().replace("See PLAN.md, card Alpha: it says where the work stands", copied)
    page = board(
        *(
            card(f"Wheel {n}", f"Next: turn wheel number {n} by hand\nit turned {n} times so far")
            for n in range(cards)
        )
    )
    old = {"wbmem.yaml": SETTINGS.encode(), "PLAN.md": page.encode()}
    new = old | {f"handoff-20260914-10{n // 60:02}{n % 60:02}.md": text.encode() for n in range(ledgers)}
    sides = [{path: Content(data, "100644") for path, data in side.items()} for side in (old, new)]
    return change_of(Case("S5", 1, "", (), {}, {}, (sides[0],), sides[1], {}, (), "", ()), "human")


@pytest.mark.parametrize("ledgers", [1, 30])
def test_each_card_is_normalised_once_for_all_ledgers(ledgers: int, monkeypatch: pytest.MonkeyPatch) -> None:
    compared: Callable[[Iterable[str]], set[str]] = quality._compared
    calls: list[int] = []

    def counting(lines: Iterable[str]) -> set[str]:
        calls.append(1)
        return compared(lines)

    monkeypatch.setattr(quality, "_compared", counting)
    found = list(quality.s5(change_with(ledgers)))
    assert [finding.key for finding in found] == ["copy"] * ledgers
    assert f'"Wheel {CARDS - 1}"' in found[-1].message
    assert len(calls) == CARDS + ledgers


@pytest.mark.timeout(60)
def test_a_thousand_ledgers_beside_a_thousand_cards_are_no_product() -> None:
    assert len(list(quality.s5(change_with(1000, cards=1000)))) == 1000
