"""What an id, or the beginning of one, means."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import NOW, Desk, desk
from pages import card, id_of, ledger

from wbmem_git.errors import AmbiguousId, UnknownId
from wbmem_git.verbs.find import Found, find
from wbmem_git.verbs.three_trees import load

if TYPE_CHECKING:
    from pathlib import Path


def found(it: Desk, wanted: str) -> Found:
    with it.workspace.open() as repository:
        return find(load(repository), wanted)


def test_a_unique_beginning_with_or_without_mem(tmp_path: Path) -> None:
    it = desk(tmp_path)
    whole = id_of("Beta")
    for wanted in (whole, whole[4:], whole[:12], whole[4:12], whole[4:12].upper(), f" {whole[4:20]} "):
        assert found(it, wanted) == Found("card", whole)


def test_archived_cards_and_cards_of_any_version_answer(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.archive([id_of("Beta")], "done", now=NOW)
    (it.memory.top / "PLAN.md").write_bytes(it.file() + card("Delta").encode())
    for title in ("Alpha", "Beta", "Delta"):
        assert found(it, id_of(title)[:12]).name == id_of(title)


def test_pages_and_ledgers(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"handoff-20260914-101500.md": ledger(), "log/2026-09-14.md": "x\n"})
    assert found(it, "PLAN.md") == found(it, "PLAN") == Found("page", "PLAN.md")
    assert found(it, "handoff-20260914-101500") == Found("ledger", "handoff-20260914-101500.md")
    assert found(it, "log/2026-09-14.md").kind == "page"


@pytest.mark.parametrize(
    "wanted", ["", "mem_", "1234567", "mem_1234567", "Beta", "0" * 33, "mem_" + "0" * 32]
)
def test_what_is_too_short_or_nobodys_is_unknown(tmp_path: Path, wanted: str) -> None:
    with pytest.raises(UnknownId):
        found(desk(tmp_path), wanted)


def test_an_ambiguous_beginning_names_all(tmp_path: Path) -> None:
    ids = [f"mem_deadbeef{digit * 24}" for digit in "012"]
    text = "# Plan\n\n## Doing\n\n" + "".join(f"### {name}\n<!-- memory:{name} -->\n" for name in ids)
    it = desk(tmp_path, text=text)
    with pytest.raises(AmbiguousId) as caught:
        found(it, "deadbeef")
    assert all(name in caught.value.message for name in ids)
    assert found(it, "deadbeef1").name == ids[1]
