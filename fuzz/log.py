"""Logs and summaries merged: each side's lines are there, in their order, and no fence is torn."""

from __future__ import annotations

from fuzz.inputs import texts_of
from wbmem_git.rules.lines import first_missing
from wbmem_git.text.document import bare_lines, parse_document
from wbmem_git.verbs.merge.logs import merge_log
from wbmem_git.verbs.merge.summaries import merge_summary


def check(data: bytes) -> None:
    """Base, ours, theirs."""
    base, ours, theirs = texts_of(data, 3)
    for before in (base, None):
        for merge in (merge_log, merge_summary):
            assert merge(before, ours, ours) == ours, "equal sides are changed"
            assert merge(ours, ours, theirs) == theirs, "the only change isn't taken"
            assert merge(theirs, ours, theirs) == ours, "the only change isn't kept"
            merge(before, ours, theirs)
        merged = merge_log(before, ours, theirs)
        assert merged is not None, "a log is gone that both sides have"
        if before not in {ours, theirs}:
            _holds(merged, ours)
            _holds(merged, theirs)


def _holds(merged: str, side: str) -> None:
    lines = bare_lines(parse_document(merged))
    document = parse_document(side)
    mine = bare_lines(document)
    lost = first_missing((one for one in mine if one.strip()), lines)
    assert lost is None, f"a line is lost, or stands elsewhere: {lost!r}"
    whole = "\n".join(("", *lines, ""))
    for block in document.blocks:
        if block.kind == "fence" and block.closed:
            fence = "\n".join(("", *mine[block.line - 1 : block.end], ""))
            assert fence in whole, f"the fence of line {block.line} is torn"
