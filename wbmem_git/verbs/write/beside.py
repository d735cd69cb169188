"""What is written becomes HEAD's; the index and the working files keep a person's edits beside it, by card.

Where both changed the same, nothing is written: the edits stay in the files, the text stays with who gave it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import command, pathspec, quote
from wbmem_git.text.names import archived_id, kind_of
from wbmem_git.verbs.commit.plan import Plan, with_archive_files
from wbmem_git.verbs.listing import PAGE_KINDS
from wbmem_git.verbs.merge.logs import merge_log
from wbmem_git.verbs.merge.pages import merge_pages
from wbmem_git.verbs.three_trees import edited
from wbmem_git.verbs.write.order import like, plain

if TYPE_CHECKING:
    from wbmem_git.verbs.cards import Edits
    from wbmem_git.verbs.merge.values import Lines3, MergedPages
    from wbmem_git.verbs.three_trees import Version, Versions

UNDOING = frozenset({"kept", "retitled", "unarchived"})
"""What a merge settles by taking back what a person did and didn't commit: then a person decides."""
MOST_NAMED = 5


class EditsMeet(UsageError):
    """What is to be written and what isn't committed yet change the same."""

    def __init__(self, version: Version, path: str, what: list[str]) -> None:
        named = ", ".join(what[:MOST_NAMED]) + (" …" if len(what) > MOST_NAMED else "")
        cached = ["--cached"] if version.name == "the index" else []
        shows = command("git", "diff", *cached, "--", pathspec(path))
        super().__init__(
            f"{path}: {version.name} has edits that aren't committed, in the same place"
            f"{f' ({named})' if named else ''}: nothing was written, and nothing of them was changed",
            f"{shows} shows them; commit them, then write again what still holds",
        )


def beside(versions: Versions, edits: Edits, lines3: Lines3) -> Plan:
    """The edits of HEAD as a plan for all three versions.

    Raises:
        EditsMeet: A person's edits stand in the same place.
        UsageError: A version lacks a page that HEAD has, or it can't be read there.
    """
    after = edited(versions.head, edits, versions.settings)
    pages = {path: text for path, text in edits.items() if text is not None and not archived_id(path)}
    staged, file = (_on(versions, one, after, pages, lines3) for one in (versions.staged, versions.file))
    archive = {path: text for path, text in edits.items() if archived_id(path)}
    return with_archive_files(versions, Plan(edits, staged, file), archive)


def _on(
    versions: Versions, version: Version, after: Version, edits: dict[str, str], lines3: Lines3
) -> dict[str, str | None]:
    """The edits on another version than HEAD's."""
    new: dict[str, str | None] = {}
    merged: MergedPages | None = None
    for path, text in edits.items():
        head, own = versions.head.read(path), version.read(path)
        is_page = kind_of(path, versions.settings) in PAGE_KINDS
        if own is None or own == head:
            if own is None:
                _see_absent(version, path, is_there=head is not None)
            new[path] = text
        elif head is not None and plain(own) == plain(head):
            new[path] = like(plain(text), own if is_page else f"{own}\n")  # a log ends its lines from now on
        elif plain(own) != plain(text):
            if is_page:
                merged = merged or _merged(versions, version, after, lines3)
                _see_clean(version, path, merged)
                new[path] = merged.texts[path]
            else:
                new[path] = like(plain(merge_log(head, text, own) or text), f"{own}\n")
    return new


def _see_absent(version: Version, path: str, *, is_there: bool) -> None:
    """See that a version which has no text there has nothing there at all, and neither has HEAD.

    Raises:
        UsageError: It has something that can't be read, or a person took the page away.
    """
    if path in version.unreadable:
        raise UsageError(f"{path}: {version.name} has no text there that can be read", "wbmem explain E1")
    if is_there:
        raise UsageError(
            f"{path}: {version.name} doesn't have the page; nothing was written",
            f"{command('git', 'status', '--', pathspec(path))} says what became of it",
        )


def _merged(versions: Versions, version: Version, after: Version, lines3: Lines3) -> MergedPages:
    """The version's pages with what is written, by card."""
    return merge_pages(versions.head.side, version.side, after.side, lines3, versions.key, differing=())


def _see_clean(version: Version, path: str, merged: MergedPages) -> None:
    """See that the merge left nothing to a person, and undid nothing of one.

    Raises:
        EditsMeet: It did.
    """
    what = [quote(one.title) if one.title else one.why for one in merged.conflicts]
    what += [quote(one.title) for one in merged.notes if one.kind in UNDOING]
    if what:
        raise EditsMeet(version, path, what)
