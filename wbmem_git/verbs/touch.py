"""What a commit touches that an older commit's finding turns on: cheap questions, asked of every commit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.marks import remarks_of
from wbmem_git.text.names import archive_path, archived_id

if TYPE_CHECKING:
    from wbmem_git.model import Change, Finding, Tree

BY_PERSON = ("U1", "U2", "U3", "L2", "W1", "W3")


def may_mend(finding: Finding, change: Change) -> bool:
    """Whether a commit can have mended an older finding that compares old and new.

    It only spares the full question, which costs a run of the rules; after a no the last tree decides.
    """
    paths = _paths(change)
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


def touched_by_person(finding: Finding, change: Change) -> bool:
    """Whether this is a person's commit that itself wrote the zone, the file or the key of a finding."""
    if finding.rule not in BY_PERSON or change.actor != "human":
        return False
    if finding.rule == "U1" and finding.card:
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


def _paths(change: Change) -> frozenset[str]:
    return frozenset(path for tree in (change.new, *change.parents) for path in tree.files)
