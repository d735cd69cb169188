"""`wbmem remarks`: what a person wrote into user zones is committed, and nothing else (FORMAT U1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.lines import first_missing
from wbmem_git.rules.wording import command, pathspec, shown
from wbmem_git.text.document import decode
from wbmem_git.variables import REMARKS, REMARKS_TRAILER
from wbmem_git.verbs.commit.plan import Plan, see_ids
from wbmem_git.verbs.commit.retried import retrying
from wbmem_git.verbs.commit.writing import Asked, carry_out, writing
from wbmem_git.verbs.edits import spliced
from wbmem_git.verbs.scratch import scratch, tree_with_files
from wbmem_git.verbs.three_trees import edited, load
from wbmem_git.verbs.zones import held

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping, Sequence

    from wbmem_git.model import Actor
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit.commit import Judge
    from wbmem_git.verbs.edits import Splice
    from wbmem_git.verbs.three_trees import Version, Versions
    from wbmem_git.verbs.zones import Held

UNCONFIRMED = "unconfirmed"
EMPTY = ("<!-- user -->", "<!-- /user -->")
COMMITTED, TAKEN_OUT, UNREADABLE = "committed", "taken out", "unreadable"


class Remark(NamedTuple):
    """A user zone that is another one in the working file than in HEAD.

    Attributes:
        id, title, path, line: The card's in the working file; of a zone in no card `PLAN.md#1` and "".
        what: `committed`; `taken out`: an agent may not commit it, so it isn't in the index any more;
            `unreadable`: the zone marks are unbalanced. The working file keeps it in every case.
    """

    id: str
    title: str
    path: str
    line: int
    what: str


class RemarksReport(NamedTuple):
    """What became of the remarks.

    Attributes:
        remarks: Every one that differs from HEAD's. commit: The commit that was made, "" for none.
        staged: Pages of which an agent's other edits, all but the person's zones, were staged.
        next: What an agent has to do so that its own commit passes, or a person so that a new card's remark
            is committed; "" for nothing.
    """

    remarks: tuple[Remark, ...]
    commit: str
    staged: tuple[str, ...] = ()
    next: str = ""


@retrying
def remarks(repository: Repository, actor: Actor, judge: Judge) -> RemarksReport:
    """Commit the working files' user zones.

    Args:
        repository: The memory.
        actor: A person commits every edit of a zone. An agent commits additions only, under the trailer
            `Wbmem-Remarks: unconfirmed`; any other edit is taken out of the index, never out of the file.
            So that it isn't stuck with a file that `git commit -a` would take whole, everything else of that
            page is staged, unless something of the page is staged already.
        judge: The gate.

    Raises:
        Refused: The gate refuses the commit; nothing was changed.
    """
    with writing(repository):
        versions = load(repository)
        zones = _Zones(versions, actor)
        head = _exchanged(versions.head, zones.wanted)
        staged = _exchanged(versions.staged, {**zones.taken_out, **zones.wanted})
        for version, edits in ((versions.head, head), (versions.staged, staged)):
            see_ids(version, edits, versions)
        rest = _rest(repository, versions, zones) if actor == "agent" else {}
        rest = {path: text for path, text in rest.items() if text != head.get(path, versions.head.read(path))}
        staged |= rest
        told = [one.title or one.id for one in zones.remarks if one.what == COMMITTED]
        variables = {REMARKS: UNCONFIRMED} if actor == "agent" else {}
        asked = Asked(_message(told, actor), judge, variables)
        oid = carry_out(repository, versions, Plan(head, staged, {}), asked)
    return RemarksReport(tuple(zones.remarks), oid, tuple(sorted(rest)), _next(zones, rest))


class _Zones:
    """Which zone becomes what: name → its lines, marks and all (none: no zone)."""

    def __init__(self, versions: Versions, actor: Actor) -> None:
        self.remarks: list[Remark] = []
        self.wanted: dict[str, Sequence[str]] = {}
        self.taken_out: dict[str, Sequence[str]] = {}
        head, staged = held(versions.head.side), held(versions.staged.side)
        self.new: list[Held] = []
        for name, zone in held(versions.file.side).items():
            if name in head:
                self._compare(head[name], zone, actor)
            elif zone.balanced and _emptied(zone) != zone.lines:
                self.new.append(zone)
        if actor == "agent":
            for name, zone in staged.items():
                self._take_out(head.get(name), zone)
            for zone in self.new:
                if all(one.id != zone.name for one in self.remarks):
                    self._note(zone, TAKEN_OUT)

    def _compare(self, head: Held, zone: Held, actor: Actor) -> None:
        """See whether the working file's zone is another one than HEAD's, and what may become of it."""
        if not (zone.balanced and head.balanced):
            self._note(zone, UNREADABLE)
        elif (zone.text, not zone.lines) == (head.text, not head.lines):
            return
        elif actor == "human" or first_missing(head.text, zone.text) is None:
            self.wanted[zone.name] = zone.lines
            self._note(zone, COMMITTED)
        else:
            self._note(zone, TAKEN_OUT)

    def _take_out(self, head: Held | None, zone: Held) -> None:
        """Give the index HEAD's zone, a new card an empty one, where an agent may not commit what it has."""
        lines = _emptied(zone) if head is None else head.lines
        if zone.name in self.wanted or not zone.balanced or lines == zone.lines:
            return
        self.taken_out[zone.name] = lines
        if all(one.id != zone.name for one in self.remarks):
            self._note(zone, TAKEN_OUT)

    def _note(self, zone: Held, what: str) -> None:
        self.remarks.append(Remark(zone.name, zone.title, zone.path, zone.line, what))


def _exchanged(version: Version, wanted: Mapping[str, Sequence[str]]) -> dict[str, str | None]:
    """The version's pages with these zones, where it has what holds them."""
    splices: dict[str, list[Splice]] = {}
    for name, zone in held(version.side).items():
        if name in wanted and tuple(wanted[name]) != zone.lines:
            splices.setdefault(zone.path, []).append(zone.exchanged(wanted[name]))
    return {path: spliced(version.side.pages[path].document, found) for path, found in splices.items()}


def _rest(repository: Repository, versions: Versions, zones: _Zones) -> dict[str, str | None]:
    """The pages with edits of zones, for an agent: as the files have them, with zones that may go along.

    Only those that are tracked, and of which nothing is staged.
    """
    unclear = {one.path for one in zones.remarks if one.what == UNREADABLE}
    paths = [
        path
        for path in sorted({one.path for one in zones.remarks} - unclear)
        if path in versions.head.entries and versions.head.entries[path] == versions.staged.entries.get(path)
    ]
    if not paths:
        return {}
    with scratch(repository) as copy:  # git says what it would store of a file: line ends, filters
        tree = tree_with_files(copy, versions.commit, paths)
        texts = {path: decode(copy.blob(entry.oid)) for path in paths if (entry := copy.entry(tree, path))}
    version = edited(versions.file, texts, versions.settings)
    head = held(versions.head.side)
    wanted = {
        name: head[name].lines if name in head else _emptied(zone)
        for name, zone in held(version.side).items()
        if zone.path in paths and name not in zones.wanted
    }
    changed = _exchanged(version, wanted)
    return {path: changed.get(path, texts[path]) for path in paths if texts.get(path) is not None}


def _next(zones: _Zones, rest: Collection[str]) -> str:
    """How an agent's commit passes once an edit was taken out of it, or committed apart from it."""
    paths = sorted({*rest, *(one.path for one in zones.remarks if one.what == TAKEN_OUT)})
    if not paths:
        pages = sorted({zone.path for zone in zones.new})
        add = command("git", "add", *map(pathspec, pages))
        return f"a new card holds a remark, and a commit of the card takes it along: {add}" if pages else ""
    staged = "commit what is staged, without -a and without naming"
    return f"{staged} {', '.join(map(shown, paths))}: git commit -m MESSAGE"


def _emptied(zone: Held) -> tuple[str, ...]:
    """The zone without anything between its marks; as it is where there is only blank."""
    return EMPTY if "".join(zone.text).strip() else zone.lines


def _message(told: Sequence[str], actor: Actor) -> str:
    subject = f"remarks: {told[0]}" if len(told) == 1 else f"remarks: {len(told)} cards"
    return "\n".join((subject, "", *_body(told, actor), ""))


def _body(told: Sequence[str], actor: Actor) -> Iterator[str]:
    if len(told) > 1:
        yield from (f"- {title}" for title in told)
        yield ""
    if actor == "agent":
        yield f"{REMARKS_TRAILER}: {UNCONFIRMED}"
