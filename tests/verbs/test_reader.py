"""The reader: at HEAD, whatever moved it, whatever became of the file; where it does without, it says so."""

from __future__ import annotations

import os
import random
import resource
import signal
import sqlite3
import threading
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zlib import crc32

import pytest
from children import exits_well, in_child
from memory import Memory
from pages import KEY, SETTINGS, board, card, id_of
from privileges import bound_by_modes

from wbmem_git.errors import GitError
from wbmem_git.store import sidecar as files
from wbmem_git.store.git import Git
from wbmem_git.store.head import Head
from wbmem_git.store.repository import Repository
from wbmem_git.store.sidecar import Sidecar, memory
from wbmem_git.store.tables import rows
from wbmem_git.text import terms
from wbmem_git.text import vocabulary as vocabularies
from wbmem_git.verbs import reader as module
from wbmem_git.verbs import refresh as refreshing
from wbmem_git.verbs.past.doings import Doings
from wbmem_git.verbs.past.verdicts import Judge
from wbmem_git.verbs.reader import Ground, Reader
from wbmem_git.verbs.rebuild import check, rebuild
from wbmem_git.verbs.refresh import refresh
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

IGNORED = "/index.json\n/events.jsonl\n"
VIEWS = ("index.json", "events.jsonl")
LEDGER = "# 交接\n\n## 目标\n\n- 让提醒不再重复\n\n## 死路\n\n- 重试三次 → 还是超时\n"


@pytest.fixture
def begun(memory: Memory) -> Memory:
    """A memory with two cards, a second commit, and the derived files ignored."""
    memory.commit(
        {"wbmem.yaml": SETTINGS, "PLAN.md": board(card("A"), card("B")), ".gitignore": IGNORED}, "begin"
    )
    memory.commit({"PLAN.md": board(card("A"), card("B"), card("C"))}, "a third card")
    return memory


@pytest.fixture
def reader(begun: Memory) -> Iterator[Reader]:
    made = a_reader(begun)
    yield made
    made.close()


def a_reader(of: Memory, *, wait_s: float = 5, clock: Callable[[], float] = time.monotonic) -> Reader:
    with Repository.open(str(of.top), os.environ) as repository:
        return Reader(repository, wait_s=wait_s, clock=clock)


def private(of: Memory) -> Path:
    return of.top / of.git("rev-parse", "--git-dir") / "wbmem"


def titles(ground: Ground) -> list[str]:
    found = ground.db.execute("SELECT title FROM entries WHERE kind = 'card' ORDER BY place").fetchall()
    return [title for (title,) in found]


def is_right(of: Memory, ground: Ground, rev: str = "HEAD") -> bool:
    """Whether the ground is what a build from nothing gives."""
    commit = of.git("rev-parse", rev)
    assert ground.head == commit
    fresh = memory()
    with Repository.open(str(of.top), os.environ) as repository:
        refresh(repository, fresh, commit)
    return rows(ground.db) == rows(fresh)


def answers(of: Memory, reader: Reader, *, degraded: bool = False) -> None:
    with reader.at_head() as ground:
        assert is_right(of, ground)
        assert bool(ground.degraded) == degraded, ground.degraded


def leftovers(of: Memory) -> set[str]:
    return {path.name for path in private(of).iterdir()} - {
        "sidecar.sqlite",
        "sidecar.lock",
        "settings",
        "events.jsonl.note",
    }


# --- wherever HEAD goes -------------------------------------------------------------------------------


def moves(of: Memory) -> Iterator[str]:
    """Everything that moves HEAD, most of it without any hook."""
    of.git("checkout", "-q", "-b", "side")
    yield "checkout -b"
    of.commit(
        {"PLAN.md": board(card("A"), card("B", "edited"), card("D")), "handoff-20260101-000000.md": LEDGER}
    )
    yield "commit"
    of.git("commit", "-q", "--amend", "-m", "another message")
    yield "amend"
    of.git("checkout", "-q", "main")
    yield "checkout"
    of.commit({"notes.md": "x\n"})
    of.git("merge", "-q", "--no-edit", "side")
    yield "merge"
    of.git("reset", "-q", "--hard", "HEAD~1")
    yield "reset"
    of.git("checkout", "-q", "--detach", "side")
    yield "detached"
    of.git("rebase", "-q", "main")
    yield "rebase"
    of.git("branch", "-q", "-f", "side")
    of.git("checkout", "-q", "side")
    of.git("pack-refs", "--all")
    yield "packed refs"
    of.git("update-ref", "refs/heads/side", "main")
    yield "update-ref"
    of.git("worktree", "add", "-q", "../other", "main~1", "-f")
    of.git("checkout", "-q", "--orphan", "empty")
    of.git("rm", "-rfq", ".")
    of.commit({"README.md": "nothing of ours\n"})
    yield "a history without a memory"
    of.git("checkout", "-q", "side")
    yield "back"


def test_whatever_moves_head_the_next_question_is_answered_from_there(begun: Memory, reader: Reader) -> None:
    for move in moves(begun):
        with reader.at_head() as ground:
            assert is_right(begun, ground), move
            assert ground.degraded == ""
        with Repository.open(str(begun.top), os.environ) as repository:
            assert check(repository) == (), move
    assert leftovers(begun) == set()


def test_the_settings_of_head_hold_for_all_of_the_past(begun: Memory, reader: Reader) -> None:
    answers(begun, reader)
    begun.commit({"wbmem.yaml": SETTINGS + "agents: [ada@example.org]\n"})
    with reader.at_head() as ground:
        assert is_right(begun, ground)
        assert ground.db.execute("SELECT DISTINCT actor FROM commits").fetchall() == [("agent",)]


def test_another_stemmer_makes_the_next_refresh_build_anew(
    begun: Memory, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(begun, reader)
    monkeypatch.setattr(terms, "_of_word", lambda word: (f"{word}!",))
    monkeypatch.setattr(refreshing, "vocabulary", lambda: "another one")
    with a_reader(begun).at_head() as ground:  # HEAD is the same
        assert is_right(begun, ground)  # no word of the old cards is there by its old stem
    answers(begun, reader)


def test_other_rules_make_the_next_question_judge_anew(
    begun: Memory, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(begun, reader)
    reader.close()
    inode = (private(begun) / "sidecar.sqlite").stat().st_ino
    monkeypatch.setattr(refreshing, "RULES_VERSION", "another one")
    answers(begun, a_reader(begun))
    assert (private(begun) / "sidecar.sqlite").stat().st_ino != inode


def test_what_terms_depend_on_is_read_where_the_stemmer_lies(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = vocabularies.vocabulary.__wrapped__()
    assert whole != vocabularies.UNKNOWN
    monkeypatch.setattr(vocabularies, "crc32", lambda data: len(data) and crc32(data[1:]))
    assert vocabularies.vocabulary.__wrapped__() != whole


def test_the_key_is_kept_once_and_follows_head(begun: Memory, reader: Reader) -> None:
    answers(begun, reader)
    begun.commit({"wbmem.yaml": SETTINGS.replace(KEY, "another")})
    with reader.at_head() as ground:
        assert is_right(begun, ground)
        meta = dict(ground.db.execute("SELECT key, value FROM meta"))
    assert [name for name, value in meta.items() if value == "another"] == ["key"]
    assert '"ws": "another"' in begun.read("index.json")


def test_an_unborn_branch_has_an_empty_sidecar(memory: Memory) -> None:
    with a_reader(memory).at_head() as ground:
        assert (ground.head, ground.degraded, titles(ground)) == ("", "", [])


def test_a_linked_worktree_has_a_sidecar_of_its_own(begun: Memory, reader: Reader) -> None:
    begun.git("worktree", "add", "-q", "../other", "HEAD~1")
    other = begun._replace(top=begun.top.parent / "other")
    answers(begun, reader)
    with a_reader(other).at_head() as ground:
        assert titles(ground) == ["A", "B"]
        assert is_right(other, ground)
    assert private(other).parent.parent.name == "worktrees"


def test_a_bare_repository_is_read_and_gets_no_views(begun: Memory) -> None:
    begun.git("clone", "-q", "--bare", ".", "../bare.git")
    bare = begun._replace(top=begun.top.parent / "bare.git")
    with a_reader(bare).at_head() as ground:
        assert titles(ground) == ["A", "B", "C"]
        assert ground.degraded == ""
    assert not any((bare.top / name).exists() for name in VIEWS)


def test_sha256_and_a_history_that_was_pruned(tmp_path: Path) -> None:
    from memory import Memory

    of = Memory.create(tmp_path / "sha256", "--object-format=sha256")
    of.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("A"))})
    reader = a_reader(of)
    answers(of, reader)
    of.commit({"PLAN.md": board(card("A"), card("B"))})
    answers(of, reader)
    of.git("commit", "-q", "--amend", "-m", "once more")
    of.git("reset", "-q", "--hard", "HEAD~1")
    of.git("reflog", "expire", "--expire=now", "--all")
    of.git("gc", "-q", "--prune=now")
    answers(of, reader)


def test_a_shallow_clone_answers_for_what_it_has(begun: Memory) -> None:
    begun.git("clone", "-q", "--depth", "1", f"file://{begun.top}", "../shallow")
    shallow = begun._replace(top=begun.top.parent / "shallow")
    with a_reader(shallow).at_head() as ground:
        assert titles(ground) == ["A", "B", "C"]
        assert ground.degraded == ""


# --- warm ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("packed", [False, True])
def test_a_warm_question_starts_no_process(
    begun: Memory, reader: Reader, monkeypatch: pytest.MonkeyPatch, *, packed: bool
) -> None:
    if packed:
        begun.git("pack-refs", "--all")
    answers(begun, reader)
    monkeypatch.setattr(Git, "_spawn", None)
    with reader.at_head() as ground:
        assert titles(ground) == ["A", "B", "C"]


def test_a_ref_that_only_git_can_tell_is_asked_of_git(begun: Memory) -> None:
    git = Git(str(begun.top), os.environ)
    head = Head(git, str(begun.top / ".git"), str(begun.top / ".git"))
    begun.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    begun.git("symbolic-ref", "HEAD", "refs/heads/alias")
    assert head.read() == begun.git("rev-parse", "HEAD")
    begun.git("symbolic-ref", "HEAD", "refs/heads/none")
    assert head.read() == ""
    begun.git("update-ref", "refs/heads/other", "main~1")
    begun.git("pack-refs", "--all")
    begun.git("symbolic-ref", "refs/heads/other", "refs/heads/main")  # an older state of it is packed
    begun.git("symbolic-ref", "HEAD", "refs/heads/other")
    assert head.read() == begun.git("rev-parse", "main")
    begun.git("symbolic-ref", "HEAD", "refs/other/main")
    begun.git("update-ref", "refs/other/main", "main~1")
    assert head.read() == begun.git("rev-parse", "main~1")


def test_a_packed_ref_that_moves_is_seen(begun: Memory) -> None:
    head = Head(Git(str(begun.top), os.environ), str(begun.top / ".git"), str(begun.top / ".git"))
    for _ in range(3):
        begun.git("pack-refs", "--all", "--prune")
        assert head.read() == begun.git("rev-parse", "HEAD")
        begun.commit({"x": os.urandom(4)})
        assert head.read() == begun.git("rev-parse", "HEAD")


def test_a_question_within_a_question_stands_on_the_same_ground(begun: Memory, reader: Reader) -> None:
    with reader.at_head() as outer:
        begun.commit({"PLAN.md": board(card("A"), card("B"), card("C"), card("D"))})
        with reader.at_head() as inner:
            assert inner is outer
        with reader.as_of("HEAD~1") as past:
            assert titles(past) == ["A", "B", "C"]
        assert titles(outer) == ["A", "B", "C"]
    answers(begun, reader)


def test_threads_ask_one_after_another(reader: Reader) -> None:
    seen: list[int] = []

    def work() -> None:
        for n in range(20):
            with reader.as_of("HEAD~1") if n % 5 == 0 else reader.at_head() as ground:
                seen.append(len(titles(ground)))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(seen) == [2] * 16 + [3] * 64


def test_what_is_known_of_a_state_is_kept_until_it_is_another_one(begun: Memory, reader: Reader) -> None:
    with reader.at_head() as ground:
        first = ground.known
    with reader.at_head() as ground:
        assert ground.known is first
    path = private(begun) / "sidecar.sqlite"
    sealed = path.stat().st_mtime_ns
    with sqlite3.connect(path) as other:  # as another process would, where history comes later at this HEAD
        other.execute("UPDATE entries SET weight = weight + 1")
    os.utime(path, ns=(sealed, sealed))
    with reader.at_head() as ground:
        assert ground.known is not first
    begun.commit({"PLAN.md": board(card("A"))})
    with reader.at_head() as ground:
        assert ground.known.is_of(ground.db, ground.head)


def test_two_memories_asked_at_once_answer_each_from_its_own(tmp_path: Path) -> None:
    names = ("alpha", "beta")
    memories = {name: Memory.create(tmp_path / name) for name in names}
    for name, of in memories.items():
        text = board(*(card(f"{name} {n}", f"Next: topic:{name}-retry{n}") for n in range(8)))
        of.commit({"wbmem.yaml": SETTINGS, "PLAN.md": text})
    found: dict[str, set[str]] = {name: set() for name in names}

    def work(name: str) -> None:
        with Workspace(memories[name].top, os.environ) as workspace:
            for _ in range(60):
                said = workspace.expand("retry", limit=20)
                found[name] |= {hit["preview"].split()[0] for hit in said["entries"]} or {"nothing"}

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("wbmem_git.store.known.FEW", 1)
        threads = [threading.Thread(target=work, args=(name,)) for name in names]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == {name: {name} for name in names}


# --- as of a commit -------------------------------------------------------------------------------------


def test_as_of_a_commit_it_is_what_a_build_there_would_be(begun: Memory, reader: Reader) -> None:
    begun.git("checkout", "-q", "-b", "side", "HEAD~1")
    begun.commit({"PLAN.md": board(card("A"), card("B"), card("S"))})
    begun.git("checkout", "-q", "main")
    begun.git("merge", "-q", "-s", "ours", "--no-edit", "side")
    answers(begun, reader)
    before = Path(private(begun), "sidecar.sqlite").read_bytes()
    for rev in ("HEAD", "HEAD~1", "side", "HEAD~2", "HEAD"):
        with reader.as_of(rev) as ground:
            assert is_right(begun, ground, rev), rev
    assert Path(private(begun), "sidecar.sqlite").read_bytes() == before
    answers(begun, reader)


def test_as_of_a_commit_its_own_settings_hold(begun: Memory, reader: Reader) -> None:
    begun.commit({"wbmem.yaml": SETTINGS + "agents: [ada@example.org]\n"})
    answers(begun, reader)
    with reader.as_of("HEAD~1") as ground:
        assert is_right(begun, ground, "HEAD~1")
        assert ground.db.execute("SELECT DISTINCT actor FROM commits").fetchall() == [("human",)]


def test_before_the_first_settings_the_settings_of_head_hold(memory: Memory) -> None:
    """An adopted repository: pages, and only then the first `wbmem.yaml`."""
    memory.commit({"PLAN.md": board(card("A")), "boards/x.md": board(card("X", page="boards/x.md"))})
    memory.commit({"PLAN.md": board(card("A"), card("B"))})
    memory.git("checkout", "-q", "--orphan", "elsewhere")
    memory.commit({"PLAN.md": board(card("E"))})
    memory.git("checkout", "-q", "main")
    memory.commit({"wbmem.yaml": SETTINGS})
    reader = a_reader(memory)
    answers(memory, reader)
    with reader.as_of("HEAD~2") as ground:
        assert titles(ground) == ["A"]
        anew = files.memory()
        with Repository.open(str(memory.top), os.environ) as repository:
            refresh(repository, anew, ground.head, later=repository.head())
        assert rows(ground.db) == rows(anew)
    with reader.as_of("elsewhere") as ground:  # that history has no memory in it
        assert titles(ground) == []
    memory.commit({"wbmem.yaml": f'{SETTINGS}boards: ["PLAN.md", "boards/*.md"]\n'})
    with reader.as_of("HEAD~3") as ground:
        assert titles(ground) == ["A", "X"]
    with Workspace(memory.top, os.environ) as workspace:
        name = id_of("A")
        assert workspace.show(name, as_of="HEAD~3")["text"] == card("A")
        assert len(workspace.versions("PLAN.md", as_of="HEAD~2")["versions"]) == 2
        assert workspace.recall("ticket", as_of="HEAD~2")["hits"]
        assert len(workspace.blame("PLAN.md", as_of="HEAD~3")["lines"]) > 3
        assert workspace.lint(as_of="HEAD~3")["ok"]


@pytest.mark.parametrize("large", [False, True])
def test_the_past_is_kept_for_the_next_question_where_it_is_small(
    begun: Memory, reader: Reader, monkeypatch: pytest.MonkeyPatch, *, large: bool
) -> None:
    answers(begun, reader)
    if large:
        monkeypatch.setattr(files, "LARGE_BYTES", 0)
    with reader.as_of("HEAD~1") as past:
        assert is_right(begun, past, "HEAD~1")
        with reader.as_of("HEAD") as inner:
            assert is_right(begun, inner)
        assert titles(past) == ["A", "B"]
    if large:
        with pytest.raises(sqlite3.ProgrammingError, match="closed"):
            titles(past)
    else:
        assert titles(past) == ["A", "B"]
    with reader.as_of("HEAD~1") as again:
        assert is_right(begun, again, "HEAD~1")
    answers(begun, reader)


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="no count of what a process holds")
def test_a_large_past_does_not_lie_in_memory(begun: Memory, reader: Reader) -> None:
    answers(begun, reader)
    path = private(begun) / "sidecar.sqlite"
    times = path.stat().st_mtime_ns
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE ballast AS SELECT zeroblob(60000000) AS bytes")
        db.execute("DROP TABLE ballast")  # its pages stay
    db.close()
    os.utime(path, ns=(times, times))
    answers(begun, reader)
    before_bytes = held_bytes()
    with reader.as_of("HEAD~1") as past:
        assert titles(past) == ["A", "B"]
        assert held_bytes() - before_bytes < 40_000_000


def held_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()


def test_a_question_in_memory_outlives_one_within_it(begun: Memory) -> None:
    (private(begun) / "sidecar.sqlite/mine").mkdir(parents=True)
    with a_reader(begun).at_head() as outer:
        assert outer.degraded
        reader_of_the_past = a_reader(begun)
        with reader_of_the_past.as_of("HEAD~1") as past:
            assert titles(past) == ["A", "B"]
            with reader_of_the_past.as_of("HEAD") as later:
                assert titles(later) == ["A", "B", "C"]
            assert titles(past) == ["A", "B"]
        assert titles(outer) == ["A", "B", "C"]


@pytest.mark.parametrize("rev", ["nothing", "HEAD:PLAN.md", "--all", "", "HEAD~99", "0" * 40])
def test_a_revision_that_names_no_commit_is_said(reader: Reader, rev: str) -> None:
    with pytest.raises(GitError, match="names no commit"), reader.as_of(rev):
        pass


# --- damaged, locked, read-only -------------------------------------------------------------------------


@pytest.mark.parametrize(
    "kind", ["gone", "zero bytes", "garbage", "cut", "a flipped byte", "older", "an empty folder"]
)
@pytest.mark.parametrize("warm", [False, True])
def test_whatever_became_of_the_file_the_answer_is_right_and_the_file_is_healed(
    begun: Memory, reader: Reader, kind: str, *, warm: bool
) -> None:
    answers(begun, reader)
    if not warm:
        reader.close()
    spoil(private(begun) / "sidecar.sqlite", kind)
    answers(begun, reader)
    assert leftovers(begun) == set()
    with Repository.open(str(begun.top), os.environ) as repository:
        assert check(repository) == ()


def spoil(path: Path, kind: str) -> None:
    data = path.read_bytes()
    if kind in {"gone", "an empty folder"}:
        path.unlink()
        if kind != "gone":
            path.mkdir()
    elif kind == "older":
        db = sqlite3.connect(path)
        db.execute("PRAGMA user_version = 0")
        db.close()
    else:
        place = data.rindex(b"PLAN.md")
        path.write_bytes(
            {
                "zero bytes": b"",
                "garbage": random.Random(1).randbytes(9000),
                "cut": data[: len(data) // 2],
                "a flipped byte": data[:place] + b"p" + data[place + 1 :],
            }[kind]
        )


def test_damage_that_only_the_question_finds_is_asked_again_on_a_new_file(
    begun: Memory, reader: Reader
) -> None:
    answers(begun, reader)
    reader.close()
    path = private(begun) / "sidecar.sqlite"
    times, data = path.stat().st_mtime_ns, path.read_bytes()
    place = data.rindex(b"PLAN.md") // 4096 * 4096
    path.write_bytes(data[:place] + bytes([0xFF]) * 4096 + data[place + 4096 :])
    os.utime(path, ns=(times, times))
    assert reader.ask(titles) == ["A", "B", "C"]
    answers(begun, reader)


@pytest.mark.parametrize("rev", ["", "HEAD~1"])
def test_after_damage_nothing_is_asked_of_what_was_kept(begun: Memory, reader: Reader, rev: str) -> None:
    asked: list[sqlite3.Connection] = []

    def question(ground: Ground) -> list[str]:
        asked.append(ground.db)
        if len(asked) < 2:
            raise sqlite3.DatabaseError  # as Python itself tells of a text that is none
        return titles(ground)

    assert reader.ask(question, rev) == ["A", "B", "C"][: 2 if rev else 3]
    assert asked[0] is not asked[1]
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        asked[0].execute("SELECT 1")
    answers(begun, reader)


@pytest.mark.parametrize("rev", ["", "HEAD~1"])
def test_what_the_disk_does_not_give_is_answered_from_memory(begun: Memory, reader: Reader, rev: str) -> None:
    answers(begun, reader)
    asked: list[str] = []

    def question(ground: Ground) -> list[str]:
        asked.append(ground.degraded)
        if len(asked) < 2:
            ground.db.execute("PRAGMA query_only = OFF")
            ground.db.execute("CREATE TEMP TABLE large (bytes)")
            ground.db.execute("PRAGMA temp.max_page_count = 2")
            ground.db.execute("INSERT INTO large VALUES (zeroblob(9000000))")
        return titles(ground)

    assert reader.ask(question, rev) == ["A", "B", "C"][: 2 if rev else 3]
    assert asked[0] == ""
    if not rev:
        assert asked[1] == "the sidecar can't be read: the disk is full; answered from the commits"
    answers(begun, reader)


def test_a_refresh_that_fails_in_memory_leaves_nothing_open(
    begun: Memory, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(begun, reader)
    opened: list[sqlite3.Connection] = []

    def fail(_repository: Repository, db: sqlite3.Connection, *_: object) -> None:
        opened.append(db)
        raise GitError("git is gone")

    monkeypatch.setattr(module, "refresh", fail)
    with pytest.raises(GitError, match="gone"), reader.as_of("HEAD~1"):
        pass
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        opened[0].execute("SELECT 1")


def test_a_mistake_in_a_question_is_no_damage(begun: Memory, reader: Reader) -> None:
    answers(begun, reader)
    inode = (private(begun) / "sidecar.sqlite").stat().st_ino
    with pytest.raises(sqlite3.OperationalError):
        reader.ask(lambda ground: ground.db.execute("SELECT nothing").fetchall())
    answers(begun, reader)
    assert (private(begun) / "sidecar.sqlite").stat().st_ino == inode


def test_where_no_file_can_be_the_answer_comes_from_memory_and_says_so(begun: Memory) -> None:
    private(begun).write_text("no folder\n")
    reader = a_reader(begun)
    answers(begun, reader, degraded=True)
    begun.commit({"PLAN.md": board(card("B"))})
    answers(begun, reader, degraded=True)
    with reader.at_head() as ground:
        assert "can't be written" in ground.degraded
    private(begun).unlink()
    answers(begun, reader)


def test_a_folder_with_something_in_it_is_left_alone(begun: Memory) -> None:
    place = private(begun) / "sidecar.sqlite"
    (place / "mine").mkdir(parents=True)
    reader = a_reader(begun)
    answers(begun, reader, degraded=True)
    assert (place / "mine").is_dir()
    assert leftovers(begun) == {"sidecar.failures"}


def test_a_read_only_folder_is_answered_from_its_file_and_then_from_memory(begun: Memory) -> None:
    reader = a_reader(begun)
    answers(begun, reader)
    private(begun).chmod(0o500)
    try:
        with bound_by_modes():
            answers(begun, a_reader(begun))
            begun.commit({"PLAN.md": board(card("B"))})
            answers(begun, a_reader(begun), degraded=True)
    finally:
        private(begun).chmod(0o700)


def test_what_is_built_in_memory_is_built_once(begun: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    (private(begun) / "sidecar.sqlite/mine").mkdir(parents=True)
    reader = a_reader(begun)
    answers(begun, reader, degraded=True)
    for _ in range(3):
        answers(begun, reader, degraded=True)
    monkeypatch.setattr(module, "refresh", None)
    answers(begun, reader, degraded=True)


def test_after_three_failures_nobody_tries_until_the_next_commit(begun: Memory) -> None:
    place = private(begun) / "sidecar.sqlite"
    (place / "mine").mkdir(parents=True)
    now = [100.0]
    for _ in range(3):
        answers(begun, a_reader(begun, clock=lambda: now[0]), degraded=True)
        now[0] += 100
    (place / "mine").rmdir()
    with a_reader(begun, clock=lambda: now[0]).at_head() as ground:
        assert "nobody tries until the next commit" in ground.degraded
    assert place.is_dir()
    begun.commit({"PLAN.md": board(card("B"))})
    answers(begun, a_reader(begun, clock=lambda: now[0]))
    assert leftovers(begun) == set()


def test_failures_that_lie_far_apart_stop_nobody(begun: Memory) -> None:
    place = private(begun) / "sidecar.sqlite"
    (place / "mine").mkdir(parents=True)
    now = [100.0]
    for _ in range(5):
        answers(begun, a_reader(begun, clock=lambda: now[0]), degraded=True)
        now[0] += 400
    (place / "mine").rmdir()
    answers(begun, a_reader(begun, clock=lambda: now[0]))


def test_a_full_disk_is_answered_from_memory_and_the_next_one_heals(begun: Memory) -> None:
    reader = a_reader(begun)
    answers(begun, reader)
    reader.close()
    begun.commit({"PLAN.md": board(*(card(f"card {n}", "much to say " * 40) for n in range(100)))})

    def work() -> None:
        size = (private(begun) / "sidecar.sqlite").stat().st_size
        resource.setrlimit(resource.RLIMIT_FSIZE, (size,) * 2)
        with a_reader(begun).at_head() as ground:
            assert "sidecar can't be written" in ground.degraded
            assert len(titles(ground)) == 100

    assert exits_well(in_child(work))
    assert leftovers(begun) <= {"sidecar.failures"}
    answers(begun, a_reader(begun))
    assert leftovers(begun) == set()


def test_somebody_elses_lock_is_waited_for_and_not_for_ever(begun: Memory) -> None:
    other = Sidecar(str(begun.top / ".git"))
    with other.lock(0) as got:
        assert got
        reader = a_reader(begun, wait_s=0.05)
        with reader.at_head() as ground:
            assert is_right(begun, ground)
            assert "another process" in ground.degraded
    answers(begun, reader)
    waiting = a_reader(begun, wait_s=10)
    begun.commit({"PLAN.md": board(card("B"))})
    with other.lock(0):
        thread = threading.Thread(target=lambda: time.sleep(0.1))
        thread.start()
        thread.join()
    answers(begun, waiting)


def test_somebody_else_who_gets_on_is_waited_for_and_looked_at(begun: Memory) -> None:
    other = Sidecar(str(begun.top / ".git"))
    seen: list[tuple[str, int, int]] = []
    waiting = a_reader(begun, wait_s=0.5)
    waiting.progress = lambda *told: seen.append(told)
    begun.commit({"PLAN.md": board(card("B"))})

    def work() -> None:
        with other.lock(0):
            begun_to_write.set()
            for n in range(20):
                other.tell("commits", n, 30)
                time.sleep(0.1)

    begun_to_write = threading.Event()
    thread = threading.Thread(target=work)
    thread.start()
    begun_to_write.wait()
    answers(begun, waiting)  # after 2 s and not after half of one
    thread.join()
    assert ("commits", 19, 30) in seen


@pytest.mark.parametrize("what", [(Judge, "events"), (Doings, "of")])
def test_a_slow_build_is_waited_for_and_not_done_twice(
    begun: Memory, monkeypatch: pytest.MonkeyPatch, what: tuple[type, str]
) -> None:
    for n in range(30):
        begun.commit({"PLAN.md": board(card("A"), card(f"number {n}"))})
    slow = getattr(*what)
    builder = threading.Thread(target=rebuild_of, args=(begun,))

    def slowly(*args: Any) -> Any:
        if threading.current_thread() is builder:
            has_begun.set()
            time.sleep(0.05)
        return slow(*args)

    has_begun = threading.Event()
    monkeypatch.setattr(*what, slowly)
    builder.start()
    has_begun.wait()
    with a_reader(begun, wait_s=0.9).at_head() as ground:  # the build takes 1.6 s
        degraded = ground.degraded
    builder.join()
    assert degraded == ""


def test_somebody_else_who_writes_and_tells_nothing_gets_on(begun: Memory) -> None:
    other = Sidecar(str(begun.top / ".git"))
    begun_to_write = threading.Event()

    def work() -> None:
        place = private(begun) / "sidecar.sqlite.1.tmp"
        with other.lock(0):
            begun_to_write.set()
            for n in range(12):
                place.write_bytes(bytes(n))
                time.sleep(0.1)

    thread = threading.Thread(target=work)
    thread.start()
    begun_to_write.wait()
    answers(begun, a_reader(begun, wait_s=0.5))
    thread.join()


def test_head_may_go_on_while_the_file_is_brought_to_it(
    begun: Memory, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers(begun, reader)
    begun.commit({"PLAN.md": board(card("B"))})
    renew, written = refreshing.renew, []

    def late(repository: Repository, sidecar: Sidecar, head: str, *more: Any) -> None:
        renew(repository, sidecar, head, *more)
        written.append(head)
        if len(written) == 1:
            begun.commit({"PLAN.md": board(card("D"))})

    monkeypatch.setattr(module, "renew", late)
    with reader.at_head() as ground:
        assert (titles(ground), ground.degraded) == (["D"], "")
    assert len(written) == 2


def test_four_readers_at_once_that_all_find_another_head(begun: Memory, reader: Reader) -> None:
    answers(begun, reader)
    for n in range(4):
        begun.commit({"PLAN.md": board(card("A"), card(f"number {n}"))})

        def work() -> None:
            answers(begun, a_reader(begun))

        assert all(map(exits_well, [in_child(work) for _ in range(4)]))
    answers(begun, reader)
    assert leftovers(begun) == set()


def killed_at_random(of: Memory, times: int, seed: int) -> None:
    chance = random.Random(seed)

    def work() -> None:
        with Repository.open(str(of.top), os.environ) as repository:
            for _ in range(100):
                rebuild(repository, time.monotonic)

    reader = a_reader(of)
    for n in range(times):
        child = in_child(work)
        time.sleep(chance.uniform(0.005, 0.12))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        if n % 3 == 0:
            of.commit({"PLAN.md": board(card("A"), card(f"number {n}"))})
        answers(of, reader)
        answers(of, a_reader(of))
    rebuild_of(of)
    assert leftovers(of) == set()


def rebuild_of(of: Memory) -> str:
    with Repository.open(str(of.top), os.environ) as repository:
        return rebuild(repository, time.monotonic)


def test_whoever_is_killed_while_building_the_next_answer_is_right(begun: Memory) -> None:
    killed_at_random(begun, 12, 5)


@pytest.mark.slow
def test_whoever_is_killed_while_building_slow(begun: Memory) -> None:
    killed_at_random(begun, 150, 6)


# --- rebuild, check, the views ----------------------------------------------------------------------------


def test_rebuild_gives_what_a_refresh_gave(begun: Memory, reader: Reader) -> None:
    answers(begun, reader)
    begun.commit({"PLAN.md": board(card("C"), card("A")), "handoff-20260101-000000.md": LEDGER})
    with reader.at_head() as ground:
        refreshed = rows(ground.db)
    views = [begun.read(name) for name in VIEWS]
    assert rebuild_of(begun) == begun.git("rev-parse", "HEAD")
    with reader.at_head() as ground:
        assert rows(ground.db) == refreshed
    assert [begun.read(name) for name in VIEWS] == views


def test_check_names_what_differs_and_mends_nothing(begun: Memory, reader: Reader) -> None:
    answers(begun, reader)
    reader.close()
    path = private(begun) / "sidecar.sqlite"
    times = path.stat().st_mtime_ns
    db = sqlite3.connect(path)
    db.execute("UPDATE entries SET title = 'D' WHERE title = 'C'")
    db.commit()
    db.close()
    os.utime(path, ns=(times, times))
    begun.write("index.json", "{}\n")
    (begun.top / "events.jsonl").unlink()
    before = path.read_bytes()
    with Repository.open(str(begun.top), os.environ) as repository:
        found = {one.where: one.detail for one in check(repository)}
    assert found == {
        "entries": "1 rows are missing, 1 are too many",
        "index.json": "its bytes differ",
        "events.jsonl": "it isn't there, or empty",
    }
    assert path.read_bytes() == before
    path.write_bytes(b"rubbish")
    with Repository.open(str(begun.top), os.environ) as repository:
        assert [one.where for one in check(repository)] == ["sidecar.sqlite"]


def test_the_views_follow_head(begun: Memory, reader: Reader) -> None:
    answers(begun, reader)
    first = begun.read("index.json")
    assert begun.git("rev-parse", "HEAD") in first
    assert begun.git("status", "--porcelain") == ""
    begun.commit({"PLAN.md": board(card("B"))})
    answers(begun, reader)
    assert begun.read("index.json") != first
    assert begun.read("events.jsonl").count(begun.git("rev-parse", "HEAD")) > 0


def test_a_view_that_git_would_see_is_not_written(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("A")), ".gitignore": "/index.json\n"})
    answers(memory, a_reader(memory))
    assert (memory.top / "index.json").exists()
    assert not (memory.top / "events.jsonl").exists()
    assert memory.git("status", "--porcelain") == ""


def test_a_view_is_never_written_through_a_link_or_over_something_else(begun: Memory, tmp_path: Path) -> None:
    target = tmp_path / "somebody's"
    target.write_text("mine\n")
    (begun.top / "index.json").symlink_to(target)
    (begun.top / "events.jsonl").mkdir()
    answers(begun, a_reader(begun))
    assert target.read_text() == "mine\n"
    assert (begun.top / "index.json").is_symlink()
    assert (begun.top / "events.jsonl").is_dir()
    assert leftovers(begun) == set()


def test_a_view_that_is_tracked_is_nobody_elses(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("A")), "index.json": "tracked\n"})
    memory.commit({".gitignore": IGNORED})
    answers(memory, a_reader(memory))
    assert memory.read("index.json") == "tracked\n"


def test_the_workspace_hands_its_clock_down(begun: Memory) -> None:
    place = private(begun) / "sidecar.sqlite"
    (place / "mine").mkdir(parents=True)
    times = [100.0, 200.0, 300.0]
    for at in times:
        with Workspace(begun.top, os.environ, clock=partial(float, at)) as workspace:
            assert "can't be written" in workspace.index_state()["degraded"]
    kept = (private(begun) / "sidecar.failures").read_text().splitlines()
    assert [line.split()[0] for line in kept] == list(map(str, times))
    with Workspace(begun.top, os.environ) as workspace:
        assert "nobody tries" in workspace.index_state()["degraded"]
