"""P-H and P-S: what makes a page a board. They judge boards that the commit writes."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from wbmem_git.model import Finding, Metadata
from wbmem_git.rules.scope import judged_boards
from wbmem_git.rules.sections import comment_lines, without_blanks
from wbmem_git.rules.wording import quote
from wbmem_git.text.languages import any_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Card, Change, Page

MOST_CHARACTERS = 200_000
LEAST_CHARACTERS = 20
_OPEN_BOX = r"(?m)^[^\S\n]*(?:[-*+]|[0-9]{1,9}[.)])[^\S\n]+\[ \][^\S\n]"


def p_h1(change: Change) -> Iterator[Finding]:
    """A board has a level-2 heading or a card.

    Why: without either, nothing on it can be found, moved or archived by name.

    How to mend: write a column (`## Doing`) and cards below it (`### Fix the login timeout`).
    """
    for page in _boards(change):
        if not page.columns and not page.cards:
            fix = "write a column (`## …`) or a card (`### …`)"
            yield Finding(
                "P-H1", "hard", page.path, 1, "a board without a column or a card", fix, key="empty"
            )


def p_h2(change: Change) -> Iterator[Finding]:
    """A board has at most 200,000 characters.

    Code points, a line end counting as one.

    Why: what is larger is no overview of the present, and every commit reads it.

    How to mend: `wbmem archive` takes cards that are done off the board, whole; `boards:` in `wbmem.yaml`
    names further boards.
    """
    for page in _boards(change):
        text = "".join(page.document.lines).replace("\r\n", "\n").removeprefix("\ufeff")
        if len(text) > MOST_CHARACTERS:
            line = text.count("\n", 0, MOST_CHARACTERS) + 1
            message = f"{len(text):,} characters; a board has at most {MOST_CHARACTERS:,}"
            fix = "archive what is done: wbmem archive ID --reason …"
            yield Finding("P-H2", "hard", page.path, line, message, fix, key="length")


def p_s1(change: Change) -> Iterator[Finding]:
    """Something on a board looks ahead: `next`, `todo`, `plan`, `下一步`, `待办` or `计划`, any case.

    Outside level-1 headings; a part of a word counts.

    Why: a board that only looks back doesn't say what to do.

    How to mend: name the next step of what is going on.
    """
    for page in _boards(change):
        titles = {n for b in page.document.blocks if b.level == 1 for n in range(b.line, b.end + 1)}
        lines = page.document.lines
        if not any(any_of("forward").search(line) for n, line in enumerate(lines, 1) if n not in titles):
            fix = "write a next step: `Next: …` or `下一步：…` in a card, or a column for what comes next"
            yield Finding(
                "P-S1", "soft", page.path, 1, "nothing on the board looks ahead", fix, key="forward"
            )


def p_s2(change: Change) -> Iterator[Finding]:
    """A board has 20 characters of text.

    Blanks and HTML comments don't count.

    Why: less than that is a template.

    How to mend: write down what is going on.
    """
    for page in _boards(change):
        hidden = comment_lines(page.document)
        count = 0
        for number, line in enumerate(page.document.lines, 1):
            count += 0 if number in hidden else len(without_blanks(line))
            if count >= LEAST_CHARACTERS:
                break
        if count < LEAST_CHARACTERS:
            message = f"{count} characters of text; a board has at least {LEAST_CHARACTERS}"
            yield Finding("P-S2", "soft", page.path, 1, message, "write down what is going on", key="length")


def p_s3(change: Change) -> Iterator[Finding]:
    """A current card names its next step, and has a status or a date.

    A step is named by the words of P-S1, in the card, its title or its column's, or by an open check box.
    Cards of another status, or in a column that `columns.done` names, are left alone.

    Why: a card that says neither what comes next nor since when it stands there can't be judged by anyone.

    How to mend: add `Next: …` and a metadata line `<!-- status: current / date: 2026-09-14 -->`.
    """
    done = {title.casefold() for title in change.settings.done_columns}
    for page in _boards(change):
        for card in page.cards:
            current = card.metadata.get("status", "current").casefold() == "current"
            if current and card.column.casefold() not in done and not (change.brief and _stood(change, card)):
                yield from _lacking(card)


def _stood(change: Change, card: Card) -> bool:
    """Whether an old tree has that card as it is, in the same column of the same page."""
    return any(
        (held.lines, held.column, held.path) == (card.lines, card.column, card.path)
        for parent in change.parents
        for held in parent.holders.get(card.id, ())
    )


def _lacking(card: Card) -> Iterator[Finding]:
    lacks = _lacks(card.title, card.column, card.lines, card.metadata.pairs)
    if lacks is not None:
        message, fix, key = lacks
        yield Finding(
            "P-S3", "soft", card.path, card.line, message, fix, card=card.id, title=card.title, key=key
        )


@lru_cache(maxsize=4096)  # most cards stand in the old tree as well
def _lacks(
    title: str, column: str, lines: tuple[str, ...], pairs: tuple[tuple[str, str], ...]
) -> tuple[str, str, str] | None:
    """What is told of a card that lacks something: message, way out, and what it lacks."""
    metadata = Metadata(0, pairs)
    step = names_a_step(column, lines)
    dated = bool(metadata.get("status") or metadata.get("date"))
    if step and dated:
        return None
    lacks = [*([] if step else ["names no next step"]), *([] if dated else ["has neither status nor date"])]
    fixes = [
        *([] if step else ["write `Next: …` or `下一步：…` in it"]),
        *([] if dated else ["add a line `<!-- status: current / date: YYYY-MM-DD -->` below its anchor"]),
    ]
    return (
        f"{quote(title)} {' and '.join(lacks)}",
        "; ".join(fixes),
        f"{'' if step else 'step'} {'' if dated else 'date'}",
    )


@lru_cache(maxsize=4096)  # most cards stand in the old tree as well
def names_a_step(column: str, lines: tuple[str, ...]) -> bool:
    """Whether a card of that column says what comes next."""
    words = any_of("forward")
    told = "\n".join(line for line in lines if not line.lstrip().startswith("<!--"))
    return (
        words.search(column) is not None
        or words.search(told) is not None
        or re.search(_OPEN_BOX, "\n".join(lines)) is not None
    )


def _boards(change: Change) -> Iterator[Page]:
    return (change.new.pages[path] for path in judged_boards(change))
