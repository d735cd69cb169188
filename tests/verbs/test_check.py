"""Asking the gate without committing: each way of naming a change."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, Desk, conflict, desk
from pages import card

from wbmem_git.errors import GitError, UsageError
from wbmem_git.verbs.index import Unmerged

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.verbs.check import Checked


def refused(found: Checked) -> list[tuple[str, str]]:
    return [
        (one.rule, one.title or one.path)
        for verdict in found.verdicts
        for one in verdict.findings
        if one.refuses
    ]


def drop_beta(it: Desk) -> None:
    it.edit(f"{card('Beta')}\n", "")


@pytest.mark.parametrize("layout", LAYOUTS)
def test_what_is_staged_and_what_lies_in_the_files_are_two_things(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    drop_beta(it)
    assert it.workspace.check_staged().passed
    assert it.workspace.check_staged().what == "nothing is staged"
    assert refused(it.workspace.check_files(["PLAN.md"])) == [("C2", "Beta")]
    assert it.workspace.check_files(["MEMORY.md"]).passed
    it.memory.git("add", "PLAN.md")
    assert refused(it.workspace.check_staged()) == [("C2", "Beta")]
    assert it.staged() == ["M PLAN.md"]


def test_a_file_that_git_does_not_know_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"nothing\.md: no such file, in the working tree or in the last"):
        desk(tmp_path).workspace.check_files(["nothing.md"])


def test_a_new_file_is_checked_without_being_staged(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write("handoff-20260914-101500.md", "# Handoff\n")
    assert {rule for rule, _ in refused(it.workspace.check_files(["handoff-20260914-101500.md"]))} == {"H1"}
    assert it.staged() == [""]


def test_everything_is_checked_as_if_it_were_new(tmp_path: Path) -> None:
    it = desk(tmp_path)
    assert it.workspace.check_all().passed
    it.memory.commit({"MEMORY.md": "# M\n\n## A\n<!-- memory:mem_1 -->\n"}, "past every hook")
    assert it.workspace.check_staged().passed
    assert refused(it.workspace.check_all()) == [("C7", "MEMORY.md")]
    it.memory.write("PINNED.md", b"\xff\xfe")
    assert ("E1", "PINNED.md") in refused(it.workspace.check_all())
    assert it.staged() == [""]


def test_a_range_is_checked_commit_by_commit(tmp_path: Path) -> None:
    it = desk(tmp_path)
    first = it.memory.git("rev-parse", "HEAD")
    whole = it.head()
    drop_beta(it)
    second = it.memory.commit({}, "past every hook")
    found = it.workspace.check_between(first, "HEAD")
    assert [verdict.commit for verdict in found.verdicts] == [second]
    assert refused(found) == [("C2", "Beta")]
    it.memory.commit({"PLAN.md": whole}, "put back")
    assert it.workspace.check_between(first, "main").passed
    assert it.workspace.check_between("HEAD", "HEAD").verdicts == ()
    with pytest.raises(GitError, match="names no commit here"):
        it.workspace.check_between("nowhere", "HEAD")


def test_an_unborn_branch(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.git("checkout", "-q", "--orphan", "fresh")
    assert it.workspace.check_staged().passed
    assert it.workspace.check_all().passed


def stored(it: Desk) -> set[str]:
    return set(it.memory.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split())


@pytest.mark.parametrize("name", ["plain", 'a : "b" c'])
def test_what_is_only_looked_at_is_not_stored(tmp_path: Path, name: str) -> None:
    it = desk(tmp_path / name)
    it.memory.write("secrets.txt", "nobody shall ever find this in the objects\n")
    it.memory.write("PINNED.md", "# Pinned\n\nnor this\n")
    it.edit("sharpen the saw", "sharpen the axe")
    before = stored(it)
    assert it.workspace.check_all().passed
    assert it.workspace.check_files(["PINNED.md", "secrets.txt", "PLAN.md"]).passed
    assert stored(it) == before
    assert [path.name for path in (it.memory.top / ".git/wbmem").glob("*-*")] == []


def test_in_an_unresolved_merge_the_files_can_be_checked_and_the_index_is_said_to_be_none(
    tmp_path: Path,
) -> None:
    it = conflict(desk(tmp_path))
    assert ("E1", "PLAN.md") in refused(it.workspace.check_all())
    assert ("E1", "PLAN.md") in refused(it.workspace.check_files(["PLAN.md"]))
    with pytest.raises(Unmerged, match=r"PLAN\.md has an unresolved merge"):
        it.workspace.check_staged()


def test_a_deleted_file_and_a_folder_can_be_named(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"log/2026-09-14.md": "# Log\n"})
    (it.memory.top / "log/2026-09-14.md").unlink()
    assert it.workspace.check_files(["log/2026-09-14.md"]).passed
    assert it.workspace.check_files(["log"]).passed
