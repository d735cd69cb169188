"""Which memory a folder belongs to (FORMAT §1)."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest
from desk import desk
from memory import Memory
from pages import SETTINGS

from wbmem_git.errors import NotAMemory
from wbmem_git.verbs.locate import locate
from wbmem_git.verbs.workspaces import Entry, entries, record

if TYPE_CHECKING:
    from pathlib import Path


def found(folder: Path, workspace: str = "", root: Path | None = None) -> Path:
    return locate(folder, dict(os.environ), workspace=workspace, root=str(root) if root else "")


def memory(top: Path) -> Path:
    top.mkdir(parents=True)
    (top / "wbmem.yaml").write_text(SETTINGS)
    return top


def test_from_the_workspace_from_the_memory_and_from_below(tmp_path: Path) -> None:
    top = desk(tmp_path).memory.top
    (top.parent / "src/deep").mkdir(parents=True)
    (top / "archive").mkdir()
    for place in (top.parent, top, top.parent / "src/deep", top / "archive"):
        assert found(place) == top


def test_the_nearest_one_is_taken(tmp_path: Path) -> None:
    memory(tmp_path / "handoff")
    inner = memory(tmp_path / "a/b/handoff")
    assert found(tmp_path / "a/b") == inner


def test_a_named_one_is_taken_and_nothing_else(tmp_path: Path) -> None:
    one, other = memory(tmp_path / "one/handoff"), memory(tmp_path / "other/handoff")
    assert found(tmp_path / "one", workspace="../other").resolve() == other
    assert found(tmp_path / "other", workspace=str(one)) == one
    (tmp_path / "one/sub").mkdir()
    with pytest.raises(NotAMemory):
        found(tmp_path, workspace="one/sub")


def test_in_a_linked_worktree_the_one_beside_the_main_worktree(tmp_path: Path) -> None:
    project = Memory.create(tmp_path / "project")
    project.commit({"code.py": "", "sub/code.py": ""})
    top = memory(project.top / "handoff")
    deep = memory(project.top / "sub/handoff")
    linked = tmp_path / "elsewhere"
    project.git("worktree", "add", "-q", "-b", "side", str(linked))
    assert found(linked) == top
    assert found(linked / "sub") == deep
    own = memory(linked / "handoff")
    assert found(linked) == own


def test_in_its_folder_under_the_root(tmp_path: Path) -> None:
    root, folder = tmp_path / "root", tmp_path / "desk"
    top = memory(root / "desk-1/handoff")
    (folder / "sub").mkdir(parents=True)
    with pytest.raises(NotAMemory):
        found(folder, root=root)
    assert record(str(root), Entry("desk-1", str(folder), str(top)))
    assert found(folder / "sub", root=root) == top
    with pytest.raises(NotAMemory):
        found(tmp_path, root=root)


def test_nowhere_is_said_with_the_way_on(tmp_path: Path) -> None:
    with pytest.raises(NotAMemory) as caught:
        found(tmp_path)
    assert (str(tmp_path) in caught.value.message, caught.value.hint) == (True, "wbmem init")


# --- workspaces.json ----------------------------------------------------------------------------------


def test_workspaces_are_recorded_once_each_and_in_order(tmp_path: Path) -> None:
    root = str(tmp_path / "root")
    b, a = Entry("b", "/b", "/b/handoff"), Entry("a", "/a", "/a/handoff")
    assert record(root, b)
    assert record(root, a)
    assert record(root, b)
    assert entries(root) == (a, b)
    moved = b._replace(key="c")
    assert record(root, moved)
    assert entries(root) == (a, moved)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"workspaces": [{"key": 1}]}', '{"workspaces": {}}'])
def test_a_damaged_list_is_an_empty_one(tmp_path: Path, text: str) -> None:
    (tmp_path / "workspaces.json").write_text(text)
    assert entries(str(tmp_path)) == ()


def test_a_root_that_cannot_be_written_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert not record(str(tmp_path / "file" / "root"), Entry("a", "/a", "/a/handoff"))
