"""What a refresh costs on boards of many cards: the first one, and after a line more in one card.

`python -m benchmarks.big_boards` prints the table. Beside it stands what reading such a page once takes, for
nothing that looks at a page can take less.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.boards import KEY, board
from wbmem_git.text.page import parse_page
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable

CARDS = (300, 2_000, 5_000)
CARD_BYTES = 90
EDITS = 5
ENVIRONMENT = {
    **os.environ,
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    **{
        f"GIT_{who}_{what}": "ada@example.org"
        for who in ("AUTHOR", "COMMITTER")
        for what in ("NAME", "EMAIL")
    },
}


class Row(NamedTuple):
    """Milliseconds of processor time of this process, git's children left out; of edits the median."""

    cards: int
    read_ms: float
    first_ms: float
    edit_ms: float


def measure(cards: int) -> Row:
    """A row, on a memory of its own."""
    text = board(cards, cards * CARD_BYTES)
    lines = text.splitlines(keepends=True)
    with tempfile.TemporaryDirectory() as folder:
        _git(folder, "init", "-q", "-b", "main")
        Path(folder, "wbmem.yaml").write_text(f"format: 1\nworkspace: {KEY}\n", encoding="utf-8")
        _commit(folder, text)
        with Workspace(folder, ENVIRONMENT) as workspace:
            first_ms = _ms(workspace.index_state)
            edits = []
            for number in range(1, EDITS + 1):
                place = len(lines) * number // (EDITS + 1)
                lines.insert(place, f"\nOne more line, number {number}, about `src/zeta.py`.\n\n")
                _commit(folder, "".join(lines))
                edits.append(_ms(workspace.index_state))
    read_ms = _ms(lambda: parse_page("PLAN.md", text, KEY, "board"))
    return Row(cards, read_ms, first_ms, statistics.median(edits))


def main() -> None:
    print("| cards on one board | reading it | first refresh | after a line more | × reading |")
    print("| --- | --- | --- | --- | --- |")
    for row in map(measure, CARDS):
        print(
            f"| {row.cards:,} | {row.read_ms:.0f} ms | {row.first_ms:.0f} ms | {row.edit_ms:.0f} ms |"
            f" {row.edit_ms / row.read_ms:.1f} |"
        )


def _ms(work: Callable[[], object]) -> float:
    begun = time.process_time()
    work()
    return (time.process_time() - begun) * 1000


def _commit(folder: str, text: str) -> None:
    Path(folder, "PLAN.md").write_text(text, encoding="utf-8")
    _git(folder, "add", "-A")
    _git(folder, "commit", "-q", "-m", "a line more")


def _git(folder: str, *words: str) -> None:
    subprocess.run(("git", *words), cwd=folder, env=ENVIRONMENT, check=True)


if __name__ == "__main__":
    main()
