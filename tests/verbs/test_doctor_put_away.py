"""`wbmem doctor` on what hook managers put away, were killed, and didn't bring back."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from doctored import NOW_S, look, worse
from hooks.gated import gate
from memory import Memory
from pages import board, card

from wbmem_git.verbs.doctor.put_away import added_lines

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from wbmem_git.verbs.doctor.facts import Fact

TWO, THREE = board(card("A"), card("B")), board(card("A"), card("B"), card("C"))
BARE = ("--binary", "--unified=0", "--no-color", "--patch")


@pytest.fixture
def gated(memory: Memory) -> Memory:
    return gate(memory)


def in_cache(gated: Memory, cache: Path, name: str, *options: str) -> Path:
    """The unstaged changes as a patch of two hours ago, and out of the files again."""
    path = cache / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        gated.git("diff-index", *(options or ("--binary",)), gated.git("write-tree"), "--") + "\n"
    )
    os.utime(path, (NOW_S - 7200, NOW_S - 7200))
    gated.git("checkout", "-q", "--", ".")
    return path


def brought_back(fact: Fact) -> None:
    subprocess.run(
        ["sh", "-c", fact.next.partition("to have it again: ")[2]], check=True, capture_output=True
    )


@pytest.mark.parametrize(
    ("variable", "name", "who"),
    [
        ("PRE_COMMIT_HOME", "patch1700000000-1", "pre-commit"),
        ("XDG_CACHE_HOME", "pre-commit/patch1700000000-1", "pre-commit"),
        ("HOME", ".cache/pre-commit/patch1700000000-1", "pre-commit"),
        ("PREK_HOME", "patches/1700000000000-1.patch", "prek"),
        ("XDG_CACHE_HOME", "prek/patches/1700000000000-1.patch", "prek"),
    ],
)
def test_a_patch_in_a_cache_is_told_and_brings_the_text_back(
    variable: str, name: str, who: str, gated: Memory, tmp_path: Path
) -> None:
    gated.write("PLAN.md", THREE)
    path = in_cache(gated, tmp_path / "kept", name)
    kept = {variable: str(tmp_path / "kept")}
    (fact,) = worse(look(gated, kept), "put away")
    assert fact.message == (
        f"{path}: {who} put away what wasn't staged in PLAN.md 2 h ago, and it isn't back"
    )
    brought_back(fact)
    assert gated.read("PLAN.md") == THREE
    assert worse(look(gated, kept), "put away") == []
    gated.write(
        "PLAN.md", THREE.replace("### C", "### C, later")
    )  # it was back; the rest is nobody's business
    assert worse(look(gated, kept), "put away") == []


def test_what_was_back_and_taken_out_again_is_not_lost(gated: Memory, tmp_path: Path) -> None:
    gated.write("PLAN.md", THREE)
    in_cache(gated, tmp_path, "patch1700000000-1")
    kept = {"PRE_COMMIT_HOME": str(tmp_path)}
    assert worse(look(gated, kept), "put away") != []
    gated.commit({"PLAN.md": THREE})
    gated.commit({"PLAN.md": TWO})
    assert worse(look(gated, kept), "put away") == []


def test_what_is_back_in_another_worktree_is_not_lost(gated: Memory, tmp_path: Path) -> None:
    gated.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "side"))
    side, kept = Memory(tmp_path / "side"), {"PRE_COMMIT_HOME": str(tmp_path / "cache")}
    gated.write("PLAN.md", THREE)
    by_store(gated, "lefthook auto backup")
    gated.write("PLAN.md", THREE + "\na further thought\n")
    path = in_cache(gated, tmp_path / "cache", "patch1700000000-1")
    assert len(worse(look(side, kept), "put away")) == 2
    gated.git("apply", str(path))
    assert worse(look(side, kept), "put away") == []


def test_what_no_longer_fits_is_told_while_nothing_of_it_is_back(gated: Memory, tmp_path: Path) -> None:
    gated.write("PLAN.md", TWO.replace("### B\n", "### B\n\nthe thought that was put away\n"))
    in_cache(gated, tmp_path, "patch1700000000-1")
    kept = {"PRE_COMMIT_HOME": str(tmp_path)}
    gated.write("PLAN.md", TWO.replace("### B", "### Bee"))
    (fact,) = worse(look(gated, kept), "put away")
    assert fact.next.endswith(" shows it; put in again what you miss")
    gated.commit({"notes.md": "the thought that was put away\n"})
    assert worse(look(gated, kept), "put away") == []


def test_patches_of_other_repositories_are_none_of_ours(gated: Memory, tmp_path: Path) -> None:
    (tmp_path / "patch1700000000-1").write_text(
        "diff --git a/PLAN.md b/PLAN.md\nindex 1234567..89abcde 100644\n--- a/PLAN.md\n+++ b/PLAN.md\n"
        "@@ -1 +1,2 @@\n # Plan\n+somebody else's\n"
    )
    gated.write("PLAN.md", "# Plan\n")
    assert worse(look(gated, {"PRE_COMMIT_HOME": str(tmp_path)}), "put away") == []


def test_while_the_framework_works_its_patch_is_not_lost(gated: Memory, tmp_path: Path) -> None:
    gated.write("PLAN.md", THREE)
    in_cache(gated, tmp_path, f"patch{NOW_S}-{os.getpid()}")
    kept = {"PRE_COMMIT_HOME": str(tmp_path)}
    assert worse(look(gated, kept, NOW_S - 7000), "put away") == []
    assert worse(look(gated, kept), "put away") != []


def test_what_the_real_framework_left_when_it_was_killed_is_told(gated: Memory, tmp_path: Path) -> None:
    config = (
        "repos:\n- repo: local\n  hooks:\n  - {id: slow, name: slow, language: system, "
        "entry: sleep 30, always_run: true, pass_filenames: false}\n"
    )
    gated.commit({".pre-commit-config.yaml": config})
    gated.write("notes.md", "staged\n")
    gated.git("add", "notes.md")
    gated.write("PLAN.md", THREE)
    variables = {"PRE_COMMIT_HOME": str(tmp_path / "cache")}
    with subprocess.Popen(
        [sys.executable, "-m", "pre_commit", "run"],
        cwd=gated.top,
        env={**os.environ, **variables},
        stdout=subprocess.DEVNULL,
        start_new_session=True,
    ) as framework:
        while gated.read("PLAN.md") == THREE and framework.poll() is None:
            time.sleep(0.01)
        os.killpg(framework.pid, signal.SIGKILL)
    (fact,) = worse(look(gated, variables, time.time()), "put away")
    brought_back(fact)
    assert gated.read("PLAN.md") == THREE


@pytest.mark.parametrize("name", ["lint-staged_unstaged.patch", "info/lefthook-unstaged.patch"])
def test_a_patch_without_context_is_told_until_a_line_of_it_is_back(name: str, gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    in_cache(gated, gated.top / ".git", name, *BARE)
    (fact,) = worse(look(gated), "put away")
    assert "it isn't back" in fact.message
    brought_back(fact)
    assert gated.read("PLAN.md") == THREE
    assert worse(look(gated), "put away") == []  # though git would apply it again
    gated.commit({"PLAN.md": TWO.replace("### B", "### Bee"), "archive.md": "### C\n"})
    assert worse(look(gated), "put away") == []


# --- stashes ----------------------------------------------------------------------------------------


def by_push(gated: Memory, title: str) -> None:
    gated.git("stash", "push", "-q", "--include-untracked", "-m", f"{title} (20addf8)")


def by_store(gated: Memory, title: str) -> None:
    gated.git("stash", "store", "-q", "-m", title, gated.git("stash", "create"))
    gated.git("checkout", "-q", "--", ".")


@pytest.mark.parametrize(
    ("put", "title", "who"),
    [
        (by_push, "lint-staged automatic backup", "lint-staged"),
        (by_store, "lint-staged automatic backup", "lint-staged"),
        (by_store, "lefthook auto backup", "lefthook"),
    ],
)
def test_a_backup_among_the_stashes_is_told_and_brings_the_text_back(
    put: Callable[[Memory, str], None], title: str, who: str, gated: Memory
) -> None:
    gated.write("PLAN.md", THREE)
    put(gated, title)
    assert gated.read("PLAN.md") == TWO
    oid = gated.git("rev-parse", "refs/stash")[:12]
    (fact,) = worse(look(gated, now_s=time.time() + 600), "put away")
    assert fact.message.startswith(
        f"stash {oid}: {who} put it away 10 min ago and didn't clear it up; nothing else has "
    )
    assert "of PLAN.md" in fact.message
    brought_back(fact)
    assert gated.read("PLAN.md") == THREE
    assert worse(look(gated), "put away") == []
    assert gated.git("stash", "list") != ""


def test_an_untracked_file_that_was_put_away_is_told(gated: Memory) -> None:
    gated.write("new.md", "x\n")
    by_push(gated, "lint-staged automatic backup")
    (fact,) = worse(look(gated), "put away")
    assert fact.message.endswith("nothing else has new.md")
    brought_back(fact)
    assert gated.read("new.md") == "x\n"


def test_a_stash_of_a_persons_own_is_nobodys_business(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("stash", "push", "-q", "-m", "later")
    assert worse(look(gated), "put away") == []


def test_the_added_lines_of_a_diff_are_its_texts_alone() -> None:
    diff = (
        "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1,2 +1,3 @@\n a\n-b\n+++ c\n+\n+d\r\n"
        "diff --git a/y b/y\n+++ b/y\n"
    )
    assert added_lines(diff) == {"++ c", "d"}
