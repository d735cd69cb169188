"""Every real page, adopted as a board: anchored, edited, dropped, archived; nothing else ever changes."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from desk import NOW, Desk
from memory import Memory

from wbmem_git.errors import UsageError
from wbmem_git.verbs.edits import heading_end
from wbmem_git.verbs.init import InitOptions
from wbmem_git.verbs.three_trees import load
from wbmem_git.workspace import Workspace

PAGES = sorted((Path(__file__).resolve().parents[3] / "shared" / "corpus").glob("[0-9]*.md"))
ANCHOR = b"<!-- memory:mem_"


def adopted(folder: Path, page: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Ada")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "ada@example.org")
    (folder / "handoff").mkdir()
    (folder / "handoff/PLAN.md").write_bytes(page.read_bytes())
    workspace, _ = Workspace.init(folder, dict(os.environ), InitOptions("en", NOW))
    return Desk(Memory(Path(workspace.top)), workspace)


def without_anchors(data: bytes) -> bytes:
    return b"".join(line for line in data.splitlines(keepends=True) if not line.startswith(ANCHOR))


@pytest.mark.parametrize("page", PAGES, ids=[page.name for page in PAGES])
def test_a_real_page_is_adopted_and_worked_on(
    tmp_path: Path, page: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    it = adopted(tmp_path, page, monkeypatch)
    text = page.read_bytes()
    assert it.head() == it.file()
    assert without_anchors(it.head()) == text
    assert it.clean()
    assert it.workspace.audit().exit_status == 0
    with it.workspace.open() as repository:
        versions = load(repository)
        board = versions.head.side.pages["PLAN.md"]
        cards = list(board.cards)
        ends = [heading_end(board, card) for card in cards]
    if not cards:
        return
    card, end = cards[len(cards) // 2], ends[len(cards) // 2]

    lines = it.file().splitlines(keepends=True)
    lines[end] += b"edited by hand\n" if not lines[end].endswith(b"\r\n") else b"edited by hand\r\n"
    it.memory.write("PLAN.md", b"".join(lines))
    it.memory.git("commit", "-q", "-a", "-m", "edited")
    edited = it.head()

    lines = edited.splitlines(keepends=True)
    dropped = b"".join(lines[: card.line - 1] + lines[card.end + 1 :])
    it.memory.write("PLAN.md", dropped)
    refused = it.memory.try_git("commit", "-q", "-a", "-m", "dropped")
    assert refused.returncode == 1
    assert "C2" in refused.stderr
    it.memory.write("PLAN.md", edited)
    it.memory.git("add", "PLAN.md")

    assert it.workspace.archive([card.id], "done", now=NOW, commit=True).commit
    assert it.head() == dropped
    assert it.clean()
    assert b"edited by hand" in it.head(f"archive/{card.id}.md")
    assert it.verdict() == []
    with pytest.raises(UsageError):
        it.workspace.archive([card.id], "done", now=NOW)

    assert it.workspace.restore(card.id, commit=True).title == card.title
    assert it.verdict() == []
    assert it.workspace.audit().exit_status == 0
