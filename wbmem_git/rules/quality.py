"""S1 to S6: what makes a ledger good beyond what it must have. They tell and never refuse."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from operator import is_
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.model import Finding
from wbmem_git.rules.sections import (
    Lines,
    added_ledgers,
    bare,
    is_placeholder,
    is_real,
    visible_lines,
    without_blanks,
)
from wbmem_git.rules.wording import quote
from wbmem_git.text.languages import any_of, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wbmem_git.model import Card, Change, Ledger, Page, Section

MOST_LINES = 5
_ITEM = r"[ \t]{0,3}(?:[-*+]|[0-9]{1,9}[.)])(?:[ \t]|$)"
_ARROW = r"→|⇒|⟶|->|=>|—>|──>"
# No path begins within a run of its own characters: a long run is tried once, and not from each of them.
_PATH = r"(?<![\w./@-])(?:~|\.{1,2})?/?[\w.@-]+(?:/[\w.@-]+)+|\b[\w-]+\.[a-z][a-z0-9]{0,4}\b(?!\.)"
_CLAUSE = r"(?:^|[:：,，;；.。!！→>]|\b(?:then|and|to|first|please|next|or|by)\b)[\s\"'(*_`]*"
_PASSING = (
    r"(?i)(?:^|[\s(`\"'])(?:/private)?(?:/tmp/|/var/tmp/|/var/folders/|/dev/shm/|[a-z]:\\(?:[^\\\s]{1,40}\\){0,6}temp\\)|"
    r"\x1b\[[0-9;]*m|^\s*at \S{1,200} ?\(\S{1,200}:[0-9]+:[0-9]+\)|^\s*File \"[^\"]{1,200}\", line [0-9]+|"
    r"\"(?:tool_use_id|tool_call_id|stdout|stderr|exit_code)\"\s*:"
)
_SHORT = 10


def s1(change: Change) -> Iterator[Finding]:
    """A section has at most 5 non-blank lines.

    Why: four sections of five lines are read in a minute; a page is skimmed.

    How to mend: keep what the next session needs to go on; the board holds the rest.
    """
    for ledger in added_ledgers(change):
        for section in ledger.sections:
            count = len(visible_lines(ledger, section))
            if count > MOST_LINES:
                message = f"{quote(f'## {section.title}')} has {count} lines; {MOST_LINES} are enough"
                fix = "keep what the next session can't do without; the board holds the rest"
                yield _told("S1", (ledger, section.line), message, fix, section.title)


def s2(change: Change) -> Iterator[Finding]:
    """What failed reads *approach → reason*.

    Each item of the section on what was tried has an arrow (`→`, `->`, `=>`) or says why in words
    (`because`, `due to`, `因为`, `失败原因` …). A sentence that nothing failed needs neither.

    Why: an approach without its reason is tried again.

    How to mend: `- polling every second → the server limits the rate to one call a minute`.
    """
    for ledger in added_ledgers(change):
        for section in _sections(ledger, "type:dead-end"):
            for number, item in _items(visible_lines(ledger, section)):
                if is_real(item) and not _has_reason(item) and not _says_nothing(item):
                    failed = any_of("failures").search(item)
                    what = "says that it failed and not why" if failed else "doesn't say why it was given up"
                    message = f"{quote(bare(item))} {what}"
                    fix = "write it as `approach → reason`, so that nobody tries it again"
                    yield _told("S2", (ledger, number), message, fix)


def s3(change: Change) -> Iterator[Finding]:
    """The next step can be acted on: it names a path, has code in backticks, or begins with what to do.

    Judged is what stands from the first line that looks ahead (`next`, `todo`, `plan`, `下一步`, `待办`,
    `计划`) to the end of the section, else the whole section. Which verbs count is a list a language.

    Why: "continue" and "improve further" send the next session looking for what was meant.

    How to mend: `Next: run tests/test_login.py with -k timeout` rather than `Next: look into the tests`.
    """
    for ledger in added_ledgers(change):
        for section in _sections(ledger, "type:progress"):
            lines = visible_lines(ledger, section)
            ahead = next((i for i, (_, line) in enumerate(lines) if any_of("forward").search(line)), 0)
            step = lines[ahead:]
            if any(is_real(line) for _, line in step) and not any(_can_be_acted_on(line) for _, line in step):
                number, line = step[0]
                message = f"the next step can't be acted on: {quote(bare(line))}"
                fix = "name a path, a command in backticks, or begin with what to do"
                yield _told("S3", (ledger, number), message, fix, "next step")


def s4(change: Change) -> Iterator[Finding]:
    """A ledger holds no passing matter: temporary paths, raw tool output.

    Why: they mean nothing to a later session, and take the place of what does.

    How to mend: say what the output meant.
    """
    for ledger in added_ledgers(change):
        for section in ledger.sections:
            for number, line in visible_lines(ledger, section):
                if re.search(_PASSING, line) or any_of("passing").search(line):
                    message = f"this holds for a moment only: {quote(bare(line))}"
                    yield _told("S4", (ledger, number), message, "say what it meant")


def s5(change: Change) -> Iterator[Finding]:
    """The section on the state of the task points at the board, and doesn't copy a card from it.

    It points by the board's name (`PLAN.md`, `board`, `白板`), a card's title or its id. A copy is two lines
    or more, of ten characters at least, that stand in one card too.

    Why: the board is the only truth about what is going on now; a copy is out of date with the next edit.

    How to mend: `See the board: "Fix the login timeout" is half done.`
    """
    board: _Board | None = None
    for ledger in added_ledgers(change):
        board = board or _Board.of(change)
        for section in _sections(ledger, "type:state"):
            lines = visible_lines(ledger, section)
            copied = board.copied(lines)
            if copied is not None:
                message = (
                    f"{quote(f'## {section.title}')} copies the card {quote(copied.title)} of {copied.path}"
                )
                fix = "name the card; its text stands on the board"
                yield _told("S5", (ledger, section.line), message, fix, "copy")
            elif board.cards and any(is_real(line) for _, line in lines) and not board.is_named(lines):
                message = f"{quote(f'## {section.title}')} doesn't point at the board"
                fix = "name the board, or the card it is about"
                yield _told("S5", (ledger, section.line), message, fix, "pointer")


def s6(change: Change) -> Iterator[Finding]:
    """No placeholder line stands among real ones.

    Why: it promises something that nobody will add: a ledger doesn't change any more.

    How to mend: write what it stands for, or leave it out.
    """
    for ledger in added_ledgers(change):
        for section in ledger.sections:
            lines = visible_lines(ledger, section)
            if any(is_real(line) for _, line in lines):
                for number, line in lines:
                    if is_placeholder(line):
                        message = f"a placeholder: {quote(line)}"
                        yield _told(
                            "S6", (ledger, number), message, "write what it stands for, or leave it out"
                        )


def _told(rule: str, place: tuple[Ledger, int], message: str, fix: str, key: str = "") -> Finding:
    ledger, line = place
    return Finding(rule, "note" if rule == "S4" else "soft", ledger.path, line, message, fix, key=key)


def _sections(ledger: Ledger, tag: str) -> Iterator[Section]:
    return (section for section in ledger.sections if section.tag == tag)


def _items(lines: Lines) -> Iterator[tuple[int, str]]:
    """List items with the lines that go on with them; where there is no list, every line is an item."""
    listed = any(re.match(_ITEM, line) for _, line in lines)
    item: tuple[int, str] | None = None
    for number, line in lines:
        if listed and not re.match(_ITEM, line):
            item = (item[0], f"{item[1]} {line.strip()}") if item else None
            continue
        if item:
            yield item
        item = (number, line)
    if item:
        yield item


def _has_reason(item: str) -> bool:
    return bool(re.search(_ARROW, item) or any_of("reasons").search(item))


def _says_nothing(item: str) -> bool:
    text = bare(item).casefold()
    return any(text.startswith(word) for word in words("nothing"))


def _can_be_acted_on(line: str) -> bool:
    return bool(re.search(r"`[^`]+`", line) or re.search(_PATH, line) or _verbs().search(bare(line)))


@cache
def _verbs() -> re.Pattern[str]:
    """Verbs of a script with letters begin a clause; those of one without stand anywhere."""
    verbs = words("command_verbs")
    parted = "|".join(re.escape(verb) for verb in verbs if verb.isascii())
    others = "|".join(re.escape(verb) for verb in verbs if not verb.isascii())
    return re.compile(rf"{_CLAUSE}(?:{parted})\b|{others}", re.IGNORECASE)


class _Board(NamedTuple):
    """What S5 compares ledgers with, worked out once a change: there may be thousands of both.

    Attributes:
        cards: Every card of a board.
        names: What names one of them: its title, its page.
        bearers: A long enough line, without blanks and list marks → the places in `cards` that have it.
    """

    cards: tuple[Card, ...]
    names: frozenset[str]
    bearers: Mapping[str, Sequence[int]]

    @classmethod
    def of(cls, change: Change) -> _Board:
        """Of the boards as they are then; kept while these very pages stand: most ledgers change no board."""
        pages = change.new.pages
        boards = tuple(pages[path] for path in sorted(pages) if pages[path].kind == "board")
        if not _LAST or len(_LAST[0][0]) != len(boards) or not all(map(is_, _LAST[0][0], boards)):
            _LAST[:] = [(boards, cls._of(boards))]
        return _LAST[0][1]

    @classmethod
    def _of(cls, boards: Sequence[Page]) -> _Board:
        cards = tuple(card for page in boards for card in page.cards)
        bearers: dict[str, list[int]] = {}
        for place, card in enumerate(cards):
            for line in lines_of_card(card):
                bearers.setdefault(line, []).append(place)
        names = frozenset(name for card in cards for name in (card.title, card.path) if name)
        return cls(cards, names, bearers)

    def copied(self, lines: Lines) -> Card | None:
        """The first card that has two of these lines."""
        seen: set[int] = set()
        twice: set[int] = set()
        for line in compared_lines(line for _, line in lines):
            places = self.bearers.get(line, ())
            twice.update(place for place in places if place in seen)
            seen.update(places)
        return self.cards[min(twice)] if twice else None

    def is_named(self, lines: Lines) -> bool:
        """Whether a line points at the board, or at one of its cards."""
        text = "\n".join(line for _, line in lines)
        if "mem_" in text or any_of("board").search(text):
            return True
        return any(name in text for name in self.names)


_LAST: list[tuple[tuple[Page, ...], _Board]] = []


def lines_of_card(card: Card) -> frozenset[str]:
    """What a ledger would copy from a card: its lines below the heading, comments left out."""
    return _of_lines(card.lines)


@lru_cache(maxsize=4096)
def _of_lines(lines: tuple[str, ...]) -> frozenset[str]:
    """Kept for who writes one ledger after another: the board is mostly the same."""
    return compared_lines(line for line in lines[1:] if not line.lstrip().startswith("<!--"))


def compared_lines(lines: Iterable[str]) -> frozenset[str]:
    """The lines without blanks and list marks, short ones left out."""
    return frozenset(text for line in lines if len(text := without_blanks(bare(line))) >= _SHORT)
