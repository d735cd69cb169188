"""A page read again after an edit is the page read from the start, whatever the edit."""

from __future__ import annotations

import random
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text.spec import TIMES

from wbmem_git.text import reread as module
from wbmem_git.text.ids import card_id
from wbmem_git.text.page import parse_page
from wbmem_git.text.reread import reread

if TYPE_CHECKING:
    from wbmem_git.model import PageKind

KEY = "demo-1a2b3c4d"
SPARE = (
    *("", "", "text", "- item", "  more", "> quote", "```", "~~~", "<!-- x -->", "<!-- open", "-->", "<div>"),
    *(
        "</div>",
        "===",
        "---",
        "***",
        "    code",
        "\ttab",
        "# one",
        "## column",
        "### card",
        "#### deep",
        "###",
    ),
    *("<!-- status: current / date: 2026-01-02 -->", "<!-- model -->", "<!-- /model -->", "<!-- user -->"),
    *("<!-- /user -->", "[a]: /b", "1. one", "   ### inside", "...", "###x", "<!-- memory:mem_0 -->"),
)
KINDS: tuple[tuple[PageKind, str], ...] = (("board", "###"), ("entries", "##"))


def page(dice: random.Random, kind: PageKind, mark: str) -> list[str]:
    """A page of many cards, most as they should be."""
    lines = ["# Page", ""] if dice.random() < 0.8 else ["---", "a: b", dice.choice(["---", "..."]), "# Page"]
    tidy = dice.random() < 0.7
    for number in range(dice.randint(6, 20)):
        if kind == "board" and dice.random() < 0.2:
            lines += [f"## Column {number}", ""]
        lines.append(f"{mark} Card {number}")
        if tidy or dice.random() < 0.9:
            lines.append(f"<!-- memory:{card_id(KEY, 'PLAN.md', f'Card {number}')} -->")
        if dice.random() < 0.5:
            lines.append("<!-- status: current / tags: a -->")
        lines += [
            dice.choice(["text", "- item", "", "```\n### no\n```", "<!-- model -->\na\n<!-- /model -->"])
        ]
        if not tidy and dice.random() < 0.15:
            lines.append(dice.choice(SPARE))
        lines += [""] * dice.randint(0, 2)
    return [part for line in lines for part in line.split("\n")]


def edited(dice: random.Random, lines: list[str]) -> list[str]:
    changed = list(lines)
    for _ in range(dice.choice([0, 1, 1, 1, 2])):
        at = dice.randint(0, len(changed))
        changed[at : at + dice.choice([0, 0, 1, 1, 2, 6])] = dice.choices(
            SPARE, k=dice.choice([0, 1, 1, 2, 4])
        )
    return changed


def texts(dice: random.Random, kind: PageKind, mark: str) -> tuple[str, str]:
    lines = page(dice, kind, mark)
    end = dice.choice(["\n", "\n", "\n", "\r\n"])
    last = dice.choice([end, ""])
    return end.join(lines) + last, end.join(edited(dice, lines)) + last


@given(seed=st.integers(0, 2**64), which=st.sampled_from(KINDS))
@settings(max_examples=600 * TIMES, deadline=None)
def test_a_random_edit_of_a_random_page(seed: int, which: tuple[PageKind, str]) -> None:
    kind, mark = which
    old, new = texts(random.Random(seed), kind, mark)
    before = parse_page("PLAN.md", old, KEY, kind)
    assert reread(before, new, KEY) == parse_page("PLAN.md", new, KEY, kind)


def test_of_a_large_board_only_some_cards_are_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    cards = [
        f"### C{n}\n<!-- memory:{card_id(KEY, 'PLAN.md', f'C{n}')} -->\nText {n}.\n\n" for n in range(300)
    ]
    old = "# Plan\n\n## Doing\n\n" + "".join(cards)
    before = parse_page("PLAN.md", old, KEY, "board")
    read: list[int] = []

    def counting(path: str, text: str, key: str, kind: PageKind) -> object:
        read.append(text.count("\n"))
        return parse_page(path, text, key, kind)

    monkeypatch.setattr(module, "parse_page", counting)
    for new in (old.replace("Text 150.", "Another."), old.replace("Text 150.", "Two\nlines.")):
        assert reread(before, new, KEY) == parse_page("PLAN.md", new, KEY, "board")
    assert max(read) < 40


@pytest.mark.parametrize(
    "line",
    ["```", "<!-- open", "<div>", "### C150", "## Elsewhere", "# One", "===", "<!-- status: current -->"],
)
def test_what_reaches_further_than_its_card(line: str) -> None:
    cards = [f"### C{n}\n<!-- memory:{card_id(KEY, 'PLAN.md', f'C{n}')} -->\nText {n}.\n" for n in range(300)]
    old = "# Plan\n\n## Doing\n\n" + "".join(cards)
    before = parse_page("PLAN.md", old, KEY, "board")
    new = old.replace("Text 150.", f"Text 150.\n{line}")
    assert reread(before, new, KEY) == parse_page("PLAN.md", new, KEY, "board")
