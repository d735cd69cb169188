"""What recall costs, beside other ways to find words, in one run: `python -m benchmarks.recall`.

1,000, 10,000 and 100,000 entries of 240 characters, half of them Chinese, half English, with words as
frequent as in real texts; each way answers the same questions. Beside ours: a naive OR of all terms in FTS5,
and tantivy and bm25s where `--with PYTHON` names an interpreter that has them (they are never dependencies).
"""

from __future__ import annotations

import argparse
import itertools
import json
import random
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store import matches, words
from wbmem_git.store.contents import NewPage, replace_pages
from wbmem_git.store.schema import schema
from wbmem_git.store.sidecar import BUILDING, OPENING
from wbmem_git.text.content import Content
from wbmem_git.text.terms import query_terms, terms
from wbmem_git.verbs.ask.filters import Query
from wbmem_git.verbs.ask.recall import recall

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

SIZES = (1_000, 10_000, 100_000)
BARS_MS = {1_000: 1.5, 10_000: 4.0, 100_000: 10.0}
CHARACTERS = 240
PER_PAGE = 40
QUESTIONS = 200
TODAY = "2026-11-30"


class Row(NamedTuple):
    """One way at one size: milliseconds of a question and of one more entry, megabytes, seconds to build."""

    way: str
    p50_ms: float
    p95_ms: float
    add_ms: float
    size_mb: float
    build_s: float


class Texts:
    """Entries and questions: the same for the same size."""

    def __init__(self, size: int) -> None:
        self._random = random.Random(size)
        self._english, self._chinese = list(self._vocabulary()), list(self._two_characters())
        self._english_shares = _zipf(len(self._english))
        self._chinese_shares = _zipf(len(self._chinese))
        self.entries = [self._entry(number) for number in range(size)]
        self.questions = [self._question() for _ in range(QUESTIONS)]

    def _vocabulary(self) -> Iterator[str]:
        syllables = [a + b for a in "bcdfghklmnprstvw" for b in ("a", "e", "i", "o", "u", "an", "er", "in")]
        for _ in range(30_000):
            yield "".join(
                self._random.choice(syllables) for _ in range(self._random.choice((1, 2, 2, 3, 3, 4)))
            )

    def _two_characters(self) -> Iterator[str]:
        for _ in range(20_000):
            length = self._random.choice((1, 2, 2, 2, 2, 3, 4))
            yield "".join(chr(0x4E00 + self._random.randrange(3000)) for _ in range(length))

    def _entry(self, number: int) -> str:
        if number % 2:
            return " ".join(self._words(CHARACTERS // 4))[:CHARACTERS]
        return "".join(self._random.choices(self._chinese, cum_weights=self._chinese_shares, k=150))[
            :CHARACTERS
        ]

    def _words(self, count: int) -> list[str]:
        return self._random.choices(self._english, cum_weights=self._english_shares, k=count)

    def _question(self) -> str:
        """A few words, or a stretch of characters, that stand in an entry, and one that may not."""
        entry = self._random.choice(self.entries)
        if not entry.isascii():
            start = self._random.randrange(len(entry) - 8)
            return entry[start : start + 8]
        return " ".join([*self._random.sample(entry.split()[:-1], 5), *self._words(1)])


def _zipf(count: int) -> list[float]:
    return list(itertools.accumulate(1 / (rank + 2) for rank in range(count)))


def _timed(ask: Callable[[str], object], questions: Sequence[str]) -> tuple[float, float]:
    """p50 and p95, milliseconds, each question asked once before."""
    took = []
    for question in questions[:20]:
        ask(question)
    for question in questions:
        begun = time.perf_counter()
        ask(question)
        took.append((time.perf_counter() - begun) * 1e3)
    took.sort()
    return statistics.median(took), took[int(len(took) * 0.95)]


def _added(add: Callable[[int], object], count: int = 20) -> float:
    """Milliseconds of one more entry, each in a transaction of its own."""
    begun = time.perf_counter()
    for number in range(count):
        add(number)
    return (time.perf_counter() - begun) * 1e3 / count


# --- the ways -----------------------------------------------------------------------------------------


def ours(texts: Texts, folder: Path) -> tuple[Row, sqlite3.Connection]:
    """The product: rows of pages and entries as the sidecar has them, and `recall` with all that it tells."""
    file = folder / f"sidecar-{len(texts.entries)}.sqlite"
    db = _new(file)
    begun = time.perf_counter()
    db.execute("BEGIN")
    pages = [texts.entries[start : start + PER_PAGE] for start in range(0, len(texts.entries), PER_PAGE)]
    for number, page in enumerate(pages):
        _write(db, number, page)
    words.settle(db)
    db.execute("COMMIT")
    build_s = time.perf_counter() - begun
    size_mb = file.stat().st_size / 1e6
    db.close()
    db = sqlite3.connect(file, isolation_level=None)
    for pragma in OPENING:
        db.execute(f"PRAGMA {pragma}")
    p50, p95 = _timed(lambda question: recall(db, Query(question, TODAY)), texts.questions)

    def add(number: int) -> None:
        db.execute("BEGIN")
        _write(db, len(pages) + number, [texts.entries[number]])
        words.settle(db)
        db.execute("COMMIT")

    return Row("wbmem recall", p50, p95, _added(add), size_mb, build_s), db


def _new(file: Path) -> sqlite3.Connection:
    """An empty sidecar, as a full build writes it."""
    db = sqlite3.connect(file, isolation_level=None)
    for pragma in BUILDING:
        db.execute(f"PRAGMA {pragma}")
    db.executescript(schema())
    return db


def _write(db: sqlite3.Connection, number: int, page: Sequence[str]) -> None:
    path = f"log/{number}.md"
    contents = [
        Content(f"mem_{number:016x}{line:016x}", "log", path, line, line, "", "", f"{text}\n", date=TODAY)
        for line, text in enumerate(page, 1)
    ]
    replace_pages(db, [NewPage(path, f"mem_{number:032x}", "log", "log", "", lambda _: contents)])


def index_alone(texts: Texts) -> Row:
    """Our postings without the rows of entries: what full text itself takes."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "words.sqlite"
        db = _new(file)
        contents = [
            Content(
                f"mem_{number:032x}", "log", f"log/{number // PER_PAGE}.md", 2, 2, "", "", text, date=TODAY
            )
            for number, text in enumerate(texts.entries)
        ]
        begun = time.perf_counter()
        db.execute("BEGIN")
        for start in range(0, len(contents), PER_PAGE):
            page = contents[start : start + PER_PAGE]
            words.add(db, ((start + place, place, one) for place, one in enumerate(page)))
        words.settle(db)
        db.execute("COMMIT")
        build_s = time.perf_counter() - begun
        size_mb = file.stat().st_size / 1e6
        p50, p95 = _timed(lambda text: matches.match(db, query_terms(text), 64, 4_000), texts.questions)
        return Row("  of it the postings", p50, p95, float("nan"), size_mb, build_s)


def fts5(texts: Texts) -> Row:
    """SQLite's own, with our terms: every term of the question, the best ten by bm25()."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "fts5.sqlite"
        db = sqlite3.connect(file, isolation_level=None)
        begun = time.perf_counter()
        db.execute("BEGIN")
        db.execute("CREATE VIRTUAL TABLE found USING fts5(terms, content='')")
        insert = "INSERT INTO found (rowid, terms) VALUES (?, ?)"
        db.executemany(insert, ((n, " ".join(terms(text))) for n, text in enumerate(texts.entries, 1)))
        db.execute("COMMIT")
        build_s = time.perf_counter() - begun
        size_mb = file.stat().st_size / 1e6

        def ask(question: str) -> object:
            either = " OR ".join(f'"{term}"' for term in query_terms(question))
            found = "SELECT rowid FROM found WHERE found MATCH ? ORDER BY rank LIMIT 10"
            return db.execute(found, (either,)).fetchall()

        p50, p95 = _timed(ask, texts.questions)
        last = len(texts.entries) + 1
        add_ms = _added(lambda n: db.execute(insert, (last + n, " ".join(terms(texts.entries[n])))))
        return Row("FTS5, naive OR", p50, p95, add_ms, size_mb, build_s)


def others(texts: Texts, python: str) -> Iterator[Row]:
    """tantivy and bm25s, in an interpreter that has them."""
    given = {
        "entries": [" ".join(terms(text)) for text in texts.entries],
        "questions": [query_terms(question) for question in texts.questions],
    }
    for way in ("tantivy", "bm25s"):
        done = subprocess.run(
            [python, str(Path(__file__).with_name("recall_others.py")), way],
            input=json.dumps(given), capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode == 0:
            yield Row(way, *json.loads(done.stdout))
        else:
            print(f"{way}: not there ({done.stderr.strip().splitlines()[-1:]})")


def main() -> int:
    """Print a table for each size; 1 where a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="*", default=SIZES)
    parser.add_argument("--with", dest="python", default="", help="an interpreter that has tantivy and bm25s")
    chosen = parser.parse_args()
    missed = False
    for size in chosen.sizes:
        texts = Texts(size)
        with tempfile.TemporaryDirectory() as folder:
            row, db = ours(texts, Path(folder))
            db.close()
        rows = [
            row,
            index_alone(texts),
            fts5(texts),
            *(others(texts, chosen.python) if chosen.python else ()),
        ]
        bar = BARS_MS.get(size)
        print(f"\n{size:,} entries" + (f" (bar: p50 {bar} ms)" if bar else ""))
        print(f"{'':22}{'p50 ms':>9}{'p95 ms':>9}{'add ms':>9}{'MB':>9}{'build s':>9}")
        for way in rows:
            print(f"{way.way:22}" + "".join(f"{value:9.2f}" for value in way[1:]))
        missed |= bar is not None and row.p50_ms > bar
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
