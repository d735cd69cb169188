"""What became of a card that is gone: what swallowed it, where its anchor lies, where its text goes on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.heirs import may_succeed
from wbmem_git.rules.lines import first_missing, lines_of, same_blob
from wbmem_git.rules.wording import command, quote, shown
from wbmem_git.text.page import CARD_LEVELS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Block, Card, Change, File, Page, Tree

_REST_UNCHANGED = re.compile(
    r"\W*(?:the\s+)?(?:rest|remainder|remaining|other|everything\s+else|existing)\b.{0,80}"
    r"\b(?:unchanged|same|as\s+(?:before|is)|omitted|remains?|unmodified)\b.{0,20}"
    r"|\W*(?:其余|其他|其它|剩余|余下|剩下|后面|以下|原有).{0,20}(?:不变|保持|省略|略|未改|未变|照旧|同前).{0,8}",
    re.IGNORECASE,
)


class Trace(NamedTuple):
    """What is known of a card that is gone.

    Attributes:
        told: Goes on behind the message, beginning with its own punctuation; "" where nothing is known.
        fix: The first way out, where there is a better one than to write the card again.
        successor: The id of a new card under which its text goes on, "".
    """

    told: str = ""
    fix: str = ""
    successor: str = ""


def trace_of(change: Change, parent: Tree, card: Card) -> Trace:
    """Follow a card that is on no page of the new tree."""
    page = change.new.pages.get(card.path)
    if page is None:
        return _without_page(change, parent, card)
    return (
        _other_anchor(change, card)
        or _on_page(page, card)
        or _elsewhere(change, card, card.path)
        or _successor(change, parent, card)
        or _placeholder(page, parent.pages[card.path])
        or Trace()
    )


def _without_page(change: Change, parent: Tree, card: Card) -> Trace:
    """Its page is gone, was renamed, or can't be read any more."""
    file = change.new.files.get(card.path)
    if file is not None and file.mode.startswith("10"):
        return Trace(
            f"; {card.path} can't be read any more (E1)", "save the page as UTF-8 and its cards are back"
        )
    if file is not None:
        return Trace(f"; {card.path} is no plain file any more")
    moved = next((p for p, f in sorted(change.new.files.items()) if _is_moved(parent, f, card.path)), "")
    if moved:
        told = f"; {card.path} was renamed {shown(moved)}, which is no page"
        source = f"./{moved}" if moved.startswith("-") else moved
        return Trace(told, f"give the page its name back: {command('git', 'mv', source, card.path)}")
    return _elsewhere(change, card, "") or Trace(f"; {card.path} is deleted")


def _is_moved(parent: Tree, file: File, path: str) -> bool:
    before = parent.files.get(path)
    return before is not None and same_blob(file, before)


def _on_page(page: Page, card: Card) -> Trace | None:
    """Its anchor or its heading still stands on the page, and is no card there."""
    line = next(_places(page.document.lines, card), 0)
    if not line:
        return None
    swallowing = next((block for block in page.document.blocks if _swallows(block, line)), None)
    if swallowing is not None:
        return _swallowed(swallowing, page, line)
    level = "#" * CARD_LEVELS.get(page.kind, 2)
    return Trace(
        f"; its text still stands at {page.path}:{line}, but no heading opens it there",
        f"mend its heading: `{level}`, one blank, the title, at the beginning of a line",
    )


def _places(lines: tuple[str, ...], card: Card) -> Iterator[int]:
    """Where the anchor of a card stands; for one that had none, its heading."""
    for number, line in enumerate(lines, 1):
        if (f"memory:{card.anchor}" in line) if card.anchor else (line.strip() == card.lines[0].strip()):
            yield number


def _swallows(block: Block, line: int) -> bool:
    return block.kind != "heading" and block.line < line <= block.end


def _swallowed(block: Block, page: Page, line: int) -> Trace:
    what = {"fence": "the code fence", "comment": "the comment", "html": "the HTML block"}[block.kind]
    opened = quote(page.document.lines[block.line - 1])
    if not block.closed:
        return Trace(
            f"; {what} {opened} opened at {page.path}:{block.line} is never closed and swallows it",
            f"close {what} of line {block.line}",
        )
    return Trace(
        f"; {what} of {page.path}:{block.line}-{block.end} ({opened}) swallows it at line {line}",
        f"end {what} before line {line}",
    )


def _other_anchor(change: Change, card: Card) -> Trace | None:
    """Its heading stands on a page under another anchor, or under none that is still this id."""
    for path in sorted(change.new.pages, key=lambda path: (path != card.path, path)):
        for other in change.new.pages[path].cards:
            fits = first_missing(card.body_lines, other.body_lines) is None
            if other.title != card.title or not (fits and card.body_lines):
                continue
            if any(other.id in parent.holders for parent in change.parents):
                continue
            return Trace(
                f"; {path}:{other.line} has its title and text, but not its id",
                f"put `<!-- memory:{card.id} -->` on the line below that heading: a card keeps its id",
                other.id,
            )
    return None


def _elsewhere(change: Change, card: Card, but: str) -> Trace | None:
    """Its anchor stands in a file that is no page."""
    if not card.anchor:
        return None
    for path, file in sorted(change.new.files.items()):
        if path == but or path in change.new.pages or path.startswith("archive/") or file.text is None:
            continue
        line = next(_places(tuple(lines_of(file.text)), card), 0)
        if line:
            return Trace(f"; its anchor stands in {path}:{line}, which is no page")
    return None


def _successor(change: Change, parent: Tree, card: Card) -> Trace | None:
    """Its text goes on under a new title: a rename whose old id wasn't archived."""
    page = change.new.pages[card.path]
    for other in page.cards if card.body_lines else ():
        is_new = other.id not in parent.holders and may_succeed(change, card, other)
        if is_new and first_missing(card.body_lines, other.body_lines) is None:
            return Trace(
                f"; its text goes on under {quote(other.title)} at {page.path}:{other.line}", "", other.id
            )
    return None


def _placeholder(page: Page, old: Page) -> Trace | None:
    """A line that stands for text which somebody didn't write."""
    before = set(old.document.lines)
    for number, line in enumerate(page.document.lines, 1):
        if line not in before and _REST_UNCHANGED.fullmatch(line.strip()):
            return Trace(
                f"; {quote(line)} at {page.path}:{number} stands for text and isn't the text",
                f"write the whole page instead of line {number}",
            )
    return None
