"""`index.json` and the index lines."""

from __future__ import annotations

import json
import os
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
import stored
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from wbmem_git.store import indexed, sidecar
from wbmem_git.store.indexed import Row, archived_rows, rows
from wbmem_git.store.repository import Repository
from wbmem_git.text.content import Content
from wbmem_git.text.contents import contents_of, page_id
from wbmem_git.text.titles import plain
from wbmem_git.verbs import index_view
from wbmem_git.verbs.index_view import index_json, index_lines, lines
from wbmem_git.verbs.refresh import refresh

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection

    from memory import Memory

    from wbmem_git.model import PageKind

KEY = "demo-1a2b3c4d"
ID = "mem_%032x"
HEAD = "c" * 40
KEYS = ["version", "ws", "head", "rebuilt_at", "entries", "by_tag", "by_cue", "versions"]
ENTRY_KEYS = [
    *("id", "kind", "source", "line", "section", "title", "tags", "cues", "text_preview", "mtime", "layer"),
    *("status", "criteria"),
]


@pytest.fixture
def db() -> Iterator[Connection]:
    found = sidecar.memory()
    sidecar.set_meta(found, "key", KEY)
    sidecar.set_meta(found, "head", HEAD)
    yield found
    found.close()


def put(db: Connection, path: str, kind: PageKind, text: str) -> None:
    stored.put(db, contents_of(path, kind, text, KEY), path, kind, page_id(path, KEY))


def commit(db: Connection, seq: int, time: int, oid: str = "") -> None:
    db.execute(
        "INSERT INTO commits VALUES (?, ?, '', 1, ?, '', 'human', '')",
        (seq, oid or f"{seq:040x}", time),
    )


def revise(db: Connection, name: str, seq: int, path: str = "", hidden: int = 0) -> None:
    db.execute(
        "INSERT INTO revisions (id, seq, kind, path, blob, hidden) VALUES (?, ?, 'edited', ?, '', ?)",
        (name, seq, path, hidden),
    )


def archive(db: Connection, name: str, seq: int, *, hidden: int = 0) -> None:
    """A commit's revisions of a card and of its archive file."""
    path = f"archive/{name}.md"
    revise(db, name, seq, path, hidden)
    revise(db, page_id(path, KEY), seq, path, hidden)


def card(n: int, metadata: str = "", text: str = "") -> str:
    return f"### Card {n}\n<!-- memory:{ID % n} -->\n{metadata}{text}\n\n"


def read(db: Connection) -> dict[str, Any]:
    text = "".join(index_json(db))
    assert text.endswith("}\n")
    assert not any(line != line.rstrip() for line in text.split("\n"))
    found: dict[str, Any] = json.loads(text)
    return found


def ledger(n: int) -> str:
    return f"handoff-20260914-10{n // 60:02d}{n % 60:02d}.md"


# --- index.json -----------------------------------------------------------------------------------------


def test_the_object_is_the_contracts(db: Connection) -> None:
    put(
        db,
        "PLAN.md",
        "board",
        "# 看板\n\n## 进行\n\n" + card(1, "<!-- tags: topic:登录 -->\n", "见src/登录.ts。"),
    )
    commit(db, 1, 1_780_000_000, HEAD)
    revise(db, ID % 1, 1)
    db.execute("INSERT INTO events VALUES (1, 1, 'criteria.warned', 'PLAN.md', '[]', '[]')")
    found = read(db)
    assert list(found) == KEYS
    assert {name: found[name] for name in KEYS[:4]} == {
        "version": 1,
        "ws": KEY,
        "head": HEAD,
        "rebuilt_at": "2026-05-28T20:26:40Z",
    }
    board, one = found["entries"]
    assert list(board) == list(one) == ENTRY_KEYS
    assert one == {
        "id": ID % 1, "kind": "card", "source": "PLAN.md", "line": 5, "section": "进行", "title": "Card 1",
        "tags": ["topic:登录"], "cues": ["src/登录.ts"], "text_preview": "见src/登录.ts。",
        "mtime": 1_780_000_000_000,
        "layer": "whiteboard", "status": "current", "criteria": "warned",
    }  # fmt: skip
    assert (board["kind"], board["id"], board["mtime"], board["criteria"]) == (
        "board",
        page_id("PLAN.md", KEY),
        0,
        "unknown",
    )
    assert (found["by_tag"], found["by_cue"]) == ({"topic:登录": [ID % 1]}, {"src/登录.ts": [ID % 1]})
    assert found["versions"] == {ID % 1: [HEAD]}
    assert "登录" in "".join(index_json(db))


def test_an_empty_sidecar_has_an_empty_index() -> None:
    db = sidecar.memory()
    assert "".join(index_json(db)) == (
        '{"version": 1, "ws": "", "head": "", "rebuilt_at": "",\n"entries": [],\n'
        '"by_tag": {},\n"by_cue": {},\n"versions": {}}\n'
    )
    assert list(index_lines(db)) == []
    db.close()


def test_the_order_of_entries(db: Connection) -> None:
    put(db, "Z.md", "board", "### z\n")
    put(db, "PLAN.md", "board", "### b\n\n### a\n")
    put(db, "PINNED.md", "entries", "## p\n")
    put(db, "MEMORY.md", "entries", "## n\n\n## m\n")
    put(db, "handoff-20260914-101500.md", "ledger", "# first\n## S\n- x\n")
    put(db, "handoff-20260914-101500-b.md", "ledger", "# second\n")
    put(db, "log/2026-09-14.md", "log", "- not there\n")
    put(db, f"archive/{ID % 7}.md", "archive", "---\ntitle: older\n---\n")
    put(db, f"archive/{ID % 8}.md", "archive", "---\ntitle: newer\n---\n")
    put(db, f"archive/{ID % 9}.md", "archive", "---\ntitle: dated\n---\n### x\n<!-- date: 2026-01-01 -->\n")
    commit(db, 1, 10)
    revise(db, ID % 8, 1)
    titles = [entry["title"] for entry in read(db)["entries"]]
    assert titles == [
        "PLAN",
        "b",
        "a",
        "Z",
        "z",
        "n",
        "m",
        "p",
        "second",
        "first",
        "S",
        "x",
        "newer",
        "dated",
        "older",
    ]


def test_it_is_bounded(db: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index_view, "MOST_ENTRIES", 5)
    for n in range(70):
        put(db, ledger(n), "ledger", f"# {n}\n## S\n- tag:t{n}\n")
    put(db, "MEMORY.md", "entries", "".join(f"## e{n}\n<!-- memory:{ID % n} -->\n\n" for n in range(9)))
    for n in range(30):
        put(db, f"archive/{ID % (100 + n)}.md", "archive", f"---\ntitle: a{n}\n---\n")
    for n in range(1, 31):
        commit(db, n, n)
        revise(db, ID % 3, n)
        archive(db, ID % (100 + n - 1), n)
    for n, seq in ((0, 3), (5, 9), (6, 7), (8, 1)):
        revise(db, ID % n, seq)
    found = read(db)
    by_kind: dict[str, list[Any]] = {}
    for entry in found["entries"]:
        by_kind.setdefault(entry["kind"], []).append(entry["title"])
    assert by_kind["ledger"] == [str(n) for n in range(69, 9, -1)]
    assert len(by_kind["leaf"]) == len(by_kind["section"]) == 60
    assert by_kind["memory"] == ["e0", "e3", "e5", "e6", "e8"]
    assert by_kind["archive"] == [f"a{n}" for n in range(29, 9, -1)]
    assert "tag:t9" not in found["by_tag"]
    assert "tag:t10" in found["by_tag"]
    assert found["versions"][ID % 3] == [f"{n:040x}" for n in range(30, 10, -1)]


def test_a_tag_leads_to_all_that_have_it_in_any_case_and_width(db: Connection) -> None:
    put(
        db,
        "PLAN.md",
        "board",
        card(1, text="topic:Login") + card(2, text="topic:ｌｏｇｉｎ") + card(3, text="topic:Login"),
    )
    ids = [ID % 1, ID % 2, ID % 3]
    assert read(db)["by_tag"] == {"topic:Login": ids, "topic:ｌｏｇｉｎ": ids}


def test_names_are_in_order_whatever_rows_were_written_first(db: Connection) -> None:
    other = sidecar.memory()
    pages: list[tuple[str, PageKind, str]] = [
        ("PLAN.md", "board", card(1, text="b/c.md a/b.md tag:z") + card(2, text="a/b.md tag:a")),
        ("B.md", "board", card(3, text="a/b.md tag:z")),
    ]
    for page in pages:
        put(db, *page)
    for key in ("key", "head"):
        sidecar.set_meta(other, key, sidecar.get_meta(db, key))
    put(other, "PLAN.md", "board", card(2))
    for page in reversed(pages):
        put(other, *page)
    assert "".join(index_json(db)) == "".join(index_json(other))
    assert list(index_lines(db)) == list(index_lines(other))
    assert list(read(db)["by_tag"]) == ["tag:a", "tag:z"]
    assert read(db)["by_cue"] == {"a/b.md": [ID % 3, ID % 1, ID % 2], "b/c.md": [ID % 1]}
    other.close()


def test_five_hundred_entries_and_twenty_archive_files_are_read_and_no_more(
    db: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(db, "MEMORY.md", "entries", "# M\n\n" + "".join(f"## Entry {n}\n\nx\n\n" for n in range(505)))
    for n in range(25):
        name = ID % n
        file = f"---\nid: {name}\ntitle: T\npage: PLAN.md\nreason: done\n---\n### T\nx\n"
        put(db, f"archive/{name}.md", "archive", file)
        commit(db, n + 1, 1_780_000_000 + n % 7)
        archive(db, name, n + 1)
    read_rows = 0

    def counted(*row: Any) -> Row:
        nonlocal read_rows
        read_rows += 1
        return Row(*row)

    monkeypatch.setattr(indexed, "Row", counted)
    entries = read(db)["entries"]
    assert read_rows == len(entries) == 520
    assert [entry["title"] for entry in entries[:500]] == [f"Entry {n}" for n in range(500)]
    by_time = sorted(range(5, 25), key=lambda n: (-(n % 7), n))
    assert [entry["id"] for entry in entries[500:]] == [ID % n for n in by_time]


def test_the_archive_files_are_those_that_the_last_commits_wrote(db: Connection) -> None:
    for n in range(60):
        date = f"<!-- date: 2026-01-{n % 3 + 1:02} -->\n"
        file = f"---\nid: {ID % n}\ntitle: T\npage: PLAN.md\nreason: done\n---\n### T\n{date}x\n"
        put(db, f"archive/{ID % n}.md", "archive", file)
    for n in range(30):
        archive(db, ID % n, 1)  # one commit: of these the latest dates, then the first paths
    for n in range(30, 40):
        archive(db, ID % n, n)
    archive(db, ID % 2, 41)
    archive(db, ID % 30, 42, hidden=43)  # what a merge hides did not come about
    revise(db, ID % 31, 44, "PLAN.md")  # the card, and not its archive file
    chosen = archived_rows(db, 20)
    assert {row.id for row in chosen} == {ID % n for n in (2, *range(30, 40), *range(5, 30, 3))}
    assert [row.path for row in chosen] == sorted(row.path for row in chosen)


def test_a_few_archive_files_are_read_however_many_there_are(db: Connection) -> None:
    def steps() -> int:
        count = 0

        def one_more() -> int:
            nonlocal count
            count += 1
            return 0

        db.set_progress_handler(one_more, 10)
        assert len(archived_rows(db, 20)) == 20
        assert len(rows(db, "ledger", 5)) == 5
        db.set_progress_handler(None, 0)
        return count

    taken = []
    for many in (range(30), range(30, 600)):
        for n in many:
            name = ID % n
            put(db, f"archive/{name}.md", "archive", f"---\nid: {name}\ntitle: T\n---\n### T\nx\n")
            archive(db, name, n + 1)
            put(db, ledger(n), "ledger", f"# {n}\n")
        taken.append(steps())
    assert taken[1] < 1.3 * taken[0]


# --- index lines ----------------------------------------------------------------------------------------


def test_a_line_is_the_formats(db: Connection) -> None:
    put(db, "PLAN.md", "board", "## C\n\n" + card(1, "<!-- date: 2026-09-14 -->\n", "One sentence. Another."))
    assert list(index_lines(db)) == [
        f"- [Card 1](PLAN.md#{ID % 1}) — One sentence. · layer=whiteboard · status=current · 2026-09-14"
    ]


def test_the_newest_date_comes_first_and_a_day_is_in_page_order(db: Connection) -> None:
    dates = ["2026-09-14", "2026-09-15", "2026-09-14", ""]
    put(db, "PLAN.md", "board", "".join(card(n, f"<!-- date: {date} -->\n") for n, date in enumerate(dates)))
    put(db, "MEMORY.md", "entries", "## m\n<!-- date: 2026-09-14 -->\n\n## n\n<!-- date: 2026-09-16 -->\n")
    put(db, "handoff-20260914-101500.md", "ledger", "# first\n")
    put(db, "handoff-20260914-101500-b.md", "ledger", "# second\n## S\n- no line\n")
    put(db, "log/2026-09-14.md", "log", "# no line\n- x\n- y\n")
    put(
        db,
        f"archive/{ID % 9}.md",
        "archive",
        f"---\ntitle: gone\nsuperseded_by: {ID % 8}\n---\n### t\n<!-- date: 2026-09-14 -->\n",
    )
    commit(db, 1, 1_789_516_800)  # 2026-09-16
    revise(db, ID % 3, 1)
    told = [(line.text.partition("]")[0][3:], line.date[-2:], line.layer) for line in lines(db)]
    assert told == [
        ("Card 3", "16", "whiteboard"),
        ("n", "16", "memory"),
        ("Card 1", "15", "whiteboard"),
        ("Card 0", "14", "whiteboard"),
        ("Card 2", "14", "whiteboard"),
        ("m", "14", "memory"),
        ("second", "14", "ledger"),
        ("first", "14", "ledger"),
        ("x", "14", "log"),
        ("y", "14", "log"),
        ("gone", "14", "archive"),
    ]
    assert "status=superseded" in lines(db)[-1].text


def test_what_has_neither_date_nor_commit_is_last(db: Connection) -> None:
    put(db, "PLAN.md", "board", card(1) + card(2, "<!-- date: 2026-09-14 -->\n"))
    assert list(index_lines(db))[1] == f"- [Card 1](PLAN.md#{ID % 1}) — layer=whiteboard · status=current"


def test_nothing_in_a_line_drives_a_terminal(db: Connection) -> None:
    put(db, "PLAN.md", "board", "### a\x1b[2J\n<!-- status: x\x07 -->\nb\x1b]0;c\x9b\n")
    (line,) = index_lines(db)
    assert line.isprintable()


TITLES = st.text(alphabet="ab _*`[]()<>\\&;#!|~登录a&amp;\"'", min_size=1).map(plain).filter(bool)
PATHS = st.text(alphabet="ab登 ()[]<>%#?&*_`\\.!", min_size=1, max_size=8).map(lambda name: f"{name}.md")
SENTENCES = st.text(alphabet="ab `[]()\\<*!登。", max_size=30).map(plain)


@settings(deadline=None)
@given(TITLES, PATHS, SENTENCES)
def test_no_title_path_or_sentence_breaks_the_link(title: str, path: str, sentence: str) -> None:
    db = sidecar.memory()
    one = Content(ID % 1, "card", path, 1, 1, "", title, "", sentence=sentence)
    stored.put(db, [one], path)
    (line,) = index_lines(db)
    db.close()
    inline = next(token for token in MarkdownIt("commonmark").parse(line) if token.type == "inline")
    tokens = inline.children or []
    assert [token.type for token in tokens].index("link_open") == 0
    close = [token.type for token in tokens].index("link_close")
    assert "".join(token.content for token in tokens[1:close]) == title
    assert not any(token.type == "link_open" for token in tokens[1:])
    href = str(tokens[0].attrs["href"])
    assert href.endswith(f"#{ID % 1}")
    assert href.count("#") == 1


# --- of a real repository -------------------------------------------------------------------------------


def test_both_are_the_same_from_refresh_and_from_nothing(memory: Memory) -> None:
    commits = [
        memory.commit(
            {
                "wbmem.yaml": f"format: 1\nworkspace: {KEY}\n",
                "PLAN.md": "# B\n\n## C\n\n" + card(1, text="tag:a"),
            }
        ),
        memory.commit(
            {
                "PLAN.md": "# B\n\n## C\n\n" + card(2, text="tag:b") + card(1, text="tag:A"),
                ledger(1): "# L\n## S\n- x\n",
            }
        ),
        memory.commit({"PLAN.md": "# B\n\n## C\n\n" + card(1, text="see a/b.md"), "MEMORY.md": "## M\n"}),
    ]
    with Repository.open(str(memory.top), dict(os.environ)) as repository:
        db = sidecar.memory()
        for head in (*commits, commits[0], commits[2]):
            refresh(repository, db, head)
            fresh = sidecar.memory()
            refresh(repository, fresh, head)
            assert "".join(index_json(db)) == "".join(index_json(fresh))
            assert list(index_lines(db)) == list(index_lines(fresh))
            fresh.close()
        found = read(db)
        db.close()
    assert (found["ws"], found["head"]) == (KEY, commits[2])
    assert found["rebuilt_at"] == memory.git(
        "log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ"
    )
    by_id = {entry["id"]: entry for entry in found["entries"]}
    assert by_id[ID % 1]["mtime"] == 1000 * int(memory.git("log", "-1", "--format=%ct"))
    assert by_id[ID % 1]["criteria"] in {"passed", "warned", "failed"}
    assert found["versions"][ID % 1] == [commits[2], commits[1], commits[0]]
    assert all(
        one["line"] <= other["line"]
        for one, other in pairwise(found["entries"])
        if one["source"] == other["source"]
    )
