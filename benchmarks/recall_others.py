"""Other libraries on the texts of `benchmarks.recall`: run by it, in an interpreter that has them."""

from __future__ import annotations

import json
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable


def _timed(ask: Callable[[Any], object], questions: list[Any]) -> tuple[float, float]:
    took = []
    for question in questions:
        begun = time.perf_counter()
        ask(question)
        took.append((time.perf_counter() - begun) * 1e3)
    took.sort()
    return statistics.median(took), took[int(len(took) * 0.95)]


def _size_mb(folder: str) -> float:
    return sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file()) / 1e6


def tantivy(entries: list[str], questions: list[list[str]]) -> list[float]:
    """p50, p95, one more entry (ms), megabytes, seconds to build."""
    import tantivy as library  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder:
        builder = library.SchemaBuilder()
        builder.add_text_field("terms", stored=False, tokenizer_name="whitespace")
        index = library.Index(builder.build(), path=folder)
        begun = time.perf_counter()
        writer = index.writer(heap_size=100_000_000, num_threads=1)
        for entry in entries:
            writer.add_document(library.Document(terms=[entry]))
        writer.commit()
        writer.wait_merging_threads()
        build_s = time.perf_counter() - begun
        size_mb = _size_mb(folder)
        index.reload()
        searcher = index.searcher()
        schema = index.schema

        def ask(terms: list[str]) -> object:
            either = [
                (library.Occur.Should, library.Query.term_query(schema, "terms", term)) for term in terms
            ]
            return searcher.search(library.Query.boolean_query(either), 10)

        p50, p95 = _timed(ask, questions)
        writer = index.writer(heap_size=100_000_000, num_threads=1)
        begun = time.perf_counter()
        for entry in entries[:20]:
            writer.add_document(library.Document(terms=[entry]))
            writer.commit()
        return [p50, p95, (time.perf_counter() - begun) * 1e3 / 20, size_mb, build_s]


def bm25s(entries: list[str], questions: list[list[str]]) -> list[float]:
    """As above; one more entry is a build."""
    import bm25s as library  # type: ignore[import-not-found]

    with tempfile.TemporaryDirectory() as folder:
        begun = time.perf_counter()
        index = library.BM25()
        index.index([entry.split(" ") for entry in entries], show_progress=False)
        build_s = time.perf_counter() - begun
        index.save(folder)
        p50, p95 = _timed(
            lambda terms: index.retrieve([terms], k=10, show_progress=False, n_threads=1), questions
        )
        return [p50, p95, build_s * 1e3, _size_mb(folder), build_s]


if __name__ == "__main__":
    given = json.load(sys.stdin)
    print(json.dumps({"tantivy": tantivy, "bm25s": bm25s}[sys.argv[1]](given["entries"], given["questions"])))
