"""What views read of the sidecar."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from stored import content, numbers, put

from wbmem_git.store.indexed import names, rows, versions
from wbmem_git.store.standing import standings
from wbmem_git.store.versions import commit_time

if TYPE_CHECKING:
    from sqlite3 import Connection


def commit(db: Connection, seq: int, time: int) -> None:
    db.execute("INSERT INTO commits VALUES (?, ?, '', 1, ?, '', 'human', '')", (seq, f"{seq:040x}", time))


def revise(db: Connection, name: str, seq: int, hidden: int = 0) -> None:
    db.execute(
        "INSERT INTO revisions (id, seq, kind, path, blob, hidden) VALUES (?, ?, 'edited', '', '', ?)",
        (name, seq, hidden),
    )


def judge(db: Connection, seq: int, path: str, event: str) -> None:
    db.execute(
        "INSERT INTO events (seq, event, page, ids, rules) VALUES (?, ?, ?, '[]', '[]')", (seq, event, path)
    )


def test_a_row_has_the_time_of_its_last_visible_change_else_of_its_pages(db: Connection) -> None:
    a, leaf = content("A"), content("L", kind="leaf")
    put(db, [a, leaf, content("N", 9)])
    for seq in (1, 2, 3, 4):
        commit(db, seq, 100 * seq)
    for name, seq, hidden in (
        (a.id, 1, 0),
        (a.id, 2, 0),
        (a.id, 4, 9),
        ("page of PLAN.md", 3, 0),
        ("page of PLAN.md", 4, 9),
        (leaf.id, 1, 0),
    ):
        revise(db, name, seq, hidden)
    judge(db, 2, "PLAN.md", "written")
    judge(db, 2, "PLAN.md", "criteria.warned")
    judge(db, 3, "OTHER.md", "criteria.failed")
    found = rows(db, "board")
    assert [(row.title, row.seq, row.time) for row in found] == [("A", 2, 200), ("L", 3, 300), ("N", 3, 300)]
    said = standings(db, [row.number for row in found])
    assert [said[row.number].criteria for row in found] == ["warned", "unknown", "unknown"]
    assert [(row.page_id, row.layer, row.path) for row in found] == [
        ("page of PLAN.md", "whiteboard", "PLAN.md")
    ] * 3


def test_rows_without_a_past_have_no_time(db: Connection) -> None:
    put(db, [content("A")])
    (row,) = rows(db, "board")
    assert (row.seq, row.time) == (0, 0)
    assert standings(db, [row.number]) == {row.number: (0, "unknown")}


def test_rows_of_the_last_pages_by_name(db: Connection) -> None:
    for n in range(4):
        put(db, [content("A"), content("B", 3)], f"{n}.md", "ledger")
    assert [(row.path, row.title) for row in rows(db, "ledger", 2)] == [
        ("2.md", "A"), ("2.md", "B"), ("3.md", "A"), ("3.md", "B"),
    ]  # fmt: skip
    assert len(rows(db, "ledger")) == 8
    assert rows(db, "log") == []
    for name in ("0.md", "0-b.md", "1.md"):
        put(db, [content("A")], name, "log")
    assert [row.path for row in rows(db, "log", 2)] == ["0-b.md", "1.md"]


def test_what_is_shown_is_a_part_of_a_json_object(db: Connection) -> None:
    put(db, [content("A", tags=("标签",), cues=('"',), preview="p\n")])
    (row,) = rows(db, "board")
    said = {"section": "Doing", "title": "A", "tags": ["标签"], "cues": ['"'], "text_preview": "p\n"}
    assert json.loads(f"{{{row.shown}}}") == said
    assert "标签" in row.shown


def test_names_of_the_wanted_entries_only(db: Connection) -> None:
    put(db, [content("A", tags=("T", "u")), content("B", 3, tags=("t",), cues=("c",))])
    ids = numbers(db)
    assert sorted(names(db, "tag", [ids["A"]])) == [("T", "t", ids["A"]), ("u", "u", ids["A"])]
    assert names(db, "cue", ids.values()) == [("c", "c", ids["B"])]


def test_versions_are_the_newest_ones_and_no_hidden_ones(db: Connection) -> None:
    for seq in range(1, 8):
        commit(db, seq, seq)
        revise(db, "a", seq, hidden=seq == 6)
    revise(db, "b", 3)
    assert versions(db, ["a", "b", "c"], 3) == {"a": [f"{n:040x}" for n in (7, 5, 4)], "b": [f"{3:040x}"]}
    assert (commit_time(db, f"{3:040x}"), commit_time(db, "nowhere")) == (3, None)
