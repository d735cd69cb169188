"""What has to be known of cards of the past to cut a commit down: told by a card's text, once for each."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.rules.boards import LEAST_CHARACTERS
from wbmem_git.rules.quality import lines_of_card
from wbmem_git.rules.sections import without_blanks
from wbmem_git.rules.supersedes import superseded_by
from wbmem_git.text.languages import any_of
from wbmem_git.text.page import parse_page
from wbmem_git.verbs.cuts import text_of
from wbmem_git.verbs.readings import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.model import PageKind, Settings
    from wbmem_git.store.history import Step
    from wbmem_git.verbs.doings import Doings
    from wbmem_git.verbs.readings import Held, Reading

    Lines = tuple[tuple[str, tuple[str, ...]], ...]
    """The cards that say they supersede some, and which."""

MOST_BYTES = 1 << 18
KEPT, KEPT_CARDS = 1024, 1 << 15
_COMMENTS = re.compile(r"<!--.*?-->", re.DOTALL)


class NoExcerptError(Exception):
    """The rules have to see the whole."""


class Told(NamedTuple):
    """What a ledger may name or copy of a card."""

    title: str
    lines: frozenset[str]


class _Seen(NamedTuple):
    """The ids that a card says it supersedes; whether it looks ahead, and says enough for a whole board."""

    supersedes: tuple[str, ...]
    ahead: bool


class Page(NamedTuple):
    """A version of a page."""

    path: str
    blob: str
    reading: Reading


class Glances:
    """Looks at pages and files of one history, remembering what it saw.

    Attributes:
        key: The workspace key.
    """

    def __init__(self, settings: Settings, doings: Doings) -> None:
        """Nothing is read yet.

        Args:
            settings: HEAD's, by which the pages were read.
            doings: Reads pages and blobs.
        """
        self.key = settings.workspace
        self._doings = doings
        self._seen: dict[bytes, _Seen] = {}
        self._told: dict[bytes, Told] = {}
        self._ids: dict[str, frozenset[str]] = {}
        self._lines: dict[str, Lines] = {}

    # --- cards --------------------------------------------------------------------------------------

    def looks_ahead(self, page: Page, place: int) -> bool:
        """Whether a card looks ahead, and says enough for a whole board."""
        return self._look(page, place).ahead

    def told(self, page: Page, place: int) -> Told:
        """What a ledger may name or copy of a card.

        Raises:
            NoExcerptError: It is no card by itself.
        """
        digest = page.reading.cards[place].digest
        found = self._told.get(digest)
        if found is None:
            cards = parse_page(page.path, text_of(page.reading, place), self.key, self.kind(page.path)).cards
            if not cards:
                raise NoExcerptError
            _make_room(self._told, KEPT_CARDS)
            found = self._told[digest] = Told(cards[0].title, lines_of_card(cards[0]))
        return found

    def title(self, page: Page, held: Held) -> str:
        """A card's title.

        Raises:
            NoExcerptError: It is no card by itself.
        """
        return self.told(page, place_of(page.reading, held)).title

    def _look(self, page: Page, place: int) -> _Seen:
        digest = page.reading.cards[place].digest
        found = self._seen.get(digest)
        if found is None:
            text = text_of(page.reading, place)
            names: tuple[str, ...] = ()
            if "supersedes" in text.lower():
                card = parse_page(page.path, text, self.key, self.kind(page.path)).cards
                names = superseded_by(card[0]) if card else ()
            ahead = any_of("forward").search(text) is not None
            ahead = ahead and len(without_blanks(_COMMENTS.sub("", text))) >= LEAST_CHARACTERS
            _make_room(self._seen, KEPT_CARDS)
            found = self._seen[digest] = _Seen(names, ahead)
        return found

    # --- pages --------------------------------------------------------------------------------------

    def kind(self, path: str) -> PageKind:
        """What is at a path."""
        return self._doings.kind(path)

    def page(self, path: str, blob: str, step: Step, like: str = "") -> Page:
        """A page of a commit or of its parent.

        Args:
            path: Its path.
            blob: Its blob, "" for no page.
            step: What was read of the commit.
            like: Another version of it.

        Raises:
            NoExcerptError: It is none that can be read.
        """
        reading = self._doings.reading(path, blob, step.blobs, like)
        if blob and reading is NOTHING:
            raise NoExcerptError
        return Page(path, blob, reading)

    def ids(self, page: Page) -> frozenset[str]:
        """The ids that a page holds."""
        key = f"{page.blob} {page.path}"
        found = self._ids.get(key)
        if found is None:
            _make_room(self._ids, KEPT)
            found = self._ids[key] = frozenset(held.id for held in page.reading.cards)
        return found

    def superseding(self, page: Page) -> Lines:
        """The cards of a page that say they supersede some, and which.

        Raises:
            NoExcerptError: Such a line may stand above its card.
        """
        key = f"{page.blob} {page.path}"
        found = self._lines.get(key)
        if found is None:
            reading = page.reading
            if not reading.is_usual and b"supersedes" in reading.data.lower():
                raise NoExcerptError
            seen = ((held.id, self._look(page, n).supersedes) for n, held in enumerate(reading.cards))
            _make_room(self._lines, KEPT)
            found = self._lines[key] = tuple((name, names) for name, names in seen if names)
        return found

    # --- other files --------------------------------------------------------------------------------

    def blob(self, oid: str, blobs: Mapping[str, bytes]) -> bytes | None:
        """A file's bytes; None for no file.

        Args:
            oid: Its blob, "" for none.
            blobs: What was read already.

        Raises:
            NoExcerptError: It is too large to be kept until it is judged.
        """
        if not oid:
            return None
        data = blobs.get(oid)
        data = self._doings.read(oid) if data is None else data
        if len(data) > MOST_BYTES:
            raise NoExcerptError
        return data

    def leads_to(self, oid: str) -> tuple[str, tuple[str, ...]]:
        """The ids that an archive file leads to: its successor ("" for none), and what its card supersedes.

        Raises:
            NoExcerptError: It can't be read.
        """
        file = self._doings.archive(oid)
        if file is None:
            raise NoExcerptError
        return file.superseded_by, superseded_by(file.card) if file.card is not None else ()


def place_of(reading: Reading, held: Held) -> int:
    """Which card of a page it is."""
    return next(place for place, own in enumerate(reading.cards) if own is held)


def _make_room(kept: dict[Any, Any], most: int) -> None:
    """Forget the older half of what is kept."""
    if len(kept) >= most:
        for key in list(kept)[: most // 2]:
            del kept[key]
