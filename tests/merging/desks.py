"""Random memories, and what a side does to one between two merges, also past the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Self

from hypothesis import strategies as st
from pages import archived, id_of

if TYPE_CHECKING:
    from collections.abc import Sequence

TITLES = ("Fix login", "登录超时", "C# build", "a_b", "Größe", "Ship it", "Write docs")
LINES = (
    "Next: run `pytest`.",
    "下一步：检查。",
    "- [ ] a box",
    "> quoted",
    "#### deeper",
    "plain text",
    "1. one",
)
COLUMNS = ("Doing", "Done", "Later")
ENTRIES = "MEMORY.md"
Deed = tuple[str, int, int]
DEEDS = ("edit", "add", "cut", "remark", "date", "status", "tag", "move", "lift", "page", "archive", "rename")
MORE = ("new", "restore", "prose", "column", "uncolumn", "lose", "supersede")


class Sheet(NamedTuple):
    """A card: its page of origin (its id comes from it), title, lines, the person's lines (None: no zone)."""

    origin: str
    title: str
    lines: tuple[str, ...]
    remark: tuple[str, ...] | None
    date: int = 14
    status: str = "current"
    tags: tuple[str, ...] = ()
    supersedes: str = ""

    @property
    def id(self) -> str:
        return id_of(self.title, self.origin)

    def text(self, level: str) -> str:
        tags = f" / tags: {', '.join(self.tags)}" if self.tags else ""
        zone = ["<!-- user -->", *self.remark, "<!-- /user -->"] if self.remark is not None else []
        head = [f"{level} {self.title}", f"<!-- memory:{self.id} -->"]
        told = f" / supersedes: {self.supersedes}" if self.supersedes else ""
        metadata = f"<!-- status: {self.status} / date: 2026-09-{self.date}{tags}{told} -->"
        body = ["<!-- model -->", *self.lines, "<!-- /model -->"]
        return "\n".join([*head, metadata, *body, *zone, ""])


class Desk(NamedTuple):
    """A memory: (page, column, its prose, its cards) for each stretch, and the archive."""

    stretches: tuple[tuple[str, str, tuple[str, ...], tuple[Sheet, ...]], ...]
    archive: tuple[tuple[str, str, Sheet], ...] = ()

    @property
    def files(self) -> dict[str, str]:
        found = {"PLAN.md": "# Plan\n", ENTRIES: "# Memory\n"}
        for path, column, prose, cards in self.stretches:
            found[path] += f"\n## {column}\n" if column else ""
            found[path] += "".join(f"\n{line}\n" for line in prose)
            found[path] += "".join("\n" + card.text("##" if path == ENTRIES else "###") for card in cards)
        return found | {path: text for path, text, _ in self.archive}

    @property
    def cards(self) -> list[tuple[int, int, Sheet]]:
        """Each card with its stretch and its place there."""
        return [(s, n, card) for s, (*_, cards) in enumerate(self.stretches) for n, card in enumerate(cards)]

    @property
    def ids(self) -> set[str]:
        return {card.id for *_, card in self.cards} | {card.id for *_, card in self.archive}

    def put(self, stretch: int, cards: Sequence[Sheet]) -> Self:
        path, column, prose, _ = self.stretches[stretch]
        changed = list(self.stretches)
        changed[stretch] = (path, column, prose, tuple(cards))
        return self._replace(stretches=tuple(changed))

    def without(self, card: Sheet) -> Self:
        desk = self
        for number, (*_, cards) in enumerate(self.stretches):
            if card in cards:
                desk = desk.put(number, [other for other in cards if other != card])
        return desk

    def after(self, deeds: Sequence[Deed], who: str) -> Self:
        """The memory after some deeds; `who` makes their words different from everybody else's."""
        desk = self
        for number, deed in enumerate(deeds):
            desk = desk.done(deed, f"{who}{number}")
        return desk

    def done(self, deed: Deed, word: str) -> Self:
        kind, i, j = deed
        if kind == "new":
            title = TITLES[i % len(TITLES)]
            stretch = j % len(self.stretches)
            path, *_, here = self.stretches[stretch]
            sheet = Sheet(path, title, (f"new {word}",), (f"said {word}",) if j % 2 else None)
            known = id_of(title, "PLAN.md") in self.ids or id_of(title, ENTRIES) in self.ids
            return self if known else self.put(stretch, [*here, sheet])
        if kind == "restore" and self.archive:
            path, _, sheet = self.archive[i % len(self.archive)]
            stretch = j % len(self.stretches)
            rest = tuple(entry for entry in self.archive if entry[0] != path)
            is_renamed = any(sheet.lines == card.lines for *_, card in self.cards)
            if is_renamed:
                return self
            return self.put(stretch, [*self.stretches[stretch][3], sheet])._replace(archive=rest)
        if kind in {"prose", "column", "uncolumn"}:
            return self._reshaped(kind, i, word)
        if not self.cards:
            return self
        stretch, place, card = self.cards[i % len(self.cards)]
        cards = list(self.stretches[stretch][3])
        if kind in {"edit", "add", "cut", "remark", "date", "status", "tag"}:
            cards[place] = _edited(card, kind, j, word)
            return self.put(stretch, cards)
        if kind in {"move", "page"}:
            target = j % len(self.stretches)
            moved = self.without(card)
            there = list(moved.stretches[target][3])
            there.insert(j % (len(there) + 1), card)
            return moved.put(target, there)
        if kind in {"lose", "supersede"}:  # the first one past the gate
            other = self.cards[j % len(self.cards)][2]
            return self.without(card) if kind == "lose" else self._superseding(card, other)
        if kind == "lift":
            cards.insert(0, cards.pop(place))
            return self.put(stretch, cards)
        return self._closed(card, stretch, place, kind, f"{TITLES[j % len(TITLES)]} {word}")

    def _superseding(self, card: Sheet, other: Sheet) -> Self:
        """The memory in which the first of the two is what holds, if that makes sense here."""
        if card == other or card.supersedes or other.supersedes or card.status != "current":
            return self
        new = {card: card._replace(supersedes=other.id), other: other._replace(status="superseded")}
        stretches = tuple(
            (path, column, prose, tuple(new.get(one, one) for one in cards))
            for path, column, prose, cards in self.stretches
        )
        return self._replace(stretches=stretches)

    def _closed(self, card: Sheet, stretch: int, place: int, kind: str, title: str) -> Self:
        """Archived, or renamed (on the page that its id comes from, so that a new id fits)."""
        page = self.stretches[stretch][0]
        level = "##" if page == ENTRIES else "###"
        successor = card._replace(title=title, origin=page)
        if kind == "archive":
            path, text = archived(card.title, card.text(level), page=card.origin)
            text = text.replace(f"page: {card.origin}", f"page: {page}")
            return self.without(card)._replace(archive=(*self.archive, (path, text, card)))
        path, text = archived(card.title, card.text(level), page=card.origin, superseded_by=successor.id)
        text = text.replace(f"page: {card.origin}", f"page: {page}").replace(
            "reason: done", "reason: renamed"
        )
        cards = list(self.stretches[stretch][3])
        cards[place] = successor
        return self.put(stretch, cards)._replace(archive=(*self.archive, (path, text, card)))

    def _reshaped(self, kind: str, i: int, word: str) -> Self:
        changed = list(self.stretches)
        number = i % len(changed)
        path, column, prose, cards = changed[number]
        if kind == "prose":
            changed[number] = (path, column, (*prose, f"prose {word}"), cards)
        elif kind == "column" and column:
            changed[number] = (path, f"{column} {word}", prose, cards)
        elif kind == "uncolumn" and column and not cards and not prose:
            del changed[number]
        return self._replace(stretches=tuple(changed))


def _edited(card: Sheet, kind: str, j: int, word: str) -> Sheet:
    lines = list(card.lines)
    at = j % len(lines) if lines else 0
    if kind == "edit" and lines:
        lines[at] = f"edited {word}"
    elif kind == "add":
        lines.insert(at, f"added {word}")
    elif kind == "cut" and len(lines) > 1:
        del lines[at]
    elif kind == "remark":
        return card._replace(remark=(*(card.remark or ()), f"remark {word}"))
    elif kind == "date":
        return card._replace(date=15 + j % 9)
    elif kind == "status":
        return card._replace(status=("compressed", "retracted")[j % 2])
    elif kind == "tag":
        return card._replace(tags=tuple(dict.fromkeys((*card.tags, f"topic:t{j % 3}"))))
    return card._replace(lines=tuple(lines))


@st.composite
def desks(draw: st.DrawFn) -> Desk:
    titles = iter(draw(st.lists(st.sampled_from(TITLES), min_size=1, max_size=4, unique=True)))
    places: list[tuple[str, str]] = [("PLAN.md", column) for column in COLUMNS[: draw(st.integers(1, 3))]]
    stretches: list[list[Sheet]] = [[] for _ in (*places, ENTRIES)]
    for title in titles:
        stretch = draw(st.integers(0, len(places)))
        lines = tuple(draw(st.lists(st.sampled_from(LINES), min_size=1, max_size=4, unique=True)))
        remark = draw(st.sampled_from([None, (), ("ask Ada",), ("one", "", "two")]))
        path = "PLAN.md" if stretch < len(places) else ENTRIES
        stretches[stretch].append(Sheet(path, title, lines, remark))
    named = [*places, (ENTRIES, "")]
    return Desk(tuple((*place, (), tuple(cards)) for place, cards in zip(named, stretches, strict=True)))


def deeds() -> st.SearchStrategy[list[Deed]]:
    kinds = st.sampled_from([*DEEDS, *DEEDS, *MORE])
    return st.lists(st.tuples(kinds, st.integers(0, 2), st.integers(0, 4)), min_size=1, max_size=6)
