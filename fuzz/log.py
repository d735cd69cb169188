"""Logs and summaries merged: the gate passes what comes of two logs, and no fence is torn."""

from __future__ import annotations

from fuzz.inputs import texts_of
from wbmem_git.rules.lines import fault_of
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
        for are_apart in (False, True):
            merged = merge_log(before, ours, theirs, are_apart=are_apart)
            assert merged is not None, "a log is gone that both sides have"
            if before not in {ours, theirs}:
                fault = fault_of(before, [ours, theirs], merged, is_log=True)
                assert fault is None, f"the gate refuses the merged log: {fault}"
                _holds_fences(merged, ours)
                _holds_fences(merged, theirs)


def _holds_fences(merged: str, side: str) -> None:
    lines = bare_lines(parse_document(merged))
    document = parse_document(side)
    mine = bare_lines(document)
    whole = "\n".join(("", *lines, ""))
    for block in document.blocks:
        if block.kind == "fence" and block.closed:
            fence = "\n".join(("", *mine[block.line - 1 : block.end], ""))
            assert fence in whole, f"the fence of line {block.line} is torn"
