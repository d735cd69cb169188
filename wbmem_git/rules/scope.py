"""Which paths of a change a rule runs on: "a commit answers for what it changes" (FORMAT §2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.names import (
    ARCHIVE,
    CANDIDATES,
    PROFILE,
    SETTINGS,
    is_ledger,
    kind_of,
    ledger_order,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Card, Change, Page, Tree


SECOND = len("handoff-YYYYMMDD-HHMMSS")
"""How much of a ledger's name says when it was written."""


def whole(change: Change) -> tuple[str, ...]:
    """The commit as a whole: the rule compares old and new."""
    del change
    return ("",)


def judged_files(change: Change) -> tuple[str, ...]:
    """Every file that the commit itself wrote, in path order."""
    return tuple(sorted(path for path in change.judged if path in change.new.files))


def judged_pages(change: Change) -> tuple[str, ...]:
    """Boards and entry pages that the commit itself wrote."""
    return tuple(sorted(path for path in change.judged if path in change.new.pages))


def judged_boards(change: Change) -> tuple[str, ...]:
    """Boards that the commit itself wrote."""
    return tuple(path for path in judged_pages(change) if change.new.pages[path].kind == "board")


def pages_of(change: Change) -> Iterator[Page]:
    """The pages that the commit itself wrote, as the new tree has them."""
    return (change.new.pages[path] for path in judged_pages(change))


def cards_of(change: Change) -> Iterator[Card]:
    """The cards of the pages that the commit itself wrote."""
    return (card for page in pages_of(change) for card in page.cards)


def texts_of(change: Change) -> tuple[str, ...]:
    """The pages of every kind, and other Markdown, that the commit itself wrote."""
    return tuple(
        path
        for path in judged_files(change)
        if change.new.files[path].mode.startswith("10")
        and (path.endswith(".md") or kind_of(path, change.settings) != "other")
    )


def agents_files(change: Change) -> tuple[str, ...]:
    """What G1 to G4 judge: the files that an agent's commit writes."""
    return judged_files(change) if change.actor == "agent" else ()


def files_and_message(change: Change) -> tuple[str, ...]:
    """What G5 judges: every file that the commit writes, and the message where it is known."""
    return (*([""] if change.message else []), *judged_files(change))


def added_ledger_paths(change: Change) -> tuple[str, ...]:
    """The ledgers that the commit adds, oldest first.

    In a merge a ledger of one side may have moved to the next free letter of its second: that is no new one.
    """
    paths = (
        path
        for path in change.judged
        if is_ledger(path)
        and path in change.new.files
        and all(path not in parent.files for parent in change.parents)
        and not _is_renumbered(change, path)
    )
    return tuple(sorted(paths, key=ledger_order))


def _is_renumbered(change: Change, path: str) -> bool:
    """Whether a side has it under a name that another side's ledger has now."""
    mine, new = change.new.files[path], change.new.files
    return len(change.parents) > 1 and any(
        is_ledger(name) and name[:SECOND] == path[:SECOND] and file.oid == mine.oid and name in new
        for parent in change.parents
        for name, file in parent.files.items()
    )


def other_key(change: Change, parent: Tree) -> str:
    """The key of a merged side that is this memory under another one, "" where it has the same key.

    A memory that began for itself has a key of its own, and comes with it.
    """
    base, settings = change.base, parent.settings
    if base is None or not base.has_settings or settings is None or parent is change.old:
        return ""
    return settings.workspace if settings.workspace != change.settings.workspace else ""


# --- whether a rule can find anything at all ----------------------------------------------------------


def always(change: Change) -> bool:
    """It can find something in any change."""
    del change
    return True


def by_agent(change: Change) -> bool:
    """The rule binds agents only."""
    return change.actor == "agent"


def merges_or_writes_pages(change: Change) -> bool:
    """It has several parents, or itself wrote a board or an entry page."""
    return len(change.parents) > 1 or bool(judged_pages(change))


def touches_settings(change: Change) -> bool:
    """`wbmem.yaml` differs on some side, is missing, or couldn't be read before."""
    return SETTINGS in differing(change) or not change.new.has_settings or bool(change.old_settings_finding)


def touches_profile(change: Change) -> bool:
    """Both the profile and what agents noted for it are the commit's."""
    return {PROFILE, CANDIDATES} <= change.judged


def touches_archive(change: Change) -> bool:
    """An archive file differs on some side."""
    return any(path.startswith(ARCHIVE) for path in differing(change))


def has_archive(change: Change) -> bool:
    """Some card is archived."""
    return bool(change.new.archived)


def touches_handoff(change: Change) -> bool:
    """A file that may be a ledger differs on some side."""
    return any(path.casefold().startswith("handoff") for path in differing(change))


def differing(change: Change) -> set[str]:
    """Every path at which two sides differ."""
    return {path for tree in (change.new, *change.parents) for path in tree.files}
