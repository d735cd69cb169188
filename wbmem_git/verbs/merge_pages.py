"""Boards and entry pages of three trees merged by card: pure values, no repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbmem_git.verbs.assign import Side
    from wbmem_git.verbs.merge_values import Lines3, MergedPages


def merge_pages(
    base: Side, ours: Side, theirs: Side, lines3: Lines3, key: str, *, alone: bool = False
) -> MergedPages:
    """Merge the pages of two sides by card.

    Args:
        base: The merge base's pages and archive; both empty where there is none.
        ours: Our side's.
        theirs: Theirs.
        lines3: Merges three texts by lines (`Repository.merge_texts`); its labels are the caller's.
        key: The workspace key.
        alone: The sides hold some pages and not the whole memory, as a merge driver sees it: then a card that
            is gone on one side went somewhere else. Untouched on the other side it goes; edited there it is
            kept, with a Conflict that names `wbmem resolve`.
    """
    raise NotImplementedError
