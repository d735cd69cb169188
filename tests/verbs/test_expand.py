"""`expand`: what a tag, a cue or a few words lead to, and in which order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from ground import Filled
from pages import KEY

from wbmem_git.store.expanded import AT_MOST, KEPT, Session
from wbmem_git.text.contents import page_id
from wbmem_git.verbs.ask.expand import BEST_BY_WORDS, BY_WORDS, as_json, expand, remember
from wbmem_git.verbs.ask.validity import UnknownStatus

if TYPE_CHECKING:
    from pathlib import Path


TODAY = "2026-09-14"


def titles(filled: Filled, tag: str, limit: int = 10) -> list[str]:
    return [hit.entry.title for hit in expand(filled.ground, tag, limit=limit, today=TODAY).hits]


@pytest.fixture
def filled() -> Filled:
    return Filled.empty().page("PLAN.md")


def test_the_object_has_the_keys_of_the_contract_in_their_order(filled: Filled) -> None:
    filled.commit(1, time=1_780_000_000)
    name = filled.entry("Alpha", tags=("topic:login",), cues=("src/a.py",), section="Doing", lines=(7, 12))
    filled.db.execute("UPDATE entries SET preview = 'as the ticket says'")
    filled.revision(name, 1, "created").verdict(1, "passed")
    said = as_json(expand(filled.ground, "topic:login", today=TODAY))
    assert list(said) == ["ok", "tag", "entries", "total", "truncated", "remaining", "degraded", "hint"]
    assert list(said["entries"][0].items()) == [
        ("id", name),
        ("kind", "card"),
        ("section", "Doing"),
        ("preview", "Alpha — as the ticket says"),
        ("source", "PLAN.md"),
        ("line", 7),
        ("mtime", 1_780_000_000_000),
        ("cues", ["src/a.py"]),
        ("criteria", "passed"),
        ("status", "current"),
    ]
    assert (said["ok"], said["total"], said["truncated"], said["remaining"], said["degraded"]) == (
        True, 1, False, 0, None,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("title", "preview", "told"),
    [
        ("Alpha", "as the ticket says", "Alpha — as the ticket says"),
        ("Alpha", "Alpha is as the ticket says", "Alpha is as the ticket says"),
        ("a bullet that is cut…", "a bullet that is cut here", "a bullet that is cut here"),
        ("Alpha", "", "Alpha"),
        ("Alpha", "x" * 120, f"Alpha — {'x' * 111}…"),
    ],
)
def test_a_preview_begins_with_the_title(filled: Filled, title: str, preview: str, told: str) -> None:
    filled.entry(title, tags=("t",))
    filled.db.execute("UPDATE entries SET preview = ?", (preview,))
    said = as_json(expand(filled.ground, "t", today=TODAY))["entries"][0]["preview"]
    assert said == told
    assert len(said) <= 120


def test_what_passed_comes_before_what_was_warned_of_unknown_or_failed(filled: Filled) -> None:
    for seq, said in enumerate(("failed", "", "warned", "passed"), 1):
        name = filled.commit(seq).entry(said or "unknown", tags=("t",))
        filled.revision(name, seq)
        if said:
            filled.verdict(seq, said)
    assert titles(filled, "t") == ["passed", "warned", "unknown", "failed"]


def test_then_the_weight_of_the_section_then_the_newest_then_the_id(filled: Filled) -> None:
    for seq, (title, weight) in enumerate((("old", 0.3), ("new", 0.3), ("heavy", 0.35)), 1):
        filled.commit(seq).revision(filled.entry(title, tags=("t",), weight=weight), seq)
    ids = {filled.entry(title, tags=("t",), weight=0.1): title for title in ("x", "y", "z")}
    assert titles(filled, "t") == ["heavy", "new", "old", *(ids[name] for name in sorted(ids))]


def test_of_what_one_commit_brought_the_newest_is_first_by_what_it_says_itself() -> None:
    ledgers = ("handoff-20260913-090000.md", "handoff-20260914-090000.md", "handoff-20260914-180000.md")
    filled = Filled.empty().commit(1)
    for path in ledgers:
        filled.page(path).entry(path, path=path, kind="leaf", tags=("t",), date=f"2026-09-{path[14:16]}")
        filled.revision(page_id(path, KEY), 1)
    assert titles(filled, "t") == [*reversed(ledgers)]


def test_brackets_and_quotes_around_a_tag_are_no_part_of_it(filled: Filled) -> None:
    filled.entry("Alpha", tags=("topic:登录流程",), cues=("[tool.x]",))
    filled.entry("Beta", cues=("tool.x",))
    for asked in ("（topic:登录流程）", "「topic:登录流程」", '"topic:登录流程"', "`（ topic:* ）`"):
        assert titles(filled, asked) == ["Alpha"]
    assert titles(filled, "[tool.x]") == ["Alpha"]
    assert titles(filled, "(tool.x)") == ["Beta"]


def test_a_verdict_counts_only_for_the_commit_and_page_that_the_entry_comes_from(filled: Filled) -> None:
    name = filled.commit(1).commit(2).entry("Alpha", tags=("t",))
    filled.revision(name, 1).verdict(1, "warned").verdict(2, "failed").verdict(1, "failed", "MEMORY.md")
    assert expand(filled.ground, "t", today=TODAY).hits[0].standing == (60, "warned")


def test_a_verdict_that_names_cards_is_about_these(filled: Filled) -> None:
    page = filled.commit(1).db.execute("SELECT id FROM pages").fetchone()[0]
    bad, _ = (filled.entry(title, tags=("t",)) for title in ("bad", "good"))
    for name in (bad, filled.entry("good again", tags=("t",)), page):
        filled.revision(name, 1)
    filled.entry("the board", kind="board", name=page, tags=("t",))
    filled.verdict(1, "failed", ids=(bad,))
    hits = expand(filled.ground, "t", today=TODAY).hits
    assert {hit.entry.title: hit.standing.criteria for hit in hits} == {
        "good": "passed",
        "good again": "passed",
        "the board": "failed",
        "bad": "failed",
    }


def test_a_revision_that_a_merge_hid_says_nothing(filled: Filled) -> None:
    name = filled.commit(1).commit(2).entry("Alpha", tags=("t",))
    filled.revision(name, 1).revision(name, 2, hidden=3).verdict(1, "passed").verdict(2, "failed")
    assert expand(filled.ground, "t", today=TODAY).hits[0].standing == (60, "passed")


def test_what_has_no_history_of_its_own_stands_as_its_page_does() -> None:
    filled = Filled.empty().page("handoff-20260914-101500.md", "ledger", "ledger").commit(4)
    path = "handoff-20260914-101500.md"
    filled.entry("a bullet", path=path, kind="leaf", tags=("type:dead-end",), weight=0.35)
    filled.revision(filled.db.execute("SELECT id FROM pages").fetchone()[0], 4, "created", path)
    filled.verdict(4, "failed", "PLAN.md").verdict(4, "warned", path)
    assert expand(filled.ground, "type:dead-end", today=TODAY).hits[0].standing == (240, "warned")


def test_what_many_have_stands_in_the_same_order(filled: Filled, monkeypatch: pytest.MonkeyPatch) -> None:
    for seq in range(1, 30):
        name = filled.commit(seq).entry(f"card {seq}", tags=("t",), weight=0.1 * (seq % 3))
        filled.revision(name, seq).verdict(seq, ("passed", "failed", "warned")[seq % 7 % 3])
    few = titles(filled, "t", 20)
    monkeypatch.setattr("wbmem_git.store.known.FEW", 5)
    filled.page("MEMORY.md")
    assert titles(filled, "t", 20) == few
    assert titles(filled, "t", 3) == few[:3]
    filled.entry("another", tags=("t",))
    assert expand(filled.ground, "t", today=TODAY).total == 30


def test_answers_are_kept_of_one_state_only(filled: Filled) -> None:
    filled.entry("Alpha", tags=("topic:retry",))
    assert titles(filled, "ret") == ["Alpha"]
    filled.entry("Beta", tags=("topic:other retry",))
    assert sorted(titles(filled, "ret")) == ["Alpha", "Beta"]
    other = Filled.empty().page("PLAN.md")
    other.entry("Gamma", tags=("topic:retry",))
    assert titles(other, "ret") == ["Gamma"]
    assert titles(other, "ret\nretry\ntopic") == ["Gamma"]
    assert titles(other, "y\nt") == []


def test_of_what_the_words_search_finds_only_the_best_are_counted_and_it_says_so(filled: Filled) -> None:
    numbers = list(range(1, 21))
    for number in numbers:
        filled.entry(f"card {number}")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("wbmem_git.verbs.ask.recall.search", lambda *_: numbers)
        said = as_json(expand(filled.ground, "zzz", today=TODAY))
        assert (said["total"], said["degraded"]) == (20, BEST_BY_WORDS)
        patched.setattr("wbmem_git.verbs.ask.recall.search", lambda *_: numbers[:19])
        said = as_json(expand(filled.ground, "zzz", today=TODAY))
        assert (said["total"], said["degraded"]) == (19, BY_WORDS)


def test_a_line_of_a_private_key_is_no_cue(filled: Filled) -> None:
    line = "MIIEowIBAAKCAQEA7bq5zYxw3n0cLk2pQvT9sR1eHf8dGj4mXuWo6aBtKyZi5CrN"
    key = f"-----BEGIN RSA PRIVATE KEY-----\n{line}\n-----END RSA PRIVATE KEY-----\n"
    filled.entry("Alpha", tags=("t",), cues=("src/a.py", line), text=f"### Alpha\nsee src/a.py\n{key}")
    filled.entry("Beta", tags=("t",), cues=("src/b.py",))
    hits = expand(filled.ground, "t", today=TODAY).hits
    assert {hit.entry.title: hit.cues for hit in hits} == {"Alpha": ("src/a.py",), "Beta": ("src/b.py",)}
    filled.entry(line, kind="leaf", tags=("u",), text=key)
    assert line not in str(as_json(expand(filled.ground, "u", today=TODAY)))


def test_a_limit_cuts_and_says_so(filled: Filled) -> None:
    for number in range(25):
        filled.entry(f"card {number}", tags=("t",))
    said = as_json(expand(filled.ground, "t", limit=3, today=TODAY))
    assert (len(said["entries"]), said["total"], said["truncated"], said["remaining"]) == (3, 25, True, 22)
    assert len(as_json(expand(filled.ground, "t", limit=1000, today=TODAY))["entries"]) == 20
    assert "narrower" in said["hint"]


@pytest.mark.parametrize(
    ("asked", "found"),
    [
        ("topic:登录流程", ["Chinese"]),
        ("登录流程", ["Chinese"]),
        ("topic:*", ["Chinese", "English"]),
        ("src/*", ["English"]),
        ("SRC/Login.TS", ["English"]),
        ("  src/login.ts ", ["English"]),
        ("retry", ["English"]),
        ("登录", ["Chinese"]),
        ("修复 登录流程 的问题", ["Chinese"]),
        ("what of src/login.ts and the retry limit", ["English"]),
        ("login", ["English"]),
        ("topic:logs", []),
        ("topic:log", []),
        ("topic:limit of retry", ["English"]),
        ("topic:retry", ["English"]),
        ("TOPIC:limit", ["English"]),
        ("in", []),
        ("nothing of that kind", []),
        ("*", []),
        ("", []),
        ("%", []),
        ('C++ AND "x', []),
        ("'; DROP TABLE entries; --", []),
        ("a", []),
    ],
)
def test_tags_cues_and_words(filled: Filled, asked: str, found: list[str]) -> None:
    filled.entry("Chinese", tags=("topic:登录流程",), cues=("登录.vue",))
    filled.entry("English", tags=("topic:retry limit",), cues=("src/login.ts", "retry"))
    filled.entry("neither", tags=("type:state",))
    assert sorted(titles(filled, asked)) == found


def test_the_whole_text_as_a_tag_goes_before_its_terms(filled: Filled) -> None:
    filled.entry("whole", tags=("topic:retry limit",))
    filled.entry("a word of it", tags=("topic:retry",))
    assert titles(filled, "retry limit") == ["whole"]


def test_what_answers_to_the_most_terms_is_taken(filled: Filled) -> None:
    filled.entry("both", tags=("topic:login flow",), cues=("src/retry.ts",))
    filled.entry("one", tags=("topic:login page",))
    assert titles(filled, "loginflow login flow, retry.ts") == ["both"]


def test_a_long_question_is_answered_too(filled: Filled) -> None:
    filled.entry("Alpha", tags=("topic:login",))
    assert titles(filled, "login " * 1000) == ["Alpha"]


def test_nothing_found_says_what_to_try_next(filled: Filled) -> None:
    said = as_json(expand(filled.ground, "zzz", today=TODAY))
    assert (said["ok"], said["entries"], said["total"]) == (True, [], 0)
    assert "wbmem index --lines" in said["hint"]


def test_in_a_session_a_tag_is_answered_once(filled: Filled, tmp_path: Path) -> None:
    filled.entry("Alpha", tags=("topic:login",))

    def ask(tag: str, name: str) -> dict[str, object]:
        session = Session(str(tmp_path), name)
        found = expand(filled.ground, tag, today=TODAY, session=session)
        remember(session, found)
        return as_json(found)

    assert "repeated" not in ask("topic:login", "one")
    again = ask("TOPIC:login ", "one")
    assert (again["repeated"], again["entries"], again["total"], again["remaining"]) == (True, [], 1, 0)
    assert "known already" in again["hint"]  # type: ignore[operator]
    assert ask("TOPIC:login", "two")["total"] == 1
    assert ask("topic:login", "two")["repeated"]
    assert ask("login", "one")["total"] == 1
    assert expand(filled.ground, "topic:login", today=TODAY).hits
    kept = (tmp_path / "wbmem/expanded").read_text()
    assert "login" not in kept
    assert "one" not in kept.split()


class Asking:
    """One session that asks for the tag `t`."""

    def __init__(self, folder: Path, filled: Filled) -> None:
        self._session = Session(str(folder), "one")
        self._filled = filled

    def __call__(self, limit: int = 10) -> dict[str, Any]:
        found = expand(self._filled.ground, "t", today=TODAY, limit=limit, session=self._session)
        remember(self._session, found)
        return as_json(found)


def test_after_a_cut_answer_a_session_gets_more_by_a_higher_limit(filled: Filled, tmp_path: Path) -> None:
    for number in range(40):
        filled.entry(f"card {number}", tags=("t",))
    ask = Asking(tmp_path, filled)
    first = ask(2)
    again = ask(2)
    assert (again["repeated"], again["entries"]) == (True, [])
    assert (again["total"], again["truncated"], again["remaining"]) == (40, True, 38)
    assert "its first 2 of 40 were given: a higher limit (20 at most) gives more" in again["hint"]
    assert ask(1)["repeated"]
    more = ask(20)
    assert "repeated" not in more
    assert more["entries"][:2] == first["entries"]
    assert len(more["entries"]) == 20
    last = ask(20)
    assert (last["entries"], last["remaining"]) == ([], 20)
    assert "its first 20 of 40 were given: a narrower tag or cue" in last["hint"]


def test_a_session_is_told_anew_what_is_not_what_it_was(filled: Filled, tmp_path: Path) -> None:
    for title in ("Alpha", "Beta"):
        filled.entry(title, tags=("t",))
    ask = Asking(tmp_path, filled)
    assert len(ask()["entries"]) == 2
    filled.db.execute("UPDATE entries SET line = line + 7")
    filled.commit(1).revision(filled.entry("another", tags=("other",)), 1)
    assert ask()["repeated"]
    filled.db.execute("UPDATE entries SET text = 'another text' WHERE title = 'Alpha'")
    assert len(ask()["entries"]) == 2
    assert ask()["repeated"]
    filled.db.execute("UPDATE entries SET status = 'compressed' WHERE title = 'Alpha'")
    assert len(ask()["entries"]) == 2
    filled.entry("Gamma", tags=("t",))
    assert len(ask()["entries"]) == 3
    filled.db.execute("DELETE FROM tags WHERE entry = (SELECT number FROM entries WHERE title = 'Beta')")
    assert len(ask()["entries"]) == 2
    filled.db.execute("UPDATE entries SET status = 'superseded' WHERE title = 'Alpha'")
    assert len(ask()["entries"]) == 1
    assert ask()["repeated"]


def test_a_note_of_another_version_is_no_answer(filled: Filled, tmp_path: Path) -> None:
    filled.entry("Alpha", tags=("t",))
    ask = Asking(tmp_path, filled)
    ask()
    path = tmp_path / "wbmem/expanded"
    path.write_text("".join(f"{line.split()[0]}\n" for line in path.read_text().splitlines()))
    assert ask()["entries"]


def test_where_no_session_can_be_noted_the_answer_is_given_again(filled: Filled, tmp_path: Path) -> None:
    filled.entry("Alpha", tags=("t",))
    (tmp_path / "wbmem").write_text("in the way")
    session = Session(str(tmp_path), "one")
    for _ in range(2):
        found = expand(filled.ground, "t", today=TODAY, session=session)
        remember(session, found)
        assert found.hits


def test_of_many_notes_the_newest_are_kept(tmp_path: Path) -> None:
    session = Session(str(tmp_path), "one")
    for number in range(AT_MOST + 2):
        assert session.note(f"tag {number}", number, "0")
    noted = (tmp_path / "wbmem/expanded").read_text().split("\n")
    assert len(noted) <= KEPT + 3
    assert session.given(f"tag {AT_MOST + 1}") == (AT_MOST + 1, "0")
    assert session.given(f"tag {AT_MOST - KEPT + 50}")
    assert session.given("tag 0") is None


# --- what is left out ---------------------------------------------------------------------------------------


PAST = (
    {"status": "superseded"},
    {"status": "retracted"},
    {"expiry": "2026-09-13"},
    {"valid_from": "2026-09-15"},
)


def bound(filled: Filled, title: str, **says: str) -> None:
    for column, value in says.items():
        filled.db.execute(f"UPDATE entries SET {column} = ? WHERE title = ?", (value, title))  # noqa: S608


@pytest.mark.parametrize("few", [0, 250])
@pytest.mark.parametrize("says", PAST)
def test_what_no_longer_holds_is_left_out_and_counted(
    filled: Filled, monkeypatch: pytest.MonkeyPatch, says: dict[str, str], few: int
) -> None:
    monkeypatch.setattr("wbmem_git.store.known.FEW", few)
    for title in ("old", "new"):
        filled.entry(title, tags=("t",))
    bound(filled, "old", **says)
    found = expand(filled.ground, "t", today=TODAY)
    assert ([hit.entry.title for hit in found.hits], found.total) == (["new"], 1)
    assert "1 left out" in found.hint
    assert "--status all" in found.hint
    both = expand(filled.ground, "t", today=TODAY, status="all")
    assert (both.total, "left out" in both.hint) == (2, False)


@pytest.mark.parametrize("few", [0, 250])
def test_one_status_alone_is_asked_for(filled: Filled, monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    monkeypatch.setattr("wbmem_git.store.known.FEW", few)
    for title in ("old", "new"):
        filled.entry(title, tags=("t",))
    bound(filled, "old", status="superseded")
    found = expand(filled.ground, "t", today=TODAY, status="superseded")
    assert [hit.entry.title for hit in found.hits] == ["old"]
    with pytest.raises(UnknownStatus, match="superseded, retracted, all"):
        expand(filled.ground, "t", today=TODAY, status="done")


def test_nothing_says_that_nothing_has_a_tag_that_only_the_past_has(filled: Filled) -> None:
    filled.entry("old", tags=("t",), status="superseded")
    said = as_json(expand(filled.ground, "t", today=TODAY))
    assert (said["entries"], said["total"], said["remaining"]) == ([], 0, 0)
    assert said["hint"].startswith("1 left out, superseded")


def test_a_session_knows_each_status_apart(filled: Filled, tmp_path: Path) -> None:
    filled.entry("new", tags=("t",))
    filled.entry("old", tags=("t",), status="superseded")
    session = Session(str(tmp_path), "one")
    for status, told in (("current", 1), ("all", 2)):
        found = expand(filled.ground, "t", today=TODAY, session=session, status=status)
        remember(session, found)
        assert len(found.hits) == told
        assert expand(filled.ground, "t", today=TODAY, session=session, status=status).repeated


@pytest.mark.parametrize("few", [0, 250])
def test_a_section_whose_bullets_are_there_is_not_told_beside_them(
    filled: Filled, monkeypatch: pytest.MonkeyPatch, few: int
) -> None:
    monkeypatch.setattr("wbmem_git.store.known.FEW", few)
    path = "handoff-20260914-101500.md"
    filled.page(path, "ledger", "ledger")
    tags = ("type:dead-end",)
    filled.entry("Tried", path=path, kind="section", tags=tags, lines=(3, 6))
    filled.entry("a bullet", path=path, kind="leaf", tags=tags, lines=(5, 6))
    filled.entry("prose only", path=path, kind="section", tags=tags, lines=(8, 9))
    found = expand(filled.ground, "type:dead-end", today=TODAY)
    assert sorted(hit.entry.title for hit in found.hits) == ["a bullet", "prose only"]
    assert found.total == 2


# --- why it was found -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "matched"),
    [
        ("topic:retry limit", ()),
        ("Retry Limit", ()),
        ("（retry limit）", ()),
        ("topic:*", ("topic:retry limit",)),
        ("src/*", ("src/login.ts",)),
        ("login.ts", ("src/login.ts",)),
        ("the retry", ("topic:retry limit",)),
        ("src/login.ts and a limit", ("src/login.ts",)),
    ],
)
def test_which_tag_or_cue_led_there(filled: Filled, asked: str, matched: tuple[str, ...]) -> None:
    filled.entry("Alpha", tags=("area:x", "topic:retry limit"), cues=("src/login.ts",))
    assert expand(filled.ground, asked, today=TODAY).hits[0].matched == matched


def test_where_only_some_of_the_words_led_there_that_is_said(filled: Filled) -> None:
    filled.entry("Alpha", tags=("type:dead-end",))
    found = expand(filled.ground, "type:dead-end area:x", today=TODAY)
    assert found.total == 1
    assert found.degraded == "no tag and no cue matches all of it: dead-end led here"
    assert not expand(filled.ground, "type:dead-end", today=TODAY).degraded


def test_what_stands_within_a_word_leads_nowhere_and_its_beginning_says_so(filled: Filled) -> None:
    filled.entry("Phone", tags=("topic:phone call",), cues=("retryBudget",))
    filled.entry("登录", tags=("topic:登录超时",))
    assert titles(filled, "one") == titles(filled, "hone") == []
    for part, title in (("phon", "Phone"), ("budget", "Phone"), ("录超", "登录")):
        found = expand(filled.ground, part, today=TODAY)
        assert [hit.entry.title for hit in found.hits] == [title]
        assert found.degraded == "no tag and no cue is this: longer ones that hold it led here"
    assert expand(filled.ground, "phone call", today=TODAY).degraded == ""
