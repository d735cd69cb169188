"""The scanner says what markdown-it says, of every text."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, example, given, settings
from text.nasty import documents, random_document, shrunk
from text.spec import TIMES, examples

from wbmem_git.text import commonmark, list_items, scan

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from pathlib import Path

    from wbmem_git.model import Block

EXAMPLES = examples()
FIRM = settings(deadline=None, suppress_health_check=list(HealthCheck))


def assert_same(text: str) -> None:
    assert scan.blocks(text) == commonmark.blocks(text), repr(text)


@pytest.mark.parametrize("spec", EXAMPLES, ids=lambda spec: spec.name)
def test_every_example_of_the_spec_is_read_the_same(spec: object) -> None:
    assert isinstance(spec, tuple)
    text = spec[2]
    assert_same(text)
    assert_same(text.rstrip("\n"))
    assert_same(text.replace("\n", "\r\n"))


def test_the_whole_spec_is_there() -> None:
    assert [spec.number for spec in EXAMPLES] == list(range(1, 653))


@pytest.mark.parametrize("between", ["", "\n", "text\n", "- item\n\n"], ids=repr)
def test_some_pairs_of_spec_examples_are_read_the_same(between: str) -> None:
    """Every example once before and once behind another of each of a few distances: what one leaves open."""
    for distance in (1, 7, 41, 163, 307, 499)[: 2 if TIMES == 1 else 6]:
        for number, first in enumerate(EXAMPLES):
            second = EXAMPLES[(number + distance) % len(EXAMPLES)]
            assert_same(first.markdown + between + second.markdown)


@pytest.mark.slow
def test_every_pair_of_spec_examples_is_read_the_same() -> None:
    for first in EXAMPLES:
        for second in EXAMPLES:
            assert_same(first.markdown + second.markdown)


def test_real_pages_and_their_tails_are_read_the_same(corpus: list[Path]) -> None:
    for page in corpus:
        text = page.read_bytes().decode()
        assert_same(text)
        for tail in _tails(text):
            assert_same(tail)


def _tails(text: str) -> Iterator[str]:
    """A page from each of its headings on, bounded so that the slow reader keeps up."""
    lines = text.splitlines(keepends=True)
    for number, line in enumerate(lines):
        if line.lstrip().startswith("#"):
            yield "".join(lines[number : number + 150])
            yield "".join(lines[max(number - 3, 0) : number + 4])


def test_random_documents_are_read_the_same() -> None:
    """Twelve thousand of them in the suite; over a million by `make fuzz`, other ones every time."""
    chance = Random(1 if TIMES == 1 else None)
    for _ in range(12_000 * TIMES):
        text = random_document(chance)
        if scan.blocks(text) != commonmark.blocks(text):
            assert_same(shrunk(text, lambda smaller: scan.blocks(smaller) != commonmark.blocks(smaller)))


@settings(FIRM, max_examples=300 * TIMES)
@given(documents)
@example("x\n\n<a>\n# not a heading")  # an HTML block that the cut before the heading would end too early
@example("x\n===\n<a>\n# not a heading")  # the same below a line that isn't blank
@example("- a\n      \n  - b\n   <!-- c")
@example("> 9. <script\n>")
def test_nasty_documents_are_read_the_same(text: str) -> None:
    assert_same(text)


@settings(FIRM, max_examples=150 * TIMES)
@given(documents, documents)
def test_a_nasty_document_after_another_is_read_the_same(first: str, second: str) -> None:
    assert_same(f"{first}\n# h\n{second}")
    assert_same(f"- x\n\n{first}\n  ```\n{second}")


TELLING = {
    "a heading in a list item is none": "- x\n\n  # y\n",
    "a heading outdented from an item is one": "1. x\n\n  # y\n",
    "a marker amid a paragraph opens no item": "x\n2. y\n   # z\n",
    "a second item may have any number": "1. x\n2. y\n\n   # z\n",
    "a break amid items opens none": "* x\n* * *\n  # z\n",
    "text ends a list after a blank line": "- x\n\ny\n  # z\n",
    "so does text at two columns an item of three": "1. x\n\n  y\n   # z\n",
    "a tab reaches an item's content": "- x\n\n\t# y\n  # z\n",
    "an item of code is one column wide": "-     x\n\n  # y\n",
    "a fence in an item hides its headings": "- x\n\n  ```\n  # y\n  ```\n# z\n",
    "an outdented line ends a fence in an item": "- ```\n# y\n",
    "a heading ends a quote": "> x\n# y\n",
    "a lazy line stays in the quote": "> x\ny\n===\n",
    "a definition is no Setext heading": "[a]: /u\n===\n",
    "a definition's title may span lines": "[a]: /u 'b\nc'\n===\n",
    "a Setext heading spans lines": "x\ny\n---\n",
    "a break follows a blank line": "x\n\n---\n",
    "closing hashes need a blank": "# x#\n## x ##\n### ###\n",
    "seven hashes are text": "####### x\n",
    "a tab after hashes will do": "#\tx\n",
    "other blanks after hashes won't": "#\u00a0x\n#\u3000y\n#\u2003z\n",
    "other line ends end no line": "x\u2028# y\x0c# z\x85# w\n",
    "a fence of backticks has none behind": "``` `x`\n# y\n",
    "a fence of tildes may": "~~~ `x`\n# y\n~~~\n",
    "a fence ends at one as long": "````\n```\n# x\n````\n# y\n",
    "a fence ends at an indent of three": "```\n    ```\n   ```\n# y\n",
    "a comment ends on its line": "<!-- x --> y\n# z\n",
    "a short comment": "<!-->\n# z\n",
    "a comment hides headings": "<!-- x\n\n# y\n--> z\n# w\n",
    "an unclosed comment runs to the end": "<!-- x\n\n# y\n\n",
    "a rest of blanks is no line": "```\nx\n  ",
    "a tag runs to a blank line": "<div>\n# x\n\n# y\n",
    "any tag interrupts nothing": "x\n<a>\n# y\n",
    "any tag begins a block": "<a>\n# y\n",
    "raw text runs past blank lines": "<pre>\n\n# x\n</style>\n# y\n",
    "a tag may be upper case": "<DIV\n# x\n",
    "an empty item has content below": "-\n  # y\n",
    "a control character is no blank": "# \x1cx\x85\n",
    "names of tags are ASCII": "<\u017fcript>\n\n# x\n",
}


@pytest.mark.parametrize("text", TELLING.values(), ids=TELLING)
def test_a_telling_case_is_read_the_same(text: str) -> None:
    for ending in ("\n", "\r\n", "\r"):
        assert_same(text.replace("\n", ending))


def test_the_first_line_has_the_number_that_is_asked_for() -> None:
    text = "# a\n\nx\n---\n- y\n\n  ~~~\n# b\n"
    moved = [block._replace(line=block.line + 6, end=block.end + 6) for block in scan.blocks(text)]
    assert list(scan.blocks(text, 7)) == moved
    assert list(commonmark.blocks(text, 7)) == moved


class Handed:
    """How much was handed over to markdown-it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.texts: list[str] = []
        real = commonmark.blocks

        def spy(text: str, first: int = 1) -> tuple[Block, ...]:
            self.texts.append(text)
            return real(text, first)

        monkeypatch.setattr(commonmark, "blocks", spy)

    @property
    def lines(self) -> int:
        return sum(text.count("\n") for text in self.texts)


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> Handed:
    return Handed(monkeypatch)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("<div>\n" * 10_000, 0),
        ("# h\n<div>\n" * 10_000, 0),
        ("<div>\n\n" * 10_000, 0),
        ("- x\n  # y\n" * 10_000, 0),
        ("1. x\n   ```\n" * 10_000, 0),
        ("2. x\n   ```\n" * 10_000, 0),
        ("<a>\n" * 10_000, 0),
        ("# h\n---\n" * 10_000, 0),
        ("# h\n2. x\n\n   ```\n" * 10_000, 0),
        ("<!--\n" * 10_000, 0),
        ("```\n" * 10_001, 0),
        ("".join("`" * n + "\n" for n in range(3, 1_000)), 0),
        ("x\n---\n# h\n" * 3_000, 6_000),
        ("x\n<a>\n# h\n" * 3_000, 6_000),
        ("> x\n  # y\n" * 3_000, 6_000),
        ("-\n  <a>\n\n# h\n" * 3_000, 9_000),
        ("x\n---\n" * 3_000, 6_000),
        ("- x\n-\n  <div>\n# h\n" * 3_000, 9_000),
    ],
    ids=lambda value: repr(value[:14]) if isinstance(value, str) else "",
)
def test_no_line_is_handed_over_twice(handed: Handed, text: str, most: int) -> None:
    scan.blocks(text)
    assert handed.lines <= most


def test_of_random_documents_no_line_is_handed_over_twice(handed: Handed) -> None:
    chance = Random(2 if TIMES == 1 else None)
    for _ in range(2_000 * TIMES):
        text = random_document(chance)
        handed.texts.clear()
        scan.blocks(text)
        assert handed.lines <= text.count("\n") + text.count("\r"), repr(text)


def test_a_long_item_is_looked_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    real = list_items._OUTDENTED
    looked_at: list[int] = []

    class Counting:
        def search(self, source: str, start: int, end: int) -> re.Match[str] | None:
            looked_at.append(end - start)
            return real[3].search(source, start, end)

    monkeypatch.setattr(list_items, "_OUTDENTED", {3: Counting()})
    text = "1. x\n" + "   ```\n" * 10_000
    scan.blocks(text)
    assert 0 < sum(looked_at) <= len(text)


def test_a_list_on_a_board_needs_no_markdown_it(handed: Handed) -> None:
    items = "- x\n  - y\n\n  ```sh\n  # z\n  ```\n1. v\n2. w\n   ## u\n"
    scan.blocks(f"## Doing\n### A\n{items}\n---\n| a |\n|---|\n")
    assert handed.texts == []


def test_a_plain_board_is_read_without_importing_markdown_it() -> None:
    program = (
        "import sys\n"
        "from wbmem_git.text.page import parse_page\n"
        "text = '## Doing\\n### Fix `snake_case`\\n<!-- status: current -->\\n- x\\n\\n  ```\\n  # y\\n'\n"
        "assert parse_page('PLAN.md', text, 'k', 'board').cards\n"
        "heavy = {'markdown_it', 'ruamel', 'json', 'dataclasses', 'pygit2', 'sqlite3', 'logging'}\n"
        "print(sorted(heavy & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"
