"""Writers of one memory, in processes of their own, and what each of them was told was done.

Each write holds one line `token: NAME`, and no other text does: so it can be counted wherever it went.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import UTC, date, datetime
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from pages import ledger

from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

DAY = date(2026, 9, 14)
MOMENT = datetime(2026, 9, 14, 10, 15, tzinfo=UTC)
PATIENCE_S = 60.0


class Told(NamedTuple):
    """The writes that somebody was told are done: a file that a killed writer leaves whole."""

    file: Path

    def done(self, token: str) -> None:
        descriptor = os.open(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            os.write(descriptor, f"{token}\n".encode())
        finally:
            os.close(descriptor)

    def all(self) -> list[str]:
        return self.file.read_text().split() if self.file.exists() else []


def write(workspace: Workspace, number: int, token: str) -> str:
    """A card, an entry or a ledger, committed; the commit's oid."""
    text = f"token: {token}"
    if number % 4 == 2:
        return workspace.new_entry(f"Entry {token}", today=DAY, text=text, commit=True).commit
    if number % 4 == 3:
        whole = ledger(f"Next: run `make test` once more\n\n{text}")
        return workspace.new_ledger(now=MOMENT, text=whole, commit=True).commit
    return workspace.new_card(f"Card {token}", today=DAY, column="Doing", text=text, commit=True).commit


def agent(top: Path, told: Told, who: str, writes: Iterable[int]) -> None:
    """Write again and again in one process, as a program does that holds a memory open."""
    with Workspace(top, dict(os.environ)) as workspace:
        for number in writes:
            token = f"{who}-{number}"
            assert write(workspace, number, token)
            told.done(token)


def command(top: Path, told: Told, who: str, writes: Iterable[int]) -> None:
    """The same by one command a write, as an agent at a shell does."""
    for number in writes:
        token = f"{who}-{number}"
        called = [sys.executable, "-m", "wbmem_git.cli", "new", "card", f"Card {token}"]
        done = subprocess.run(
            [*called, "--text", f"token: {token}", "--commit"],
            cwd=top,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        told.done(token)


def without_end(top: Path, told: Told, who: str) -> None:
    agent(top, told, who, count())


def person(top: Path, told: Told, who: str, writes: Iterable[int], pause_s: float) -> None:
    """A person with git alone: a note of their own, added and committed, again until git says it was."""
    for number in writes:
        token = f"{who}-{number}"
        note = top / f"note-{token}.txt"
        note.write_text(f"token: {token}\n")
        until = time.monotonic() + PATIENCE_S
        while not _committed(top, note.name, token):
            assert time.monotonic() < until, "git kept refusing a person's commit"
            time.sleep(0.005)
        told.done(token)
        time.sleep(pause_s)


def _committed(top: Path, name: str, token: str) -> bool:
    return all(
        subprocess.run(["git", *command], cwd=top, capture_output=True, check=False).returncode == 0
        for command in (("add", name), ("commit", "-q", "-m", f"note {token}"))
    )
