"""C6, C7: what looks like a card heading, a zone's mark or an anchor and is none."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.encoding import conflict_blocks
from wbmem_git.rules.scope import pages_of
from wbmem_git.rules.wording import quote
from wbmem_git.text.document import bare_lines, without_end
from wbmem_git.text.ids import is_id
from wbmem_git.text.page import CARD_LEVELS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wbmem_git.model import Block, Change, Page

# Kept as text where few pages need them: `re` compiles each at its first use.
ANCHOR = r"<!--\s*memory:mem_[0-9a-f]{32}\s*-->"
_LOOKS_LIKE = re.compile(r"^ {0,3}(?:#{2,3}[^#\s]|#{2,3}[\u3000\u00a0]|[#＃]*＃)")
_HASHES = r"(?s) {0,3}([#＃]+)(.*)"
_BARE = re.compile(r"(?<![\w`/.-])mem_[0-9A-Za-z_]*(?!\.?[0-9A-Za-z_(])", re.ASCII)
_ZONE_LIKE = (
    r"(?i)<!(?:-{1,3}|[–—])\s*(/\s*|(?:end|close)[ _-]?(?:of[ _-])?|结束)?"
    r"(user|model|用户|模型)(?:[ _-]?(?:zone|区))?\s*+(?:[:：]\s*+)?(/|(?:end|结束)\b)?\s*+(?:-{1,3}|[–—])>"
)
_ZONE_NAMES = {"user": "user", "model": "model", "用户": "user", "模型": "model"}
_CODE = r"(?<!`)(`++).*?(?<!`)\1(?!`)"


def c6(change: Change) -> Iterator[Finding]:
    """A line looks like a card heading, or like the mark of a zone, and isn't one.

    Why: `###title` without a blank, `＃＃＃ title` in full width, `###` before an ideographic or no-break
    space are plain text to CommonMark: what should be a card is part of the card above. And a line of `---`
    or `===` right below text makes a heading of that text, which ends the card.

    `<!-- User -->`, `<!-- end user -->`, or a right mark inside a list item, a block quote or a `<div>` opens
    or closes no zone: what a person writes there isn't guarded.

    How to mend: `### title` with plain number signs and one plain blank; a blank line above `---`. Nothing
    inside code fences, comments or HTML counts. A zone's marks are `<!-- user -->` and `<!-- /user -->`
    (`model` alike), each on a line of its own at its beginning, outside lists, quotes and HTML.
    """
    for page in pages_of(change):
        yield from _near_headings(page)
        yield from _cutting_setext(page)
        yield from _near_zone_marks(page)


def _near_headings(page: Page) -> Iterator[Finding]:
    level = CARD_LEVELS.get(page.kind, 2)
    for number, line in _open_lines(page, lambda line: _LOOKS_LIKE.search(line) is not None):
        match = re.fullmatch(_HASHES, line)
        if match is None or len(match[1]) != level:
            continue
        marks, rest = match[1], match[2]
        wide = "＃" in marks
        if not rest.strip() or (not wide and rest[0] in " \t"):
            continue
        why = "full-width number signs" if wide else _blank_name(rest[0])
        title = rest.strip("#＃ \t\u3000\u00a0")
        yield Finding(
            "C6",
            "soft",
            page.path,
            number,
            f"{quote(line)} looks like a card heading and isn't one: {why}",
            f"write `{'#' * level} {title}`, with plain number signs and one plain blank",
            title=title,
            key=line.strip(),
        )


def _blank_name(char: str) -> str:
    return {
        "\u3000": "an ideographic space (U+3000) behind the number signs",
        "\u00a0": "a no-break space (U+00A0) behind the number signs",
    }.get(char, "no blank behind the number signs")


def _cutting_setext(page: Page) -> Iterator[Finding]:
    """Setext headings that end a card; those that a conflict's markers make are E1's to tell."""
    ends = {card.end + 1: card for card in page.cards}
    found = [block for block in page.document.blocks if block.line in ends and _is_setext(page, block)]
    conflicts = list(conflict_blocks(bare_lines(page.document))) if found else []
    for block in found:
        if any(opened < block.end < closed for opened, closed in conflicts):
            continue
        text, card = " ".join(block.text.split()), ends[block.line]
        yield Finding(
            "C6",
            "soft",
            page.path,
            block.line,
            f"{quote(text)} with the line below it is a heading of level {block.level} and ends card "
            f"{quote(card.title)}",
            f"put a blank line above line {block.end}; "
            f"where a heading is meant, write `{'#' * block.level} …`",
            title=card.title,
            key=text,
        )


def _near_zone_marks(page: Page) -> Iterator[Finding]:
    """Comments that look like a zone's mark where CommonMark sees none, or that are written another way."""
    every = (*page.marks, *(mark for card in page.cards for mark in card.marks))
    known = {mark.line for mark in every if mark.kind in {"open", "close"}}
    hidden = _hidden_lines(page)
    for number, line in enumerate(page.document.lines, 1):
        if "<!" not in line or number in known or number in hidden or not _names_a_zone(line):
            continue
        for match in re.finditer(_ZONE_LIKE, re.sub(_CODE, "", line)):
            closes, name = match[1] or match[3], _ZONE_NAMES[match[2].casefold()]
            right = f"<!-- {'/' if closes else ''}{name} -->"
            told = f"{quote(match[0])} looks like the mark of a {name} zone and isn't one"
            where = "" if match[0] != right else ": it stands inside a list, a quote, HTML or other text"
            fix = f"write `{right}` at the beginning of a line of its own, outside lists, quotes and HTML"
            yield Finding("C6", "soft", page.path, number, told + where, fix, key=line.strip())


def _names_a_zone(line: str) -> bool:
    folded = line.casefold()
    return any(name in folded for name in _ZONE_NAMES)


def _hidden_lines(page: Page) -> set[int]:
    """The lines of code fences and front matter, and those that a comment opened above goes on over."""
    hidden = set(range(1, page.document.body + 1))
    for block in page.document.blocks:
        if block.kind in {"fence", "comment"}:
            hidden.update(range(block.line + (block.kind == "comment"), block.end + 1))
    return hidden


def _is_setext(page: Page, block: Block) -> bool:
    """Whether it is a Setext heading, of a level that ends a card."""
    if block.kind != "heading" or block.level > CARD_LEVELS.get(page.kind, 2):
        return False
    return not page.document.lines[block.line - 1].lstrip(" \ufeff").startswith("#")


def _open_lines(page: Page, matters: Callable[[str], bool]) -> Iterator[tuple[int, str]]:
    """The body's lines that matter, outside headings, code fences, comments, HTML."""
    lines = (line.removeprefix("\ufeff") for line in page.document.lines)
    found = [(number, without_end(line)) for number, line in enumerate(lines, 1) if matters(line)]
    if not found:
        return
    covered: set[int] = set(range(1, page.document.body + 1))
    for block in page.document.blocks:
        covered.update(range(block.line, block.end + 1))
    yield from ((number, line) for number, line in found if number not in covered)


# --- C7 ---------------------------------------------------------------------------------------------


def c7(change: Change) -> Iterator[Finding]:
    """A `memory:` comment has the shape of an anchor; a bare `mem_…` in prose is a whole id.

    Why: `<!-- memory: mem_… -->`, an id cut short or in capitals is a broken anchor: the card is known by
    another id than it says. A reference of another shape leads nowhere (that is told, and doesn't refuse).

    How to mend: `<!-- memory:mem_<32 hex digits> -->`; `wbmem fix` writes it. Where a name is meant and no
    id, put it in backticks.
    """
    for page in pages_of(change):
        marks = [*page.marks, *(mark for card in page.cards for mark in card.marks)]
        for mark in marks:
            if mark.kind == "anchor-like" and (mark.alone or not re.fullmatch(ANCHOR, mark.value)):
                yield Finding(
                    "C7",
                    "hard",
                    page.path,
                    mark.line,
                    f"{quote(mark.value)} isn't an anchor: `<!-- memory:mem_<32 hex digits> -->` is",
                    "wbmem fix writes the right one; an example goes into a code fence",
                    key=mark.value,
                )
        yield from _bare_ids(page)


def _bare_ids(page: Page) -> Iterator[Finding]:
    for number, line in _open_lines(page, _has_odd_id):
        for match in _BARE.finditer(re.sub(_CODE, "", line)):
            if not is_id(match[0]):
                yield Finding(
                    "C7",
                    "soft",
                    page.path,
                    number,
                    f"{quote(match[0])} isn't an id (`mem_` and 32 hex digits)",
                    "write the whole id (wbmem status lists them), or put it in backticks where it is a name",
                    key=match[0],
                )


def _has_odd_id(line: str) -> bool:
    """Whether a line may hold an id that isn't whole. Most lines with an id are anchors."""
    return "mem_" in line and ("`" in line or not all(map(is_id, _BARE.findall(line))))
