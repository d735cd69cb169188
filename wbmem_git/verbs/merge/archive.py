"""Whose archive file stays in a merge."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.lines import fault_of, first_missing, lines_of, substance
from wbmem_git.text.marks import remarks_of
from wbmem_git.text.names import archive_path
from wbmem_git.verbs.merge.cards import ZONE
from wbmem_git.verbs.merge.pieces import archive_text
from wbmem_git.verbs.merge.values import Conflict

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

    from wbmem_git.model import ArchiveFile
    from wbmem_git.verbs.merge.fate import LaidOut
    from wbmem_git.verbs.merge.values import Lines3, Taken


class Archived(NamedTuple):
    """Id → whose file stays; path → text of each with a conflict; these conflicts."""

    taken: Mapping[str, Taken]
    texts: Mapping[str, str]
    conflicts: tuple[Conflict, ...]


class MergedArchive(Mapping[str, "ArchiveFile"]):
    """The archive after a merge, by id; each file is read when somebody asks for it."""

    def __init__(
        self,
        taken: Mapping[str, Taken],
        ours: Mapping[str, ArchiveFile],
        theirs: Mapping[str, ArchiveFile],
    ) -> None:
        self._taken, self._ours, self._theirs = taken, ours, theirs
        self._ids = {name for name in {*ours, *theirs} if taken.get(name) != "gone"}

    def __getitem__(self, wanted: str) -> ArchiveFile:
        if wanted not in self._ids:
            raise KeyError(wanted)
        is_theirs = self._taken.get(wanted) == "theirs" or wanted not in self._ours
        return (self._theirs if is_theirs else self._ours)[wanted]

    def __contains__(self, wanted: object) -> bool:
        return wanted in self._ids

    def __iter__(self) -> Iterator[str]:
        return iter(self._ids)

    def __len__(self) -> int:
        return len(self._ids)


def settle_archive(
    versions: tuple[LaidOut, LaidOut, LaidOut],
    on_page: Collection[str],
    lines3: Lines3,
    differing: Collection[str] | None,
) -> Archived:
    """Settle every archive file of either side.

    Args:
        versions: Base, ours, theirs.
        on_page: The ids that are on a page after the merge.
        lines3: Merges three texts.
        differing: The only ids whose files need a look; None: all.
    """
    base, ours, theirs = versions
    taken: dict[str, Taken] = {}
    texts: dict[str, str] = {}
    conflicts: list[Conflict] = []
    for name in sorted({*ours.side.archive, *theirs.side.archive}):
        if differing is not None and name not in differing:
            continue
        is_twice = any(name in one.side.archive and one.card(name) is not None for one in (ours, theirs))
        if name in on_page and not is_twice:
            taken[name] = "gone"
            continue
        mine, other = ours.file(name), theirs.file(name)
        chosen = _chosen(base, name, mine, other)
        if chosen:
            taken[name] = chosen
        elif mine is not None and other is not None:
            conflict, text = _conflict(mine, other, name, lines3)
            conflicts.append(conflict)
            texts[conflict.path] = text
    return Archived(taken, texts, tuple(conflicts))


def _chosen(base: LaidOut, name: str, ours: ArchiveFile | None, theirs: ArchiveFile | None) -> Taken | None:
    """Whose file stays: the only one, the changed one, that which holds the other's lines; None: neither."""
    if ours is None or theirs is None:
        return "theirs" if ours is None else "ours"
    before = base.file(name)
    if theirs in {ours, before}:
        return "ours"
    if ours == before:
        return "theirs"
    card = base.card(name)
    zone = card.remarks if card is not None else _remarks(before)
    zones = [_remarks(file) for file in (ours, theirs)]
    fitting: list[tuple[ArchiveFile, Taken]] = []
    for file, other, whose in ((ours, theirs, "ours"), (theirs, ours, "theirs")):
        if _holds(file, other) and fault_of(zone, zones, _remarks(file)) is None:
            fitting.append((file, "ours" if whose == "ours" else "theirs"))
    if not fitting:
        return None
    return max(fitting, key=lambda pair: (bool(pair[0].superseded_by), pair[0].archived_at))[1]


def _holds(file: ArchiveFile, other: ArchiveFile) -> bool:
    return first_missing(substance(lines_of(other.body)), substance(lines_of(file.body))) is None


def _remarks(file: ArchiveFile | None) -> str | None:
    found = remarks_of(file.card) if file is not None and file.card is not None else None
    return found.text if found is not None else None


def _conflict(ours: ArchiveFile, theirs: ArchiveFile, name: str, lines3: Lines3) -> tuple[Conflict, str]:
    text, _ = lines3(f"{ZONE}\n", archive_text(ours), archive_text(theirs))
    line = next((n for n, one in enumerate(text.split("\n"), 1) if one.startswith("<<<")), 1)
    why = "both sides archived it, each with lines that the other hasn't"
    way_out = f"wbmem resolve {name} --both: it comes back to its page with the lines of both"
    return Conflict(archive_path(name), line, name, ours.title, why, way_out), text
