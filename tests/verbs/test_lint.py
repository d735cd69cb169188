"""N1 to N4 and N6 on pages as text: no repository, only their contents in a sidecar."""

from __future__ import annotations

import re
from datetime import date
from typing import TYPE_CHECKING

import pytest
from pages import KEY, archived, id_of, ledger
from stored import put

from wbmem_git.cli.declared import COMMANDS
from wbmem_git.store.sidecar import memory
from wbmem_git.text.contents import contents_of, page_id
from wbmem_git.text.folding import fold
from wbmem_git.text.names import kind_of
from wbmem_git.text.settings import default_settings
from wbmem_git.verbs.explain import manual
from wbmem_git.verbs.lint.lint import LINT, lint

if TYPE_CHECKING:
    from collections.abc import Mapping
    from sqlite3 import Connection

    from wbmem_git.model import Finding
    from wbmem_git.verbs.lint.lint import LintRule

SETTINGS = default_settings(KEY)
TODAY = date(2026, 9, 20)
OLD, YOUNG = "2026-08-01", "2026-09-14"
UNKNOWN = "mem_" + "5" * 32
LEDGER = "handoff-20260914-101500.md"
COUNTED = 1_000
MOST_STEPS = 1_000
"""Of SQLite's machine, for each entry: pairs of all with all would take a hundred times as many."""


def one(
    title: str, body: str = "Next: go on", *, day: str = YOUNG, more: str = "", status: str = "current"
) -> str:
    """A card of the board; `day=""` leaves its date out."""
    said = f" / date: {day}" if day else ""
    return f"### {title}\n<!-- memory:{id_of(title)} -->\n<!-- status: {status}{said}{more} -->\n{body}\n\n"


def entry(
    title: str, body: str = "It is so", *, day: str = YOUNG, more: str = "", page: str = "MEMORY.md"
) -> str:
    mark = f"<!-- memory:{id_of(title, page)} -->"
    return f"## {title}\n{mark}\n<!-- status: current / date: {day}{more} -->\n{body}\n\n"


def board(*cards: str, done: str = "") -> str:
    return "# Plan\n\n## Doing\n\n" + "".join(cards) + "## Done\n\n" + done


def filled(pages: Mapping[str, str], changed: Mapping[str, int] | None = None) -> Connection:
    """A sidecar that holds the contents of these pages, and when a commit last changed some of them."""
    db = memory()
    for path, text in pages.items():
        kind = kind_of(path, SETTINGS)
        put(db, contents_of(path, kind, text, KEY), path, kind, page_id(path, KEY))
    for seq, (name, seconds) in enumerate((changed or {}).items(), 1):
        said = (seq, f"{seq:040}", "", 1, seconds, "Ada", "human", "c")
        db.execute("INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, ?)", said)
        row = (name, seq, "edited", "PLAN.md", "")
        db.execute("INSERT INTO revisions (id, seq, kind, path, blob) VALUES (?, ?, ?, ?, ?)", row)
    return db


def findings(
    rule: str, pages: Mapping[str, str], changed: Mapping[str, int] | None = None, today: date = TODAY
) -> list[Finding]:
    return [one for one in lint(filled(pages, changed), SETTINGS, today) if one.rule == rule]


def titles(
    rule: str, pages: Mapping[str, str], changed: Mapping[str, int] | None = None, today: date = TODAY
) -> list[str]:
    return [found.title for found in findings(rule, pages, changed, today)]


# --- N1 -------------------------------------------------------------------------------------------------


def test_an_old_card_that_nothing_refers_to_is_an_orphan() -> None:
    (found,) = findings("N1", {"PLAN.md": board(one("Alpha", day=OLD), one("Beta"))})
    assert (found.path, found.line, found.card, found.title) == ("PLAN.md", 5, id_of("Alpha"), "Alpha")
    assert found.message == 'nothing refers to "Alpha"'
    assert f"PLAN.md#{id_of('Alpha')}" in found.fix
    assert found.severity == "note"


@pytest.mark.parametrize(
    "reference",
    [
        id_of("Alpha one"),
        f"[it](PLAN.md#{id_of('Alpha one')})",
        id_of("Alpha one")[:12],
        "as ALPHA-one says",
        "ａｌｐｈａ　one",
    ],
)
@pytest.mark.parametrize("where", ["card", "board", "entry", "ledger", "log", "archive", "done"])
def test_whatever_names_it_by_id_or_title_is_a_reference(reference: str, where: str) -> None:
    beta = one("Beta", reference)
    pages = {
        "card": {"PLAN.md": board(one("Alpha one", day=OLD), beta)},
        "board": {"PLAN.md": f"{board(one('Alpha one', day=OLD))}\n{reference}\n"},
        "entry": {"PLAN.md": board(one("Alpha one", day=OLD)), "MEMORY.md": entry("Beta", reference)},
        "ledger": {"PLAN.md": board(one("Alpha one", day=OLD)), LEDGER: ledger(f"go on: {reference}")},
        "log": {
            "PLAN.md": board(one("Alpha one", day=OLD)),
            "log/2026-09-14.md": f"# Log\n\n- {reference}\n",
        },
        "archive": {"PLAN.md": board(one("Alpha one", day=OLD)), **dict([archived("Beta", beta)])},
        "done": {"PLAN.md": board(one("Alpha one", day=OLD), done=beta)},
    }
    assert titles("N1", pages[where]) == []


@pytest.mark.parametrize(
    "said", [id_of("Former"), id_of("First")[:12], "see Former", "as First says", "nothing"]
)
def test_what_it_was_called_before_a_rename_counts(said: str) -> None:
    pages = {
        "PLAN.md": board(one("Omega", day=OLD)),
        **dict([archived("First", one("First"), superseded_by=id_of("Former"))]),
        **dict([archived("Former", one("Former"), superseded_by=id_of("Omega"))]),
        LEDGER: ledger(f"go on: {said}"),
    }
    assert titles("N1", pages) == (["Omega"] if said == "nothing" else [])


def test_a_link_to_a_former_id_links_two_that_are_related() -> None:
    alpha = one("Alpha", more=" / tags: area:x")
    beta = one("Beta", id_of("Former"), more=" / tags: area:x")
    pages = {"PLAN.md": board(alpha, beta), **dict([archived("Former", "### Former\n")])}
    assert titles("N4", pages) == ["Alpha"]
    pages |= dict([archived("Former", "### Former\n", superseded_by=id_of("Alpha"))])
    assert titles("N4", pages) == []


@pytest.mark.parametrize(
    "body",
    [
        id_of("Alpha"),
        "Alpha goes on",
        "Next: go on",
    ],
)
def test_what_it_says_of_itself_is_none(body: str) -> None:
    assert titles("N1", {"PLAN.md": board(one("Alpha", body, day=OLD))}) == ["Alpha"]


@pytest.mark.parametrize("other", ["Alphabet soup", "Al pha", UNKNOWN, id_of("Alpha")[:11]])
def test_what_only_looks_like_it_is_none(other: str) -> None:
    assert titles("N1", {"PLAN.md": board(one("Alpha", day=OLD), one("Beta", other))}) == ["Alpha"]


@pytest.mark.parametrize(
    "pages",
    [
        {"PLAN.md": board(one("Alpha", day=YOUNG))},
        {"PLAN.md": board(done=one("Alpha", day=OLD))},
        {"PLAN.md": board(one("Alpha", day=OLD, status="compressed"))},
        {"PLAN.md": board(one("Alpha", day=""))},
        {"PINNED.md": entry("Alpha", day=OLD, page="PINNED.md")},
        {"USER.md": entry("Alpha", day=OLD, page="USER.md")},
        {"PLAN.md": board(), **dict([archived("Alpha", one("Alpha", day=OLD))])},
    ],
)
def test_what_is_exempt_is_no_orphan(pages: dict[str, str]) -> None:
    assert titles("N1", pages) == []


def test_a_card_that_was_brought_long_ago_is_old_whatever_its_date_says() -> None:
    db = filled({"PLAN.md": board(one("Alpha"), one("Beta"))}, {id_of("Alpha"): 1_785_542_400})
    db.execute("UPDATE revisions SET kind = 'created'")
    row = (id_of("Alpha"), 2, "edited", "PLAN.md", "")
    db.execute("INSERT INTO commits SELECT 2, '2', '1', 1, time + 3456000, author, actor, '' FROM commits")
    db.execute("INSERT INTO revisions (id, seq, kind, path, blob) VALUES (?, ?, ?, ?, ?)", row)
    assert [(found.rule, found.title) for found in lint(db, SETTINGS, TODAY)] == [("N1", "Alpha")]


def test_an_old_entry_may_be_an_orphan_too() -> None:
    assert titles("N1", {"MEMORY.md": "# Memory\n\n" + entry("Alpha", day=OLD)}) == ["Alpha"]


def test_an_entry_that_a_shared_tag_or_cue_leads_to_is_no_orphan() -> None:
    fact = "# Memory\n\n" + entry("Alpha", "see src/a.py", day=OLD, more=" / tags: area:login, type:fact")
    assert titles("N1", {"MEMORY.md": fact}) == ["Alpha"]
    for others in (
        {LEDGER: ledger("the SRC/A.PY is next")},
        {"log/2026-09-14.md": "# Log\n\n- area: tag:area:login `src/a.py`\n"},
        {"PLAN.md": board(one("Beta", "Next: go on", more=" / tags: AREA:login"))},
    ):
        assert titles("N1", {"MEMORY.md": fact, **others}) == [], others
    for others in (
        {"PLAN.md": board(one("Beta", "Next: go on with src/b.py", more=" / tags: type:fact, area:log"))},
        {"MEMORY.md": fact + entry("Beta", "see src/b.py", more=" / tags: type:fact")},
    ):
        assert titles("N1", {"MEMORY.md": fact, **others}) == ["Alpha"], others
    card = board(one("Beta", "Next: src/a.py", day=OLD))
    assert titles("N1", {"MEMORY.md": fact, "PLAN.md": card}) == ["Beta"]  # a card has to be named


def test_nobody_is_told_that_an_entry_is_done() -> None:
    (found,) = findings("N1", {"MEMORY.md": "# Memory\n\n" + entry("Alpha", day=OLD)})
    assert "needs it" in found.fix
    assert "--reason 'no longer holds'" in found.fix


def test_chinese_titles_are_found_in_running_text() -> None:
    pages = {"PLAN.md": board(one("修复登录超时", day=OLD), one("Beta", "先修复登录超时的问题"))}
    assert titles("N1", pages) == []
    pages = {"PLAN.md": board(one("修复登录超时", day=OLD), one("Beta", "先修复登录"))}
    assert titles("N1", pages) == ["修复登录超时"]


# --- N2 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("status", ["superseded", "retracted"])
def test_a_card_that_is_over_is_still_on_the_board(status: str) -> None:
    (found,) = findings("N2", {"PLAN.md": board(one("Alpha", status=status))})
    assert found.message == f'"Alpha" is {status} and still on the board'
    assert found.fix == f"wbmem archive {id_of('Alpha')[:12]} --reason {status}"
    assert (found.severity, found.line) == ("soft", 5)
    assert titles("N2", {"PLAN.md": board(done=one("Alpha", status=status))}) == ["Alpha"]


def test_a_current_card_is_stale_after_so_many_days() -> None:
    pages = {"PLAN.md": board(one("Alpha", day="2026-08-20"), one("Beta", day="2026-08-21"))}
    (found,) = findings("N2", pages)
    assert found.message == '"Alpha" is current and 31 days old (2026-08-20)'


def test_without_a_date_the_last_commit_counts() -> None:
    seconds = 1_785_542_400  # 2026-08-01
    pages = {"PLAN.md": board(one("Alpha", day=""), one("Beta", day=YOUNG), one("Gamma", day=""))}
    changed = {id_of("Alpha"): seconds, id_of("Beta"): seconds, id_of("Gamma"): seconds + 45 * 86400}
    (found,) = findings("N2", pages, changed)
    assert found.message == '"Alpha" is current and 50 days old (2026-08-01)'
    by_page = {page_id("PLAN.md", KEY): seconds}
    assert titles("N2", pages, by_page) == ["Alpha", "Gamma"]


@pytest.mark.parametrize("seconds", [10**18, -(10**12)])
def test_a_commit_may_have_any_time(seconds: int) -> None:
    pages = {"PLAN.md": board(one("Alpha", day=""))}
    assert len(findings("N2", pages, {id_of("Alpha"): seconds})) == (seconds < 0)


@pytest.mark.parametrize(
    "pages",
    [
        {"PLAN.md": board(done=one("Alpha", day=OLD))},
        {"PLAN.md": board(one("Alpha", day=""))},
        {"PLAN.md": board(one("Alpha", day="2027-01-01"))},
        {"MEMORY.md": entry("Alpha", day=OLD)},
        {"PLAN.md": board(), **dict([archived("Alpha", one("Alpha", status="superseded"))])},
    ],
)
def test_what_is_not_stale(pages: dict[str, str]) -> None:
    assert titles("N2", pages) == []


@pytest.mark.parametrize("expiry", ["2026-09-19", "2026-09-20"])
def test_what_has_expired_is_not_current(expiry: str) -> None:
    pages = {"MEMORY.md": "# M\n\n" + entry("Alpha", more=f" / expiry: {expiry}")}
    assert titles("N2", pages) == (["Alpha"] if expiry < str(TODAY) else [])


# --- N3 -------------------------------------------------------------------------------------------------


def ledgers(*says: str) -> dict[str, str]:
    return {f"handoff-202609{day:02}-101500.md": ledger(text) for day, text in enumerate(says, 1)}


def test_what_is_named_often_has_no_card() -> None:
    pages = {
        **ledgers("see src/handoff.js and go", "again `src/handoff.js` it is", "see other.py and go on"),
        "log/2026-09-14.md": "# Log\n\n- src/handoff.js\n- src/handoff.js\n",
        "PLAN.md": board(one("Alpha", "in src/handoff.js")),
    }
    (found,) = [found for found in findings("N3", pages) if found.key == "src/handoff.js"]
    assert found.message == (
        '"src/handoff.js" is named in 2 ledgers, in 1 log and in 1 card, and no card or entry is about it'
    )
    assert (found.path, found.line) == ("log/2026-09-14.md", 4)
    assert found.fix.startswith("tag the card that it belongs to")
    assert found.fix.endswith(", or wbmem new card src/handoff.js")
    assert found.severity == "note"
    (found,) = [one for one in findings("N3", {**pages, "PLAN.md": board()}) if one.key == "src/handoff.js"]
    assert found.fix.startswith("wbmem new card src/handoff.js, or tag the card")


def test_a_topic_counts_like_a_cue() -> None:
    pages = ledgers(*["- 登录流程：修复它，先看日志再继续写测试用例再看看"] * 3)
    assert [found.key for found in findings("N3", pages) if found.key == "登录流程"] == ["登录流程"]


@pytest.mark.parametrize(
    "holder",
    [
        {"PLAN.md": board(one("Rewrite src/x.js"))},
        {"PLAN.md": board(one("Alpha", more=" / tags: topic:src/x.js"))},
        {"PLAN.md": board(one("Alpha", more=" / tags: src/x.js"))},
        {"MEMORY.md": entry("SRC/X.js")},
        dict([archived("src/x.js", one("src/x.js"))]),
    ],
)
def test_a_card_an_entry_or_an_archived_card_holds_it(holder: dict[str, str]) -> None:
    says = ledgers(*["see src/x.js, it goes on there"] * 3)
    assert "src/x.js" in [found.key for found in findings("N3", says)]
    assert "src/x.js" not in [found.key for found in findings("N3", {**says, **holder})]


@pytest.mark.parametrize(
    "said",
    ["PLAN.md", UNKNOWN, "handoff-20260901-101500.md", "session:desk-12345678#3", "1a2b3c4d5e", ".map_err"],
)
def test_names_of_the_memorys_own_make_no_card(said: str) -> None:
    pages = {**ledgers(*[f"see `{said}` for that and go on"] * 4), "PLAN.md": board()}
    assert fold(said) not in [found.key for found in findings("N3", pages)]


@pytest.mark.parametrize("said", ["`make test` is", "`HEAD` is", "topic:Next is", "`null` is"])
def test_no_card_is_about_a_command_a_label_or_what_is_everywhere(said: str) -> None:
    pages = {**ledgers(*[f"see {said} what goes on"] * 4), "PLAN.md": board()}
    assert findings("N3", pages) == []


def test_twice_is_not_often() -> None:
    pages = ledgers("see src/x.js and go on with it", "see src/x.js and go on with it")
    assert findings("N3", pages) == []


# --- N4 -------------------------------------------------------------------------------------------------


def test_a_tag_in_common_and_no_link() -> None:
    tag = " / tags: topic:login"
    pages = {"PLAN.md": board(one("Alpha", more=tag), one("Beta", more=tag)), "MEMORY.md": entry("Gamma")}
    (found,) = findings("N4", pages)
    assert found.message == (
        '"Alpha" and "Beta" (PLAN.md:10) share "topic:login", and neither names the other'
    )
    assert (found.card, found.key, found.line, found.severity) == (id_of("Alpha"), id_of("Beta"), 5, "note")
    assert f"PLAN.md#{id_of('Beta')}" in found.fix


def test_two_cues_in_common_and_no_link() -> None:
    text = "see src/a.py and src/b.py"
    pages = {"PLAN.md": board(one("Alpha", text)), "MEMORY.md": entry("Beta", text)}
    (found,) = findings("N4", pages)
    assert '"src/a.py", "src/b.py"' in found.message
    assert titles("N4", {"PLAN.md": board(one("Alpha", "src/a.py"), one("Beta", "src/a.py"))}) == []


def test_of_much_in_common_four_are_told() -> None:
    text = " ".join(f"src/{letter}.py" for letter in "abcdef")
    pages = {"PLAN.md": board(one("Alpha", text), one("Beta", text)), "MEMORY.md": entry("Gamma")}
    (found,) = findings("N4", pages)
    assert '"src/c.py", "src/d.py" and 2 more, and neither' in found.message


@pytest.mark.parametrize("name", ["Beta", id_of("Beta"), id_of("Beta")[:12]])
@pytest.mark.parametrize("there", [True, False])
def test_one_names_the_other(name: str, there: bool) -> None:
    tag = " / tags: topic:login"
    says = [f"see {name}" if there else "", "" if there else "see Alpha"]
    pages = {"PLAN.md": board(one("Alpha", says[0], more=tag), one("Beta", says[1], more=tag))}
    assert titles("N4", pages) == []


def test_what_many_have_relates_nothing() -> None:
    tag = " / tags: area:auth"
    names = ("One", "Two", "Three", "Four", "Five")
    others = "".join(entry(f"Other {number}") for number in range(20))
    five = {"PLAN.md": board(*(one(name, more=tag) for name in names)), "MEMORY.md": others}
    assert titles("N4", five) == []
    four = {**five, "PLAN.md": board(*(one(name, more=tag) for name in names[:4]))}
    assert len(findings("N4", four)) == 6
    assert titles("N4", {"PLAN.md": four["PLAN.md"]}) == []  # all of them have it


@pytest.mark.parametrize(
    "beta",
    [one("Beta", more=" / tags: topic:login", status="superseded"), one("Beta", more=" / tags: type:goal")],
)
def test_what_is_over_and_types_relate_nothing(beta: str) -> None:
    alpha = one("Alpha", more=" / tags: topic:login, type:goal")
    assert titles("N4", {"PLAN.md": board(alpha, beta)}) == []
    done = one("Beta", more=" / tags: topic:login")
    assert titles("N4", {"PLAN.md": board(alpha, done=done)}) == []


# --- N6 -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [UNKNOWN, UNKNOWN[:14]])
def test_an_unknown_id_wherever_it_stands(name: str) -> None:
    pages = {
        "PLAN.md": board(one("Alpha", f"see [it](PLAN.md#{name})\nand {name}"), one("Beta", name)),
        "MEMORY.md": "# Memory\n\n" + entry("Gamma", more=f" / supersedes: {name}"),
        LEDGER: ledger(f"next: go on with {name}"),
    }
    found = findings("N6", pages)
    assert [(one.path, one.line, one.severity) for one in found] == [
        ("MEMORY.md", 5, "soft"),
        ("PLAN.md", 8, "soft"),
        (LEDGER, 17, "note"),
    ]
    assert {one.message for one in found} == {f"{name} is the id of nothing here"}
    assert {one.key for one in found} == {name}


def test_prose_of_a_board_is_looked_at_too() -> None:
    (found,) = findings("N6", {"PLAN.md": f"# Plan\n\nsee {UNKNOWN}\n\n## Doing\n\n{one('Alpha')}"})
    assert (found.path, found.line, found.severity, found.card) == ("PLAN.md", 3, "soft", "")


def test_the_first_line_that_names_it_is_told() -> None:
    pages = {"PLAN.md": f"# Plan\n\n## Doing\n\n{one('Alpha', UNKNOWN)}## Later\n\nsee {UNKNOWN}\n"}
    (found,) = findings("N6", pages)
    assert (found.line, found.title) == (8, "Alpha")


def test_the_beginning_of_several_ids_names_none() -> None:
    ids = [f"mem_deadbeef{digit * 24}" for digit in "01"]
    cards = [f"### {name}\n<!-- memory:{name} -->\nNext: go on\n\n" for name in ids]
    (found,) = findings("N6", {"PLAN.md": board(*cards, one("Alpha", "see mem_deadbeef"))})
    assert found.message == "2 ids begin with mem_deadbeef"
    old = [card.replace("Next", f"<!-- date: {OLD} -->\nNext") for card in cards]
    assert len(titles("N1", {"PLAN.md": board(*old, one("Alpha", "see mem_deadbeef"))})) == 2


@pytest.mark.parametrize(
    "name",
    [
        id_of("Alpha"),
        id_of("Alpha")[:12],
        id_of("Old"),
        page_id("PLAN.md", KEY),
        id_of("Task state", LEDGER),
    ],
)
def test_ids_of_cards_pages_sections_and_the_archive_are_known(name: str) -> None:
    pages = {
        "PLAN.md": board(one("Alpha"), one("Beta", f"see {name}")),
        LEDGER: ledger(),
        **dict([archived("Old", one("Old"))]),
    }
    assert findings("N6", pages) == []


def test_a_slip_names_the_id_that_is_meant() -> None:
    slip = id_of("Alpha")[:-1] + ("0" if id_of("Alpha")[-1] != "0" else "1")
    (found,) = findings("N6", {"PLAN.md": board(one("Alpha"), one("Beta", slip))})
    assert found.fix == f"is {id_of('Alpha')} meant?"


def test_an_id_that_went_past_the_gate_says_where_it_went() -> None:
    db = filled({"PLAN.md": board(one("Beta", id_of("Alpha")))}, {id_of("Alpha"): 1_785_542_400})
    db.execute("UPDATE revisions SET kind = 'removed'")
    (found,) = [one for one in lint(db, SETTINGS, TODAY) if one.rule == "N6"]
    assert found.message == f"{id_of('Alpha')} is gone from PLAN.md since commit 000000000000"
    assert found.fix.startswith("wbmem archive --missing")


# --- all of them ----------------------------------------------------------------------------------------


def test_a_fresh_memory_has_nothing_to_look_after() -> None:
    pages = {
        "PLAN.md": board(one("Alpha"), one("Beta", day="")),
        "MEMORY.md": "# Memory\n\n" + entry("Gamma"),
        LEDGER: ledger(),
    }
    assert lint(filled(pages), SETTINGS, TODAY) == ()
    assert lint(filled({}), SETTINGS, TODAY) == ()


@pytest.mark.parametrize("row", LINT, ids=lambda row: row.id)
def test_a_docstring_is_a_manual(row: LintRule) -> None:
    text = manual(row)
    assert "Why: " in text
    assert "How to mend: " in text
    assert "\n" not in text.partition("\n\n")[0]
    assert row.function.__name__ == row.id.lower()
    assert set(re.findall("wbmem ([a-z]+)", text)) <= COMMANDS.keys()


def test_every_finding_says_what_to_do_with_commands_that_are_there() -> None:
    cards = [one(f"Card {number}", f"src/a.py src/b.py {UNKNOWN}", day=OLD) for number in range(3)]
    others = "".join(entry(f"Other {number}", day=OLD) for number in range(9))
    found = lint(filled({"PLAN.md": board(*cards), "MEMORY.md": others}), SETTINGS, TODAY)
    assert {one.rule for one in found} == {"N1", "N2", "N3", "N4", "N6"}
    assert all(one.message and one.fix and one.line for one in found)
    said = {word for one in found for word in re.findall("wbmem ([a-z]+)", f"{one.message} {one.fix}")}
    assert said <= COMMANDS.keys()


def test_the_order_is_that_of_the_rules_whatever_the_order_of_rows() -> None:
    cards = [one(f"Card {number}", f"src/{number % 7}.py {UNKNOWN}", day=OLD) for number in range(9)]
    pages = {"PLAN.md": board(*cards), "MEMORY.md": entry("Gamma", UNKNOWN)}
    forward, backward = filled(pages), filled(dict(reversed(pages.items())))
    found = lint(forward, SETTINGS, TODAY)
    assert [one.rule for one in found] == sorted(one.rule for one in found)
    assert lint(backward, SETTINGS, TODAY) == found


def test_many_entries_that_share_everything_are_not_paired_all_with_all() -> None:
    """Pairs of all with all would be millions."""
    count = 4000
    text = "".join(
        entry(f"Entry {number}", f"src/{number // 2}.py src/b{number // 2}.py x.py", more=" / tags: area:x")
        for number in range(count)
    )
    db = filled({"MEMORY.md": f"# Memory\n\n{text}"})
    steps = 0

    def counting() -> int:
        nonlocal steps
        steps += 1
        return 0

    db.set_progress_handler(counting, COUNTED)
    found = [one for one in lint(db, SETTINGS, TODAY) if one.rule == "N4"]
    assert len(found) == 20
    assert 0 < steps * COUNTED < MOST_STEPS * count
