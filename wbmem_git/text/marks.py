"""The comments that speak of memory: anchors and zone marks, and the zones between them."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal, NamedTuple

from wbmem_git.model import Mark, Zone

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbmem_git.model import Block, Card

# One of each is legal, a few more are told of; beyond that a card counts as unbalanced.
_MOST_ZONES = 8
# Two of three comments on a board are written just so.
_USUAL: dict[str, tuple[Literal["open", "close"], str]] = {
    "<!-- user -->": ("open", "user"),
    "<!-- /user -->": ("close", "user"),
    "<!-- model -->": ("open", "model"),
    "<!-- /model -->": ("close", "model"),
}
_PLAIN = re.compile(r"[ \t]*<!--[ \t]*(?:memory:(mem_[0-9a-f]{32})|(/?)(user|model))[ \t]*-->[ \t]*")
_COMMENT = re.compile(r"<!--(.*?)-->", re.DOTALL)
_ANCHOR_LIKE = re.compile(r"\s*memory\s*[:：]", re.IGNORECASE)
_ZONE = re.compile(r"[ \t]*(/?)(user|model)[ \t]*")


class Remarks(NamedTuple):
    """What the person wrote in a card, or between two cards.

    Attributes:
        line: The first line of it. `end`: the last one.
        text: Line ends as LF. Of one user zone what stands between its marks; of several all of that, one
            after the other; where the marks are out of order every line from the first user mark to the last,
            zone marks on lines of their own left out.
        orderly: Whether the marks are in order.
    """

    line: int
    end: int
    text: str
    orderly: bool


def marks_of(block: Block) -> tuple[Mark, ...]:
    """The anchors and zone marks of a comment block, in order.

    A block usually is one comment on one line; it may go on after its `-->`, with more comments too.
    """
    usual = _USUAL.get(block.text)
    if usual is not None:
        return (Mark(usual[0], block.line, usual[1], alone=True),)
    plain = _PLAIN.fullmatch(block.text)
    if plain is not None:
        anchor, slash, zone = plain.groups()
        if anchor:
            return (Mark("anchor", block.line, anchor, alone=True),)
        return (Mark("close" if slash else "open", block.line, zone, alone=True),)
    if "memory" not in block.text.lower() and "user" not in block.text and "model" not in block.text:
        return ()
    comments = list(_COMMENT.finditer(block.text))
    alone = bool(comments) and not block.text[comments[0].end() :].strip(" \t")
    # The line of the first comment's end is the block's last, so every other comment stands on that.
    lines = (block.line, *[block.end] * len(comments))
    return tuple(
        mark
        for line, match in zip(lines, comments, strict=False)
        if (mark := _mark(line, match, alone=alone))
    )


def _mark(line: int, match: re.Match[str], *, alone: bool) -> Mark | None:
    if _ANCHOR_LIKE.match(match[1]):
        return Mark("anchor-like", line, match[0], alone)
    zone = _ZONE.fullmatch(match[1])
    if zone is None:
        return None
    kind: Literal["open", "close"] = "close" if zone[1] else "open"
    return Mark(kind, line, zone[2], alone)


def zones_of(marks: Sequence[Mark], lines: Sequence[str], first: int) -> tuple[Zone, ...]:
    """The zones of a card, in order; none at all where its zone marks are unbalanced, nested or far too many.

    Args:
        marks: The card's marks, in order.
        lines: The card's lines without their ends.
        first: The number of the first of them.
    """
    zones: list[Zone] = []
    opened: Mark | None = None
    for mark in marks:
        if mark.kind == "open":
            if opened is not None:
                return ()
            opened = mark
        elif mark.kind == "close":
            if opened is None or opened.value != mark.value or len(zones) == _MOST_ZONES:
                return ()
            name: Literal["user", "model"] = "user" if mark.value == "user" else "model"
            zones.append(Zone(name, opened.line, mark.line, _between(opened, mark, lines, first)))
            opened = None
    return () if opened is not None else tuple(zones)


def _between(opened: Mark, closed: Mark, lines: Sequence[str], first: int) -> str:
    """What stands between two marks: whole lines where the marks stand alone, else from mark to mark."""
    if opened.alone and closed.alone:
        inner = lines[opened.line - first + 1 : closed.line - first]
        return "\n".join((*inner, "")) if inner else ""
    text = "\n".join(lines[opened.line - first : closed.line - first + 1])
    start = re.search(rf"<!--\s*{opened.value}\s*-->(?:[ \t]*\n)?", text)
    end = re.compile(rf"<!--\s*/{closed.value}\s*-->").search(text, start.end()) if start else None
    return text[start.end() : end.start()] if start and end else ""


def remarks_of(card: Card) -> Remarks | None:
    """What a person wrote in a card; None where no mark of a user zone stands in it."""
    zones = [zone for zone in card.zones if zone.name == "user"]
    if zones:
        text = "".join(zone.text for zone in zones)
        return Remarks(zones[0].line, zones[-1].end, text, orderly=True)
    return unordered_remarks(card.marks, card.lines[1:], card.line + 1)


def unordered_remarks(marks: Sequence[Mark], lines: Sequence[str], first: int) -> Remarks | None:
    """The lines between the outermost user marks, where marks are out of order; None without a user mark.

    Where the last one opens, they go on to the end; where the first one closes, they begin below whatever
    mark or heading stands above it.

    Args:
        marks: Every mark of the stretch, in order.
        lines: Its lines without their ends and without its heading.
        first: The number of the first of them.
    """
    users = [mark for mark in marks if mark.value == "user" and mark.kind in {"open", "close"}]
    if not users:
        return None
    start = users[0].line
    if users[0].kind == "close":
        start = max((mark.line for mark in marks if mark.line < start), default=first - 1) + 1
    end = users[-1].line if users[-1].kind == "close" else first + len(lines) - 1
    left_out = {mark.line for mark in marks if mark.kind in {"open", "close"} and mark.alone}
    kept = [lines[number - first] for number in range(start, end + 1) if number not in left_out]
    while kept and users[-1].kind == "open" and not kept[-1].strip():
        kept.pop()
    return Remarks(users[0].line, end, "".join(f"{line}\n" for line in kept), orderly=False)
