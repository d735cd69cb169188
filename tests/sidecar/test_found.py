"""What the state machine and git's own answers brought to light: the smallest history that shows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from desk import desk

if TYPE_CHECKING:
    from pathlib import Path


def test_a_page_that_is_gone_is_still_known_by_its_path(tmp_path: Path) -> None:
    it = desk(tmp_path)
    first = it.memory.git("rev-parse", "HEAD")
    second = it.memory.commit({"MEMORY.md": None})
    found = it.workspace.versions("MEMORY.md")["versions"]
    assert [(one["commit"], one["kind"]) for one in found] == [(second, "removed"), (first, "created")]
    assert it.workspace.show("MEMORY.md", first)["text"] == "# Memory\n"
