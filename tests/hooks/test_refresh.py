"""Behind a commit the sidecar follows HEAD: nobody waits for it, and nobody hears what goes wrong there."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hooks.gated import count_refreshes, count_starts, git_dir, install_hooks
from pages import SETTINGS, board, card

from wbmem_git.store.repository import Repository
from wbmem_git.store.sidecar import Sidecar
from wbmem_git.verbs.reader import Reader
from wbmem_git.verbs.rebuild import check
from wbmem_hooks.doors import open_door

if TYPE_CHECKING:
    from collections.abc import Iterator

    from memory import Memory

DETACHED = {"WBMEM_DETACH": "1"}
IGNORED = "/index.json\n/events.jsonl\n"
PATIENCE_S = 30
MAIN = Path(__file__).resolve().parents[2] / "wbmem_hooks/__main__.py"


@pytest.fixture(autouse=True)
def waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    """What a hook starts is done when git is."""
    monkeypatch.setenv("WBMEM_DETACH", "0")


@pytest.fixture
def hooked(memory: Memory) -> Memory:
    """A memory with hooks and ignored views."""
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("A"), card("B")), ".gitignore": IGNORED})
    install_hooks(memory)
    return memory


def kept_head(memory: Memory) -> str:
    """The commit that the file speaks of, "" where there is none; nothing is brought up to date."""
    sidecar = Sidecar(str(git_dir(memory)))
    try:
        meta = sidecar.begin()
        return "" if meta is None else meta["head"]
    finally:
        sidecar.close()


def follows(memory: Memory) -> bool:
    return kept_head(memory) == memory.git("rev-parse", "HEAD")


def change(memory: Memory, text: str, *options: str, env: dict[str, str] | None = None) -> None:
    memory.write("PLAN.md", board(card("A"), card("B", f"Next: {text}")))
    memory.git("commit", "-qam", text, *options, env=env)


def refreshing() -> list[int]:
    """The processes that bring a sidecar to HEAD now."""
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = place.read_bytes().split(b"\0")
        except OSError:
            continue
        if words[3:4] == [os.fsencode(MAIN)] and b"refresh" in words and is_ours(place.parent):
            found.append(int(place.parent.name))
    return found


def is_ours(process: Path) -> bool:
    try:
        return str((process / "cwd").readlink()).startswith(str(Path.cwd()))
    except OSError:
        return False


def eventually(is_so: object) -> bool:
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        if is_so():  # type: ignore[operator]
            return True
        time.sleep(0.02)
    return False


# --- whatever moves HEAD ------------------------------------------------------------------------------


def moves(memory: Memory) -> Iterator[str]:
    change(memory, "one")
    yield "commit"
    change(memory, "two", "--amend")
    yield "amend"
    change(memory, "three", "--no-verify")
    yield "no-verify"
    memory.git("checkout", "-q", "-b", "side", "HEAD~1")
    yield "checkout of another commit"
    memory.commit({"a": "a\n"})
    memory.git("checkout", "-q", "main")
    memory.git("merge", "-q", "--ff-only", "main")
    memory.commit({"b": "b\n"})
    memory.git("merge", "-q", "--no-edit", "side")
    yield "merge"
    memory.git("checkout", "-q", "-b", "third", "side~1")
    memory.commit({"c": "c\n"})
    memory.git("merge", "-q", "--ff-only", "third")
    memory.git("checkout", "-q", "side")
    memory.git("merge", "-q", "--ff-only", "main")
    yield "fast-forward"
    memory.git("checkout", "-q", "third")
    memory.git("rebase", "-q", "main")
    yield "rebase"
    patch = memory.git("format-patch", "-1", "--stdout", "third")
    memory.git("checkout", "-q", "main")
    memory.git("am", "-q", stdin=patch + "\n")
    yield "am"


def test_whatever_moves_head_through_a_hook_the_sidecar_is_there_before_it_is_asked(hooked: Memory) -> None:
    for move in moves(hooked):
        assert follows(hooked), move
        assert hooked.git("status", "--porcelain") == ""
    with Repository.open(str(hooked.top), os.environ) as repository:
        assert check(repository) == ()


def test_a_rebase_starts_one_and_not_one_for_each_pick(hooked: Memory, tmp_path: Path) -> None:
    hooked.git("checkout", "-q", "-b", "side")
    for n in range(5):
        change(hooked, f"number {n}")
    hooked.git("checkout", "-q", "main")
    hooked.commit({"b": "b\n"})
    count_starts(hooked, tmp_path)
    hooked.git("rebase", "-q", "main", "side")
    assert count_refreshes(tmp_path) <= 2  # a checkout before it, and its end
    assert follows(hooked)


def test_an_am_of_several_patches_starts_one(hooked: Memory, tmp_path: Path) -> None:
    for n in range(4):
        change(hooked, f"number {n}")
    patches = hooked.git("format-patch", "-4", "--stdout")
    hooked.git("reset", "-q", "--hard", "HEAD~4")
    count_starts(hooked, tmp_path)
    hooked.git("am", "-q", stdin=patches + "\n")
    assert count_refreshes(tmp_path) == 1
    assert follows(hooked)


def test_where_head_stays_nothing_is_started(hooked: Memory, tmp_path: Path) -> None:
    count_starts(hooked, tmp_path)
    hooked.git("checkout", "-q", "-b", "name")
    hooked.git("checkout", "-q", "main")
    hooked.git("checkout", "-q", "main", "--", "PLAN.md")
    hooked.git("stash", "list")
    assert count_refreshes(tmp_path) == 0


def test_who_wants_none_started_gets_none(hooked: Memory, tmp_path: Path) -> None:
    starts = count_starts(hooked, tmp_path)
    change(hooked, "one", env={"WBMEM_DETACH": "never"})
    assert (starts(), count_refreshes(tmp_path), kept_head(hooked)) == (["pre-commit"], 0, "")
    change(hooked, "two")
    assert (starts(), count_refreshes(tmp_path)) == (["pre-commit", "pre-commit"], 1)


def test_a_linked_worktree_gets_its_own(hooked: Memory) -> None:
    hooked.git("worktree", "add", "-q", "-b", "side", "../other")
    other = hooked._replace(top=hooked.top.parent / "other")
    change(other, "over there")
    assert follows(other)
    assert git_dir(other).parent.name == "worktrees"
    assert kept_head(hooked) != kept_head(other)


def test_a_git_dir_that_is_named_in_a_variable_is_the_one(hooked: Memory, tmp_path: Path) -> None:
    hooked.write("PLAN.md", board(card("A"), card("B", "Next: edited")))
    named = {"GIT_DIR": str(hooked.top / ".git"), "GIT_WORK_TREE": str(hooked.top)}
    done = subprocess.run(
        ["git", "commit", "-qam", "x"],
        cwd=tmp_path,
        env={**os.environ, **named},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert follows(hooked)


# --- the framework ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("detach", ["0", "1", "never"])
def test_the_frameworks_hook_has_it_follow_too(
    hooked: Memory, monkeypatch: pytest.MonkeyPatch, detach: str
) -> None:
    """It says in variables what git said; `post-commit` and the like need none."""
    hooked.commit({"PLAN.md": board(card("A"), card("C"), card("B"))})
    monkeypatch.chdir(hooked.top)
    monkeypatch.setenv("WBMEM_DETACH", detach)
    monkeypatch.setenv("PRE_COMMIT", "1")
    assert open_door(["sidecar"]) == 0
    if detach == "never":
        assert kept_head(hooked) == ""
    else:
        assert eventually(lambda: follows(hooked))


@pytest.mark.parametrize(
    ("variable", "value", "starts"),
    [
        ("PRE_COMMIT_IS_SQUASH_MERGE", "1", False),
        ("PRE_COMMIT_REWRITE_COMMAND", "amend", False),
        ("PRE_COMMIT_REWRITE_COMMAND", "rebase", True),
    ],
)
def test_the_frameworks_hook_starts_nothing_twice(
    hooked: Memory, monkeypatch: pytest.MonkeyPatch, variable: str, value: str, *, starts: bool
) -> None:
    monkeypatch.chdir(hooked.top)
    monkeypatch.setenv("PRE_COMMIT", "1")
    monkeypatch.setenv(variable, value)
    assert open_door(["sidecar"]) == 0
    assert (kept_head(hooked) != "") == starts


def test_the_frameworks_hook_starts_none_at_each_pick(
    hooked: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(hooked.top)
    monkeypatch.setenv("PRE_COMMIT", "1")
    (git_dir(hooked) / "rebase-merge").mkdir()
    assert open_door(["sidecar"]) == 0
    assert kept_head(hooked) == ""


# --- nobody waits for it, and nobody hears of it ------------------------------------------------------------


def test_who_commits_waits_for_no_stream_of_it(hooked: Memory) -> None:
    """`capture_output` reads to the end: a stream that stayed open would keep the caller."""
    slow = slow_python(hooked)
    hooked.write("PLAN.md", board(card("A"), card("B", "Next: edited")))
    begun = time.monotonic()
    done = hooked.try_git("commit", "-qam", "x", env=DETACHED)
    took_s = time.monotonic() - begun
    assert (done.returncode, done.stderr) == (0, "")
    assert took_s < slow
    assert eventually(lambda: follows(hooked))


def slow_python(memory: Memory) -> float:
    """Hooks whose refresh begins only after so many seconds."""
    from wbmem_git.verbs.hooks.install import install
    from wbmem_git.verbs.hooks.scripts import Origin, this_installation

    slow_s = 3
    real = this_installation()
    python = memory.top.parent / "slow-python"
    python.write_text(f'#!/bin/sh\n[ "$4" != refresh ] || sleep {slow_s}\nexec \'{real.python}\' "$@"\n')
    python.chmod(0o755)
    with Repository.open(str(memory.top), os.environ) as repository:
        install(repository, {}, Origin(str(python), real.main))
    return slow_s


@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="needs /proc")
def test_what_is_started_holds_nothing_of_who_commits(hooked: Memory, tmp_path: Path) -> None:
    """No terminal's group, no stream, no lock that somebody passes on."""
    hooked.write("PLAN.md", board(card("A"), card("B", "Next: edited")))
    note = tmp_path / "note"
    spy = git_dir(hooked) / "spy.py"
    spy.write_text(
        "import os, sys\n"
        f"sys.path.insert(0, {str(MAIN.parents[1])!r})\n"
        "from wbmem_hooks import refresh\n"
        "def follow(*_):\n"
        f"    with open({str(note)!r}, 'w') as file:\n"
        "        is_open = os.path.exists('/proc/self/fd/9')\n"
        "        print(os.getsid(0) == os.getpid(), os.nice(0) > 0, is_open, file=file)\n"
        "refresh.follow = follow\n"
        "sys.exit(refresh.main(['--detached']))\n"
    )
    done = subprocess.run(
        ["sh", "-c", f"exec 9>lock; '{sys.executable}' '{spy}'"],
        cwd=hooked.top,
        check=False,
        capture_output=True,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert note.read_text().split() == ["True", "True", "False"]


@pytest.mark.parametrize(
    "kind", ["a folder in its place", "a file as the folder", "rubbish", "no Python", "no package"]
)
def test_whatever_stands_in_its_way_the_commit_is_made_and_says_nothing_of_it(
    hooked: Memory, kind: str
) -> None:
    change(hooked, "before")
    path = git_dir(hooked) / "wbmem/sidecar.sqlite"
    if kind == "a folder in its place":
        path.unlink()
        (path / "mine").mkdir(parents=True)
    elif kind == "rubbish":
        path.write_bytes(b"\0" * 5000)
    elif kind == "a file as the folder":
        for one in path.parent.rglob("*"):
            if one.is_file():
                one.unlink()
        for one in sorted(path.parent.rglob("*"), reverse=True):
            one.rmdir()
        path.parent.rmdir()
        path.parent.write_text("x")
    else:
        script = hooked.top / ".git/hooks/post-commit"
        name = "python" if kind == "no Python" else "main"
        lines = script.read_text().splitlines(keepends=True)
        script.write_text(
            "".join(f"{name}=/nowhere\n" if line.startswith(f"{name}=") else line for line in lines)
        )
    hooked.write("PLAN.md", board(card("A"), card("B", "Next: after")))
    for env in ({}, DETACHED):
        done = hooked.try_git("commit", "-qam", "after", "--allow-empty", env=env)
        assert done.returncode == 0
        assert "Traceback" not in done.stderr
        if kind not in {"no Python", "no package", "a file as the folder"}:
            assert done.stderr == ""
    if kind == "rubbish":
        assert eventually(lambda: follows(hooked))


def test_a_hundred_quick_commits_pile_nothing_up(hooked: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(hooked.top)
    most = 0
    for n in range(100):
        hooked.write("PLAN.md", board(card("A"), card("B", f"Next: {n}")))
        hooked.git("commit", "-qam", f"number {n}", env=DETACHED)
        most = max(most, len(refreshing()))
    assert most <= 8
    assert eventually(lambda: not refreshing())
    with Repository.open(str(hooked.top), os.environ) as repository:
        with Reader(repository).at_head() as ground:
            assert (ground.head, ground.degraded) == (hooked.git("rev-parse", "HEAD"), "")
        assert check(repository) == ()
    left = {path.name for path in (git_dir(hooked) / "wbmem").iterdir()}
    assert not [name for name in left if name.endswith(("tmp", "journal"))]


def test_who_finds_another_at_it_goes_at_once(hooked: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(hooked.top)
    with Sidecar(str(git_dir(hooked))).lock(0):
        begun = time.monotonic()
        done = subprocess.run(
            [sys.executable, "-I", "-S", str(MAIN), "refresh"], check=False, capture_output=True
        )
        assert time.monotonic() - begun < 3
    assert (done.returncode, done.stderr) == (0, b"")
    assert kept_head(hooked) == ""


def test_head_that_goes_on_meanwhile_is_followed(hooked: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    from wbmem_git.verbs import refresh as module

    real = module.renew
    left = [3]

    def renew(*args: object, **named: object) -> None:
        real(*args, **named)  # type: ignore[arg-type]
        if left[0]:
            left[0] -= 1
            hooked.commit({"n": f"{left[0]}\n"})

    monkeypatch.setattr(module, "renew", renew)
    with Repository.open(str(hooked.top), os.environ) as repository:
        module.follow(repository, time.monotonic)
    assert left == [0]
    assert follows(hooked)
