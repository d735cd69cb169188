"""`wbmem remarks`: what a person wrote into user zones is committed, and nothing else (FORMAT U1)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.lines import first_missing, lines_of
from wbmem_git.verbs.edits import spliced, zone_exchanged, zone_lines
from wbmem_git.verbs.versions import load
from wbmem_git.verbs.writing import Asked, Plan, carry_out, see_ids, writing

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wbmem_git.model import Actor, Card
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit import Judge
    from wbmem_git.verbs.edits import Splice
    from wbmem_git.verbs.versions import Version, Versions

TRAILER = "Wbmem-Remarks"
VARIABLE = "WBMEM_REMARKS"
UNCONFIRMED = "unconfirmed"


class Remark(NamedTuple):
    """A card whose user zone is another one in the working file than in HEAD.

    Attributes:
        id, title, path, line: The card's, in the working file.
        what: `committed`; `taken out`: an agent may not commit it, so it isn't in the index any more;
            `unreadable`: the card's zone marks are unbalanced. The working file keeps it in every case.
    """

    id: str
    title: str
    path: str
    line: int
    what: str


class RemarksReport(NamedTuple):
    """Every remark that differs from HEAD's, and the commit that was made ("" for none)."""

    remarks: tuple[Remark, ...]
    commit: str


def remarks(repository: Repository, actor: Actor, judge: Judge) -> RemarksReport:
    """Commit the working files' user zones.

    Args:
        repository: The memory.
        actor: A person commits every edit of a zone. An agent commits additions only, under the trailer
            `Wbmem-Remarks: unconfirmed`; any other edit is taken out of the index, never out of the file.
        judge: The gate.

    Raises:
        Refused: The gate refuses the commit; nothing was changed.
    """
    with writing(repository):
        versions = load(repository)
        zones = _Zones(versions, actor)
        head = zones.edits(versions.head, zones.wanted)
        staged = zones.edits(versions.staged, {**zones.wanted, **zones.taken_out})
        for version, edits in ((versions.head, head), (versions.staged, staged)):
            see_ids(version, edits, versions)
        titles = [one.title for one in zones.remarks if one.what == "committed"]
        asked = Asked(_message(titles, actor), judge, {VARIABLE: UNCONFIRMED} if actor == "agent" else {})
        oid = carry_out(repository, versions, Plan(head, staged, {}), asked)
    return RemarksReport(tuple(zones.remarks), oid)


class _Zones:
    """Which card's user zone becomes what: id → its lines, marks and all (none: no zone)."""

    def __init__(self, versions: Versions, actor: Actor) -> None:
        self.remarks: list[Remark] = []
        self.wanted: dict[str, Sequence[str]] = {}
        self.taken_out: dict[str, Sequence[str]] = {}
        for card in versions.file.side.cards:
            for head in versions.head.cards(card.id)[:1]:
                self._compare(head, card, actor)
        if actor == "agent":
            self._take_out(versions)

    def edits(self, version: Version, wanted: Mapping[str, Sequence[str]]) -> dict[str, str | None]:
        """The version's pages with these zones."""
        splices: dict[str, list[Splice]] = {}
        for card in version.side.cards:
            zone = card.zone("user")
            if card.id in wanted and tuple(wanted[card.id]) != zone_lines(card, zone):
                splices.setdefault(card.path, []).extend(zone_exchanged(card, zone, wanted[card.id]))
        return {path: spliced(version.side.pages[path].document, found) for path, found in splices.items()}

    def _compare(self, head: Card, card: Card, actor: Actor) -> None:
        """See whether the working file's zone is another one than HEAD's, and what may become of it."""
        if _text(head) == _text(card) and (head.zone("user") is None) == (card.zone("user") is None):
            return
        if not (_balanced(card) and _balanced(head)):
            self._note(card, "unreadable")
        elif actor == "human" or first_missing(lines_of(_text(head)), lines_of(_text(card))) is None:
            self.wanted[card.id] = zone_lines(card, card.zone("user"))
            self._note(card, "committed")
        else:
            self._note(card, "taken out")

    def _take_out(self, versions: Versions) -> None:
        """Give the index HEAD's zones (new cards empty ones) where an agent may not commit what it has."""
        for card in versions.staged.side.cards:
            zone = card.zone("user")
            if card.id in self.wanted or (zone is None and not versions.head.cards(card.id)):
                continue
            known = next(iter(versions.head.cards(card.id)), None)
            lines = _empty(card) if known is None else zone_lines(known, known.zone("user"))
            if _balanced(card) and lines != zone_lines(card, zone):
                self.taken_out[card.id] = lines
                if all(one.id != card.id for one in self.remarks):
                    self._note(card, "taken out")

    def _note(self, card: Card, what: str) -> None:
        self.remarks.append(Remark(card.id, card.title, card.path, card.line, what))


def _text(card: Card) -> str:
    zone = card.zone("user")
    return "" if zone is None else zone.text


def _empty(card: Card) -> tuple[str, ...]:
    """The card's own user zone without anything between its marks."""
    lines = zone_lines(card, card.zone("user"))
    return lines if not _text(card).strip() else (lines[0], lines[-1])


def _balanced(card: Card) -> bool:
    """Whether the card's zone marks are in order; where they aren't, it has no zones at all."""
    return bool(card.zones) or not any(mark.kind in {"open", "close"} for mark in card.marks)


def _message(titles: Sequence[str], actor: Actor) -> str:
    subject = f"remarks: {titles[0]}" if len(titles) == 1 else f"remarks: {len(titles)} cards"
    return "\n".join((subject, "", *_body(titles, actor), ""))


def _body(titles: Sequence[str], actor: Actor) -> Iterator[str]:
    if len(titles) > 1:
        yield from (f"- {title}" for title in titles)
        yield ""
    if actor == "agent":
        yield f"{TRAILER}: {UNCONFIRMED}"
