"""What of a content full text knows: each line of a page belongs to one content only, the smallest around it.

So nothing is found twice, by its page, its section and itself: a page and a section have their headings (a
board what stands outside its cards too), everything else has all of its text. Comments count nowhere; the
tags of a metadata line do. The date is among the terms of what it is the date of, not of headings.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.document import parse_document
from wbmem_git.text.sentences import without_comments
from wbmem_git.text.terms import date_terms, terms

if TYPE_CHECKING:
    from wbmem_git.text.content import Content

SHORT_HEAD = 3
"""A title of at most so many terms is a name that can be asked for: of a person, a component, a decision."""
WITH_TITLE = frozenset({"card", "memory", "archive"})
"""What has a title of its own, and its tags in a comment."""
CARD_LEVEL = 3


class Words(NamedTuple):
    """The terms of a content.

    Attributes:
        terms: All of them, as often as they count.
        head: Those of a short title, parted by blanks; "" for a longer one.
    """

    terms: tuple[str, ...]
    head: str


def words_of(content: Content) -> Words:
    """What full text knows of a content."""
    found = terms(own_text(content))
    title = terms(content.title)
    if content.kind in WITH_TITLE:
        found += title
        for tag in content.tags:
            found += terms(tag)
    days = date_terms(content.date)
    if content.kind in {"ledger", "section"} or is_log_page(content):
        found = [term for term in found if term not in days and term not in terms(content.date)]
    elif found:
        found += days
    head = sorted(set(title))
    return Words(tuple(found), " ".join(head) if len(head) <= SHORT_HEAD else "")


def own_text(content: Content) -> str:
    """The text that no smaller content holds, without comments."""
    if content.kind == "board":
        text = _outside_cards(content.text)
    elif content.kind == "ledger":
        text = _headings(content.text, 1)
    elif content.kind == "section" or is_log_page(content):
        text = _headings(content.text, 6)
    else:
        text = content.text
    return without_comments(text)


def is_log_page(content: Content) -> bool:
    """Whether it is a log as a whole and not something in it."""
    if content.kind != "log" or content.line != 1:
        return False
    if content.title == content.path.rpartition("/")[2].removesuffix(".md"):
        return True
    return any(block.kind == "heading" and block.level == 1 for block in parse_document(content.text).blocks)


def _headings(text: str, deepest: int) -> str:
    blocks = parse_document(text).blocks
    return "\n".join(block.text for block in blocks if block.kind == "heading" and block.level <= deepest)


def _outside_cards(text: str) -> str:
    document = parse_document(text)
    starts = {
        block.line: block.level == CARD_LEVEL
        for block in document.blocks
        if block.kind == "heading" and block.level <= CARD_LEVEL
    }
    outside: list[str] = []
    in_card = False
    for number, line in enumerate(document.lines[document.body :], document.body + 1):
        in_card = starts.get(number, in_card)
        if not in_card:
            outside.append(line)
    return "".join(outside)
