"""What the gate says of commits of the past: shortcuts and excerpts say what the whole gate would."""

from __future__ import annotations

import os
import random
from collections import Counter
from typing import TYPE_CHECKING

import pasts
import pytest
import wild
from memory import Memory
from pages import AGENT, KEY, SETTINGS, archived, board, card, id_of, ledger
from pasts import make, one_after_the_other, opened
from text.spec import TIMES
from wild import make_wild

from wbmem_git.store import sidecar
from wbmem_git.store.repository import Repository
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.governing import last_good
from wbmem_git.verbs.past.chronicle import advance
from wbmem_git.verbs.past.verdicts import Judge
from wbmem_git.verbs.rekeyed import rekeyed
from wbmem_git.verbs.rekeys import memory_of
from wbmem_git.verbs.sides import Sides

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.store.revisions import Event
    from wbmem_git.verbs.past.verdicts import Past

PLAIN = "Next: run `make test` in src/"
Told = list[tuple[str, str, str, str, str]]


def told(memory: Memory) -> Told:
    """Every event: commit, event, page, ids, rules."""
    with opened(memory.top) as repository:
        db = sidecar.memory()
        settings = last_good(repository, repository.head())
        assert settings is not None
        advance(repository, db, repository.head(), settings.settings)
        return db.execute(
            "SELECT oid, event, page, ids, rules FROM events JOIN commits USING (seq) ORDER BY number"
        ).fetchall()


def criteria(memory: Memory) -> list[tuple[str, str, str, str]]:
    """The verdicts of HEAD: event, page, ids, rules."""
    head = memory.git("rev-parse", "HEAD")
    return [tuple(rest) for oid, *rest in told(memory) if oid == head and rest[0].startswith("criteria")]  # type: ignore[misc]


class Counted:
    """Counts what the shortcut is asked and how often it is certain; or lets it never be."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: Counter[bool] = Counter()
        self.excerpts: Counter[bool] = Counter()
        self.is_on = True
        self._count(monkeypatch, "passed")
        self._count(monkeypatch, "appended")
        excerpted = Judge.excerpted

        def counting(judge: Judge, past: Past) -> list[Event] | None:
            answer = excerpted(judge, past) if self.is_on else None
            self.excerpts[answer is not None] += self.is_on
            return answer

        monkeypatch.setattr(Judge, "excerpted", counting)

    def _count(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        asked = getattr(Judge, name)

        def counting(judge: Judge, past: Past) -> bool:
            answer = self.is_on and asked(judge, past)
            self.seen[answer] += self.is_on
            return answer

        monkeypatch.setattr(Judge, name, counting)


@pytest.fixture
def counted(monkeypatch: pytest.MonkeyPatch) -> Counted:
    return Counted(monkeypatch)


def both(memory: Memory, counted: Counted) -> Told:
    """With the shortcut and without it: the same."""
    counted.is_on = True
    quick = told(memory)
    counted.is_on = False
    assert quick == told(memory)
    return quick


@pytest.mark.parametrize("seed", range(5 * TIMES))
@pytest.mark.parametrize("anchored", [0.93, 0.2])
def test_random_the_shortcut_says_what_the_gate_says(
    tmp_path: Path, seed: int, anchored: float, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pasts, "ANCHORED", anchored)
    oids = make(tmp_path / "m", random.Random(seed), 60, straight=0.97, calm=0.95, chat=0.3)
    memory = Memory(tmp_path / "m")
    memory.git("update-ref", "refs/heads/main", oids[-1])
    both(memory, counted)


LINES = (
    *(
        PLAIN,
        "text",
        "- item",
        "",
        "- [ ] open",
        "a token is refreshed",
        "password: hunter2horse",
        "mem_x",
        "a <b",
    ),
    *(
        "> quote",
        "###near",
        "＃＃＃ wide",
        "---",
        "===",
        "```",
        "a\ufffd\ufffd\ufffd",
        "a\x07\x07\x07",
        "\\n" * 6,
    ),
    *(
        "the same words again and again, " * 4,
        "<!-- User -->",
        "A1b2" * 60,
        "<!-- memory: x -->",
        "下一步：测试",
    ),
    *(
        "A line of twenty letters and more",
        "<<<<<<< a",
        "=======",
        ">>>>>>> b",
        "-----BEGIN PRIVATE KEY-----",
    ),
    *('"role": "user"', "see wbmem.yaml", "Bearer abcdEFGH12345678ijkl", "| a | b |", "{", "<tool_use>"),
)


@pytest.mark.parametrize("author", [AGENT, "Ada <ada@example.org>"])
def test_every_line_that_a_rule_looks_for(memory: Memory, author: str, counted: Counted) -> None:
    cards = dict.fromkeys(("Alpha", "Beta", "Gamma"), PLAIN)
    steps = []
    dice = random.Random(3)
    for line in LINES:
        others = f"{line}\n{line}", "\n".join([line] * 3), f"{line}\n\n{dice.choice(LINES)}", "", "."
        for added in (line, *others):
            cards["Beta"] = f"{PLAIN}\n{added}"
            text = board(*(card(title, own, user="keep") for title, own in cards.items()))
            steps.append(({"wbmem.yaml": SETTINGS, "PLAN.md": text}, author, "edit"))
    one_after_the_other(memory, steps)
    said = Counter(event for _, event, *_ in both(memory, counted))
    assert counted.seen[True] > 60
    assert said["criteria.failed"] > 5
    assert said["criteria.warned"] > 5


@pytest.mark.parametrize("author", [AGENT, "Ada <ada@example.org>"])
def test_every_line_at_the_end_of_a_log(memory: Memory, author: str, counted: Counted) -> None:
    texts = [
        text
        for line in LINES
        for text in (
            "# Log\n",
            f"# Log\n{line}\n",
            f"# Log\n{line}\n- text\n",
            f"# Log\n{line}\n- text\n\n> x\n",
        )
    ]
    files = [{"wbmem.yaml": SETTINGS, "log/2026-09-14.md": text} for text in texts]
    one_after_the_other(memory, [(each, author, "a line") for each in files])
    said = both(memory, counted)
    assert counted.seen[True] > 20
    assert sum(event == "criteria.failed" for _, event, *_ in said) >= 3


@pytest.mark.parametrize(
    "message", ["edit", "edit with password: hunter2horse", "edit\n\nWbmem-Actor: agent"]
)
def test_messages(memory: Memory, message: str, counted: Counted) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha"), card("Beta"))}, "begin")
    repeated = " ".join(["this is said over and over again"] * 4)
    memory.commit({"PLAN.md": board(card("Alpha"), card("Beta", f"Next: {repeated}"))}, message)
    both(memory, counted)


def test_a_remark_of_a_person_and_of_an_agent(memory: Memory, counted: Counted) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha", user="x"), card("Beta"))}, "begin")
    memory.commit({"PLAN.md": board(card("Alpha", user="y"), card("Beta"))}, "a person")
    assert criteria(memory) == [("criteria.passed", "PLAN.md", "[]", "[]")]
    memory.commit({"PLAN.md": board(card("Alpha", user="z"), card("Beta"))}, "an agent", "--author", AGENT)
    assert criteria(memory) == [("criteria.failed", "PLAN.md", f'["{id_of("Alpha")}"]', '["U1"]')]
    both(memory, counted)


@pytest.mark.parametrize("mark", ["<!-- /user -->\n", "<!-- user -->\n", "<!-- /model -->\n"])
def test_a_mark_that_is_gone(memory: Memory, mark: str, counted: Counted) -> None:
    text = board(card("Alpha", user="x"), card("Beta"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": text}, "begin")
    memory.commit({"PLAN.md": text.replace(mark, "", 1)}, "edit")
    both(memory, counted)
    assert criteria(memory) == [("criteria.failed", "PLAN.md", f'["{id_of("Alpha")}"]', '["C4"]')]


def test_what_was_there_before_and_what_only_tells_does_not_count(memory: Memory) -> None:
    lacking = card("Alpha", "text without more").replace("Next", "")
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(lacking, card("Beta"))}, "begin")
    memory.commit({"PLAN.md": board(lacking.replace("text", "words"), card("Beta"))}, "edit")
    assert criteria(memory) == [("criteria.passed", "PLAN.md", "[]", "[]")]


def test_a_step_that_is_lost_is_warned_of(memory: Memory, counted: Counted) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha"), card("Beta"))}, "begin")
    memory.commit({"PLAN.md": board(card("Alpha", "nothing more"), card("Beta"))}, "edit")
    assert criteria(memory) == [("criteria.warned", "PLAN.md", f'["{id_of("Alpha")}"]', '["P-S3"]')]
    assert counted.seen[True] == 0


def test_the_last_step_on_a_board_that_goes_is_warned_of(memory: Memory, counted: Counted) -> None:
    """The card names its step by a box; but nothing on the board looks ahead any more."""
    text = board(card("Alpha", "Next: begin\n- [ ] open"), card("Beta", "- [ ] open"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": text}, "begin")
    memory.commit({"PLAN.md": text.replace("Next: begin", "It began")}, "edit")
    both(memory, counted)
    assert criteria(memory) == [("criteria.warned", "PLAN.md", "[]", '["P-S1"]')]


def test_a_page_failed_whatever_else_was_found_on_it_first(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha"))}, "begin")
    broken = card("Gamma").replace("<!-- /model -->\n", "")
    memory.commit({"PLAN.md": board(card("Alpha"), card("Beta", anchor=""), broken)}, "edit")
    ((event, page, _, rules),) = criteria(memory)
    assert (event, page, rules) == ("criteria.failed", "PLAN.md", '["C1", "C4"]')  # soft, then hard


def test_of_namesakes_without_anchors_each_is_judged_as_itself(memory: Memory, counted: Counted) -> None:
    first, second = card("Same", "Next: one", anchor=""), card("Same", "Next: two", anchor="")
    cards = [first, second, *(card(f"Card {n}") for n in range(6))]
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(*cards)}, "begin")
    cards[1] = second.replace("Next: two", "nothing more").replace("date: 2026-09-14", "date: 2026-09-15")
    memory.commit({"PLAN.md": board(*cards)}, "edit")
    both(memory, counted)
    name = card_id(KEY, "PLAN.md", "Same", 2)
    assert criteria(memory) == [("criteria.warned", "PLAN.md", f'["{name}"]', '["P-S3"]')]


def test_boards_without_anchors_need_no_whole_gate(memory: Memory, counted: Counted) -> None:
    titles = [f"Card {n}" for n in range(9)]
    plain = {title: card(title, anchor="") for title in titles}
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(*plain.values())}, "begin")
    plain["Card 3"] = plain["Card 3"].replace("work on", "go on with")
    memory.commit({"PLAN.md": board(*plain.values())}, "edit")
    plain["Card 5"] = plain["Card 5"].replace("date: 2026-09-14", "date: 2026-09-15")
    memory.commit({"PLAN.md": board(*plain.values())}, "metadata")
    memory.commit({"PLAN.md": board(*plain.values(), card("New"))}, "create")
    both(memory, counted)
    assert counted.seen[True] == 1
    assert counted.excerpts == {True: 2, False: 1}  # the first commit


def test_a_card_that_vanished_and_a_ledger_that_changed(memory: Memory) -> None:
    name = "handoff-20260914-101500.md"
    memory.commit(
        {"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha"), card("Beta")), name: ledger()}, "begin"
    )
    memory.commit({"PLAN.md": board(card("Beta")), name: ledger("other; next: `make`")}, "past the gate")
    assert [(event, page, rules) for event, page, _, rules in criteria(memory)] == [
        ("criteria.failed", "PLAN.md", '["C2"]'),
        ("criteria.failed", name, '["L1"]'),
    ]


def test_a_ledger_that_is_added_passes(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha"))}, "begin")
    memory.commit({"handoff-20260914-101500.md": ledger()}, "a ledger")
    assert criteria(memory) == [("criteria.passed", "handoff-20260914-101500.md", "[]", "[]")]


def test_the_settings_of_then_judge(memory: Memory, counted: Counted) -> None:
    memory.commit(
        {"wbmem.yaml": f"{SETTINGS}boards: [PLAN.md, TODO.md]\n", "PLAN.md": board(card("Alpha"))}, "begin"
    )
    todo = board(card("One", page="TODO.md"), card("Two", page="TODO.md"))
    memory.commit({"TODO.md": todo}, "another board")
    memory.commit({"TODO.md": todo.replace("work on Two", "do Two")}, "edit")
    memory.commit({"wbmem.yaml": SETTINGS + "agents: ['*@example.org']\n"}, "later")
    repeated = " ".join(["this is said over and over again"] * 4)
    memory.commit({"PLAN.md": board(card("Alpha", f"Next: {repeated}"))}, "now an agent's")
    both(memory, counted)
    assert [event for event, *_ in criteria(memory)] == ["criteria.failed"]


def test_a_history_before_there_was_a_memory_is_not_judged(memory: Memory) -> None:
    memory.commit({"PLAN.md": board(card("Alpha"))}, "no memory yet")
    memory.commit({"wbmem.yaml": SETTINGS}, "adopted")
    with Repository.open(str(memory.top), os.environ):
        assert [event for _, event, *_ in told(memory)] == ["written", "written"]


# --- excerpts -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6 * TIMES))
@pytest.mark.parametrize("anchored", [1, 0.5, 0])
@pytest.mark.parametrize("wrong", [0.02, 0.2])
def test_random_an_excerpt_says_what_the_gate_says(  # noqa: PLR0917  # what is drawn, and fixtures
    tmp_path: Path,
    seed: int,
    wrong: float,
    anchored: float,
    counted: Counted,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(wild, "ANCHORED", anchored)
    both(make_wild(tmp_path / "m", random.Random(seed), 40, wrong=wrong), counted)
    assert counted.excerpts[True]


@pytest.mark.parametrize("seed", range(4 * TIMES))
@pytest.mark.parametrize("anchored", [1, 0.5])
def test_random_under_an_earlier_key_it_says_the_same(
    tmp_path: Path, seed: int, anchored: float, counted: Counted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wild, "ANCHORED", anchored)
    memory = make_wild(tmp_path / "m", random.Random(2000 + seed), 25, wrong=0.02)
    rekey(memory)
    both(memory, counted)
    assert counted.excerpts[True]


def rekey(memory: Memory) -> None:
    """One more commit, by which the memory has another key."""
    memory.git("reset", "-q", "--hard")
    with opened(memory.top) as repository:
        good = last_good(repository, repository.head())
        assert good is not None
        tree = repository.tree_of(repository.head())
        made = rekeyed(memory_of(Sides(repository), tree, good.settings), "other-89abcdef")
    memory.commit(dict(made.edits), "another key")


def test_what_usually_happens_needs_no_whole_gate(memory: Memory, counted: Counted) -> None:
    alpha, beta, gamma = card("Alpha", user="keep"), card("Beta"), card("Gamma")
    begun = {"wbmem.yaml": SETTINGS, "PLAN.md": board(alpha, beta)}
    own, text = archived("Beta", beta)
    dated = alpha.replace("2026-09-14", "2026-10-01")
    name, log = "handoff-20260914-101500.md", "log/2026-09-14.md"
    steps = [begun]
    for files in (
        {"PLAN.md": board(alpha, gamma, beta)},
        {"PLAN.md": board(alpha, gamma), own: text},
        {"PLAN.md": board(dated, gamma)},
        {name: ledger()},
        {"PLAN.md": board(gamma, dated), log: "# Log\n- moved\n"},
        {},
    ):
        steps.append(steps[-1] | files)
    one_after_the_other(memory, [(files, AGENT, "a step") for files in steps])
    both(memory, counted)
    assert counted.excerpts == {True: 6, False: 1}  # the first commit begins the memory


def test_a_line_of_supersedes_neither_brings_nor_takes_a_remark(memory: Memory, counted: Counted) -> None:
    own, text = archived("Alpha", card("Alpha", user="a person said this"))
    named = card("Beta", more=f" / supersedes: {id_of('Alpha')}")
    files = {"wbmem.yaml": SETTINGS, own: text}
    steps = [files | {"PLAN.md": board(beta, card("Gamma"))} for beta in (card("Beta"), named, card("Beta"))]
    one_after_the_other(memory, [(each, AGENT, "a step") for each in steps])
    said = [event for _, event, *_ in both(memory, counted)]
    assert "criteria.failed" not in said


def steps_on_a_board(memory: Memory, old: str, new: str, author: str, **others: str) -> None:
    """A memory with that board, and other files, and an edit of the board."""
    files = {"wbmem.yaml": SETTINGS} | {
        path.replace("__", "/") + ".md": text for path, text in others.items()
    }
    one_after_the_other(memory, [(files | {"PLAN.md": text}, author, "a step") for text in (old, new)])


def test_prose_that_gives_way_to_a_line_of_a_card_is_lost(memory: Memory, counted: Counted) -> None:
    """Nothing came for it: the line was there. That card is none that differs."""
    cards = [card(title, f"Next: look into {title}") for title in ("Alpha", "Beta", "Gamma")]
    old = board(*cards).replace("## Doing\n", "## Doing\n\nWhat this column is for.\n")
    steps_on_a_board(
        memory, old, old.replace("What this column is for.", "Next: look into Beta"), "Ada <a@b.org>"
    )
    both(memory, counted)
    assert criteria(memory) == [("criteria.warned", "PLAN.md", "[]", '["C8"]')]


def test_marks_outside_cards_are_counted_where_they_stand(memory: Memory, counted: Counted) -> None:
    """One opens above two cards; what closes below them closes nothing."""
    alpha, beta, gamma = (card(title) for title in ("Alpha", "Beta", "Gamma"))
    old = board(alpha, "## Next\n\n<!-- user -->\nx\n", beta, gamma) + "\n## Later\n\nprose\n"
    steps_on_a_board(memory, old, old.replace("prose", "prose\n<!-- /user -->"), "Ada <a@b.org>")
    both(memory, counted)
    assert criteria(memory) == [("criteria.failed", "PLAN.md", "[]", '["C4"]')]


def test_a_heading_below_a_card_stays_the_heading_that_it_is(memory: Memory, counted: Counted) -> None:
    """A Setext heading: without the card it would be one with the line above."""
    alpha, beta, gamma = (
        card(title).replace("<!-- model -->\n", "").replace("<!-- /model -->\n", "")
        for title in ("Alpha", "Beta", "Gamma")
    )
    changed = beta.replace("2026-09-14", "2026-10-01").replace("work on", "go on with")
    old, new = (f"# Plan\n\n## Doing\n\n{alpha}{own}{gamma}" for own in (beta, changed))
    below = f"\nText\n---\n\n{card('Delta')}"
    steps_on_a_board(memory, old + below, new + below, AGENT)
    both(memory, counted)
    assert criteria(memory) == [("criteria.passed", "PLAN.md", "[]", "[]")]


@pytest.mark.parametrize("number", [1, 2])
def test_a_new_card_of_an_archived_title(memory: Memory, number: int, counted: Counted) -> None:
    """Nothing of the archive differs."""
    own, text = archived("Alpha", card("Alpha"))
    cards = [card(title) for title in ("Beta", "Gamma")]
    name = card_id(KEY, "PLAN.md", "Alpha", number)
    others = {own.replace("/", "__").removesuffix(".md"): text}
    steps_on_a_board(memory, board(*cards), board(*cards, card("Alpha", anchor=name)), AGENT, **others)
    both(memory, counted)
    assert criteria(memory) == [("criteria.failed", "PLAN.md", f'["{name}"]', '["C5"]')]


def test_what_stands_on_a_page_and_in_the_archive_is_no_other_commits_doing(
    memory: Memory, counted: Counted
) -> None:
    own, text = archived("Alpha", card("Alpha", user="said by a person"), superseded_by=id_of("Beta"))
    old = board(*(card(title) for title in ("Alpha", "Beta", "Gamma")))
    others = {own.replace("/", "__").removesuffix(".md"): text}
    steps_on_a_board(memory, old, old.replace("work on Gamma", "go on with Gamma"), AGENT, **others)
    both(memory, counted)
    assert criteria(memory) == [("criteria.passed", "PLAN.md", "[]", "[]")]


def test_a_ledger_that_copies_a_card_of_a_board_that_does_not_differ(
    memory: Memory, counted: Counted
) -> None:
    cards = [
        card(title, f"the first line of {title}\nNext: do {title}, whole") for title in ("Alpha", "Beta")
    ]
    copy = ledger().replace(
        "See PLAN.md, card Alpha: it says where the work stands",
        "the first line of Beta\nNext: do Beta, whole",
    )
    files = {"wbmem.yaml": SETTINGS, "PLAN.md": board(*cards)}
    name = "handoff-20260914-101500.md"
    one_after_the_other(memory, [(files, AGENT, "begin"), (files | {name: copy}, AGENT, "a ledger")])
    both(memory, counted)
    assert criteria(memory) == [("criteria.warned", name, "[]", '["S5"]')]
