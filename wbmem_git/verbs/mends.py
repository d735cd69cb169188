"""What looks like tampering and puts tampering right.

Rules compare two trees. A ledger that was changed past the gate and is put back is a changed ledger again to
L1, and the same holds for an archive file (A1) and the workspace key (W1): nobody could ever mend them. So
where one of these rules finds something, history is asked what stands there *by right*: what the first commit
with that file made it, whatever was done to it since. A new tree that has this again gets a note.

Some older version isn't enough. In a merge both sides may have had a ledger of one second, or an archive file
of one card; what the merge made of it stands by right from there on, and the other side's no more.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.lines import same_text
from wbmem_git.store.git import text_of
from wbmem_git.text.names import SETTINGS, archived_id

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from wbmem_git.model import Change, File, Finding, Verdict
    from wbmem_git.verbs.rekeys import Rekeys
    from wbmem_git.verbs.sides import Sides

    Step = Callable[[str, str, "Sequence[Standing]"], "Standing | None"]
    """What stands by right after a commit: its oid, a path, and what stood there in each of its parents."""


class Standing(NamedTuple):
    """What stands somewhere by right, a file or a workspace key, and the commit that made it so."""

    commit: str
    file: File | None
    key: str = ""


class Mends:
    """Looks into the history of one repository."""

    def __init__(self, sides: Sides, rekeys: Rekeys) -> None:
        self._sides = sides
        self._rekeys = rekeys

    def recognise(self, change: Change, verdict: Verdict) -> Verdict:
        """The verdict with every such finding made a note."""
        findings = tuple(self._look_up(change, finding) for finding in verdict.findings)
        return verdict._replace(findings=findings)

    def _look_up(self, change: Change, finding: Finding) -> Finding:
        if finding.rule not in {"L1", "A1", "W1"} or not finding.refuses:
            return finding
        if finding.rule == "W1" and finding.key.startswith("sides"):
            return finding
        origin = self._key(change) if finding.rule == "W1" else self._file(change, finding)
        if not origin:
            return finding
        what = "the workspace key" if finding.rule == "W1" else finding.path
        message = f"{what} is again what commit {origin[:12]} made it: mended"
        return finding._replace(severity="note", message=message, fix="")

    def _file(self, change: Change, finding: Finding) -> str:
        """The commit that made the file what the new tree has again; "" where a parent's history says no."""
        standing = self._standing(change, finding.path, self._after_file)
        mine = change.new.files.get(finding.path)
        if mine is None or not standing or not all(same_text(each.file, mine) for each in standing):
            return ""
        return standing[0].commit

    def _key(self, change: Change) -> str:
        """The commit that made the workspace key what the new tree has again; "" for none.

        The first parent's history tells: another one may have a memory of its own.
        """
        standing = self._standing(change, SETTINGS, self._after_key)
        if change.new.settings is None or not standing:
            return ""
        return standing[0].commit if standing[0].key == change.new.settings.workspace else ""

    # --- walking ------------------------------------------------------------------------------------

    def _standing(self, change: Change, path: str, step: Step) -> list[Standing]:
        """What stands at a path by right in each parent, those left out that have nothing there."""
        tips = (parent.commit for parent in change.parents if parent.commit)
        return [found for tip in tips if (found := self._walk(tip, path, step)) is not None]

    def _walk(self, tip: str, path: str, step: Step) -> Standing | None:
        right: dict[str, Standing | None] = {}
        last = None
        for oid, parents in self._versions(tip, path):
            above = [found for parent in parents if (found := right.get(parent)) is not None]
            last = right[oid] = step(oid, path, above)
        return last

    def _versions(self, tip: str, path: str) -> Iterator[tuple[str, list[str]]]:
        """The merges, and the commits that changed a path, each with the nearest ones of these before it.

        Parents come first; the last one is the tip, or has what the tip has.
        """
        options = ("--topo-order", "--reverse", "--full-history", "--parents")
        repository = self._sides.repository
        listed = repository.git.run("rev-list", *options, tip, "--", repository.as_git_takes_it(tip, path))
        for line in text_of(listed).splitlines():
            oid, *parents = line.split()
            yield oid, parents

    def _after_file(self, oid: str, path: str, above: Sequence[Standing]) -> Standing | None:
        entry = self._sides.entry(self._sides.repository.tree_of(oid), path)
        mine = self._sides.file(entry) if entry is not None and not entry.is_tree else None
        if not above:
            return Standing(oid, mine) if mine is not None else None
        if mine is None and self._is_restored(oid, archived_id(path)):
            return None
        return next((each for each in above if same_text(each.file, mine)), above[0])

    def _after_key(self, oid: str, path: str, above: Sequence[Standing]) -> Standing | None:
        if above:
            rekey = self._rekeys.of(oid)
            return above[0] if rekey is None else Standing(oid, None, rekey.key)
        entry = self._sides.entry(self._sides.repository.tree_of(oid), path)
        settings = self._sides.settings(entry) if entry is not None else None
        return Standing(oid, None, settings.workspace) if settings is not None else None

    def _is_restored(self, oid: str, card: str) -> bool:
        """Whether a commit has that archived card on a page."""
        tree = self._sides.repository.tree_of(oid)
        entry = self._sides.entry(tree, SETTINGS)
        settings = self._sides.settings(entry) if card and entry is not None else None
        if settings is None:
            return False
        return any(
            own.id == card for page in self._sides.pages(tree, settings).values() for own in page.cards
        )
