"""How fast pages are read: the scanner, markdown-it and a whole page, side by side on the same boards.

`python -m benchmarks.parse` prints the table; `measure()` gives its rows to other programs.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
from functools import partial
from typing import TYPE_CHECKING, Literal, NamedTuple

from benchmarks.boards import KEY, board
from wbmem_git.text import commonmark, scan
from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    from collections.abc import Callable

SIZES = ((500, 200_000), (300, 60_000))
LANGUAGES: tuple[Literal["en", "zh"], ...] = ("en", "zh")


class Row(NamedTuple):
    """Medians in milliseconds, on one board."""

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
        Row(cards, language, len(text.encode()), *_medians(runs, *_readers(text)))
        for cards, language, text in boards
    )


def _readers(text: str) -> tuple[Callable[[], object], ...]:
    assert scan.blocks(text) == commonmark.blocks(text)
    return (
        partial(scan.blocks, text),
        partial(commonmark.blocks, text),
        partial(parse_page, "PLAN.md", text, KEY, "board"),
    )


def _medians(runs: int, *readers: Callable[[], object]) -> list[float]:
    taken: list[list[float]] = [[] for _ in readers]
    for _ in range(runs):
        for times, reader in zip(taken, readers, strict=True):
            begun = time.perf_counter()
            reader()
            times.append((time.perf_counter() - begun) * 1000)
    return [statistics.median(times) for times in taken]


def import_ms(module: str, runs: int = 9) -> float:
    """What importing a module costs a fresh interpreter, beyond its start."""

    def start(program: str) -> Callable[[], object]:
        return lambda: subprocess.run([sys.executable, "-c", program], check=True)

    bare, loaded = _medians(runs, start("pass"), start(f"import {module}"))
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
