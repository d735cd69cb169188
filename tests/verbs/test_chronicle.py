"""The past in the sidecar: what each commit did, the same whichever way it got there, and as git tells it."""

from __future__ import annotations

import gc
import os
import random
from typing import TYPE_CHECKING, Any

import pytest
from memory import Memory
from pages import AGENT, KEY, SETTINGS, archived, board, card, id_of, ledger
from pasts import make, opened
from text.spec import TIMES

from wbmem_git.store import revisions, sidecar
from wbmem_git.store.history import steps
from wbmem_git.store.kept import kept, watch
from wbmem_git.store.repository import Repository
from wbmem_git.store.versions import renamed_to, versions
from wbmem_git.text.archive import parse_archive
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.events_view import events_jsonl
from wbmem_git.verbs.governing import last_good
from wbmem_git.verbs.past import chronicle
from wbmem_git.verbs.past import pages as past_pages
from wbmem_git.verbs.past.chronicle import advance
from wbmem_git.verbs.past.visible import Visible

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Sequence
    from collections.abc import Set as AbstractSet
    from pathlib import Path

    from wbmem_git.model import ArchiveFile

PATHS = ("PLAN.md", "MEMORY.md", "notes.txt", "handoff-20260911-101500.md", "log/2026-09-14.md", "wbmem.yaml")
Files = dict[str, str | bytes | None]


def built(repository: Repository, head: str, db: sqlite3.Connection | None = None) -> sqlite3.Connection:
    """The sidecar's past at `head`, from nothing or from what it was."""
    db = db or sidecar.memory()
    settings = last_good(repository, head)
    assert settings is not None
    advance(repository, db, head, settings.settings)
    return db


def dump(db: sqlite3.Connection) -> dict[str, list[tuple[Any, ...]]]:
    tables = ("commits", "trailers", "revisions", "events")
    select = "SELECT * FROM {} ORDER BY 1, 2"
    return {table: db.execute(select.format(table)).fetchall() for table in tables}


def past(memory: Memory) -> sqlite3.Connection:
    with opened(memory.top) as repository:
        return built(repository, repository.head())


def kinds(db: sqlite3.Connection, name: str) -> list[str]:
    """What became of a card or page, oldest first."""
    return [version.kind for version in versions(db, name)][::-1]


def events(db: sqlite3.Connection, memory: Memory, rev: str = "HEAD") -> list[tuple[str, str, str]]:
    oid = memory.git("rev-parse", rev)
    rows = db.execute(
        "SELECT event, page, ids FROM events JOIN commits USING (seq) WHERE oid = ? ORDER BY number", (oid,)
    )
    return [(event, page, ids) for event, page, ids in rows if not event.startswith("criteria")]


def begin(memory: Memory, *cards: str, **more: str) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(*cards), **more}, "begin")


# --- random histories -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(6 * TIMES))
def test_random_refreshing_gives_what_building_anew_gives(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = random.Random(seed)
    oids = make(tmp_path / "m", dice, 16)
    most = dice.choice([7, 20, 10_000])
    for module in (revisions, chronicle):
        monkeypatch.setattr(module, "MOST_EVENTS", most)
    with opened(tmp_path / "m") as repository:
        db = sidecar.memory()
        for head in (*dice.choices(oids, k=4), oids[-1]):
            built(repository, head, db)
            anew = built(repository, head)
            assert dump(db) == dump(anew)
            assert list(events_jsonl(db)) == list(events_jsonl(anew))


@pytest.mark.parametrize("seed", range(6 * TIMES))
def test_random_versions_of_a_page_are_those_of_git_log(tmp_path: Path, seed: int) -> None:
    oids = make(tmp_path / "m", random.Random(1000 + seed), 20)
    memory = Memory(tmp_path / "m")
    with opened(memory.top) as repository:
        for head in (oids[-1], oids[-4]):
            db = built(repository, head)
            for path in PATHS:
                told = memory.git("log", "--format=%H", head, "--", path).split()
                mine = [version.commit for version in versions(db, card_id(KEY, path, ""))]
                assert sorted(mine) == sorted(told), path


def test_versions_of_a_card_are_those_of_git_log_l(memory: Memory) -> None:
    dice = random.Random(5)
    titles = [f"Card {number}" for number in range(12)]
    bodies = dict.fromkeys(titles, "Next: begin")
    for number in range(40):
        title = dice.choice(titles)
        bodies[title] = dice.choice([f"Next: step {number}", f"one\nstep {number}\nthree", "Next: begin"])
        text = board(*(card(title, body) for title, body in bodies.items()))
        memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": text}, f"commit {number}")
    db = past(memory)
    lines = memory.read("PLAN.md").split("\n")
    for title in titles:
        first = lines.index(f"### {title}") + 1
        last = next(n for n in range(first, len(lines)) if lines[n] == "<!-- /model -->") + 1
        told = memory.git("log", "-s", "--format=%H", f"-L{first},{last}:PLAN.md").split()
        assert [version.commit for version in versions(db, id_of(title))] == told


# --- what became of a card ----------------------------------------------------------------------------


def test_created_edited_moved(memory: Memory) -> None:
    begin(memory, card("Alpha"), card("Beta"))
    memory.commit({"PLAN.md": board(card("Alpha", "Next: other"), card("Beta"))})
    memory.commit({"PLAN.md": board(card("Beta")) + "## Done\n\n" + card("Alpha", "Next: other")})
    memory.commit({"PLAN.md": board(card("Beta")), "MEMORY.md": card("Alpha", "x").replace("###", "##")})
    db = past(memory)
    assert kinds(db, id_of("Alpha")) == ["created", "edited", "moved", "moved"]
    assert kinds(db, id_of("Beta")) == ["created"]
    assert kinds(db, id_of("", "PLAN.md")) == ["created", "edited", "edited", "edited"]
    assert kinds(db, id_of("", "MEMORY.md")) == ["created"]
    newest = next(versions(db, id_of("Alpha")))
    assert (newest.path, newest.blob) == ("MEMORY.md", memory.git("rev-parse", "HEAD:MEMORY.md"))
    assert events(db, memory) == [
        ("written", "MEMORY.md", f'["{id_of("Alpha")}"]'),
        ("written", "PLAN.md", "[]"),
    ]


def test_archived_restored(memory: Memory) -> None:
    begin(memory, card("Alpha"), card("Beta"))
    path, text = archived("Alpha", card("Alpha"))
    memory.commit({"PLAN.md": board(card("Beta")), path: text})
    memory.commit({"PLAN.md": board(card("Alpha"), card("Beta")), path: None})
    db = past(memory)
    assert kinds(db, id_of("Alpha")) == ["created", "archived", "restored"]
    ids = f'["{id_of("Alpha")}"]'
    assert events(db, memory, "HEAD~1") == [("written", "PLAN.md", "[]"), ("archived", "PLAN.md", ids)]
    assert events(db, memory) == [("written", "PLAN.md", ids), ("restored", "PLAN.md", ids)]
    second = list(versions(db, id_of("Alpha")))[1]
    assert (second.path, second.blob) == (path, memory.git("rev-parse", f"HEAD~1:{path}"))


def test_aged_and_superseded(memory: Memory) -> None:
    begin(memory, card("Alpha"), card("Beta"), card("Gamma"))
    path, text = archived("Alpha", card("Alpha"))
    other, heir = archived("Beta", card("Beta"), superseded_by=id_of("Gamma"))
    memory.commit({
        "PLAN.md": board(card("Gamma").replace("current", "superseded")),
        path: text.replace("reason: done", "reason: aged out"),
        other: heir,
    })  # fmt: skip
    db = past(memory)
    assert [kinds(db, id_of(title))[-1] for title in ("Alpha", "Beta", "Gamma")] == [
        "archived", "superseded", "superseded",
    ]  # fmt: skip
    assert events(db, memory) == [
        ("written", "PLAN.md", "[]"),
        ("superseded", "PLAN.md", f'["{id_of("Gamma")}", "{id_of("Beta")}"]'),
        ("aged", "PLAN.md", f'["{id_of("Alpha")}"]'),
    ]


def test_renamed_by_anchor_goes_on_with_what_there_was(memory: Memory) -> None:
    begin(memory, card("Alpha"), card("Beta"))
    memory.commit({"PLAN.md": board(card("Alpha", "Next: more"), card("Beta"))})
    path, text = archived("Alpha", card("Alpha", "Next: more"), superseded_by=id_of("Omega"))
    renamed = text.replace("reason: done", "reason: renamed")
    memory.commit({"PLAN.md": board(card("Omega", "Next: more"), card("Beta")), path: renamed})
    db = past(memory)
    assert kinds(db, id_of("Omega")) == ["created", "edited", "renamed"]
    assert [version.id for version in versions(db, id_of("Omega"))] == [
        id_of("Omega"), id_of("Alpha"), id_of("Alpha"),
    ]  # fmt: skip
    assert events(db, memory) == [("written", "PLAN.md", f'["{id_of("Omega")}"]')]


def test_a_successor_of_the_same_commit_is_no_rename(memory: Memory) -> None:
    begin(memory, card("Alpha"), card("Beta"))
    path, text = archived("Alpha", card("Alpha"), superseded_by=id_of("Omega"))
    memory.commit({"PLAN.md": board(card("Omega"), card("Beta")), path: text})
    db = past(memory)
    assert kinds(db, id_of("Omega")) == ["created"]
    assert kinds(db, id_of("Alpha")) == ["created", "superseded"]


def test_renamed_without_an_anchor(memory: Memory) -> None:
    begin(memory, card("Alpha", "one line\nand another", anchor=""), card("Beta"))
    memory.commit({"PLAN.md": board(card("Omega", "one line\nand another"), card("Beta"))})
    assert kinds(past(memory), id_of("Omega")) == ["created", "renamed"]


@pytest.mark.parametrize("body", ["Next: begin", "Next: more"])
def test_a_renamed_page_goes_on_with_what_there_was(memory: Memory, body: str) -> None:
    begin(memory, card("Alpha"))
    first = {
        "boards/a.md": board(card("Omega", "Next: first"), card("Psi")),
        "boards/c.md": board(card("Chi")),
    }
    memory.commit({"wbmem.yaml": f'{SETTINGS}boards: ["PLAN.md", "boards/*.md"]\n', **first})
    memory.commit({"boards/a.md": board(card("Omega", "Next: begin"), card("Psi"))})
    page = board(card("Omega", body), card("Psi"))
    memory.commit({"boards/a.md": None, "boards/c.md": None, "boards/b.md": page, "boards/d.md": board()})
    db = past(memory)
    a, b, c, d = (id_of("", f"boards/{name}.md") for name in "abcd")
    assert [(one.id, one.kind) for one in versions(db, b)] == [(b, "renamed"), (a, "edited"), (a, "created")]
    assert kinds(db, a) == ["created", "edited", "renamed"]
    assert renamed_to(db, a) == b
    assert (kinds(db, c), kinds(db, d)) == (["created", "removed"], ["created"])
    memory.git("revert", "--no-edit", "HEAD")
    back = past(memory)
    assert kinds(back, a) == ["created", "edited", "renamed", "renamed"]
    assert renamed_to(back, a) == ""


def test_a_page_without_cards_is_known_by_its_bytes_and_then_by_its_name(memory: Memory) -> None:
    begin(memory, card("Alpha"))
    memory.commit({"a.txt": "the same\n", "x/notes.txt": "the same\n"})
    memory.commit({"a.txt": None, "x/notes.txt": None, "y/notes.txt": "the same\n"})
    db = past(memory)
    a, x, y = (id_of("", path) for path in ("a.txt", "x/notes.txt", "y/notes.txt"))
    assert [(one.id, one.kind) for one in versions(db, y)] == [(y, "renamed"), (x, "created")]
    assert kinds(db, a) == ["created", "removed"]


def test_a_page_with_other_cards_is_another_page(memory: Memory) -> None:
    begin(memory, card("Alpha"))
    settings = f'{SETTINGS}boards: ["PLAN.md", "boards/*.md"]\n'
    page = board(card("Omega"), card("Psi"), card("Chi"))
    memory.commit({"wbmem.yaml": settings, "boards/a.md": page})
    memory.commit({"boards/a.md": None, "boards/b.md": board(card("Omega"), card("Fresh"))})
    memory.commit({"boards/e.md": "", "boards/b.md": None})
    memory.commit({"boards/e.md": None, "boards/f.md": ""})
    db = past(memory)
    for name in "abe":
        assert kinds(db, id_of("", f"boards/{name}.md")) == ["created", "removed"]


def test_gone_past_the_gate(memory: Memory) -> None:
    begin(memory, card("Alpha"), card("Beta"), **{"MEMORY.md": "## Entry\ntext\n"})
    memory.commit({"PLAN.md": board(card("Beta")), "MEMORY.md": None})
    db = past(memory)
    assert kinds(db, id_of("Alpha")) == ["created", "removed"]
    assert kinds(db, id_of("Entry", "MEMORY.md")) == ["created", "removed"]
    assert kinds(db, id_of("", "MEMORY.md")) == ["created", "removed"]
    gone = next(versions(db, id_of("", "MEMORY.md")))
    assert (gone.path, gone.blob) == ("MEMORY.md", "")


def test_blank_lines_below_a_card_are_no_version_of_it(memory: Memory) -> None:
    begin(memory, card("Alpha"), card("Beta"), card("Gamma"))
    memory.commit({"PLAN.md": memory.read("PLAN.md").replace("\n\n### Beta", "\n\n\n\n### Beta")})
    memory.commit({"PLAN.md": memory.read("PLAN.md").replace("\n\n\n### Beta", "\n \t\n\n### Beta")})
    db = past(memory)
    assert kinds(db, id_of("Alpha")) == ["created"]
    assert kinds(db, id_of("", "PLAN.md")) == ["created", "edited", "edited"]


# --- merges -------------------------------------------------------------------------------------------


def test_what_a_merge_did_not_take_is_hidden_and_comes_back_with_a_reset(memory: Memory) -> None:
    begin(memory, card("Alpha"), card("Beta"))
    memory.git("switch", "-q", "-c", "side")
    lost = memory.commit({"PLAN.md": board(card("Alpha", "Next: lost"), card("Beta"))})
    memory.git("switch", "-q", "main")
    memory.commit({"PLAN.md": board(card("Alpha"), card("Beta", "Next: kept"))})
    memory.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "theirs is dropped", "side")
    with opened(memory.top) as repository:
        db = built(repository, repository.head())
        assert kinds(db, id_of("Alpha")) == ["created"]
        assert kinds(db, id_of("Beta")) == ["created", "edited"]
        built(repository, lost, db)
        assert kinds(db, id_of("Alpha")) == ["created", "edited"]


def test_what_one_merge_hid_and_another_took_is_hidden_again_behind_a_reset(memory: Memory) -> None:
    begin(memory, card("Alpha"))
    memory.git("switch", "-q", "-c", "side")
    memory.commit({"PLAN.md": board(card("Alpha", "Next: side"))})
    memory.git("switch", "-q", "main")
    memory.commit({"MEMORY.md": "## Entry\ntext\n"})
    memory.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "dropped", "side")
    dropped = memory.git("rev-parse", "HEAD")
    memory.git("switch", "-q", "side")
    memory.commit({"log/2026-09-14.md": "- x\n"})
    memory.git("switch", "-q", "main")
    memory.git("merge", "-q", "--no-ff", "--no-commit", "-s", "ours", "side")
    memory.commit({"PLAN.md": board(card("Alpha", "Next: side"))}, "taken")
    with opened(memory.top) as repository:
        db = built(repository, repository.head())
        assert kinds(db, id_of("Alpha")) == ["created", "edited"]
        built(repository, dropped, db)
        assert kinds(db, id_of("Alpha")) == ["created"]
        assert dump(db) == dump(built(repository, dropped))


def test_both_sides_of_a_merge_count_where_it_is_like_neither(memory: Memory) -> None:
    begin(memory, card("Alpha"))
    memory.git("switch", "-q", "-c", "side")
    memory.commit({"PLAN.md": board(card("Alpha", "Next: one"))})
    memory.git("switch", "-q", "main")
    memory.commit({"PLAN.md": board(card("Alpha", "Next: two"))})
    memory.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "both", "side")
    memory.write("PLAN.md", board(card("Alpha", "Next: one and two")))
    memory.git("commit", "-q", "-a", "--amend", "-m", "both")
    assert kinds(past(memory), id_of("Alpha")) == ["created", "edited", "edited", "edited"]


def test_a_merge_edits_what_only_the_other_side_had(memory: Memory) -> None:
    begin(memory, card("Alpha"))
    memory.git("switch", "-q", "-c", "side")
    memory.commit({"PLAN.md": board(card("Alpha"), card("Beta"))})
    memory.git("switch", "-q", "main")
    memory.git("merge", "-q", "--no-ff", "--no-commit", "side")
    memory.commit({"PLAN.md": board(card("Alpha"), card("Beta", "Next: more"))}, "merged and edited")
    assert kinds(past(memory), id_of("Beta")) == ["created", "edited"]


# --- where history ends -------------------------------------------------------------------------------


def test_a_shallow_clone_has_no_verdict_where_it_can_not_tell(memory: Memory, tmp_path: Path) -> None:
    begin(memory, card("Alpha"))
    for number in range(3):
        memory.commit({"PLAN.md": board(card("Alpha", f"Next: {number}"))})
    clone = Memory(tmp_path / "clone")
    memory.git("clone", "-q", "--depth=2", f"file://{memory.top}", str(clone.top))
    with opened(clone.top) as repository:
        db = built(repository, repository.head())
        said = [event for (event,) in db.execute("SELECT event FROM events ORDER BY number")]
        assert said == ["written", "written", "written", "criteria.passed"]
        clone.git("fetch", "-q", "--unshallow")
        clone.git("-c", "user.name=A", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "on")
        built(repository, repository.head(), db)
        assert dump(db) == dump(built(repository, repository.head()))


def test_an_archive_file_is_read_once_however_many_a_commit_brings(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = [f"Card {number}" for number in range(30)]
    begin(memory, *map(card, titles))
    memory.commit({"PLAN.md": board(), **dict(archived(title, card(title)) for title in titles)})
    read: list[str] = []
    monkeypatch.setattr(past_pages, "KEPT_ARCHIVES", 4)

    def parse(text: str, key: str) -> ArchiveFile:
        read.append(text)
        return parse_archive(text, key)

    monkeypatch.setattr(past_pages, "parse_archive", parse)
    db = past(memory)
    assert {kinds(db, id_of(title))[-1] for title in titles} == {"archived"}
    assert len(read) == len(titles)


def test_what_is_hidden_is_kept_of_few_commits(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(memory, card("Alpha"))
    for number in range(12):
        memory.git("checkout", "-q", "-b", f"side{number}")
        memory.commit({"notes.txt": f"{number}"})
        memory.git("checkout", "-q", "main")
        memory.git("merge", "-q", "-s", "ours", "--no-ff", "--no-edit", f"side{number}")
    kept: list[int] = []

    class Watched(Visible):
        def merge(self, seq: int, parents: tuple[int, ...], differing: Sequence[AbstractSet[str]]) -> None:
            super().merge(seq, parents, differing)
            kept.append(len(self._at))

    monkeypatch.setattr(chronicle, "Visible", Watched)
    assert kinds(past(memory), card_id(KEY, "notes.txt", "")) == []
    assert len(kept) == 12
    assert max(kept) <= 2


def test_no_commit_no_past(memory: Memory) -> None:
    begin(memory, card("Alpha"))
    with opened(memory.top) as repository:
        db = built(repository, repository.head())
        settings = last_good(repository, repository.head())
        assert settings is not None
        advance(repository, db, "", settings.settings)
        assert dump(db) == {table: [] for table in ("commits", "trailers", "revisions", "events")}


def test_a_further_commit_reads_just_that(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    begin(memory, card("Alpha"))
    for number in range(5):
        memory.commit({"PLAN.md": board(card("Alpha", f"Next: {number}"))})
    with opened(memory.top) as repository:
        db = built(repository, repository.head())
        read: list[Sequence[str]] = []

        def noted(
            repository: Repository, commits: dict[str, tuple[str, ...]], wanted: Callable[[str], bool]
        ) -> object:
            read.append(list(commits))
            return steps(repository, commits, wanted)

        monkeypatch.setattr(chronicle, "steps", noted)
        oid = memory.commit({"PLAN.md": board(card("Alpha", "Next: last"))})
        built(repository, oid, db)
        amended = memory.git("commit", "-q", "--amend", "-m", "said better") or memory.git(
            "rev-parse", "HEAD"
        )
        built(repository, amended, db)
        assert read == [[oid], [amended]]
        assert db.execute("SELECT count(*) FROM commits WHERE chain = 1").fetchone() == (7,)


def on_top(memory: Memory, number: int, branch: str) -> None:
    """So many empty commits more."""
    tree, head = memory.git("rev-parse", "HEAD^{tree}", "HEAD").split()
    data = f"tree {tree}\nparent {{}}\nauthor A <a@b> 1 +0000\ncommitter A <a@b> 1 +0000\n\n{branch} {{}}\n"
    for n in range(number):
        head = memory.git("hash-object", "-w", "--stdin", "-t", "commit", stdin=data.format(head, n))
    memory.git("update-ref", "HEAD", head)


@pytest.mark.parametrize(
    ("where", "stays"), [("ahead", 9), ("of another branch", 6), ("of one that was merged", 6), ("pruned", 6)]
)
def test_of_what_lies_far_back_only_what_is_new_is_read(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, where: str, stays: int
) -> None:
    monkeypatch.setattr(chronicle, "STEPS_BACK", 3)
    begin(memory, card("Alpha"))
    on_top(memory, 5, "main")
    memory.git("branch", "fork")
    memory.git("checkout", "-q", "-b", "side")
    on_top(memory, 1, "side")
    memory.git("checkout", "-q", "main")
    on_top(memory, 1, "further")
    memory.git("merge", "-q", "--no-ff", "-s", "ours", "-m", "merged", "side")
    old = memory.git("rev-parse", "HEAD")
    with opened(memory.top) as repository:
        db = built(repository, old)
    if where != "ahead":
        memory.git("checkout", "-q", "-B", "main", "side" if "merged" in where else "fork")
    if where == "pruned":
        memory.git("reflog", "expire", "--expire=now", "--all")
        memory.git("gc", "-q", "--prune=now")
    on_top(memory, 6, "new")
    listed: list[str] = []

    class Watched(Repository):
        def rev_list(self, *args: str) -> list[str]:
            found = super().rev_list(*args)
            listed.extend(found)
            return found

    with Watched.open(str(memory.top), os.environ) as repository:
        last = watch(db)
        built(repository, repository.head(), db)
        assert kept(db, last).last == stays
        assert len(listed) == (3 if where != "pruned" else 9)
        assert dump(db) == dump(built(repository, repository.head()))


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_left_as_it_was(memory: Memory, *, enabled: bool) -> None:
    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    begin(memory, card("Alpha"))
    (gc.enable if enabled else gc.disable)()
    try:
        with opened(memory.top) as repository:
            db, settings = built(repository, repository.head()), last_good(repository, repository.head())
            assert gc.isenabled() == enabled
            assert settings is not None
            with pytest.raises(KeyboardInterrupt):
                advance(repository, sidecar.memory(), repository.head(), settings.settings, fail)
            assert gc.isenabled() == enabled
            assert dump(db)["commits"]
    finally:
        gc.enable()


def test_progress_is_told(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chronicle, "TOLD_EACH", 2)
    begin(memory, card("Alpha"))
    for number in range(4):
        memory.commit({"PLAN.md": board(card("Alpha", f"Next: {number}"))})
    told: list[tuple[str, int, int]] = []
    with opened(memory.top) as repository:
        settings = last_good(repository, repository.head())
        assert settings is not None
        advance(repository, sidecar.memory(), repository.head(), settings.settings, lambda *a: told.append(a))
    assert told == [
        *(("commits", 2, 5), ("commits", 4, 5), ("commits", 5, 5)),
        *(("verdicts", 0, 5), ("verdicts", 2, 5), ("verdicts", 4, 5), ("verdicts", 5, 5)),
    ]


def test_actors_authors_ledgers(memory: Memory) -> None:
    begin(memory, card("Alpha"))
    memory.commit({"handoff-20260914-101500.md": ledger()}, "a ledger", "--author", AGENT)
    memory.commit({"log/2026-09-14.md": "- x\n"}, "a line\n\nWbmem-Actor: agent")
    db = past(memory)
    rows = db.execute("SELECT author, actor, subject FROM commits ORDER BY seq").fetchall()
    assert rows == [("Ada", "human", "begin"), ("Bot", "agent", "a ledger"), ("Ada", "agent", "a line")]
    assert kinds(db, id_of("", "handoff-20260914-101500.md")) == ["created"]
    assert events(db, memory) == [("written", "log/2026-09-14.md", "[]")]


def test_trailers_for_programs_are_kept_each_once(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS}, "begin\n\nWbmem-Key: a: b\nwbmem-key: a: b\nWbmem-Actor: agent")
    memory.commit({}, "none\n\nWbmem-Key: a\n\nfor that is no last paragraph")
    memory.commit({}, "none\n\nSigned-off-by: Ada <ada@example.org>")
    assert past(memory).execute("SELECT * FROM trailers ORDER BY 1").fetchall() == [
        ("wbmem-actor", "agent", 1),
        ("wbmem-key", "a: b", 1),
    ]
