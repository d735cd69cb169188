"""What a commit touches that an older commit's finding turns on: cheap questions, asked of every commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.rules.ledgers import ARCHIVED_LOGS
from wbmem_git.rules.lines import first_missing, lines_of, substance
from wbmem_git.rules.remarks import loose_zones
from wbmem_git.text.marks import remarks_of
from wbmem_git.text.names import archive_path, archived_id

if TYPE_CHECKING:
    from collections.abc import Container, Iterable

    from wbmem_git.model import Change, Finding, Tree

BY_PERSON = ("U1", "U2", "U3", "L2", "W1", "W3")


def may_mend(finding: Finding, change: Change, paths: Container[str]) -> bool:
    """Whether a commit can have mended an older finding that compares old and new.

    It only spares the full question, which costs a run of the rules; after a no the last tree decides.

    Args:
        finding: An older commit's.
        change: What this commit changes.
        paths: Every path at which two sides differ.
    """
    card = finding.card or archived_id(finding.path)
    if finding.path in paths or f"archive/{finding.path}" in paths:
        return True
    if not card:
        return False
    if archive_path(card) in paths:
        return True
    if finding.rule == "U1":
        return _zones(change.new, card) != _zones(change.old, card)
    return (card in change.new.holders) != (finding.rule == "C5")


def leaves_alone(finding: Finding, paths: Container[str], edited: Container[str] | None) -> bool:
    """Whether a harmless commit certainly closes no older finding that its parent left open.

    What the finding is about is as it was: its file, or its card. Beside its card only cards count that are
    gone or new since; so it is certain where none came or went, and none that was edited is new.

    Args:
        finding: An older commit's, that compares old and new.
        paths: Where the commit differs from its one parent.
        edited: The cards that it edited, none of them new since the finding's commit; None where it did more.
    """
    card = finding.card or archived_id(finding.path)
    if not card:
        return finding.path not in paths and f"archive/{finding.path}" not in paths
    return edited is not None and card not in edited


def touched_by_person(finding: Finding, change: Change, beside: Iterable[str] = ()) -> bool:
    """Whether this is a person's commit that itself wrote the zone, lines, file or key of a finding.

    Args:
        finding: An older commit's.
        change: What this commit changes.
        beside: The keys of all findings of that rule, commit and card or page: a zone that an agent wrote in
            the place of another one stands for both.
    """
    if finding.rule not in BY_PERSON or change.actor != "human":
        return False
    if finding.rule == "L2":
        return all(_rewrites(finding, parent, change.new) for parent in change.parents)
    if finding.rule == "U1" and not finding.card:
        texts = {finding.key, *beside}
        return all(_changes_zone(finding.path, texts, parent, change.new) for parent in change.parents)
    if finding.rule == "U1":
        now = _zones(change.new, finding.card)
        return all(_zones(parent, finding.card) != now for parent in change.parents)
    if finding.rule == "W1" and change.new.settings is not None:
        keys = {parent.settings.workspace for parent in change.parents if parent.settings is not None}
        return change.new.settings.workspace not in keys
    return finding.path in change.judged


def _zones(tree: Tree, card: str) -> tuple[str, ...]:
    """What a person wrote in a card, on pages and in the archive."""
    holders = tree.holders.get(card, ())
    archived = tree.archive.get(card)
    kept = archived.card if archived is not None else None
    every = (*holders, *([kept] if kept is not None else []))
    return tuple(found.text for holder in every if (found := remarks_of(holder)) is not None)


def _changes_zone(path: str, texts: set[str], old: Tree, new: Tree) -> bool:
    """Whether a loose zone differs that is one of these, or has a line of one."""
    before, after = loose_zones(old.pages.get(path)), loose_zones(new.pages.get(path))
    lines = {line for text in texts for line in substance(lines_of(text))}
    changed = (before - after) + (after - before)
    return any(text in texts or not lines.isdisjoint(substance(lines_of(text))) for text in changed)


def _rewrites(finding: Finding, old: Tree, new: Tree) -> bool:
    """Whether a log differs at the line of a finding or beside it; what is appended touches nothing."""
    before, after = _log_lines(old, finding.path), _log_lines(new, finding.path)
    first = next((n for n, (one, other) in enumerate(zip(before, after, strict=False)) if one != other), None)
    shorter = min(len(before), len(after))
    first = shorter if first is None else first
    if first == len(before):
        return False
    same = zip(reversed(before[first:]), reversed(after[first:]), strict=False)
    tail = next((n for n, (one, other) in enumerate(same) if one != other), shorter - first)
    last = max(first + 1, len(before) - tail)
    return not finding.line or first <= finding.line <= last + 1


def _log_lines(tree: Tree, path: str) -> list[str]:
    """The lines of a log, wherever it lies."""
    name = path.removeprefix(ARCHIVED_LOGS)
    files = (tree.files.get(place) for place in (name, f"{ARCHIVED_LOGS}{name}"))
    return next((lines_of(file.text) for file in files if file is not None and file.text is not None), [])


def restored_whole(finding: Finding, change: Change) -> bool:
    """Whether a card whose archive file was tampered with stands on a page with every line that was archived.

    True also where the file is there: then the rule itself says whether it is as it was.
    """
    name = archived_id(finding.path)
    if finding.path in change.new.files:
        return True
    archived = [parent.archive[name].card for parent in change.parents if name in parent.archive]
    pages = [substance(card.lines) for card in change.new.holders.get(name, ())]
    return all(
        any(first_missing(substance(card.lines), page) is None for page in pages)
        for card in archived
        if card is not None
    )
