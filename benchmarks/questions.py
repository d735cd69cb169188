"""What a question costs: `expand` and `trace` in a warm process, and `wbmem expand` as a whole process.

A process is the console script of an installed package, beside the same Python doing nothing. The memory has
a 60 KB board of 300 cards, 200 ledgers and 1,000 commits. `python -m benchmarks.questions` prints the table.
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
from benchmarks.installed import installed
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from benchmarks.installed import Installed

CARDS, SIZE_BYTES, LEDGERS, COMMITS = 300, 60_000, 200, 1_000
BAR_MS = 5.0
IDENTITY = "Ada <ada@example.org>"
BEGUN = 1_780_000_000
LEDGER = """\
# Handoff {number}

## Goals

- login number {number}: nobody is logged out by a refresh of the token

## Task state

- see PLAN.md, card {card}: it says where `src/auth/part_{part}.py` stands

## Tried and failed

- a lock around refresh_{part}() → it blocks the event loop
- a second queue（topic:queue-{part}）→ messages arrive twice

## Progress and next step

- run `pytest tests/auth -k part_{part}` and compare the two traces
"""
TAGS = (
    "type:dead-end",
    "topic:see plan",
    "topic:*",
    "dead-end:a lock around refresh_10()",
    "tests/auth",
    "refresh_token()",
    "recall",
)
WORDS = ("the lock around refresh blocks", "登录超时", "nothing of that kind at all")


class Row(NamedTuple):
    """One question: the median and the slowest of twenty of its runs, in milliseconds."""

    what: str
    median_ms: float
    p95_ms: float


def measure(runs: int = 40) -> tuple[Row, ...]:
    """A row for each kind of question in process, then for whole processes."""
    with tempfile.TemporaryDirectory() as folder:
        memory = made(Path(folder, "handoff"))
        with memory:
            memory.index_state()
            rows = [*_in_process(memory, runs)]
        rows += _processes(memory, installed(Path(folder, "installed")), max(runs // 4, 5))
    return tuple(rows)


def made(top: Path) -> Workspace:
    """A memory with a history, written by `git fast-import`."""
    top.mkdir()
    environment = {
        name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "WBMEM_"))
    }
    environment |= {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(top.parent)}
    for args, stdin in (
        (("init", "-q", "-b", "main"), b""),
        (("fast-import", "--quiet"), b"".join(_commits())),
        (("read-tree", "HEAD"), b""),
        (("checkout-index", "-qa"), b""),
    ):
        subprocess.run(["git", *args], cwd=top, env=environment, input=stdin, check=True, capture_output=True)
    return Workspace(top, environment)


def _commits() -> Iterator[bytes]:
    text = board(CARDS, SIZE_BYTES)
    places = [text.index("\n\n", at) for at in _cards(text)]
    for number in range(COMMITS):
        files = {}
        if number == 0:
            files["wbmem.yaml"] = f"format: 1\nworkspace: {KEY}\n"
        if number % (COMMITS // LEDGERS) == 0:
            name = time.strftime("handoff-%Y%m%d-%H%M%S.md", time.gmtime(BEGUN + number * 3600))
            files[name] = LEDGER.format(number=number, card=number % CARDS, part=number % 50)
        place = places[number * 7 % len(places)]
        files["PLAN.md"] = f"{text[:place]} ({number}){text[place:]}"
        when = f"{IDENTITY} {BEGUN + number * 3600} +0000"
        yield f"commit refs/heads/main\ncommitter {when}\n{_data(f'edit {number}')}".encode()
        yield from (f"M 100644 inline {path}\n{_data(said)}".encode() for path, said in files.items())


def _cards(text: str) -> Iterator[int]:
    at = text.find("\n### ")
    while at >= 0:
        yield at
        at = text.find("\n### ", at + 1)


def _data(text: str) -> str:
    return f"data {len(text.encode())}\n{text}\n"


def _in_process(memory: Workspace, runs: int) -> Iterator[Row]:
    ids = [entry["id"] for tag in TAGS for entry in memory.expand(tag, limit=20)["entries"]]
    for tag in (*TAGS, *WORDS):
        yield _row(f"expand {tag}", lambda tag=tag: memory.expand(tag), runs)  # type: ignore[misc]
    every = [(*TAGS, *WORDS)[n % len((*TAGS, *WORDS))] for n in range(runs)]
    yield _mixed("expand, all of these in turn", [lambda tag=tag: memory.expand(tag) for tag in every])  # type: ignore[misc]
    yield _mixed("trace, cards and bullets in turn", [lambda name=name: memory.trace(name) for name in ids])  # type: ignore[misc]
    yield _row("versions PLAN.md", lambda: memory.versions("PLAN.md"), runs)


def _processes(memory: Workspace, it: Installed, runs: int) -> list[Row]:
    program = [it.wbmem, "-w", memory.top]
    ways = {
        "process: python -c pass": [it.python, "-c", "pass"],
        "process: wbmem --version": [*program, "--version"],
        "process: wbmem expand type:dead-end": [*program, "expand", "type:dead-end"],
        "process: wbmem expand, free text": [*program, "expand", WORDS[0]],
        "process: wbmem trace PLAN.md": [*program, "trace", "PLAN.md"],
        "process: wbmem versions PLAN.md": [*program, "versions", "PLAN.md"],
    }
    taken: dict[str, list[float]] = {way: [] for way in ways}
    for number in range(runs + 1):
        for way, command in ways.items():
            took_ms = _timed(lambda command=command: _run(command, memory))  # type: ignore[misc]
            if number:  # the first fills caches
                taken[way].append(took_ms)
    return [_told(way, times) for way, times in taken.items()]


def _run(command: list[str], memory: Workspace) -> None:
    subprocess.run(command, env=memory.environment, check=True, stdout=subprocess.DEVNULL)


def _row(what: str, ask: Callable[[], object], runs: int) -> Row:
    return _mixed(what, [ask] * runs)


def _mixed(what: str, asks: list[Callable[[], object]]) -> Row:
    asks[0]()
    return _told(what, [_timed(ask) for ask in asks])


def _timed(ask: Callable[[], object]) -> float:
    begun = time.perf_counter()
    ask()
    return (time.perf_counter() - begun) * 1000


def _told(what: str, times: list[float]) -> Row:
    return Row(what, statistics.median(times), sorted(times)[int(len(times) * 0.95)])


def main() -> None:
    rows = measure()
    title = f"{CARDS} cards, {LEDGERS} ledgers, {COMMITS} commits"
    print(f"{title:46}{'median':>11}{'p95':>10}{'x pass':>9}")
    bare = next(row.median_ms for row in rows if row.what.endswith("python -c pass"))
    for row in rows:
        ratio = f"{row.median_ms / bare:9.1f}" if row.what.startswith("process") else ""
        print(f"{row.what:46}{row.median_ms:8.2f} ms{row.p95_ms:7.2f} ms{ratio}")
    print(f"bar in process: {BAR_MS} ms")


if __name__ == "__main__":
    main()
