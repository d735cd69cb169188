"""A page as a merge sees it: sections, and cards under them, each with all the lines that are its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.archive import render_archive
from wbmem_git.text.document import bare_lines
from wbmem_git.text.marks import remarks_of
from wbmem_git.text.page import CARD_LEVELS, parse_page
from wbmem_git.text.titles import title_of
from wbmem_git.verbs.edits import own_start, without_blank_end

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from wbmem_git.model import ArchiveFile, Card, Mark, Page, PageKind
    from wbmem_git.verbs.assign import Side

    Key = tuple[int, str, int]
    """A section: its heading's level and title, and how many of that title stand above it on the page."""
    Place = tuple[str, Key]

TOP: Key = (0, "", 0)
"""What stands above the first heading."""


class Piece(NamedTuple):
    """Lines of a page that stay together. Numbers count from 0, in `lines`.

    Attributes:
        lines: Without line ends and without blank ones at the end.
        blanks: The blank lines that follow.
        heading: Where its heading begins, and the first line below it (of the top: its front matter).
        anchor: Where its anchor stands, -1 for nowhere.
        metadata: Where its metadata line stands, -1 for nowhere.
        zone: The first line of its user zone and the first one below it, (-1, -1) without one.
        is_orderly: Whether that is all that there is of user zones, with marks on lines of their own.
        card: The card; None for a section.
    """

    lines: tuple[str, ...]
    blanks: tuple[str, ...]
    heading: tuple[int, int]
    anchor: int = -1
    metadata: int = -1
    zone: tuple[int, int] = (-1, -1)
    is_orderly: bool = True
    card: Card | None = None

    @property
    def remarks(self) -> str | None:
        """What the person wrote in the card, None without a zone."""
        found = remarks_of(self.card) if self.card is not None else None
        return found.text if found is not None else None

    @property
    def text(self) -> str:
        """The lines with LF ends."""
        return "".join(f"{line}\n" for line in self.lines)


class Section(NamedTuple):
    """What stands above the first card of a stretch of the page, and the names of the cards below."""

    piece: Piece
    cards: tuple[str, ...]


class Layout(NamedTuple):
    """One side: page → its sections in order; a card's name → the card and where it stands.

    A card's name is its id; where several cards share one, the others have longer names.
    """

    pages: Mapping[str, Mapping[Key, Section]]
    cards: Mapping[str, Piece]
    places: Mapping[str, Place]


def layout_of(side: Side) -> Layout:
    """Take every page of a side apart."""
    names = _names(side)
    pages: dict[str, dict[Key, Section]] = {}
    cards: dict[str, Piece] = {}
    places: dict[str, Place] = {}
    for path, page in side.pages.items():
        lines, ends = bare_lines(page.document), _heading_ends(page)
        pages[path] = {}
        for key, piece, below in _sections(page, lines):
            here = [names[path, card.line] for card in below]
            pages[path][key] = Section(piece, tuple(here))
            cards |= {name: _card_piece(card, lines, ends) for name, card in zip(here, below, strict=True)}
            places |= dict.fromkeys(here, (path, key))
    return Layout(pages, cards, places)


def _names(side: Side) -> dict[tuple[str, int], str]:
    names: dict[tuple[str, int], str] = {}
    known: set[str] = set()
    for card in sorted(side.cards, key=lambda card: (not card.anchor, card.path, card.line)):
        name = card.id
        while name in known:
            name += f"\0{card.path}\0{card.title}"
        known.add(name)
        names[card.path, card.line] = name
    return names


def _sections(page: Page, lines: Sequence[str]) -> Iterator[tuple[Key, Piece, list[Card]]]:
    """Each section with its key and the cards below it."""
    level = CARD_LEVELS.get(page.kind, 2)
    heads = [block for block in page.document.blocks if block.kind == "heading" and block.level < level]
    starts = [(TOP, 1, page.document.body + 1)]
    seen: dict[tuple[int, str], int] = {}
    for block in heads:
        title = (block.level, title_of(block.text))
        seen[title] = number = seen.get(title, 0) + 1
        starts.append(((*title, number), block.line, block.end + 1))
    for index, (key, line, below) in enumerate(starts):
        end = starts[index + 1][1] if index + 1 < len(starts) else len(lines) + 1
        cards = [card for card in page.cards if line <= card.line < end]
        own = own_start(cards[0]) if cards else end
        marks = [mark for mark in page.marks if line <= mark.line < own]
        yield key, _piece(lines[line - 1 : own - 1], line, (line, below), marks), cards


def _heading_ends(page: Page) -> dict[int, int]:
    """The first line of each heading → its last one."""
    return {block.line: block.end for block in page.document.blocks if block.kind == "heading"}


def _card_piece(card: Card, lines: Sequence[str], ends: Mapping[int, int]) -> Piece:
    start = own_start(card)
    anchors = [mark.line for mark in card.marks if mark.kind == "anchor" and mark.value == card.anchor]
    piece = _piece(lines[start - 1 : card.end], start, (card.line, ends[card.line] + 1), list(card.marks))
    return piece._replace(
        anchor=anchors[0] - start if card.anchor else -1,
        metadata=card.metadata.line - start if card.metadata.line else -1,
        is_orderly=piece.is_orderly and (bool(card.zones) or not _zone_marks(card.marks)),
        card=card,
    )


def _piece(lines: Sequence[str], start: int, heading: tuple[int, int], marks: Sequence[Mark]) -> Piece:
    own = without_blank_end(lines)
    users = [mark for mark in _zone_marks(marks) if mark.value == "user"]
    pair = [mark.kind for mark in users] == ["open", "close"] and all(mark.alone for mark in users)
    pair = pair and users[0].line < users[1].line
    zone = (users[0].line - start, users[1].line - start + 1) if pair else (-1, -1)
    top, below = (number - start for number in heading)
    return Piece(own, tuple(lines[len(own) :]), (top, below), zone=zone, is_orderly=pair or not users)


def _zone_marks(marks: Sequence[Mark]) -> list[Mark]:
    return [mark for mark in marks if mark.kind in {"open", "close"}]


def archived_piece(file: ArchiveFile, key: str) -> Piece | None:
    """The card of an archive file as a piece; None where it holds none."""
    if file.card is None:
        return None
    kind: PageKind = "board" if file.card.lines[0].lstrip(" ").startswith("###") else "entries"
    page = parse_page(file.page, file.body, key, kind)
    if not page.cards:
        return None
    card = page.cards[0]._replace(id=file.id)
    return _card_piece(card, bare_lines(page.document), _heading_ends(page))


def read_again(piece: Piece, key: str, name: str) -> Piece | None:
    """A card whose lines were changed, as it reads now, of that id; None where it is no longer one card."""
    if piece.card is None:
        return None
    level = piece.lines[piece.heading[0]].lstrip(" ")
    kind: PageKind = "board" if level.startswith("###") else "entries"
    page = parse_page(piece.card.path, piece.text, key, kind)
    if len(page.cards) != 1 or page.prose or page.columns:
        return None
    read = _card_piece(page.cards[0]._replace(id=name), bare_lines(page.document), _heading_ends(page))
    return read._replace(blanks=piece.blanks)


def archive_text(file: ArchiveFile) -> str:
    """An archive file as it is written, LF ends."""
    whole = render_archive(
        id=file.id,
        title=file.title,
        page=file.page,
        archived_at=file.archived_at,
        reason=file.reason,
        superseded_by=file.superseded_by,
        body=file.body,
    )
    return whole.replace("\r\n", "\n")
