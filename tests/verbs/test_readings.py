"""A page of the past read after an edit is the page read from the start, whatever the edit."""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from text.spec import TIMES

from wbmem_git.text.ids import card_id
from wbmem_git.text.page import parse_page
from wbmem_git.text.settings import parse_settings
from wbmem_git.verbs.past import pages
from wbmem_git.verbs.past import readings as module
from wbmem_git.verbs.past.pages import PastPages
from wbmem_git.verbs.past.readings import Place, digest_of, read_next, read_page
from wbmem_git.verbs.past.woven import read_woven

if TYPE_CHECKING:
    from wbmem_git.model import PageKind
    from wbmem_git.verbs.past.readings import Reading

KEY = "demo-1a2b3c4d"
Kind = Literal["board", "entries"]
BOARD = Place("PLAN.md", KEY, "board")
SPARE = (
    *("", "", "text", "- item", "  more", "> quote", "```", "~~~", "<!-- x -->", "<!-- open", "-->", "<div>"),
    *("</div>", "===", "---", "-", "- ", "***", "    code", "\ttab", "# one", "## column", "### card", "###"),
    *("### Card 1", "## Card 2"),
    *("<!-- status: superseded / date: 2026-01-02 -->", "<!-- model -->", "<!-- /model -->", "<!-- user -->"),
    *(
        "<!-- /user -->",
        "[a]: /b",
        "1. one",
        "   ### inside",
        "...",
        "###x",
        "<!-- memory:mem_0 -->",
        "- ```",
    ),
    *("日志 下一步", "text  ", "- [ ] do", "\x0b", "\u00a0", "＃＃＃ x", "- <!-- y", "-----END", "next"),
)
PLAIN = (
    "text",
    "- item",
    "- ",
    "",
    "",
    "more words",
    "日志",
    "1. one",
    "> quote",
    "- [ ] do",
    "text  ",
    "  in",
)


def page(dice: random.Random, mark: str) -> list[str]:
    """A page of many cards, most as they should be."""
    lines = ["# Page", ""] if dice.random() < 0.8 else ["---", "a: b", dice.choice(["---", "..."]), "# Page"]
    tidy, anchored = dice.random() < 0.7, dice.choice([1.0, 1.0, 0.5, 0.0])
    for number in range(dice.randint(4, 16)):
        if mark == "###" and dice.random() < 0.2:
            lines += [f"## Column {number}", ""]
        title = f"Card {number if dice.random() < 0.95 else 1}"
        lines.append(f"{mark} {title}")
        if dice.random() < (anchored if tidy else min(anchored, 0.9)):
            lines.append(f"<!-- memory:{card_id(KEY, 'PLAN.md', title)} -->")
        if dice.random() < 0.5:
            lines.append("<!-- status: current / tags: a -->")
        lines += dice.choices(PLAIN, k=dice.randint(1, 4))
        if dice.random() < 0.2:
            lines += ["<!-- user -->", *dice.choices(PLAIN, k=dice.randint(0, 2)), "<!-- /user -->"]
        if not tidy and dice.random() < 0.15:
            lines.append(dice.choice(SPARE))
        lines += [""] * dice.randint(0, 2)
    return lines


def edited(dice: random.Random, lines: list[str]) -> list[str]:
    changed = list(lines)
    spare = dice.choice([SPARE, PLAIN])
    for _ in range(dice.choice([0, 1, 1, 1, 2])):
        at = dice.randint(0, len(changed))
        changed[at : at + dice.choice([0, 0, 1, 1, 2, 6])] = dice.choices(
            spare, k=dice.choice([0, 1, 1, 2, 4])
        )
    if dice.random() < 0.3:
        at = dice.randrange(len(changed) or 1)
        changed[at : at + 1] = [line + dice.choice("x é-#") for line in changed[at : at + 1]]
    return changed


def facts(reading: Reading) -> tuple[object, ...]:
    return reading.data, reading.cards, reading.starts, reading.sizes, reading.is_usual, reading.is_apart


@given(seed=st.integers(0, 2**64), mark=st.sampled_from(["##", "###"]))
@settings(max_examples=800 * TIMES, deadline=None)
def test_a_random_edit_of_a_random_page(seed: int, mark: str) -> None:
    dice = random.Random(seed)
    kind: Kind = "board" if mark == "###" else "entries"
    lines = page(dice, mark)
    end = dice.choice(["\n", "\n", "\n", "\r\n"])
    last = dice.choice([end, end, ""])
    place = Place("PLAN.md", KEY, kind)
    reading = read_page(place, (end.join(lines) + last).encode())
    for number in range(3):
        lines = edited(dice, lines)
        data = (end.join(lines) + last).encode()
        reading = read_next(reading, str(number), place, data)
        whole = read_page(place, data)
        assert facts(reading) == facts(whole)
        alone = reading.by_itself()
        assert (facts(alone), alone.is_tame, alone.edit) == (facts(whole), whole.is_tame, None)
        if reading.edit is not None:
            assert reading.edit.is_tame <= whole.is_tame


def shuffled(dice: random.Random, mark: str, sides: list[list[str]]) -> list[str]:
    """A page as a merge may put it together: the first side's parts, some as another side has them."""
    parts = [re.split(rf"(?m)^(?=#{{1,{len(mark)}}} )", "\n".join(side) + "\n") for side in sides]
    made = [dice.choice([own, *others]) for own, *others in zip(*parts, strict=False)]
    made += parts[0][len(made) :] if dice.random() < 0.8 else []
    for _ in range(dice.choice([0, 1, 2])):
        what, at = dice.random(), dice.randrange(len(made))
        if what < 0.4:
            made.insert(at, dice.choice(dice.choice(parts)))
        elif what < 0.7:
            made.append(made.pop(at))
        elif what < 0.8:
            del made[at]
        else:
            made[at] += dice.choice(["", "\n", "more\n", "<!-- status: current -->\n"])
    return "".join(made or [""]).removesuffix("\n").split("\n")


@given(seed=st.integers(0, 2**64), mark=st.sampled_from(["##", "###"]))
@settings(max_examples=800 * TIMES, deadline=None)
def test_a_random_merge_of_random_pages_is_read_as_the_whole_or_not_at_all(seed: int, mark: str) -> None:
    dice = random.Random(seed)
    place = Place("PLAN.md", KEY, "board" if mark == "###" else "entries")
    first = page(dice, mark)
    sides = [first if dice.random() < 0.5 else edited(dice, first), edited(dice, first)]
    last = dice.choice(["\n", "\n", ""])
    versions = [read_page(place, ("\n".join(side) + last).encode()) for side in sides]
    data = ("\n".join(shuffled(dice, mark, sides)) + last).encode()
    woven = read_woven(place, data, versions)
    if woven is not None:
        whole = read_page(place, data)
        assert facts(woven) == facts(whole)
        assert woven.is_tame == whole.is_tame


@given(seed=st.integers(0, 2**64))
@settings(max_examples=200 * TIMES, deadline=None)
def test_what_is_held_of_a_card_is_what_the_page_says(seed: int) -> None:
    text = "\n".join(page(random.Random(seed), "###")) + "\n"
    cards = parse_page("PLAN.md", text, KEY, "board").cards
    held = read_page(BOARD, text.encode()).cards
    assert [(card.id, card.column) for card in cards] == [(one.id, one.column) for one in held]
    assert [digest_of(card.text.encode()) for card in cards] == [one.digest for one in held]


def big() -> str:
    cards = [
        f"### C{n}\n<!-- memory:{card_id(KEY, 'PLAN.md', f'C{n}')} -->\nText {n}.\n\n" for n in range(300)
    ]
    return "# Plan\n\n## Doing\n\n" + "".join(cards)


def test_one_cards_lines_are_an_edit_and_nothing_is_parsed(monkeypatch: pytest.MonkeyPatch) -> None:
    old = read_page(BOARD, big().encode())
    monkeypatch.setattr(module, "parse_page", None)
    new = read_next(old, "base", BOARD, big().replace("Text 150.", "Two\nlines.").encode())
    assert new.edit is not None
    assert (new.edit.base, new.edit.place) == ("base", 150)
    assert new.edit.new.endswith(b"Two\nlines.\n\n")


def test_cards_of_two_sides_are_read_without_parsing(monkeypatch: pytest.MonkeyPatch) -> None:
    ours, theirs = big().replace("Text 150.", "Ours."), big().replace("Text 7.", "Theirs.")
    versions = [read_page(BOARD, text.encode()) for text in (ours, theirs)]
    data = ours.replace("Text 7.", "Theirs.").replace("Text 200.", "Of the merge.").encode()
    whole = read_page(BOARD, data)
    monkeypatch.setattr(module, "page_of", None)
    woven = read_woven(BOARD, data, versions)
    assert woven is not None
    assert facts(woven) == facts(whole)


def test_a_card_without_an_anchor_is_read_as_one_with(monkeypatch: pytest.MonkeyPatch) -> None:
    text = re.sub(r"<!-- memory.*\n", "", big())
    old = read_page(BOARD, text.encode())
    assert old.is_usual
    monkeypatch.setattr(module, "parse_page", None)
    new = read_next(old, "base", BOARD, text.replace("Text 150.", "Two\nlines.").encode())
    assert new.edit is not None
    assert new.is_usual


def test_a_further_card_has_only_some_around_it_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    old = read_page(BOARD, big().encode())
    read: list[int] = []

    def counting(path: str, text: str, key: str, kind: PageKind) -> object:
        read.append(text.count("\n"))
        return parse_page(path, text, key, kind)

    monkeypatch.setattr(module, "parse_page", counting)
    data = big().replace("Text 150.\n", f"Text 150.\n\n### New\n<!-- memory:mem_{'0' * 32} -->\nx\n").encode()
    new = read_next(old, "base", BOARD, data)
    assert max(read) < 40
    monkeypatch.undo()
    assert facts(new) == facts(read_page(BOARD, data))
    assert len(new.cards) == 301


@pytest.mark.parametrize(
    "following", ["Title\n===", "#hash\n===", "#hash\n---", "<!-- status: current -->\n### B"]
)
def test_a_card_that_runs_into_what_follows_it(following: str) -> None:
    old = f"# Plan\n\n### A\n<!-- memory:mem_{'0' * 32} -->\ntext\n\n{following}\n\n### C\n"
    new = old.replace("text\n\n", "text\nmore\n")
    reading = read_next(read_page(BOARD, old.encode()), "base", BOARD, new.encode())
    assert facts(reading) == facts(read_page(BOARD, new.encode()))


A, B, C = (f"### {title}\n<!-- memory:{card_id(KEY, 'PLAN.md', title)} -->\n" for title in "ABC")
OWN, LENT = "<!-- status: current -->\n", "<!-- status: superseded -->\n"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param(f"{A}a\n\n{LENT}{B}{OWN}b\n\n{C}c\n", f"{A}a\n\n{LENT}{C}c\n", id="a card lends"),
        pytest.param(f"# X\n\n{LENT}{A}{OWN}a\n\n{B}b\n", f"# X\n\n{LENT}{B}b\n\n{A}{OWN}a\n", id="a gap"),
        pytest.param(f"{A}a\n\n{B}```\nb\n", f"{B}```\nb\n{A}a\n\n", id="a fence is open at the end"),
        pytest.param(f"{A}a\n\n# X\n```\n", f"# X\n```\n{A}a\n\n", id="a fence is open in no card"),
        pytest.param(f"{A}a\n\n{B}b\n", f"{A}a\n\n{A}a\n\n", id="an id stands twice"),
    ],
)
def test_what_reads_otherwise_in_another_place_is_parsed(old: str, new: str) -> None:
    woven = read_woven(BOARD, new.encode(), [read_page(BOARD, old.encode())])
    assert woven is None or facts(woven) == facts(read_page(BOARD, new.encode()))


def test_blank_lines_at_the_end_are_no_other_text() -> None:
    assert digest_of(b"### A\ntext\n\n \t\n") == digest_of(b"### A\ntext\n")
    assert digest_of(b"### A\ntext  \n") != digest_of(b"### A\ntext\n")


@pytest.mark.parametrize("data", [b"\xff\xfe# A", b"# A\0\n### B\n"])
def test_what_is_no_text_holds_no_card(data: bytes) -> None:
    assert read_page(BOARD, data).cards == []


def test_the_page_below_the_next_commit_is_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    good, other = (parse_settings(f"format: 1\nworkspace: {key}\n")[0] for key in (KEY, "other-1a2b3c4d"))
    assert good is not None
    assert other is not None
    versions = {str(number): big().replace("Text 150.", f"Text {number}.").encode() for number in range(9)}
    asked: list[str] = []

    def blob(oid: str) -> bytes:
        asked.append(oid)
        return versions[oid]

    monkeypatch.setattr(pages, "_LAST", {})
    for number in range(1, 9):  # a refresh each, as each write of a program makes one
        past = PastPages(good, blob, lambda *_: ())
        found = past.reading("PLAN.md", str(number), {}, str(number - 1))
        assert found.edit is not None
        assert found.edit.base == str(number - 1)
        assert facts(found) == facts(read_page(BOARD, versions[str(number)]))
    assert asked == [*"1023456789"][: len(asked)]
    assert len(asked) == 9
    assert len(pages._LAST) == pages.KEPT_LAST
    PastPages(other, blob, lambda *_: ()).reading("PLAN.md", "8", {})
    assert len(asked) == 10  # under another key it is another page
