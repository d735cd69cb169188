"""The present of the sidecar from one tree to another, on real repositories."""

from __future__ import annotations

import os
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from stored import contents_on

from wbmem_git.store import sidecar
from wbmem_git.store.contents import pages
from wbmem_git.store.repository import Repository
from wbmem_git.store.tables import rows
from wbmem_git.text.ids import card_id
from wbmem_git.text.settings import parse_settings
from wbmem_git.verbs.contents import advance
from wbmem_git.verbs.index_view import index_json, index_lines

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection

    from memory import Memory

    from wbmem_git.model import Settings

KEY = "demo-1a2b3c4d"
SETTINGS = f"format: 1\nworkspace: {KEY}\nboards: [PLAN.md, 'boards/*.md']\n"
ID = "mem_%032x"
LEDGER = "handoff-20260914-101500.md"
SECTION = "## 已试方案与失败原因\n\n- 方案：轮询 → 限流\n- 方案：轮询 → 限流\n"


def board(*titles: str, words: str = "some words") -> str:
    cards = (
        f"### {title}\n<!-- memory:{ID % n} -->\n{words} of {title}\n\n" for n, title in enumerate(titles)
    )
    return "# Board\n\n## Doing\n\n" + "".join(cards)


def settings() -> Settings:
    found, _ = parse_settings(SETTINGS)
    assert found is not None
    return found


@pytest.fixture
def repository(memory: Memory) -> Iterator[Repository]:
    memory.commit({"wbmem.yaml": SETTINGS})
    with Repository.open(str(memory.top), dict(os.environ)) as found:
        yield found


def built(repository: Repository, *commits: str) -> Connection:
    """A sidecar that was brought from one commit to the next."""
    db = sidecar.memory()
    before = ""
    for commit in commits:
        tree = repository.tree_of(commit)
        advance(repository, db, before, tree, settings())
        before = tree
    return db


def dump(db: Connection) -> list[object]:
    """All that the present is, without the numbers that rows happen to have."""
    entries = """
        SELECT path, place, e.id, e.kind, line, end, section, title, text, preview, sentence, status, shown
        FROM entries AS e JOIN pages ON pages.number = page ORDER BY path, place
    """
    return [
        db.execute("SELECT path, id, kind, layer, blob FROM pages ORDER BY path").fetchall(),
        db.execute(entries).fetchall(),
        "".join(index_json(db)),
        list(index_lines(db)),
    ]


def test_every_kind_of_page_has_its_entries(memory: Memory, repository: Repository) -> None:
    archived = ID % 9
    commit = memory.commit(
        {
            "PLAN.md": board("A", "B"),
            "boards/more.md": "## X\n\n### C\n",
            "MEMORY.md": "# M\n\n## An entry\ntext\n",
            LEDGER: f"# H\n\n{SECTION}",
            "log/2026-09-14.md": "- a\n",
            f"archive/{archived}.md": f"---\nid: {archived}\ntitle: T\n---\n### T\n",
            "archive/log/2026-09-13.md": "- b\n",
            "README.md": "# not ours\n",
        }
    )
    db = built(repository, commit)
    found = {path: [one.kind for one in contents_on(db, path)] for path in pages(db)}
    assert found == {
        "MEMORY.md": ["memory"],
        "PLAN.md": ["board", "card", "card"],
        "README.md": [],
        f"archive/{archived}.md": ["archive"],
        "archive/log/2026-09-13.md": ["log page", "log"],
        "boards/more.md": ["board", "card"],
        LEDGER: ["ledger", "section", "leaf", "leaf"],
        "log/2026-09-14.md": ["log page", "log"],
        "wbmem.yaml": [],
    }
    row = pages(db)["boards/more.md"]
    assert (row.id, row.kind, row.layer) == (card_id(KEY, "boards/more.md", ""), "board", "whiteboard")
    assert row.blob == memory.git("rev-parse", f"{commit}:boards/more.md")


def test_from_tree_to_tree_is_as_from_nothing(memory: Memory, repository: Repository) -> None:
    commits = [
        memory.commit({"PLAN.md": board("A", "B", "C"), LEDGER: f"# H\n\n{SECTION}"}),
        memory.commit({"PLAN.md": board("A", "B", "C").replace("of B", "of B, edited")}),
        memory.commit(
            {"PLAN.md": board("A", "C"), "boards/x.md": board("Z"), LEDGER: f"# H\n\nmore\n\n{SECTION}"}
        ),
        memory.commit({"PLAN.md": None, "boards/x.md": None}),
    ]
    (memory.top / "boards").rmdir()
    commits.append(memory.commit({"PLAN.md": "# " + board("Q"), LEDGER: None, "boards": board("a file now")}))
    for end in range(1, len(commits) + 1):
        assert dump(built(repository, *commits[:end])) == dump(built(repository, commits[end - 1]))
    backwards = built(repository, *commits, *reversed(commits))
    assert dump(backwards) == dump(built(repository, commits[0]))
    assert dump(built(repository, commits[4], commits[0], commits[2])) == dump(built(repository, commits[2]))


def test_a_card_that_stays_as_it_is_keeps_its_row(memory: Memory, repository: Repository) -> None:
    one = memory.commit({"PLAN.md": board("A", "B", "C")})
    two = memory.commit(
        {"PLAN.md": board("A", "B", "C").replace("# Board\n", "# Board\nmore\n").replace("of B", "new")}
    )
    numbers = "SELECT title, number FROM entries ORDER BY title"
    assert (
        built(repository, one, two).execute(numbers).fetchall()
        == built(repository, one).execute(numbers).fetchall()
    )


def test_what_is_not_utf8_is_a_page_without_entries(memory: Memory, repository: Repository) -> None:
    good = memory.commit({"PLAN.md": board("A")})
    for data in (b"# Board\n\n### A\xff\n", b"# Board\n\0"):
        bad = memory.commit({"PLAN.md": data})
        db = built(repository, good, bad)
        assert contents_on(db, "PLAN.md") == ()
        assert pages(db)["PLAN.md"].kind == "board"
        assert dump(db) == dump(built(repository, bad))
        assert dump(built(repository, good, bad, good)) == dump(built(repository, good))


def test_links_and_submodules_are_never_read(memory: Memory, repository: Repository) -> None:
    good = memory.commit({"PLAN.md": board("A"), "MEMORY.md": "## E\n"})
    (memory.top / "PLAN.md").unlink()
    (memory.top / "PLAN.md").symlink_to("MEMORY.md")
    link = memory.commit({})
    memory.git("rm", "-q", "--cached", "PLAN.md")
    memory.git("update-index", "--add", "--cacheinfo", f"160000,{good},PLAN.md")
    memory.git("commit", "-q", "-m", "a submodule")
    module = memory.git("rev-parse", "HEAD")
    for commit in (link, module):
        db = built(repository, good, commit)
        assert "PLAN.md" not in pages(db)
        assert dump(db) == dump(built(repository, commit))
        assert dump(built(repository, commit, good)) == dump(built(repository, good))


def test_a_link_that_became_a_file_of_the_same_blob_is_read(memory: Memory, repository: Repository) -> None:
    (memory.top / "PLAN.md").symlink_to("### T")
    link = memory.commit({})
    (memory.top / "PLAN.md").unlink()
    file = memory.commit({"PLAN.md": "### T"})
    assert memory.git("rev-parse", f"{link}:PLAN.md") == memory.git("rev-parse", f"{file}:PLAN.md")
    assert [one.title for one in contents_on(built(repository, link, file), "PLAN.md")] == ["PLAN", "T"]


def test_a_file_that_became_executable_is_not_read_again(memory: Memory, repository: Repository) -> None:
    one = memory.commit({"PLAN.md": board("A")})
    memory.git("update-index", "--chmod=+x", "PLAN.md")
    memory.git("commit", "-q", "-m", "executable")
    db = built(repository, one)
    reads = repository.objects.reads
    old, new = repository.tree_of(one), repository.tree_of(memory.git("rev-parse", "HEAD"))
    repository.differing(old, new)
    after_trees = repository.objects.reads
    advance(repository, db, old, new, settings())
    assert repository.objects.reads == after_trees > reads


def test_only_pages_that_differ_are_read(memory: Memory, repository: Repository) -> None:
    files: dict[str, str | bytes | None] = {f"handoff-20260914-1015{n:02d}.md": f"# {n}\n" for n in range(20)}
    one = memory.commit({**files, "PLAN.md": board("A")})
    two = memory.commit({"PLAN.md": board("A", "B")})
    db = built(repository, one)
    old, new = repository.tree_of(one), repository.tree_of(two)
    repository.differing(old, new)
    reads = repository.objects.reads
    advance(repository, db, old, new, settings())
    assert repository.objects.reads == reads + 2  # PLAN.md, as it is and as it was


def test_progress_is_told_page_by_page(memory: Memory, repository: Repository) -> None:
    commit = memory.commit({"PLAN.md": board("A"), "x": ""})
    told: list[tuple[str, int, int]] = []
    db = sidecar.memory()
    advance(repository, db, "", repository.tree_of(commit), settings(), lambda *said: told.append(said))
    assert told == [("pages", 1, 3), ("pages", 2, 3), ("pages", 3, 3)]


def test_what_was_written_is_found_under_the_id_it_was_written_with(
    memory: Memory, repository: Repository
) -> None:
    """Write → rebuild → trace: one function makes every id."""
    commit = memory.commit({LEDGER: f"# H\n\n{SECTION}", "boards/more.md": "## X\n\n### C\n"})
    db = built(repository, commit)
    ids = {row[0] for row in db.execute("SELECT id FROM entries")}
    title = "已试方案与失败原因"
    assert ids == {
        card_id(KEY, LEDGER, ""),
        card_id(KEY, LEDGER, title),
        card_id(KEY, LEDGER, f"{title}\0方案：轮询 → 限流"),
        card_id(KEY, LEDGER, f"{title}\0方案：轮询 → 限流", 2),
        card_id(KEY, "boards/more.md", ""),
        card_id(KEY, "boards/more.md", "C"),
    }


# --- credentials ----------------------------------------------------------------------------------------

TOKEN = "ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5"
KEY_LINE = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj"
SECRETS: dict[str, str | bytes | None] = {
    "PLAN.md": (
        f"# Board\n\n## Doing\n\n### Title {TOKEN}\n<!-- memory:{ID % 1} -->\n"
        f"See `{TOKEN}`, topic:{TOKEN} and src/login.py.\n\n"
        f"### Other\n<!-- memory:{ID % 2} -->\nSee src/other.py.\n"
    ),
    LEDGER: (
        f"# L\n\n## 目标\n\n- {TOKEN}: use it\n"
        f"- -----BEGIN PRIVATE KEY-----\n  {KEY_LINE}\n  {KEY_LINE}\n  -----END PRIVATE KEY-----\n"
        "- a plain one in src/plain.py\n"
    ),
    f"boards/{TOKEN}.md": board("T"),
}


def test_no_credential_is_in_what_the_index_tells(repository: Repository, memory: Memory) -> None:
    memory.commit(SECRETS)
    db = built(repository, memory.git("rev-parse", "HEAD"))
    told = "".join(index_json(db)) + "\n".join(index_lines(db))
    told += repr(db.execute("SELECT folded, tag FROM tags UNION ALL SELECT folded, cue FROM cues").fetchall())
    for secret in (TOKEN, TOKEN[:24], TOKEN[4:20], KEY_LINE, KEY_LINE[:16]):
        assert secret not in told
        assert secret.lower() not in told
    assert "Title ghp_…" in told
    assert "src/login.py" in told
    assert "src/plain.py" in told


def test_what_stands_beside_a_credential_is_told_as_it_is(repository: Repository, memory: Memory) -> None:
    memory.commit(SECRETS)
    found = contents_on(built(repository, memory.git("rev-parse", "HEAD")), "PLAN.md")
    assert [(one.title, one.cues, one.preview) for one in found if one.id == ID % 2] == [
        ("Other", ("src/other.py",), "See src/other.py.")
    ]


def test_a_credential_that_comes_and_goes_leaves_what_a_rebuild_finds(
    repository: Repository, memory: Memory
) -> None:
    opened = "### Key\n-----BEGIN PRIVATE KEY-----\n"
    cards = f"### Lines\n<!-- memory:{ID % 1} -->\n{KEY_LINE}\nsrc/{'x' * 30}.py\n"
    commits = [
        memory.commit({"PLAN.md": f"# Board\n\n## Doing\n\n{before}{cards}"}) for before in ("", opened, "")
    ]
    heads = [memory.git("rev-parse", f"HEAD~{n}") for n in (2, 1, 0)]
    assert len(commits) == len(heads)
    assert dump(built(repository, *heads)) == dump(built(repository, heads[-1]))


def big_board(**texts: str) -> str:
    """A board of 300 cards; some with a text of their own, by their titles."""
    cards = (
        f"### {title}\n<!-- memory:{ID % n} -->\n{texts.get(title, 'the token bucket, see src/a.py')}\n\n"
        for n, title in enumerate(f"card{n}" for n in range(300))
    )
    return "# Board\n\n## Doing\n\n" + "".join(cards)


HEADER = "-----BEGIN PRIVATE KEY-----"
SMALL_COMMITS: dict[str, list[str | None]] = {
    "enters, moves, leaves": [
        big_board(),
        big_board(card150=f"see `{TOKEN}` and src/b.py"),
        big_board(card150=f"see `{TOKEN}` and src/b.py", card10="another edit"),
        big_board(card290=f"`{TOKEN}` in src/c.py", card10="another edit"),
        big_board(card10="another edit"),
        big_board(card10="one more edit"),
    ],
    "what it stood in comes back elsewhere": [
        big_board(card7=f"src/b.py: {TOKEN}"),
        big_board(card7=f"src/b.py: {TOKEN}", card9=TOKEN[4:20]),
        big_board(card7="src/b.py", card9=TOKEN[4:20]),
        big_board(card7=f"src/b.py: {TOKEN}", card9=TOKEN[4:20]),
    ],
    "a header in prose, and a key's lines, come together": [
        big_board(card1=f"`{HEADER}` begins one", card90=f"{KEY_LINE}\nsrc/{'x' * 30}.py"),
        big_board(card1=f"`{HEADER}` begins one", card2=f"{KEY_LINE}\nsrc/{'x' * 30}.py"),
        big_board(card1=f"`{HEADER}` begins one", card90=f"{KEY_LINE}\nsrc/{'x' * 30}.py"),
    ],
    "a lone carriage return comes and goes": [
        big_board(card5="密码是abcdefgh\r更多的字"),
        big_board(card5="密码是abcdefgh\n更多的字"),
        big_board(card5="密码是abcdefgh\r更多的字"),
    ],
    "line ends change around it": [
        big_board(card5=f"see {TOKEN}").replace("\n", "\r\n"),
        big_board(card5=f"see {TOKEN}"),
        big_board(card5="see").replace("\n", "\r\n"),
        big_board(card5="see", card6=f"see {TOKEN}").replace("\n", "\r\n"),
    ],
    "its page goes and comes back": [big_board(card1=TOKEN), None, big_board(), big_board(card3="other")],
}


@pytest.mark.parametrize("texts", SMALL_COMMITS.values(), ids=SMALL_COMMITS)
def test_a_credential_on_a_big_page_by_small_commits_leaves_what_a_rebuild_finds(
    repository: Repository, memory: Memory, texts: list[str | None]
) -> None:
    """Refresh looks for credentials only on lines that are new; masks included, all is as if built anew."""
    commits = [memory.commit({"PLAN.md": text}) for text in texts]
    refreshed = built(repository, commits[0])
    for before, commit in pairwise(commits):
        advance(repository, refreshed, repository.tree_of(before), repository.tree_of(commit), settings())
        anew = built(repository, commit)
        assert dump(refreshed) == dump(anew)
        assert rows(refreshed) == rows(anew)
