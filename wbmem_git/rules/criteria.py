"""H1 to H4: what a ledger must have, so that the next session can go on from it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.sections import added_ledgers, is_real, severity_of, visible_lines, without_blanks
from wbmem_git.rules.wording import quote
from wbmem_git.text.languages import language_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Change, Ledger, Section, Severity
    from wbmem_git.rules.sections import Lines
    from wbmem_git.text.languages import Language

LEAST_CHARACTERS = 20
MOST_CHARACTERS = 8000


def h1(change: Change) -> Iterator[Finding]:
    """A ledger has each of the four sections exactly once, its title to the letter, all in one language.

    English: `## Tried and failed`, `## Progress and next step`, `## Goals`, `## Task state`. Chinese:
    `## 已试方案与失败原因`, `## 进度与下一步`, `## 目标`, `## 任务状态`. In any order; further level-2
    sections are free. Told, and not refused: the first line isn't a level-1 heading.

    Why: the next session finds a section by its title, and weighs what it reads by it. A title that is
    nearly right is a section that nobody finds.

    How to mend: write the title as it stands above. `wbmem new ledger` begins a ledger with all four.
    """
    for ledger in added_ledgers(change):
        severity = severity_of(change, ledger)
        language = language_of((s.title for s in ledger.sections if s.tag), change.settings.locale)
        yield from _missing_titles(ledger, language, severity)
        yield from _titles_too_many(ledger, language, severity)
        if not ledger.title:
            fix = "begin the ledger with a line `# …` that says in a few words what it is about"
            line = ledger.document.body + 1
            yield Finding(
                "H1", "soft", ledger.path, line, "no level-1 heading on the first line", fix, key="#"
            )


def _missing_titles(ledger: Ledger, language: Language, severity: Severity) -> Iterator[Finding]:
    present = {section.title for section in ledger.sections if section.tag}
    missing = tuple(title for _, title in language.titles if title not in present)
    if missing:
        titles = tuple(f"## {title}" for title in missing)
        listed = ", ".join(f"`{title}`" for title in titles)
        near = "".join(_near_titles(ledger, language, missing))
        yield Finding(
            "H1",
            severity,
            ledger.path,
            1,
            f"{'a section is' if len(titles) == 1 else 'sections are'} missing: {listed}{near}",
            "write each title exactly so, with a sentence under it even where there is nothing to tell",
            missing=titles,
            key="missing",
        )


def _near_titles(ledger: Ledger, language: Language, missing: Sequence[str]) -> Iterator[str]:
    """Titles that stand there and were probably meant: another language's, or nearly the same letters."""
    import difflib  # only for a ledger with a fault

    tags = {tag: title for tag, title in language.titles if title in missing}
    for section in ledger.sections:
        meant = [tags[section.tag]] if section.tag in tags else []
        if not section.tag:
            meant = difflib.get_close_matches(section.title.strip("*_` :："), missing, 1, 0.6)
        if meant:
            yield f"; line {section.line} has {quote(f'## {section.title}')} for `## {meant[0]}`"


def _titles_too_many(ledger: Ledger, language: Language, severity: Severity) -> Iterator[Finding]:
    seen: dict[str, int] = {}
    present = {section.title for section in ledger.sections if section.tag}
    absent = {tag for tag, title in language.titles if title not in present}
    for section in ledger.sections:
        if section.tag and section.tag not in absent:
            first = seen.setdefault(section.tag, section.line)
            if first != section.line:
                yield Finding(
                    "H1",
                    severity,
                    ledger.path,
                    section.line,
                    f"{quote(f'## {section.title}')} is the section of line {first} once more",
                    "put both under one title; a section that is about something else takes another title",
                    key=f"twice {section.title}",
                )


def h2(change: Change) -> Iterator[Finding]:
    """Each of the four sections says something: 20 characters that aren't blanks, at the least.

    HTML comments don't count, blanks of any kind neither. A section that holds placeholders and nothing else
    is refused by H3, which quotes them; H2 doesn't say it once more.

    Why: an empty section can't be told from a forgotten one.

    How to mend: say it in a sentence. Where there is nothing to tell, say that: `Nothing failed so far; both
    approaches held.`
    """
    for ledger in added_ledgers(change):
        for section in _the_four(ledger):
            lines = visible_lines(ledger, section)
            count = sum(len(without_blanks(line)) for _, line in lines)
            if count < LEAST_CHARACTERS and not _is_placeholder(lines):
                has = f"has {count} of at least {LEAST_CHARACTERS} characters" if count else "is empty"
                yield Finding(
                    "H2",
                    severity_of(change, ledger),
                    ledger.path,
                    section.line,
                    f"{quote(f'## {section.title}')} {has}",
                    "say it in a sentence; where there is nothing to tell, say that",
                    key=section.title,
                )


def h3(change: Change) -> Iterator[Finding]:
    """None of the four sections consists of placeholders only.

    Placeholders are `TODO`, `TBD`, `N/A`, `ditto`, `(待补充)`, `同上`, `略`, `…` and their like, in any
    case, also behind list marks and in brackets; so are lines of punctuation. One real line is enough.

    Why: a placeholder passes for an answer until somebody needs it, and then nobody knows it any more.

    How to mend: write what the line that is quoted stands for.
    """
    for ledger in added_ledgers(change):
        for section in _the_four(ledger):
            lines = visible_lines(ledger, section)
            if _is_placeholder(lines):
                number, line = lines[0]
                yield Finding(
                    "H3",
                    severity_of(change, ledger),
                    ledger.path,
                    number,
                    f"{quote(f'## {section.title}')} consists of placeholders only: {quote(line)}",
                    "write what it stands for; where there is nothing to tell, say that in a sentence",
                    key=section.title,
                )


def h4(change: Change) -> Iterator[Finding]:
    """A ledger has at most 8,000 characters.

    Code points, a line end counting as one.

    Why: it is read whole when a session resumes; what is longer would be cut there, and not by its author.

    How to mend: keep what the next session needs. What is true for longer belongs on the board or in
    `MEMORY.md`, raw output nowhere.
    """
    for ledger in added_ledgers(change):
        text = "".join(ledger.document.lines).replace("\r\n", "\n").removeprefix("\ufeff")
        if len(text) > MOST_CHARACTERS:
            line = text.count("\n", 0, MOST_CHARACTERS) + 1
            yield Finding(
                "H4",
                severity_of(change, ledger),
                ledger.path,
                line,
                f"{len(text):,} characters; at most {MOST_CHARACTERS:,} are read",
                f"take out {len(text) - MOST_CHARACTERS:,} of them: raw output, then what the board says",
                key="length",
            )


def _is_placeholder(lines: Lines) -> bool:
    """Whether a section has lines, and none that says something."""
    return bool(lines) and not any(is_real(line) for _, line in lines)


def _the_four(ledger: Ledger) -> Iterator[Section]:
    return (section for section in ledger.sections if section.tag)
