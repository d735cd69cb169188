"""What must hold for every board, said in one sentence each."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rules.building import change_of
from rules.loader import KEY, SETTINGS, Case, Content, card_id
from text.spec import TIMES

from wbmem_git.rules.check import check
from wbmem_git.text.archive import render_archive

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rules.loader import Actor

    from wbmem_git.model import Finding

TITLES = [
    "Fix login",
    "登录超时",
    "Ship it",
    "Write the docs",
    "C# build",
    "a_b",
    "Tasks",
    "发布 v2",
    "x",
    "Größe",
]
WORDS = [
    "Next: run `pytest`.",
    "下一步：检查。",
    "- [ ] a box",
    "> quoted",
    "#### deeper",
    "",
    "```",
    "| a | b |",
    "1. one",
]
LINES = st.lists(st.sampled_from([word for word in WORDS if word != "```"]), max_size=4, unique=True)
PLAIN = settings(max_examples=60 * TIMES, deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Plan(NamedTuple):
    """A card to be written on a page: its title, its body, whether it has an anchor, the person's words."""

    title: str
    body: tuple[str, ...]
    anchored: bool
    remark: str

    def text(self, level: int = 3, page: str = "PLAN.md") -> str:
        anchor = [f"<!-- memory:{card_id(self.title, page)} -->"] if self.anchored else []
        zone = ["<!-- user -->", *self.remark.split("\n"), "<!-- /user -->"] if self.remark else []
        return "\n".join(["#" * level + " " + self.title, *anchor, *self.body, *zone, "", ""])


@st.composite
def boards(draw: st.DrawFn, *, anchored: bool = False) -> list[Plan]:
    """Cards with different titles."""
    titles = draw(st.lists(st.sampled_from(TITLES), min_size=1, max_size=6, unique=True))
    return [
        Plan(
            title,
            tuple(draw(LINES)),
            anchored=anchored or draw(st.booleans()),
            remark=draw(st.sampled_from(["", "", "Ask Ada.", "周五之前。\n\n- 不急"])),
        )
        for title in titles
    ]


def board(cards: Sequence[Plan], *columns: int) -> str:
    """A page with these cards, cut into columns at some of them."""
    parts = ["# Plan\n\n## Doing\n\n"]
    for index, card in enumerate(cards):
        parts += [f"## Column {index}\n\n"] if index in columns else []
        parts.append(card.text())
    return "".join(parts)


def side(**files: str) -> dict[str, Content]:
    named = {name.replace("__", "/").replace("_md", ".md"): text for name, text in files.items()}
    return {path: Content(text.encode()) for path, text in {"wbmem.yaml": SETTINGS, **named}.items()}


def findings(
    old: Mapping[str, Content], new: Mapping[str, Content], actor: Actor, *more: Mapping[str, Content]
) -> list[Finding]:
    """What is found between two sides, or in a merge of `old` and `more` (base: the last one)."""
    base = more[-1] if more else {}
    case = Case("", 0, "", (actor,), {}, base, (old, *more[:-1]), new, new, (), "", ())
    return list(check(change_of(case, actor)).findings)


def refused(found: Sequence[Finding]) -> list[tuple[str, str]]:
    return sorted({(finding.rule, finding.title) for finding in found if finding.refuses})


ACTORS = st.sampled_from(["agent", "human"])


@PLAIN
@given(boards(), ACTORS)
def test_no_change_is_never_refused(cards: list[Plan], actor: Actor) -> None:
    assert refused(findings(side(PLAN_md=board(cards)), side(PLAN_md=board(cards)), actor)) == []


@PLAIN
@given(boards(), st.randoms(use_true_random=False), st.sets(st.integers(0, 5)), ACTORS)
def test_any_order_of_the_cards_passes(
    cards: list[Plan], random: object, columns: set[int], actor: Actor
) -> None:
    mixed = list(cards)
    random.shuffle(mixed)  # type: ignore[attr-defined]
    assert refused(findings(side(PLAN_md=board(cards)), side(PLAN_md=board(mixed, *columns)), actor)) == []


@PLAIN
@given(boards(), st.data(), ACTORS)
def test_cards_that_are_dropped_are_exactly_those_that_are_told(
    cards: list[Plan], data: st.DataObject, actor: Actor
) -> None:
    gone = data.draw(st.sets(st.sampled_from([card.title for card in cards]), min_size=1))
    kept = [card for card in cards if card.title not in gone]
    found = findings(side(PLAN_md=board(cards)), side(PLAN_md=board(kept)), actor)
    assert [title for rule, title in refused(found) if rule == "C2"] == sorted(gone)
    assert {rule for rule, _ in refused(found)} <= {"C2", "U1"}


@PLAIN
@given(boards(anchored=True), st.data(), ACTORS)
def test_cards_that_are_archived_whole_pass(cards: list[Plan], data: st.DataObject, actor: Actor) -> None:
    gone = data.draw(st.sets(st.sampled_from([card.title for card in cards]), min_size=1))
    kept = [card for card in cards if card.title not in gone]
    files = {f"archive__{card_id(card.title)}_md": archived(card) for card in cards if card.title in gone}
    new = side(PLAN_md=board(kept), **{name.replace("_md", ".md"): text for name, text in files.items()})
    assert refused(findings(side(PLAN_md=board(cards)), new, actor)) == []


@PLAIN
@given(boards(anchored=True), st.data(), ACTORS)
def test_an_archive_file_that_lacks_any_line_of_the_card_is_refused(
    cards: list[Plan], data: st.DataObject, actor: Actor
) -> None:
    card = cards[0]
    lines = archived(card).split("\n")
    body = lines.index("---", 1) + 1
    at = data.draw(st.sampled_from([n for n, line in enumerate(lines) if n >= body and line.strip()]))
    text = "\n".join(lines[:at] + lines[at + 1 :])
    new = side(PLAN_md=board(cards[1:]), **{f"archive__{card_id(card.title)}.md": text})
    found = findings(side(PLAN_md=board(cards)), new, actor)
    assert ("C2", card.title) in refused(found)


def archived(card: Plan) -> str:
    return render_archive(
        id=card_id(card.title),
        title=card.title,
        page="PLAN.md",
        archived_at="2026-09-14T08:00:00Z",
        reason="done",
        body=card.text(),
    )


@PLAIN
@given(boards(anchored=True), st.data(), ACTORS)
def test_cards_move_between_pages(cards: list[Plan], data: st.DataObject, actor: Actor) -> None:
    places = [data.draw(st.sampled_from(["PLAN.md", "team/a.md", "MEMORY.md"])) for _ in cards]
    yaml = f"format: 1\nworkspace: {KEY}\nboards: ['team/*.md']\n"
    texts = {"PLAN.md": "## Doing\n\n", "team/a.md": "## Doing\n\n", "MEMORY.md": "# Memory\n\n"}
    for card, place in zip(cards, places, strict=True):
        texts[place] += card.text(2 if place == "MEMORY.md" else 3)
    old = side(**{"PLAN.md": board(cards), "wbmem.yaml": yaml})
    assert refused(findings(old, side(**texts, **{"wbmem.yaml": yaml}), actor)) == []


@PLAIN
@given(boards(anchored=True), st.data(), ACTORS)
def test_text_outside_user_zones_is_free(cards: list[Plan], data: st.DataObject, actor: Actor) -> None:
    edited = [card._replace(body=tuple(data.draw(LINES))) for card in cards]
    assert refused(findings(side(PLAN_md=board(cards)), side(PLAN_md=board(edited)), actor)) == []


@PLAIN
@given(boards(anchored=True), st.data())
def test_any_other_text_in_a_user_zone_is_refused_for_an_agent_alone(
    cards: list[Plan], data: st.DataObject
) -> None:
    remark = data.draw(
        st.sampled_from(["", "Ask Ada.", "Ask Ada. ", "周五之前。\n- 不急", "周五之前。\n\n- 不急"])
    )
    edited = [cards[0]._replace(remark=remark), *cards[1:]]
    old, new = side(PLAN_md=board(cards)), side(PLAN_md=board(edited))
    expected = [("U1", cards[0].title)] if remark != cards[0].remark else []
    assert refused(findings(old, new, "agent")) == expected
    assert refused(findings(old, new, "human")) == []


@PLAIN
@given(boards(anchored=True), boards(anchored=True), ACTORS)
def test_a_merge_of_cards_of_both_sides_passes_and_dropping_one_never_does(
    ours: list[Plan], theirs: list[Plan], actor: Actor
) -> None:
    base = side(PLAN_md="## Doing\n")
    theirs = [card._replace(title=f"Their {card.title}") for card in theirs]
    old, other = side(PLAN_md=board(ours)), side(PLAN_md=board(theirs))
    both = side(PLAN_md=board([*ours, *theirs]))
    assert refused(findings(old, both, actor, other, base)) == []
    for dropped in (ours[0], theirs[0]):
        kept = [card for card in (*ours, *theirs) if card is not dropped]
        found = findings(old, side(PLAN_md=board(kept)), actor, other, base)
        assert ("C2", dropped.title) in refused(found)


@PLAIN
@given(boards(), ACTORS)
def test_other_line_ends_change_nothing(cards: list[Plan], actor: Actor) -> None:
    old, new = side(PLAN_md=board(cards)), side(PLAN_md=board(cards).replace("\n", "\r\n"))
    assert refused(findings(old, new, actor)) == []
    assert refused(findings(new, old, actor)) == []


PIECES = st.sampled_from(
    [
        "### A\n", "## B\n", "# C\n", "text\n", "\n", "```\n", "~~~\n", "<!--\n", "-->\n", "---\n", "===\n",
        f"<!-- memory:{card_id('A')} -->\n", "<!-- memory:x -->\n", "<!-- user -->\n", "<!-- /user -->\n",
        "<!-- model -->\n", "<!-- /model -->\n", "<!-- status: done / supersedes: mem_1 -->\n", "- item\n",
        "  ### A\n", "> ### A\n", "    code\n", "<div>\n", "###A\n", "＃＃＃ A\n", "[x]: y\n", "\r", "\t",
        "\ufeff", "<<<<<<< ours\n", "=======\n", ">>>>>>> theirs\n", "id: x\n", "mem_12 ", "\u2028", "### \n",
    ]
)  # fmt: skip
NASTY = st.lists(PIECES, max_size=14).map("".join)
PATHS = st.sampled_from(
    [
        "PLAN.md",
        "MEMORY.md",
        "USER.md",
        "USER-CANDIDATES.md",
        "log/2026-09-14.md",
        "archive/log/2026-09-14.md",
        f"archive/{card_id('A')}.md",
        "handoff-20260914-101500.md",
        "notes.md",
        "wbmem.yaml",
        ".x",
    ]
)
SIDES = st.dictionaries(PATHS, NASTY, max_size=6).map(lambda files: side(**files))


@settings(max_examples=150 * TIMES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SIDES, SIDES, SIDES, ACTORS)
def test_no_rule_fails_on_any_text_and_none_refuses_what_did_not_change(
    old: dict[str, Content], new: dict[str, Content], other: dict[str, Content], actor: Actor
) -> None:
    for found in (findings(old, new, actor), findings(old, new, actor, other, {})):
        assert [finding.message for finding in found if "failed:" in finding.message] == []
    assert refused(findings(old, old, actor)) == []
    assert refused(findings(old, old, actor, old, old)) == []
