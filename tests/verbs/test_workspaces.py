"""`workspaces.json`: which workspaces there are, whoever asks, and several at once."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import pytest
from desk import NOW

from wbmem_git.verbs.init import InitOptions
from wbmem_git.verbs.workspaces import Entry, entries, record
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path


def entry(number: int) -> Entry:
    return Entry(f"key-{number}", f"/desk/{number:03}", f"/desk/{number:03}/handoff")


def test_several_at_once_are_all_recorded(tmp_path: Path) -> None:
    many = [entry(number) for number in range(60)]
    with ThreadPoolExecutor(12) as pool:
        assert all(pool.map(lambda one: record(str(tmp_path), one), many))
    assert entries(str(tmp_path)) == tuple(many)


def test_a_memory_stands_there_once(tmp_path: Path) -> None:
    root = str(tmp_path / "not there yet")
    assert record(root, entry(1))
    assert record(root, entry(1)._replace(key="another"))
    assert entries(root) == (entry(1)._replace(key="another"),)


def test_where_nothing_can_be_written_that_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    assert not record(str(tmp_path / "file"), entry(1))
    assert entries(str(tmp_path / "file")) == ()


@pytest.mark.parametrize("by", ["argument", "variable"])
def test_whoever_makes_a_memory_records_it(tmp_path: Path, by: str) -> None:
    identity = {
        f"GIT_{who}_{what}": value
        for who in ("AUTHOR", "COMMITTER")
        for what, value in (("NAME", "Ada"), ("EMAIL", "ada@example.org"))
    }
    root = str(tmp_path / "root")
    environment = {**os.environ, **identity, **({"WBMEM_ROOT": root} if by == "variable" else {})}
    options = InitOptions("en", NOW, "desk-1")
    given = root if by == "argument" else ""
    made, report = Workspace.init(tmp_path / "desk", environment, options, root=given)
    assert entries(root) == (Entry("desk-1", str(tmp_path / "desk"), made.top),)
    assert not [note for note in report.notes if "workspaces.json" in note]


def test_a_memory_is_made_where_it_cant_be_recorded(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    environment = {**os.environ, "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org"}
    environment |= {"GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org"}
    root = str(tmp_path / "file")
    _, report = Workspace.init(tmp_path / "desk", environment, InitOptions("en", NOW), root=root)
    assert report.commits
    assert f"workspaces.json couldn't be written in {root}" in report.notes
