"""Two versions of a daily log as one: the common part, ours, theirs, by whole blocks."""

from __future__ import annotations


def merge_log(base: str | None, ours: str | None, theirs: str | None) -> str | None:
    """The merged log: no line of either side is lost, no block is torn, nothing conflicts.

    Args:
        base: The merge base's text, None where it has none.
        ours: Ours, None where our side has none (any more).
        theirs: Theirs.

    Returns:
        The text with ours' line ends; None where the log is gone: one side took it away and the other left it
        as it was.
    """
    raise NotImplementedError
