"""What looks like tampering and puts tampering right.

Rules compare two trees. A ledger that was changed past the gate and is put back is a changed ledger again to
L1, and the same holds for an archive file (A1) and the workspace key (W1): nobody could ever mend them. So a
finding of these rules is looked up in history, and where the new tree has what stood there in the first place
it becomes a note.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.names import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.model import Change, Finding, Verdict
    from wbmem_git.store.trees import Entry
    from wbmem_git.verbs.sides import Sides


class Mends:
    """Looks into the history of one repository."""

    def __init__(self, sides: Sides) -> None:
        self._sides = sides

    def recognise(self, change: Change, verdict: Verdict) -> Verdict:
        """The verdict with every such finding made a note."""
        findings = tuple(self._look_up(change, finding) for finding in verdict.findings)
        return verdict._replace(findings=findings)

    def _look_up(self, change: Change, finding: Finding) -> Finding:
        if finding.rule not in {"L1", "A1", "W1"} or not finding.refuses:
            return finding
        origin = self._key(change) if finding.rule == "W1" else self._blob(change, finding)
        if not origin:
            return finding
        what = "the workspace key" if finding.rule == "W1" else finding.path
        message = f"{what} is again what commit {origin[:12]} made it: mended"
        return finding._replace(severity="note", message=message, fix="")

    def _blob(self, change: Change, finding: Finding) -> str:
        """The commit that wrote the file first and whose blob the new tree has; "" where there is none.

        In a merge it has to be so in the history of every parent that has the file. For an archive file it is
        the last commit that wrote it new: a card may have been restored and archived again since.
        """
        mine = change.new.files.get(finding.path)
        if mine is None:
            return ""
        origin = ""
        for parent in change.parents:
            written = self._written(parent.commit, finding.path) if parent.commit else []
            if not written:
                continue
            origin, blob = written[0] if finding.rule == "A1" else written[-1]
            if (blob.oid, blob.mode[:2]) != (mine.oid, mine.mode[:2]):
                return ""
        return origin

    def _written(self, tip: str, path: str) -> list[tuple[str, Entry]]:
        """The commits up to `tip` that wrote a file where no parent has one, the newest first."""
        return [(oid, entry) for oid, entry, new in self._versions([tip], path) if entry is not None and new]

    def _key(self, change: Change) -> str:
        """The first commit with settings that can be read, where its workspace key is the new tree's."""
        if change.new.settings is None:
            return ""
        tips = [parent.commit for parent in change.parents if parent.commit]
        for oid, entry, _ in reversed(list(self._versions(tips, SETTINGS))):
            settings = self._sides.settings(entry) if entry is not None else None
            if settings is not None:
                return oid if settings.workspace == change.new.settings.workspace else ""
        return ""

    def _versions(self, tips: Sequence[str], path: str) -> Iterator[tuple[str, Entry | None, bool]]:
        """(commit, what it has at `path`, whether no parent has anything there), the newest commit first."""
        repository = self._sides.repository
        if not tips:
            return
        for oid in repository.rev_list("--topo-order", "--full-history", *tips, "--", path):
            commit = repository.commit(oid)
            before = (self._sides.entry(repository.tree_of(parent), path) for parent in commit.parents)
            entry = self._sides.entry(commit.tree, path)
            yield oid, entry, not any(before)
