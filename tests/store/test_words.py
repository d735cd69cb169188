"""Full text in the sidecar: what is found, and that no row number shows."""

from __future__ import annotations

import random
from array import array
from typing import TYPE_CHECKING

from stored import put

from wbmem_git.store import matches, words
from wbmem_git.store.contents import remove_page
from wbmem_git.store.sidecar import memory
from wbmem_git.text.content import Content
from wbmem_git.text.terms import query_terms

if TYPE_CHECKING:
    import sqlite3

TEXTS = (
    "修复登录超时，见 src/auth/session.py",
    "The login times out when the token is refreshed twice",
    "Queue moved to Redis; retries are capped at 3",
    "把队列迁移到 Redis，重试上限三次",
    "登录页面 retry_budget",
)


def leaf(path: str, text: str, **fields: str) -> Content:
    content = Content(f"{path}#{text}", "leaf", path, 1, 1, "", "", text + "\n")
    return content._replace(**fields)  # type: ignore[arg-type]


def write(db: sqlite3.Connection, path: str, *texts: str) -> None:
    put(db, [leaf(path, text) for text in texts], path, "ledger")
    words.settle(db)


def found(db: sqlite3.Connection, question: str) -> dict[str, float]:
    scores = matches.match(db, query_terms(question), 0, 10**9).scores
    texts = matches.texts(db, scores)
    return {texts[number].text.strip(): score for number, score in scores.items()}


def said(db: sqlite3.Connection) -> object:
    """All of full text, by what it says and not by number."""
    names = dict(
        db.execute("SELECT words.number, path || ' ' || place FROM words"
                   " JOIN word_pages ON word_pages.number = words.page")
    )  # fmt: skip
    postings: dict[str, set[tuple[str, int]]] = {}
    for term, numbers, weights in db.execute("SELECT term, numbers, weights FROM postings"):
        assert list(array("I", numbers)) == sorted(array("I", numbers))
        pairs = zip(array("I", numbers), weights, strict=True)
        postings.setdefault(term, set()).update((names[number], weight) for number, weight in pairs)
    entries = {
        names[number]: rest
        for number, *rest in db.execute(
            "SELECT number, kind, status, valid_from, expiry, date, head, length, settled, terms, weights"
            " FROM words JOIN word_terms USING (number)"
        )
    }
    pages = db.execute("SELECT path, entries, length FROM word_pages ORDER BY path").fetchall()
    return postings, entries, pages, words.totals(db)


def test_a_long_entry_is_as_long_as_it_gets_and_its_words_no_more_frequent() -> None:
    for length in (1, 100, 6_000, 7_000, 100_000):
        terms = [f"t{number}" for number in range(min(length, 7_000))] + ["t0"] * (length - 7_000)
        _, weights = words._deflated(terms)
        assert {weight // words.LENGTHS for weight in weights[1:]} <= {0}, length
        assert max(weights) <= 255
    assert words._length_step(10**9) == words.LENGTHS - 1


def test_two_characters_are_found() -> None:
    db = memory()
    write(db, "a.md", *TEXTS)
    assert set(found(db, "登录")) == {TEXTS[0], TEXTS[4]}


def test_one_character_is_found_wherever_it_stands_in_a_word() -> None:
    db = memory()
    write(db, "a.md", *TEXTS)
    assert set(found(db, "录")) == {TEXTS[0], TEXTS[4]}
    assert set(found(db, "次")) == {TEXTS[3]}


def test_parts_and_stems_are_found() -> None:
    db = memory()
    write(db, "a.md", *TEXTS)
    assert set(found(db, "budget")) == {TEXTS[4]}
    assert set(found(db, "refreshing")) == {TEXTS[1]}
    assert set(found(db, "session.py")) == {TEXTS[0]}


def test_a_rare_word_weighs_more_than_a_frequent_one() -> None:
    db = memory()
    write(db, "a.md", *TEXTS)
    scores = found(db, "Redis capped")
    assert scores[TEXTS[2]] > 2 * scores[TEXTS[3]]


def test_what_is_taken_out_is_not_found_and_counts_nowhere() -> None:
    db, other = memory(), memory()
    write(db, "a.md", *TEXTS)
    write(db, "b.md", "登录 login")
    remove_page(db, "b.md")
    write(db, "a.md", *TEXTS[:2])
    write(other, "a.md", *TEXTS[:2])
    assert said(db) == said(other)
    assert found(db, "登录 login") == found(other, "登录 login")


def test_a_text_that_changes_goes_on_under_its_number_and_is_found_by_its_new_words() -> None:
    db, other = memory(), memory()
    for one, text in ((db, "before"), (db, "afterwards"), (other, "afterwards")):
        contents = [leaf("a.md", text, id="same"), leaf("a.md", "else")]
        put(one, contents, "a.md", "ledger")
        words.settle(one)
    assert found(db, "before") == {}
    assert said(db) == said(other)


def test_no_order_of_writing_changes_what_is_said() -> None:
    chance = random.Random(3)
    pages = {f"{number}.md": chance.sample(TEXTS, chance.randrange(1, 5)) for number in range(12)}
    straight, shuffled = memory(), memory()
    for path, texts in pages.items():
        write(straight, path, *texts)
    for path in chance.sample(sorted(pages), len(pages)):
        write(shuffled, path, *chance.sample(TEXTS, 3))
    for path in chance.sample(sorted(pages), len(pages)):
        if chance.random() < 0.3:
            remove_page(shuffled, path)
        write(shuffled, path, *pages[path])
    assert said(straight) == said(shuffled)


def test_a_number_behind_which_others_stand_is_put_in_its_place() -> None:
    db = memory()
    words.add(db, [(5, 0, leaf("a.md", "token"))])
    words.settle(db)
    words.add(db, [(2, 0, leaf("a.md", "token")), (9, 1, leaf("a.md", "token"))])
    words.settle(db)
    (numbers,) = db.execute("SELECT numbers FROM postings WHERE term = 'token'").fetchone()
    assert list(array("I", numbers)) == [2, 5, 9]


def test_runs_are_read_together() -> None:
    db = memory()
    far = 3 << words.RUN_BITS
    words.add(db, [(1, 0, leaf("a.md", "token")), (far, 1, leaf("a.md", "token"))])
    words.settle(db)
    assert set(matches.match(db, ["token"], 0, 10).scores) == {1, far}


def test_frequent_terms_are_told_apart_and_still_counted_for_those_who_ask() -> None:
    db = memory()
    write(db, "a.md", *(f"common {number}" for number in range(2000)), "common rare")
    match = matches.match(db, query_terms("common rare"), 1, 100)
    assert len(match.scores) == 1
    assert [late.term for late in match.late] == ["common"]
    (number,) = match.scores
    assert list(match.late[0].among({number, number + 99})) == [number]


def test_what_was_added_and_not_settled_is_found() -> None:
    db = memory()
    put(db, [leaf("a.md", "token")], "a.md", "ledger")
    assert found(db, "token")


def test_what_is_taken_out_before_it_was_settled_leaves_nothing() -> None:
    db = memory()
    words.add(db, [(1, 0, leaf("a.md", "token"))])
    words.remove(db, [1, 77])
    words.settle(db)
    assert words.totals(db) == words.Totals(0, 0, 0)
    assert db.execute("SELECT count(*) FROM postings").fetchone() == (0,)
