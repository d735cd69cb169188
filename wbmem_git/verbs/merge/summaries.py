"""Two versions of a summary as one: the later day's, on one day ours and what theirs has beside it."""

from __future__ import annotations

from wbmem_git.text.document import BOM, bare_lines, parse_document
from wbmem_git.text.patterns import pattern

_DAY = pattern(r"(?<![0-9])[0-9]{4}-[0-9]{2}-[0-9]{2}(?![0-9])")


def merge_summary(base: str | None, ours: str | None, theirs: str | None) -> str | None:
    """The merged summary: nothing conflicts, for tomorrow's is written over it anyway.

    Args:
        base: The merge base's text, None where it has none.
        ours: Ours, None where our side has none (any more).
        theirs: Theirs.

    Returns:
        The text with ours' line ends, or theirs byte for byte; None where it is gone.
    """
    if theirs in {ours, base}:
        return ours
    if ours == base:
        return theirs
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    mine, other = _day(ours), _day(theirs)
    if mine and other and mine != other:
        return ours if mine > other else theirs
    return _with_missing(ours, theirs)


def _day(text: str) -> str:
    """The date in its first line, "" without one."""
    found = _DAY.search(text.split("\n", 1)[0])
    return found[0] if found is not None else ""


def _with_missing(ours: str, theirs: str) -> str:
    """Ours, and below it the lines of theirs that it hasn't."""
    document = parse_document(ours)
    known = {line.rstrip() for line in bare_lines(document)}
    more = [
        line for line in bare_lines(parse_document(theirs)) if line.strip() and line.rstrip() not in known
    ]
    if not more:
        return ours
    first = document.lines[0] if document.lines else "\n"
    end = first[len(first.rstrip("\r\n")) :] or "\n"
    start = ours if ours.endswith(("\n", "\r")) or not ours.strip(BOM) else ours + end
    return start + "".join(f"{line}{end}" for line in more)
