"""What a commit did: to which card or page, and what is told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.revisions import Event, RevisionRow
from wbmem_git.text.archive import parse_archive
from wbmem_git.text.document import decode
from wbmem_git.text.ids import card_id
from wbmem_git.text.names import archive_path, archived_id, kind_of
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.page_renames import renamed_pages
from wbmem_git.verbs.readings import NOTHING, Place, appended, held_of, read_next, read_page
from wbmem_git.verbs.turns import RENAMED, Stand, Turn, joined, kind_here, states, unlike_ids, without_anchor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from wbmem_git.model import Actor, ArchiveFile, Page, PageKind, Settings
    from wbmem_git.store.history import Difference, Step
    from wbmem_git.verbs.readings import Edit, Reading

KEPT, KEPT_ARCHIVES = 64, 1024
READ = frozenset({"board", "entries", "archive", "log", "ledger", "candidates"})
AGED = "aged"
WRITTEN = ("created", "edited", "moved", "renamed", "restored")


class Doing(NamedTuple):
    """What a commit did.

    Attributes:
        rows: Of cards and pages, ids apart.
        events: In order, without verdicts.
        edit: Where it changed the lines of one card and nothing else: which, on the page `path`.
        appended: Where it wrote lines at the end of a log, `path`, and nothing else: these.
        differing: The ids that differ from each parent.
    """

    rows: list[RevisionRow]
    events: list[Event]
    edit: Edit | None = None
    appended: str | None = None
    path: str = ""
    column: str = ""
    differing: tuple[frozenset[str], ...] = ()


class Doings:
    """Reads commits one after the other, remembering the pages that it read last."""

    def __init__(
        self,
        settings: Settings,
        blob: Callable[[str], bytes],
        earlier: Callable[[str, str], Iterable[str]] | None = None,
    ) -> None:
        """Nothing is read yet.

        Args:
            settings: HEAD's: their key makes the ids, their boards the pages, for all of the past.
            blob: Reads a blob that no step brought.
            earlier: The blobs that stood at a path up to a commit, the newest first, along first parents; ""
                where nothing did. It is asked where a page can't be read.
        """
        self._settings = settings
        self._blob = blob
        self._earlier = earlier
        self._readable: dict[tuple[str, str], str] = {}
        self._readings: dict[tuple[str, str], Reading] = {}
        self._archives: dict[str, ArchiveFile | None] = {}
        self._most_archives = KEPT_ARCHIVES
        self._brought: Mapping[str, bytes] = {}
        self._logs: Mapping[str, bytes] = {}
        self._page_ids: dict[str, str] = {}
        self._kinds: dict[str, PageKind] = {}

    def of(self, step: Step, seq: int, actor: Actor) -> Doing:
        """What a commit did."""
        if len(step.differences) == 1 and len(step.differences[0]) == 1:
            one = step.differences[0][0]
            quick = self._edit(step, one, seq) or self._append(step, one, seq)
            if quick is not None:
                return quick
        return self._whole(step, seq, actor)

    def is_read(self, path: str) -> bool:
        """Whether the text at that path is looked into."""
        return self.kind(path) in READ

    def read(self, oid: str) -> bytes:
        """A blob that no step brought."""
        return self._blob(oid)

    def kind(self, path: str) -> PageKind:
        """What is at that path, by HEAD's settings."""
        kind = self._kinds.get(path)
        if kind is None:
            kind = self._kinds[path] = kind_of(path, self._settings)
        return kind

    def page_id(self, path: str) -> str:
        """The id of a page as a whole."""
        name = self._page_ids.get(path)
        if name is None:
            name = self._page_ids[path] = card_id(self._settings.workspace, path, "")
        return name

    # --- the usual commit ---------------------------------------------------------------------------

    def _edit(self, step: Step, one: Difference, seq: int) -> Doing | None:
        """One page, one card's lines; None where it is more than that."""
        path = one.path
        if not (one.old and one.new) or self.kind(path) not in {"board", "entries"}:
            return None
        reading = self.reading(path, one.new, step.blobs, one.old)
        edit = reading.edit
        if edit is None or edit.base != one.old:
            return None
        held = reading.cards[edit.place]
        if edit.is_same or not reading.is_apart:
            return None
        rows = [
            RevisionRow(held.id, seq, "edited", path, one.new, held.digest),
            RevisionRow(self.page_id(path), seq, "edited", path, one.new, bytes.fromhex(one.new)),
        ]
        told = edit if not one.is_mode else None
        return Doing(rows, [Event("written", path, (held.id,))], told, None, path, held.column)

    def _append(self, step: Step, one: Difference, seq: int) -> Doing | None:
        """Some lines at the end of a log; None where it is more than that."""
        path = one.path
        if not (one.old and one.new) or one.is_mode or self.kind(path) != "log":
            return None
        data = step.blobs[one.new]
        before = self._logs.get(one.old)
        lines = appended(self._blob(one.old) if before is None else before, data)
        self._logs = {one.new: data}
        if lines is None:
            return None
        row = RevisionRow(self.page_id(path), seq, "edited", path, one.new, bytes.fromhex(one.new))
        return Doing([row], [Event("written", path)], None, lines, path)

    def reading(self, path: str, oid: str, blobs: Mapping[str, bytes], like: str = "") -> Reading:
        """A version of a page.

        Args:
            path: The page's path.
            oid: Its blob, "" for no page.
            blobs: What was read already.
            like: Another version of it.
        """
        if not oid:
            return NOTHING
        found = self._readings.get((path, oid))
        if found is None:
            data = blobs.get(oid)
            data = self._blob(oid) if data is None else data
            place = Place(path, self._settings.workspace, kind_of(path, self._settings))
            base = self.reading(path, like, blobs) if like else NOTHING
            found = read_next(base, like, place, data) if base.cards else read_page(place, data)
            if len(self._readings) >= KEPT:
                del self._readings[next(iter(self._readings))]
            self._readings[path, oid] = found
        return found

    # --- any commit ---------------------------------------------------------------------------------

    def _whole(self, step: Step, seq: int, actor: Actor) -> Doing:
        self._brought = step.blobs
        self._most_archives = max(KEPT_ARCHIVES, *(2 * len(differences) for differences in step.differences))
        sides = [self._turns(step, side) for side in range(len(step.differences))]
        paths = [{one.path: one for one in differences} for differences in step.differences]
        own = [
            joined([side[name] for side in sides]) for name in sides[0] if all(name in side for side in sides)
        ]
        pages = [one for path, one in sorted(paths[0].items()) if all(path in side for side in paths)]
        renames = self._renames(own, pages, step, actor)
        moves = self._moves(pages, paths, step)
        rows, told = [], []
        for turn in own:
            kind = self._kind_of(turn, renames)
            rows.append(self._row(turn, kind, renames, seq))
            told.append((turn, kind))
        rows += filter(None, (self._page_row(one, sides_of(one.path, paths), moves, seq) for one in pages))
        names = (
            frozenset(side) | {self.page_id(path) for path in differing}
            for side, differing in zip(sides, paths, strict=True)
        )
        return Doing(_apart(rows), list(self._events(told, pages)), differing=tuple(names))

    def _turns(self, step: Step, side: int) -> dict[str, Turn]:
        """Id → what became of it since a parent, for those that differ, in the order of pages."""
        before: dict[str, list[Stand]] = {}
        after: dict[str, list[Stand]] = {}
        differences = step.differences[side]
        for one in differences:
            if self.kind(one.path) not in {"board", "entries"}:
                continue
            old, new = self._readings_of(step, side, one)
            changed = unlike_ids(old, new)
            for held in new.cards:
                if held.id in changed:
                    after.setdefault(held.id, []).append(Stand(one.path, one.new, held))
            for held in old.cards:
                if held.id in changed:
                    before.setdefault(held.id, []).append(Stand(one.path, one.old, held))
        archives = {
            name: one for one in differences if (name := archived_id(one.path)) and (one.old or one.new)
        }
        found = {}
        for name in dict.fromkeys((*after, *before, *archives)):
            there, here = tuple(before.get(name, ())), tuple(after.get(name, ()))
            if name in archives or states(there) != states(here):
                file = archives.get(name)
                found[name] = Turn(name, there, here, file.old if file else "", file.new if file else "")
        return found

    def _readings_of(self, step: Step, side: int, one: Difference) -> tuple[Reading, Reading]:
        """A page before and after; one that can't be read still has the cards that it had when it could."""
        old = self.reading(one.path, one.old, step.blobs)
        new = self.reading(one.path, one.new, step.blobs, one.old)
        parents = step.facts.parents
        if one.old and old is NOTHING:
            old = self._last_reading(one.path, parents[side], step.blobs)
        if one.new and new is NOTHING and parents:
            new = self._last_reading(self._stood_at(step, one), parents[0], step.blobs)
        return old, new

    def _stood_at(self, step: Step, one: Difference) -> str:
        """The path of a page before a commit; where it can't be read, by its bytes alone."""
        gone = (other.path for other in step.differences[0] if other.old == one.new and not other.new)
        return next(gone, one.path) if not one.old else one.path

    def _last_reading(self, path: str, commit: str, blobs: Mapping[str, bytes]) -> Reading:
        """A page as it could be read last, at a commit or before it."""
        return self.reading(path, self._last_readable(path, commit), blobs)

    def _last_readable(self, path: str, commit: str) -> str:
        """The blob of a page at a commit, or before it while it can't be read; "" for none."""
        key = path, commit
        if key not in self._readable:
            found = ""
            for blob in self._earlier(path, commit) if self._earlier is not None else ():
                if not blob or decode(self._blob(blob)) is not None:
                    found = blob
                    break
            self._readable[key] = found
        return self._readable[key]

    def _kind_of(self, turn: Turn, renames: Mapping[str, str]) -> str:
        if turn.after:
            return kind_here(turn, renames)
        if turn.id in renames.values():
            return RENAMED
        if turn.archived:
            file = self.archive(turn.archived)
            if turn.was_archived and not turn.before:
                return "edited"
            return "superseded" if file is not None and file.superseded_by else "archived"
        return "removed"

    def _row(self, turn: Turn, kind: str, renames: Mapping[str, str], seq: int) -> RevisionRow:
        before = renames.get(turn.id, "") if turn.after else ""
        if turn.after:
            stand = turn.after[0]
            return RevisionRow(turn.id, seq, kind, stand.path, stand.blob, stand.held.digest, before)
        path, digest = archive_path(turn.id), b""
        if turn.archived or turn.was_archived:
            file = self.archive(turn.archived or turn.was_archived)
            digest = held_of(file.card).digest if file is not None and file.card is not None else b""
        if turn.before:
            digest = digest if turn.archived and digest else turn.before[0].held.digest
            path = path if turn.archived else turn.before[0].path
        return RevisionRow(turn.id, seq, kind, path, turn.archived, digest)

    def _page_row(
        self, one: Difference, sides: Sequence[Difference], moves: Mapping[str, str], seq: int
    ) -> RevisionRow | None:
        if not (one.new or any(side.old for side in sides)):
            return None  # a link, a submodule
        had = any(side.old for side in sides)
        kind = "removed" if not one.new else "edited" if had else "created"
        kind = RENAMED if one.path in moves else kind
        blob = one.new or next(side.old for side in sides if side.old)
        before = moves.get(one.path, "")
        return RevisionRow(self.page_id(one.path), seq, kind, one.path, one.new, bytes.fromhex(blob), before)

    def _moves(
        self,
        pages: Sequence[Difference],
        sides: Sequence[Mapping[str, Difference]],
        step: Step,
    ) -> dict[str, str]:
        """Path → the page's id before, of those that go on under another path; "" where they did till now."""
        removed: dict[str, str] = {}
        created: dict[str, str] = {}
        for one in pages:
            old = next((side.old for side in sides_of(one.path, sides) if side.old), "")
            if self.kind(one.path) != "archive" and bool(old) != bool(one.new):
                (removed if old else created)[one.path] = old or one.new
        if not removed or not created:
            return {}

        def cards(path: str, is_new: bool) -> frozenset[str]:
            if self.kind(path) not in {"board", "entries"}:
                return frozenset()
            read = self.reading(path, (created if is_new else removed)[path], step.blobs)
            if read is NOTHING and not is_new:
                read = self._last_reading(path, step.facts.parents[0], step.blobs)
            return frozenset(held.id for held in read.cards)

        found = renamed_pages(removed, created, cards)
        return dict.fromkeys(found.values(), "") | {new: self.page_id(old) for new, old in found.items()}

    def archive(self, oid: str) -> ArchiveFile | None:
        """An archive file; None where its text can't be read."""
        if oid not in self._archives:
            if len(self._archives) >= self._most_archives:
                del self._archives[next(iter(self._archives))]
            text = decode(self._brought.get(oid) or self._blob(oid))
            self._archives[oid] = parse_archive(text, self._settings.workspace) if text is not None else None
        return self._archives[oid]

    # --- renames ------------------------------------------------------------------------------------

    def _renames(
        self, turns: Sequence[Turn], pages: Sequence[Difference], step: Step, actor: Actor
    ) -> dict[str, str]:
        """New id → old id, for cards that go on under another title."""
        fresh = {turn.id for turn in turns if turn.after and not turn.before}
        found = {}
        for turn in turns:
            if turn.archived and not turn.after and fresh:
                file = self.archive(turn.archived)
                if file is not None and file.reason == RENAMED and file.superseded_by in fresh:
                    found[file.superseded_by] = turn.id
        gone = [turn for turn in turns if turn.before and not turn.after and not turn.archived]
        if gone and fresh - found.keys() and len(step.differences) == 1:
            old, new = (self._pages(pages, step, new=side) for side in (False, True))
            for earlier, card in without_anchor(old, new, self._settings, actor):
                found.setdefault(card.id, earlier)
        return found

    def _pages(self, pages: Iterable[Difference], step: Step, *, new: bool) -> dict[str, Page]:
        found = {}
        for one in pages:
            oid = one.new if new else one.old
            kind = kind_of(one.path, self._settings)
            if oid and kind in {"board", "entries"}:
                text = decode(step.blobs.get(oid) or self._blob(oid))
                if text is not None:
                    found[one.path] = parse_page(one.path, text, self._settings.workspace, kind)
        return found

    # --- events -------------------------------------------------------------------------------------

    def _events(
        self,
        told: Sequence[tuple[Turn, str]],
        pages: Sequence[Difference],
    ) -> Iterator[Event]:
        for one in pages:
            if one.new and self.kind(one.path) not in {"other", "archive"}:
                here = (
                    turn.id
                    for turn, kind in told
                    if kind in WRITTEN and turn.after and turn.after[0].path == one.path
                )
                yield Event("written", one.path, tuple(here))
        grouped: dict[tuple[int, str], list[str]] = {}
        for turn, kind in told:
            what = self._told(turn, kind)
            if what:
                grouped.setdefault((_TOLD.index(what), self._page_of(turn)), []).append(turn.id)
        for (place, page), ids in sorted(grouped.items()):
            yield Event(_TOLD[place], page, tuple(ids))

    def _told(self, turn: Turn, kind: str) -> str:
        """The event beside `written`, "" for none."""
        if kind == "archived":
            file = self.archive(turn.archived)
            return AGED if file is not None and file.reason.casefold().startswith(AGED) else kind
        return kind if kind in {"restored", "superseded"} else ""

    def _page_of(self, turn: Turn) -> str:
        if turn.after or turn.before:
            return (turn.after or turn.before)[0].path
        file = self.archive(turn.archived or turn.was_archived)
        return file.page if file is not None else ""


_TOLD = ("archived", "restored", "superseded", AGED)


def sides_of(path: str, sides: Iterable[Mapping[str, Difference]]) -> list[Difference]:
    """What differs at a path from each parent."""
    return [side[path] for side in sides]


def _apart(rows: Iterable[RevisionRow]) -> list[RevisionRow]:
    """The first row of each id."""
    found: dict[str, RevisionRow] = {}
    for row in rows:
        found.setdefault(row.id, row)
    return list(found.values())
