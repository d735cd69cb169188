"""Which ledgers a commit answers for, and what in them counts as text."""

from __future__ import annotations

import re
import unicodedata
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from wbmem_git.rules.scope import added_ledger_paths
from wbmem_git.text.languages import words
from wbmem_git.text.ledger import parse_ledger

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Change, Document, Ledger, Section, Severity

Lines = tuple[tuple[int, str], ...]

_parsed = lru_cache(maxsize=16)(parse_ledger)
_MARKS_IN_FRONT = r"\A(?:[-*+>#|•·●○▪]|\[[ xX]?\]|[0-9]{1,9}[.)]|\s)*"
_EMPHASIS = "[*_`~]"
_ENDS = " \t.。!！:：;；,，、|\"'()[]{}<>（）【】「」『』《》"
_BETWEEN = r"[\s,、;|/.。:!]*"
_INVISIBLE = dict.fromkeys(map(ord, "\u200b\u200c\u200d\u2060\ufeff\u00ad"))


def added_ledgers(change: Change) -> Iterator[Ledger]:
    """Those of them that can be read, parsed; E1 names the others."""
    for path in added_ledger_paths(change):
        text = change.new.files[path].text
        if text is not None:
            yield _parsed(path, text)


def severity_of(change: Change, ledger: Ledger) -> Severity:
    """An imported ledger in a commit that isn't an agent's is judged, recorded, and not refused."""
    return "soft" if ledger.imported and change.actor != "agent" else "hard"


def visible_lines(ledger: Ledger, section: Section) -> Lines:
    """The non-blank lines of a section, without HTML comments: what a reader sees."""
    hidden = comment_lines(ledger.document)
    return tuple((n, line) for n, line in section.lines if without_blanks(line) and n not in hidden)


def comment_lines(document: Document) -> frozenset[int]:
    """The numbers of the lines that HTML comments take up."""
    return frozenset(
        number
        for block in document.blocks
        if block.kind == "comment"
        for number in range(block.line, block.end + 1)
    )


def without_blanks(line: str) -> str:
    """A text without blanks of any kind, zero-width ones included."""
    return "".join(line.translate(_INVISIBLE).split())


def bare(line: str) -> str:
    """A line without the list, quote and heading marks in front of it."""
    return re.sub(_MARKS_IN_FRONT, "", line, count=1)


def is_real(line: str) -> bool:
    """Whether a line says something: it has a letter or a digit and isn't a placeholder."""
    return any(char.isalnum() for char in line) and not is_placeholder(line)


def is_placeholder(line: str) -> bool:
    """Whether a line stands for text that isn't written yet: `- (待补充)`, `todo`, `…`; any width."""
    text = unicodedata.normalize("NFKC", re.sub(_EMPHASIS, "", bare(line))).casefold().strip(_ENDS)
    if not text:
        return "…" in line or "..." in line
    return re.fullmatch(_placeholders(), text) is not None


@cache
def _placeholders() -> str:
    spelled = sorted(map(str.casefold, words("placeholders")), key=len, reverse=True)
    return rf"(?:(?:{'|'.join(map(re.escape, spelled))}){_BETWEEN})+"
