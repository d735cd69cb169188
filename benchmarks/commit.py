"""What a commit costs: through every native hook, and beside it what else could stand there, in one run.

One card is edited and committed again and again, in a memory with a 60 KB board of 300 cards; the ways take
turns, so that a busy machine slows all of them. `python -m benchmarks.commit` prints the table; `measure()`
gives its rows to other programs.
"""

from __future__ import annotations

import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.boards import KEY, board
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.hooks.install import install

if TYPE_CHECKING:
    from collections.abc import Callable

CARDS, SIZE_BYTES = 300, 60_000
BAR = 0.45
NATIVE, FRAMEWORK = "native hooks", "framework, one hook that does nothing"
BARE, TWO_STARTS = "bare git commit", "bare, and two starts of Python"
EMPTY_HOOK = """\
repos:
  - repo: local
    hooks:
      - {id: nothing, name: nothing, entry: 'true', language: system, always_run: true, pass_filenames: false}
"""
SETTINGS = f"format: 1\nworkspace: {KEY}\n"


class Row(NamedTuple):
    """One way to commit: the median and the fastest of its runs, in milliseconds."""

    way: str
    median_ms: float
    best_ms: float


class Desk(NamedTuple):
    """A repository that one way commits to."""

    top: Path
    environment: dict[str, str]

    def git(self, *args: str) -> None:
        done = subprocess.run(
            ["git", *args],
            cwd=self.top,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            check=False,
        )
        assert done.returncode == 0, done.stderr.decode()

    def commit(self, number: int) -> float:
        """One commit that edits one card; its milliseconds."""
        text = board(CARDS, SIZE_BYTES)
        place = text.index("\n", text.index("Next step", len(text) // 2))
        (self.top / "PLAN.md").write_text(f"{text[:place]} ({number}){text[place:]}", encoding="utf-8")
        self.git("add", "PLAN.md")
        begun = time.perf_counter()
        self.git("commit", "-q", "-m", f"edit {number}")
        return (time.perf_counter() - begun) * 1000


def measure(runs: int = 25) -> tuple[Row, ...]:
    """A row for each way, the slowest first."""
    with tempfile.TemporaryDirectory() as folder:
        desks = {way: make(Path(folder, str(n)), way) for n, way in enumerate(WAYS)}
        taken: dict[str, list[float]] = {way: [] for way in desks}
        for number in range(runs + 2):
            for way, desk in desks.items():
                took_ms = desk.commit(number)
                if number > 1:  # the first two fill caches
                    taken[way].append(took_ms)
    return tuple(Row(way, statistics.median(times), min(times)) for way, times in taken.items())


def make(top: Path, way: str) -> Desk:
    """A memory with a board, and what that way puts into its hooks."""
    top.mkdir()
    desk = Desk(top, scrubbed(top))
    desk.git("init", "-q", "-b", "main")
    for name, value in (("user.name", "Ada"), ("user.email", "ada@example.org"), ("gc.auto", "0")):
        desk.git("config", name, value)
    (top / "wbmem.yaml").write_text(SETTINGS)
    (top / "PLAN.md").write_text(board(CARDS, SIZE_BYTES), encoding="utf-8")
    desk.git("add", "-A")
    desk.git("commit", "-q", "-m", "begin")
    WAYS[way](desk)
    return desk


def scrubbed(top: Path) -> dict[str, str]:
    """An environment without git's and the framework's own variables, and with a home of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("GIT_", "PRE_COMMIT"))}
    return {
        **kept,
        "HOME": str(top.parent),
        "PRE_COMMIT_HOME": str(top.parent / "cache"),
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
    }


def native(desk: Desk) -> None:
    """Every hook that `wbmem hooks install` writes."""
    with Repository.open(str(desk.top), desk.environment) as repository:
        install(repository, desk.environment)


def framework(desk: Desk) -> None:
    """The pre-commit framework with a hook `true`: what it costs before anything is checked."""
    (desk.top / ".git/info/exclude").write_text(".pre-commit-config.yaml\n")
    (desk.top / ".pre-commit-config.yaml").write_text(EMPTY_HOOK)
    command = [sys.executable, "-m", "pre_commit", "install"]
    subprocess.run(command, cwd=desk.top, env=desk.environment, check=True, stdout=subprocess.DEVNULL)


def two_starts(desk: Desk) -> None:
    """Nothing but Python, started and ended before and after the commit."""
    for name in ("pre-commit", "post-commit"):
        hook = desk.top / ".git/hooks" / name
        hook.write_text(f"#!/bin/sh\nexec '{sys.executable}' -c pass\n")
        hook.chmod(0o755)


def bare(desk: Desk) -> None:
    """No hook at all."""
    shutil.rmtree(desk.top / ".git/hooks", ignore_errors=True)


WAYS: dict[str, Callable[[Desk], None]] = {
    FRAMEWORK: framework,
    NATIVE: native,
    TWO_STARTS: two_starts,
    BARE: bare,
}


def ratio(rows: tuple[Row, ...], way: str, beside: str) -> float:
    """One median over another."""
    by_way = {row.way: row.median_ms for row in rows}
    return by_way[way] / by_way[beside]


def main() -> None:
    rows = measure()
    title = f"a commit on a {SIZE_BYTES // 1000} KB board of {CARDS} cards"
    print(f"{title:46}{'median':>11}{'best':>10}{'x framework':>12}{'x bare':>11}")
    for row in rows:
        print(
            f"{row.way:46}{row.median_ms:8.1f} ms{row.best_ms:7.1f} ms"
            f"{ratio(rows, row.way, FRAMEWORK):12.2f}{ratio(rows, row.way, BARE):11.1f}"
        )
    print(f"native hooks: {ratio(rows, NATIVE, FRAMEWORK):.2f} x the framework (bar: {BAR})")


if __name__ == "__main__":
    main()
