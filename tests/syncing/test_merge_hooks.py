"""Hooks of other people in a merge that sync makes: those that `git merge` runs run, and may refuse it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from syncing.clones import NOW, Pair

from wbmem_git.errors import Refused
from wbmem_git.verbs.commit.commit import NotCommitted

if TYPE_CHECKING:
    from pathlib import Path


@pytest.fixture
def pair(tmp_path: Path) -> Pair:
    """Both sides have something new."""
    made = Pair.of(tmp_path)
    made.ada.memory.commit({"a.txt": "a"})
    made.ada.sync()
    made.bo.memory.commit({"b.txt": "b"})
    return made


def _hook(pair: Pair, name: str, script: str) -> None:
    hook = pair.bo.memory.top / ".git/hooks" / name
    hook.write_text(f"#!/bin/sh\n{script}\n")
    hook.chmod(0o755)


@pytest.mark.parametrize("is_ours_too", [True, False])
def test_pre_merge_commit_may_refuse_it(pair: Pair, *, is_ours_too: bool) -> None:
    _hook(pair, "pre-merge-commit", "echo no merges today >&2; exit 1")
    if is_ours_too:
        pair.bo.workspace.install_hooks()
    before, tip = pair.bo.memory.head(), pair.tip()
    with pytest.raises(NotCommitted, match="no merges today"):
        pair.bo.sync()
    assert (pair.bo.memory.head(), pair.tip()) == (before, tip)
    assert pair.bo.clean()


@pytest.mark.parametrize("is_ours_too", [True, False])
def test_it_runs_on_the_merge_with_its_other_head_and_post_merge_behind_it(
    pair: Pair, tmp_path: Path, *, is_ours_too: bool
) -> None:
    log = tmp_path / "log"
    theirs = pair.tip()
    _hook(pair, "pre-merge-commit", f"git ls-files '*.txt' >>{log}; env | grep GITHEAD_ | cut -c-48 >>{log}")
    _hook(pair, "post-merge", f"echo post-merge $1 $(git log -1 --format=%s) >>{log}")
    if is_ours_too:
        pair.bo.workspace.install_hooks()
    assert pair.bo.sync().done == "merge"
    assert log.read_text().split("\n") == [
        *("a.txt", "b.txt", f"GITHEAD_{theirs}"),
        *("post-merge 0 merge origin/main", ""),
    ]
    assert pair.bo.clean()
    assert pair.tip() == pair.bo.memory.head()


def test_they_run_in_no_other_commit(pair: Pair, tmp_path: Path) -> None:
    for name in ("pre-merge-commit", "post-merge"):
        _hook(pair, name, f"echo {name} >>{tmp_path / 'log'}")

    assert pair.bo.workspace.new_card("Mine", today=NOW.date(), column="Doing", commit=True).commit
    assert not (tmp_path / "log").exists()


def test_what_it_adds_is_in_the_merge_and_in_the_index(pair: Pair) -> None:
    _hook(pair, "pre-merge-commit", "echo list >list.txt; git add list.txt")
    assert pair.bo.sync().done == "merge"
    assert pair.bo.memory.git("show", "HEAD:list.txt") == "list"
    assert pair.bo.clean()


def test_the_gate_is_asked_for_what_it_makes_of_the_merge(pair: Pair) -> None:
    _hook(pair, "pre-merge-commit", "printf '# Plan\\n\\n## Doing\\n' >PLAN.md; git add PLAN.md")
    before = pair.bo.memory.head()
    with pytest.raises(Refused, match="C2"):
        pair.bo.sync()
    assert pair.bo.memory.head() == before
    assert not (pair.bo.memory.top / ".git/MERGE_HEAD").exists()
