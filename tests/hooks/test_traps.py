"""Whatever lies where a file of ours belongs, nobody waits for it: no commit, no checkout, no question."""

from __future__ import annotations

import os
import signal
import subprocess
from typing import TYPE_CHECKING

import pytest
from children import exits_well, in_child
from hooks.gated import git_dir, install_hooks
from pages import SETTINGS, board, card

from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memory import Memory

OURS = (
    ("settings", "stamp", "sidecar.failures"),
    ("expanded", "journal.jsonl", "index.json.note", "events.jsonl.note"),
    ("sidecar.sqlite", "audit/main/.mark", "audit/main/.open.json"),
    ("sidecar.sqlite-journal", "sidecar.sqlite-wal"),
    ("sidecar.lock",),
)
PATIENCE_S = 20


@pytest.fixture
def used(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> Memory:
    """A memory with hooks that wait for the sidecar, of which every file of ours was written once."""
    monkeypatch.setenv("WBMEM_DETACH", "0")
    memory.commit(
        {"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha")), ".gitignore": "/*.json*\n"}, "begin"
    )
    install_hooks(memory)
    commit(memory)
    ask(memory)
    return memory


def commit(memory: Memory) -> None:
    """What starts our hooks; a hook that waits is ended, and fails."""
    for words in (
        ("commit", "-q", "--allow-empty", "-m", "on"),
        ("checkout", "-q", "--detach"),
        ("checkout", "-q", "main"),
    ):
        subprocess.run(("git", *words), cwd=memory.top, check=True, timeout=PATIENCE_S)


def ask(memory: Memory) -> None:
    """Every question that reads or writes a file of ours, in a process that ends in any case."""

    def work() -> None:
        signal.alarm(PATIENCE_S)
        workspace = Workspace(str(memory.top), os.environ)
        assert workspace.recall("Alpha")["hits"]
        workspace.expand("Alpha", session="one")
        workspace.check_index()
        workspace.status()
        workspace.audit()

    assert exits_well(in_child(work))


@pytest.mark.parametrize("names", OURS)
def test_a_pipe_in_the_place_of_a_file_is_waited_for_by_nobody(used: Memory, names: Sequence[str]) -> None:
    for name in names:
        place = git_dir(used) / "wbmem" / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink(missing_ok=True)
        os.mkfifo(place)
    ask(used)
    commit(used)
