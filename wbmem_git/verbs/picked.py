"""What a picked commit archived when it renamed a card, for a HEAD that has another text of that card.

A pick is compared with HEAD alone, and so the archive file of the old title has to hold HEAD's card (C2). It
is a new file here, so it may: in a merge it would have to stay as it is (A1).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.rules.lines import first_missing, lines_of, substance
from wbmem_git.text.archive import parse_archive
from wbmem_git.text.names import archived_id
from wbmem_git.verbs.cards import archive_text

if TYPE_CHECKING:
    from wbmem_git.verbs.three_trees import Version


def as_head_has_it(head: Version, path: str, text: str, key: str) -> str:
    """An archive file that closes HEAD's card of that id; the text as it is where it does, or needn't.

    Args:
        head: HEAD's version.
        path: The archive file's path.
        text: Its text there.
        key: The workspace key.
    """
    file = parse_archive(text, key)
    found = head.cards(archived_id(path))
    if not file.superseded_by or len(found) != 1 or path in head.entries:
        return text
    card = found[0]
    is_whole = first_missing(substance(card.lines), substance(lines_of(file.body))) is None
    if is_whole and file.page == card.path:
        return text
    fields = {"now": file.archived_at, "reason": file.reason, "superseded_by": file.superseded_by}
    return archive_text(head.page_of(card), card, **fields)
