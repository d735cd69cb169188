"""`wbmem doctor` on locks: whose each is, what it stops, whether its owner works, where it may be moved."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from desk import NOW, Desk, desk
from doctored import NOW_S, look, worse
from doctored import told as facts_of
from hooks.gated import gate
from memory import Memory
from privileges import bound_by_modes
from writing.faults import WRITES

from wbmem_git.store import steps
from wbmem_git.store.intent import IntentFile
from wbmem_git.verbs.doctor import processes
from wbmem_git.verbs.doctor.locks import OLD_S

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wbmem_git.verbs.doctor.facts import Fact

TWO_HOURS_AGO = NOW_S - 7200


@pytest.fixture
def gated(memory: Memory) -> Memory:
    return gate(memory)


def left(memory: Memory, name: str, text: str = "") -> Path:
    """A lock of two hours ago."""
    path = memory.top / ".git" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    os.utime(path, (TWO_HOURS_AGO, TWO_HOURS_AGO))
    return path


def moved(fact: Fact, folder: Path) -> None:
    subprocess.run(["sh", "-c", fact.next.partition("out of the way: ")[2]], cwd=folder, check=True)


LOCKS = {
    "index.lock": ("bad", "nothing can be staged or committed"),
    "HEAD.lock": ("bad", "nothing can be committed"),
    "refs/heads/main.lock": ("bad", "nothing can be committed"),
    "refs/heads/side/way.lock": ("warn", "refs/heads/side/way can't be moved"),
    "packed-refs.lock": ("warn", "no branch can be deleted"),
    "config.lock": ("warn", "git's configuration can't be changed"),
    "shallow.lock": ("warn", "a shallow clone can't fetch"),
    "logs/HEAD.lock": ("warn", ""),
    "objects/maintenance.lock": ("warn", ""),
    "objects/info/commit-graphs/commit-graph-chain.lock": ("warn", ""),
    "info/sparse-checkout.lock": ("warn", ""),
    "gc.pid.lock": ("warn", ""),
    "worktrees/side/index.lock": ("warn", ""),
    "worktrees/side/refs/bisect/bad.lock": ("warn", "worktrees/side/refs/bisect/bad can't be moved"),
}


def test_every_stale_lock_is_told_and_moved_where_it_breaks_nothing(gated: Memory) -> None:
    gated.git("worktree", "add", "-q", "-b", "other", str(gated.top.parent / "side"))
    paths = {name: left(gated, name) for name in LOCKS}  # BUGS A14
    facts = worse(look(gated), "locks")
    assert len(facts) == len(LOCKS)
    for name, (level, stops) in LOCKS.items():
        told = f"{paths[name]} is 2 h old{f' ({stops})' if stops else ''}: no git works here"
        (fact,) = (fact for fact in facts if fact.message.startswith(told))
        assert fact.level == level
        assert paths[name].exists()
        moved(fact, gated.top.parent)
        assert not paths[name].exists()
        assert (gated.top / ".git/wbmem" / f"{name.replace('/', '-')}.old").exists()
    assert worse(look(gated), "locks") == []
    for words in (("fsck",), ("gc", "-q"), ("for-each-ref",), ("fetch", "-q", ".")):
        said = gated.try_git(*words)
        assert (said.returncode, said.stderr) == (0, "")


def test_a_lock_stops_the_worktree_that_it_is_of(gated: Memory) -> None:
    side = gated.top.parent / "side"
    gated.git("worktree", "add", "-q", "-b", "other", str(side))
    main, own = left(gated, "index.lock"), left(gated, "worktrees/side/index.lock")
    levels = {fact.message.partition(" is ")[0]: fact.level for fact in worse(look(Memory(side)), "locks")}
    assert levels == {str(main): "warn", str(own): "bad"}


def test_a_lock_is_never_moved_onto_what_lies_there(gated: Memory) -> None:
    for text in ("one", "two"):
        left(gated, "index.lock", text)
        (fact,) = worse(look(gated), "locks")
        moved(fact, gated.top)
    kept = sorted((gated.top / ".git/wbmem").glob("index.lock.old*"))
    assert [path.read_text() for path in kept] == ["one", "two"]


def test_the_way_out_is_a_command_whatever_the_folder_is_called(tmp_path: Path) -> None:
    gated = gate(Memory.create(tmp_path / "it's a; touch HIJACKED; b" / "handoff"))
    left(gated, "index.lock")
    (fact,) = worse(look(gated), "locks")
    moved(fact, tmp_path)
    assert (gated.top / ".git/wbmem/index.lock.old").exists()
    assert not (tmp_path / "HIJACKED").exists()


def test_a_young_lock_is_told_and_is_no_fault(gated: Memory) -> None:
    (gated.top / ".git/index.lock").write_text("")
    (fact,) = facts_of(look(gated, now_s=time.time()), "locks")
    assert (fact.level, fact.next) == ("ok", "")
    assert f"look again in {OLD_S} s" in fact.message
    assert worse(look(gated, now_s=time.time() + OLD_S), "locks") != []


def test_a_git_that_works_with_a_lock_is_named(gated: Memory) -> None:
    lock = gated.top / ".git/index.lock"
    gated.write("PLAN.md", gated.read("PLAN.md") + "\nmore\n")
    editor = {"GIT_EDITOR": "sh -c 'sleep 30; exit 1' -"}
    with subprocess.Popen(
        ["git", "-c", "core.hooksPath=/dev/null", "commit", "-q", "-a"],
        cwd=gated.top,
        env={**os.environ, **editor},
        start_new_session=True,
    ) as commit:
        while not lock.exists() and commit.poll() is None:
            time.sleep(0.01)
        (young,) = facts_of(look(gated, now_s=time.time()), "locks")
        (old,) = facts_of(look(gated, now_s=time.time() + 3600 * 3), "locks")
        os.killpg(commit.pid, signal.SIGTERM)
    assert young.level == "ok"
    assert f"git commit (process {commit.pid}) " in young.message
    assert (old.level, old.next.partition(";")[0]) == ("warn", "let that finish")


def test_a_program_that_has_the_file_open_is_named_whatever_it_is(gated: Memory) -> None:
    path = left(gated, "index.lock")
    with path.open() as file, subprocess.Popen(["sleep", "30"], stdin=file) as holder:
        (fact,) = worse(look(gated), "locks")
        holder.terminate()
    assert f"sleep (process {holder.pid}) holds it" in fact.message
    assert "mv" not in fact.next


def test_where_the_system_tells_nothing_of_processes_nothing_is_concluded(
    gated: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "PROC", tmp_path / "proc")
    left(gated, "index.lock")
    (fact,) = worse(look(gated), "locks")
    assert "a git that was killed left it, or one still works" in fact.message
    assert fact.next.startswith("see that no git works here any more; then move")


def test_of_a_process_no_more_is_told_than_gits_command(gated: Memory, tmp_path: Path) -> None:
    path = left(gated, "index.lock")
    script = tmp_path / "git-remote-https"
    script.write_text("#!/bin/sh\nsleep 30 <&0\n")
    script.chmod(0o755)
    secret = "https://ada:hunter2@example.org"
    with path.open() as file, subprocess.Popen([str(script), "origin", secret], stdin=file) as holder:
        (fact,) = worse(look(gated), "locks")
        os.kill(holder.pid, signal.SIGTERM)
    assert f"(process {holder.pid})" in fact.message
    assert "example.org" not in str(fact)


OURS = 0
"""For our own process: its number isn't the same in each of those that run the tests."""


@pytest.mark.parametrize(
    ("host", "process", "age_s", "level"),
    [
        ("", OURS, 60, "ok"),
        ("", 2**22 + 1, 60, ""),
        ("", OURS, 13 * 3600, ""),
        ("elsewhere", 1, 60, "warn"),
        ("elsewhere", 1, 13 * 3600, ""),
    ],
)
def test_a_garbage_collection_is_told_as_git_takes_it(
    host: str, process: int, age_s: int, level: str, gated: Memory
) -> None:
    path = left(gated, "gc.pid", f"{process or os.getpid()} {host or os.uname().nodename}")
    os.utime(path, (NOW_S - age_s, NOW_S - age_s))
    assert [fact.level for fact in facts_of(look(gated), "locks")] == ([level] if level else [])


# --- ours -------------------------------------------------------------------------------------------


def killed(it: Desk, name: str) -> None:
    def die(passed: str) -> None:
        if passed == name:
            os.killpg(0, signal.SIGKILL)  # the git that moves the ref with it

    def work() -> None:
        os.setpgid(0, 0)
        steps.listener = die
        WRITES["card"].do(it)

    assert not exits_well(in_child(work))


def held(it: Desk, name: str, then: Callable[[], None]) -> None:
    """Do something while a writer of ours stands at a step."""
    done = 0

    def stop(passed: str) -> None:
        nonlocal done
        if passed == name and not done:
            done = in_child(then)
            assert exits_well(done)

    steps.listener = stop
    try:
        assert WRITES["card"].do(it)
    finally:
        steps.listener = None
    assert done


@pytest.mark.parametrize(("name", "lock"), [("index", "index.lock"), ("ref locked", "refs/heads/main.lock")])
def test_what_a_killed_wbmem_left_is_the_next_ones_to_take_away(tmp_path: Path, name: str, lock: str) -> None:
    it = desk(tmp_path)
    killed(it, name)
    facts = look(it.memory)
    (pending,) = worse(facts, "writing")
    assert "writing.json: a wbmem was killed while it wrote PLAN.md" in pending.message
    ours = next(fact for fact in worse(facts, "locks") if f".git/{lock} is" in fact.message)
    assert ours.message.endswith("a wbmem that was killed left it")
    assert ours.next.endswith("where nothing is to be written: wbmem fix")
    it.workspace.fix(now=NOW)
    after = look(it.memory)
    assert worse(after, "locks") == worse(after, "writing") == []


def test_a_wbmem_that_writes_is_told_as_one_that_works(tmp_path: Path) -> None:
    it = desk(tmp_path)

    def see() -> None:
        (fact,) = facts_of(look(it.memory), "locks")
        assert fact.level == "ok"
        assert f"a wbmem holds it, and works (process {os.getppid()})" in fact.message
        assert facts_of(look(it.memory), "writing") == []

    held(it, "index", see)


def test_a_lock_of_ours_that_no_intent_names_is_a_persons_to_move(gated: Memory) -> None:
    left(gated, "index.lock", f"wbmem {os.getpid()} 0123456789abcdef\n")
    (fact,) = worse(look(gated), "locks")
    assert "nothing tells any more what it had begun" in fact.message
    moved(fact, gated.top)
    assert worse(look(gated), "locks") == []


def test_a_killed_wbmem_behind_anothers_lock_is_told(tmp_path: Path) -> None:
    it = desk(tmp_path)
    killed(it, "noted")
    left(it.memory, "index.lock")
    facts = look(it.memory)
    (pending,) = worse(facts, "writing")
    assert pending.level == "bad"
    assert "that can't be taken back while" in pending.message
    (lock,) = worse(facts, "locks")
    moved(lock, tmp_path)
    it.workspace.fix(now=NOW)
    assert worse(look(it.memory), "writing") == []


def test_a_git_commit_that_outlives_its_wbmem_is_waited_for(tmp_path: Path) -> None:
    it = desk(tmp_path)
    killed(it, "index")
    intent_file = IntentFile(str(it.memory.top / ".git"))
    begun = intent_file.read()
    assert begun is not None
    with subprocess.Popen(["sleep", "30"]) as child:
        intent_file.note(begun._replace(child=child.pid))
        (fact,) = worse(look(it.memory), "writing")
        child.terminate()
    assert f"its git commit (process {child.pid}) still works" in fact.message
    (fact,) = worse(look(it.memory), "writing")
    assert "wbmem fix" in fact.next


@pytest.mark.parametrize("text", ["{", '{"version": 99}'])
def test_an_intent_that_nobody_can_read_is_told(text: str, gated: Memory) -> None:
    folder = gated.top / ".git/wbmem"
    folder.mkdir(exist_ok=True)
    (folder / "writing.json").write_text(text)
    (fact,) = worse(look(gated), "writing")
    assert fact.level == "bad"
    assert "this version of wbmem can't read it" in fact.message
    (folder / "writing.json").rename(folder / "writing.json.damaged")
    (fact,) = worse(look(gated), "writing")
    assert fact.level == "warn"
    assert "writing.json.damaged says what a killed wbmem had begun" in fact.message


def test_an_intent_that_may_not_be_taken_away_is_told(tmp_path: Path) -> None:
    it = desk(tmp_path)
    killed(it, "index")
    folder = it.memory.top / ".git/wbmem"
    folder.chmod(0o555)
    try:
        with bound_by_modes():
            (fact,) = worse(look(it.memory), "writing")
    finally:
        folder.chmod(0o755)
    assert fact.level == "bad"
    assert f"{folder} can't be written" in fact.message
