"""No text makes a page or a question slow: time grows with its length, not with the square of it.

Each function gets short seeds over and over: a mark, a name, a line that begins something. The table says how
much longer a text four times as long takes: 4 × with its length, 16 × with the square. The exit status is 1
where anything grows like that. `python -m benchmarks.growth`
"""

from __future__ import annotations

import sys
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from wbmem_git.rules.credentials import credentials_in
from wbmem_git.text.contents import contents_of
from wbmem_git.text.cues import cues_in
from wbmem_git.text.folding import fold
from wbmem_git.text.indexed import words_of
from wbmem_git.text.mentions import Titles, ids_in
from wbmem_git.text.sentences import first_sentence, folded, joined, preview, without_comments
from wbmem_git.text.snippets import Asked, snippet, why
from wbmem_git.text.tags import dead_end, head, tags_in, topic
from wbmem_git.text.terms import query_words, terms
from wbmem_git.text.titles import title_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from wbmem_git.model import PageKind

KEY = "demo-1a2b3c4d"
ID = "mem_0123456789abcdef0123456789abcdef"
LENGTHS = (8_000, 100_000)
"""The first one that takes a time which can be compared; what reads the last at once is fast enough."""
AT_ONCE = 0.03
"""Seconds: what is read in so many is too fast to be compared."""
MOST_GROWTH = 8
"""Of a text four times as long; with the square it would be 16."""
ASKED = Asked("x a ab 登录 factor _ 0 a.b 2026-05-08")
SEEDS = (
    "_", "-", ".", "a", "aA", "Aa", "0:", "0-", "a/b-c.", "a_", "_a", "x", "/", "./", "\\", "@a", "'",
    "a’b", "`", "`a` ", "```\n", "*", "**a** ", "[a](b)", "[", "(", "（tag:a）", "：", "topic:a ",
    "tags: a ", "a → b", "-> ", "because ", "方案：", "登", "登录a", "。", "a. ", "e.g. ", "<!--",
    "-->", "<!-- a -->", "<a ", "&amp;", "# a\n", "## a\n", "### a\n", "- a\n", "- ", "> ", "\n", " ",
    "a b ", "a\n===\n", "|a|b|\n", "http://a/", "://", f"{ID} ", "2026-05-08.", "10:30 ", "5月8号",
    "🚀", "👍🏽", "\u0315\u0300", "\u0301", "ＡＢ", "ß", "İ", "a1b2c3d ", "foo() ", "FooError ", "C++ ",
    "\u3000", "登录超时重试", "- - a\n", "\t\n", "tag:", "tag:a-", "topic:--", "方案：", "[]", "because",
    "1:", "``a`", "a:", "a://", "a://.", "a()", "1.", "A-", "#", "#1", "a#1", "(", "/a", "登/", "登.", "登 a",
    "a 登/", "/登a", "é/", "~", "~/", "https://登.", "=登", "C:\\登", "\\登a", "session:a", "C:\\", '"',
    "[ ] ", "ghp_", "password: ", "-----BEGIN PRIVATE KEY-----\n", "- A1b2C3d4E5f6G7h8I9j0K1l2M3n4\n",
    "密码是", "<b>", "</b>", f"### a\n<!-- memory:{ID} -->\n", "<!-- user -->\n", "- a: b → c\n",
)  # fmt: skip


def _found(asked: Asked, text: str) -> None:
    spans = asked.spans(text)
    snippet(text, spans)
    why(spans)
    asked.besides((), text, "2026-05-08")


def _page(path: str, kind: PageKind) -> Callable[[str], object]:
    return lambda text: [words_of(content) for content in contents_of(path, kind, text, KEY)]


READERS: dict[str, Callable[[str], object]] = {
    "terms": terms,
    "query_words": query_words,
    "cues_in": lambda text: [cues_in(f"{text}{end}") for end in ("", "/", ".")],
    "tags_in": tags_in,
    "topic": topic,
    "dead_end": lambda text: dead_end(f"{text}->"),
    "credentials": credentials_in,
    "head": head,
    "fold": fold,
    "title_of": title_of,
    "ids_in": lambda text: list(ids_in(text)),
    "titles": lambda text: Titles([text[:60], "a b"], fold).named_in(text),
    "preview": lambda text: preview(text.split("\n")),
    "first_sentence": lambda text: first_sentence(text.split("\n")),
    "joined": lambda text: joined(text.split("\n")),
    "folded": lambda text: folded(text.split("\n")),
    "without_comments": without_comments,
    "spans": lambda text: _found(ASKED, text),
    "spans of what stands there": lambda text: _found(Asked(text), text),
    "a board": _page("PLAN.md", "board"),
    "entries": _page("MEMORY.md", "entries"),
    "a ledger": _page("handoff-20260914-101500.md", "ledger"),
    "a log": _page("log/2026-09-14.md", "log"),
    "an archive file": _page(f"archive/{ID}.md", "archive"),
}


def _seconds(read: Callable[[str], object], text: str) -> float:
    begun = process_time()
    read(text)
    return process_time() - begun


def _growth(read: Callable[[str], object], seed: str) -> float:
    """How much longer a text four times as long takes; 1 where that is no time at all."""
    for length in LENGTHS:
        long, short = (seed * (size // len(seed)) for size in (length, length // 4))
        took_s = _seconds(read, long)
        if took_s < AT_ONCE:
            continue
        growth = took_s / max(_seconds(read, short), AT_ONCE / 16)
        if growth >= MOST_GROWTH:  # perhaps the machine was busy
            growth = min(_seconds(read, long) / max(_seconds(read, short), AT_ONCE / 16) for _ in range(3))
        return growth
    return 1


def main() -> int:
    """0 where nothing grows with the square of its length."""
    print(f"a text four times as long, up to {LENGTHS[-1]:,} characters: the worst of {len(SEEDS)} kinds")
    status = 0
    for name, read in READERS.items():
        growth, seed = max((_growth(read, seed), seed) for seed in SEEDS)
        fast = growth == 1
        status |= growth >= MOST_GROWTH
        print(f"  {name:28}{'too fast to tell' if fast else f'{growth:.1f} ×  {seed!r}'}")
    return status


if __name__ == "__main__":
    sys.exit(main())
