"""A page that can't be read: every answer names it, and its cards keep the history that they had."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from memory import Memory
from pages import SETTINGS, board, card, id_of

from wbmem_git.errors import UnknownId
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from pathlib import Path

ALPHA = card("Alpha", "The pump stands in the cellar.")
PUMP = card("Pump", "It stands in the cellar.", page="plans/pump.md")
SPOILT = (b"\xff", b"\0")


def spoilt(memory: Memory, byte: bytes) -> None:
    memory.commit({"PLAN.md": board(ALPHA).encode() + byte}, "spoilt")


def begun(tmp_path: Path) -> Memory:
    memory = Memory.create(tmp_path / "m")
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(ALPHA)}, "begin")
    return memory


def kinds(space: Workspace) -> list[str]:
    return [one["kind"] for one in space.versions(id_of("Alpha"))["versions"]][::-1]


@pytest.mark.parametrize("byte", SPOILT)
def test_every_answer_names_the_page(tmp_path: Path, byte: bytes) -> None:
    memory = begun(tmp_path)
    with Workspace(str(memory.top), {}) as space:
        assert not space.recall("pump")["degraded"]
        spoilt(memory, byte)
        for answer in (
            space.recall("pump"),
            space.expand("topic:alpha"),
            space.versions(id_of("Alpha")),
            space.index_state(),
        ):
            assert "PLAN.md is no UTF-8 text" in answer["degraded"]


def test_what_cannot_be_read_was_not_removed(tmp_path: Path) -> None:
    memory = begun(tmp_path)
    with Workspace(str(memory.top), {}) as space:
        assert kinds(space) == ["created"]
        spoilt(memory, b"\xff")
        assert kinds(space) == ["created"]
        with pytest.raises(UnknownId, match=r"PLAN\.md, which is no UTF-8 text"):
            space.trace(id_of("Alpha"))
        assert space.check_index() == ()
        memory.commit({"wbmem.yaml": SETTINGS + "\n"}, "something else")
        spoilt(memory, b"\xfe")
        memory.commit({"PLAN.md": board(ALPHA)}, "mended")
        assert kinds(space) == ["created"]
        assert not space.versions(id_of("Alpha")).get("degraded")
        assert space.check_index() == ()


def test_what_was_edited_while_it_could_not_be_read_is_told_when_it_can(tmp_path: Path) -> None:
    memory = begun(tmp_path)
    spoilt(memory, b"\xff")
    memory.commit({"PLAN.md": board(card("Alpha", "The pump is gone."))}, "mended")
    with Workspace(str(memory.top), {}) as space:
        assert kinds(space) == ["created", "edited"]


BOARDS = f"{SETTINGS}boards:\n  - PLAN.md\n  - plans/*.md\n"
OLD, NEW = "plans/pump.md", "plans/water.md"


def spoilt_board(tmp_path: Path) -> Memory:
    """A second board with a card, which can't be read any more."""
    memory = Memory.create(tmp_path / "m")
    memory.commit({"wbmem.yaml": BOARDS, "PLAN.md": board(), OLD: board(PUMP)}, "begin")
    memory.commit({OLD: board(PUMP).encode() + b"\xff"}, "spoilt")
    return memory


def told(space: Workspace, wanted: str) -> list[tuple[str, str]]:
    found = space.versions(wanted)["versions"]
    return [(one["kind"], one["page"]) for one in found][::-1]


@pytest.mark.parametrize("at_once", [True, False])
def test_a_page_that_is_renamed_while_it_cannot_be_read_goes_on(tmp_path: Path, at_once: bool) -> None:
    memory = spoilt_board(tmp_path)
    name = id_of("Pump", OLD)
    with Workspace(str(memory.top), {}) as space:
        assert told(space, name) == [("created", OLD)]
        if not at_once:
            memory.commit({OLD: None, NEW: board(PUMP).encode() + b"\xff"}, "renamed")
            assert told(space, name) == [("created", OLD), ("moved", NEW)]
            with pytest.raises(UnknownId, match=f"{NEW}, which is no UTF-8 text"):
                space.trace(name)
            memory.commit({"PLAN.md": board(ALPHA)}, "something else")
            memory.commit({NEW: board(PUMP).encode() + b"\xfe"}, "spoilt again")
            memory.commit({NEW: board(PUMP)}, "mended")
        else:
            memory.commit({OLD: None, NEW: board(PUMP)}, "renamed and mended")
        assert told(space, name) == [("created", OLD), ("moved", NEW)]
        assert [kind for kind, _ in told(space, NEW)][:3] == ["created", "edited", "renamed"]
        assert space.trace(name)["entry"]["source"] == NEW
        assert space.check_index() == ()


def test_a_page_that_comes_where_another_cannot_be_read_is_a_new_one(tmp_path: Path) -> None:
    memory = spoilt_board(tmp_path)
    memory.commit({NEW: board(PUMP).encode() + b"\xff"}, "a copy")
    memory.commit({OLD: None}, "gone")
    memory.commit({NEW: board(PUMP)}, "mended")
    with Workspace(str(memory.top), {}) as space:
        assert told(space, id_of("Pump", OLD)) == [("created", OLD), ("removed", OLD), ("created", NEW)]
        assert space.check_index() == ()


def test_a_page_that_goes_takes_its_cards_along(tmp_path: Path) -> None:
    memory = begun(tmp_path)
    spoilt(memory, b"\xff")
    memory.commit({"PLAN.md": None}, "gone")
    with Workspace(str(memory.top), {}) as space:
        assert kinds(space) == ["created", "removed"]
        assert not space.index_state().get("degraded")
        assert space.check_index() == ()


def test_a_merge_that_spoils_a_page_removes_nothing(tmp_path: Path) -> None:
    memory = begun(tmp_path)
    memory.git("checkout", "-q", "-b", "side")
    memory.commit({"PLAN.md": board(ALPHA, card("Beta", "A second one."))}, "side")
    memory.git("checkout", "-q", "main")
    spoilt(memory, b"\xff")
    memory.git("merge", "-q", "-s", "ours", "side")
    with Workspace(str(memory.top), {}) as space:
        assert kinds(space) == ["created"]
        memory.commit({"PLAN.md": board(ALPHA)}, "mended")
        assert kinds(space) == ["created"]
        assert space.check_index() == ()


def test_a_shallow_clone_that_is_deepened_is_told_at_once(tmp_path: Path) -> None:
    origin = begun(tmp_path)
    origin.commit({"PLAN.md": board(card("Alpha", "The pump is new."))}, "second")
    origin.commit({"PLAN.md": board(card("Alpha", "The pump is old."))}, "third")
    origin.git("clone", "-q", "--depth", "2", f"file://{origin.top}", str(tmp_path / "clone"))
    clone = Memory(tmp_path / "clone")
    with Workspace(str(clone.top), {}) as space:
        assert kinds(space) == ["created", "edited"]
        assert "shallow" in space.versions(id_of("Alpha"))["degraded"]
        assert not space.recall("pump")["degraded"]
        clone.git("fetch", "-q", "--unshallow")
        assert kinds(space) == ["created", "edited", "edited"]
        assert "shallow" not in (space.versions(id_of("Alpha")).get("degraded") or "")
        assert space.check_index() == ()
