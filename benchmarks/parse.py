"""How fast pages are read: the scanner, markdown-it and a whole page, side by side on the same boards.

`python -m benchmarks.parse` prints the table; `measure()` gives its rows to other programs.
"""

from __future__ import annotations

import functools
import statistics
import subprocess
import sys
import time
from typing import TYPE_CHECKING, Literal, NamedTuple

from benchmarks.boards import KEY, board
from wbmem_git.text import commonmark, metadata, scan, titles
from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    from collections.abc import Callable

REMEMBERED = [
    kept for module in (metadata, titles) for kept in vars(module).values() if hasattr(kept, "cache_clear")
]
SIZES = ((500, 200_000), (300, 60_000))
LANGUAGES: tuple[Literal["en", "zh"], ...] = ("en", "zh")


class Row(NamedTuple):
    """Medians of processor time in milliseconds, on one board."""

    cards: int
    language: str
    size_bytes: int
    scan_ms: float
    commonmark_ms: float
    page_ms: float

    @property
    def scan_speed(self) -> float:
        """MB/s."""
        return self.size_bytes / self.scan_ms / 1000

    @property
    def commonmark_speed(self) -> float:
        """MB/s."""
        return self.size_bytes / self.commonmark_ms / 1000


def measure(runs: int = 15) -> tuple[Row, ...]:
    """A row for each board; the three readers take turns, so that a busy machine slows all of them."""
    boards = [
        (cards, language, board(cards, size_bytes, language))
        for cards, size_bytes in SIZES
        for language in LANGUAGES
    ]
    return tuple(
        Row(cards, language, len(text.encode()), *_medians(runs, time.process_time, *_readers(text)))
        for cards, language, text in boards
    )


def _readers(text: str) -> tuple[Callable[[], object], ...]:
    assert scan.blocks(text) == commonmark.blocks(text)
    return (
        functools.partial(scan.blocks, text),
        functools.partial(commonmark.blocks, text),
        functools.partial(_first_read, text),
    )


def _first_read(text: str) -> object:
    """A page as a process reads it first: nothing is remembered of the page's other side."""
    for remembered in REMEMBERED:
        remembered.cache_clear()
    return parse_page("PLAN.md", text, KEY, "board")


def _medians(runs: int, clock: Callable[[], float], *readers: Callable[[], object]) -> list[float]:
    taken: list[list[float]] = [[] for _ in readers]
    for _ in range(runs):
        for times, reader in zip(taken, readers, strict=True):
            begun = clock()
            reader()
            times.append((clock() - begun) * 1000)
    return [statistics.median(times) for times in taken]


def import_ms(module: str, runs: int = 9) -> float:
    """What importing a module costs a fresh interpreter, beyond its start."""

    def start(program: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", program], check=True)

    bare, loaded = _medians(runs, time.perf_counter, start("pass"), start(f"import {module}"))
    return loaded - bare


def main() -> None:
    print("board                 scan            markdown-it      ratio   whole page")
    for row in measure():
        print(
            f"{row.size_bytes / 1000:4.0f} KB {row.cards} cards {row.language}"
            f"  {row.scan_ms:6.1f} ms {row.scan_speed:5.1f} MB/s"
            f"  {row.commonmark_ms:6.1f} ms {row.commonmark_speed:4.1f} MB/s"
            f"  {row.commonmark_ms / row.scan_ms:4.0f} x"
            f"  {row.page_ms:6.1f} ms"
        )
    ours, theirs = import_ms("wbmem_git.text.page"), import_ms("markdown_it")
    print(f"import wbmem_git.text.page {ours:.0f} ms, markdown_it {theirs:.0f} ms")


if __name__ == "__main__":
    main()
