"""What a memory is under another workspace key: a pure function of its tree and the key.

A card's id is made of the key, a page, a title and a number among namesakes. Where these can be told of an
id, its new one is made of the same three; so two branches that are rekeyed apart get the same ids. An id that
no title here explains (an older tool's, one whose page is gone) gets the first free one of its title.

Ids are exchanged wherever they stand on boards, entry pages and in archive files: anchors, metadata, running
text. User zones stay byte for byte, and so do ledgers and logs: they say what was said.
"""

from __future__ import annotations

import re
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.archive import parse_archive
from wbmem_git.text.document import split_lines
from wbmem_git.text.ids import card_id
from wbmem_git.text.names import SETTINGS, archive_path
from wbmem_git.text.workspace_key import with_key

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wbmem_git.model import Page

NAMESAKES = 50
_ID = re.compile(r"(?<![0-9A-Za-z_])mem_[0-9a-f]{32}(?![0-9A-Za-z_])")
_ANCHOR = re.compile(r"\s*<!--\s*memory:(mem_[0-9a-f]{32})\s*-->\s*")
_OPEN = re.compile(r"\s*<!--\s*user\s*-->\s*")
_CLOSE = re.compile(r"\s*<!--\s*/user\s*-->\s*")


class Memory(NamedTuple):
    """A tree as far as its key goes.

    Attributes:
        key: Its key. settings: The text of `wbmem.yaml`.
        pages: Path → board or entry page, parsed with that key.
        archive: Id → the text of its archive file.
    """

    key: str
    settings: str
    pages: Mapping[str, Page]
    archive: Mapping[str, str]


class Rekeyed(NamedTuple):
    """What becomes another: path → whole text (None: gone), and old id → new id."""

    edits: Mapping[str, str | None]
    ids: Mapping[str, str]


class _Named(NamedTuple):
    """An id, and what it stands for: a title, on a page."""

    id: str
    page: str
    title: str


def rekeyed(memory: Memory, key: str) -> Rekeyed:
    """The memory under another key.

    Raises:
        ValueError: That is no key, or `wbmem.yaml` can't be edited; the message says which.
    """
    ids = _new_ids(memory, key)
    edits: dict[str, str | None] = {SETTINGS: with_key(memory.settings, key)}
    for path, page in memory.pages.items():
        text = "".join(page.document.lines)
        new = exchanged(text, ids)
        if new != text:
            edits[path] = new
    edits |= dict.fromkeys(map(archive_path, memory.archive))
    for name, text in memory.archive.items():
        edits[archive_path(ids[name])] = exchanged(text, ids)
    return Rekeyed(edits, ids)


def exchanged(text: str, ids: Mapping[str, str]) -> str:
    """A text with every id exchanged that has another one, but for those in user zones."""
    kept, is_inside = [], False
    for line in split_lines(text):
        anchor = _ANCHOR.fullmatch(line)
        if _CLOSE.fullmatch(line) or (anchor is not None and anchor[1] in ids):
            is_inside = False  # a zone whose end is missing ends with its card
        kept.append(line if is_inside else _ID.sub(lambda found: ids.get(found[0], found[0]), line))
        is_inside = is_inside or _OPEN.fullmatch(line) is not None
    return "".join(kept)


def _new_ids(memory: Memory, key: str) -> dict[str, str]:
    named = list(_all_named(memory))
    pages = sorted({*memory.pages, *(one.page for one in named)})
    ids: dict[str, str] = {}
    for one in named:
        if one.id not in ids:
            made = _origin(memory.key, one, pages)
            if made is not None:
                ids[one.id] = card_id(key, made[0], one.title, made[1])
    taken = set(ids.values())
    for one in named:
        if one.id not in ids:
            numbered = (card_id(key, one.page, one.title, n) for n in count(1))
            ids[one.id] = next(name for name in numbered if name not in taken)
            taken.add(ids[one.id])
    return ids


def _all_named(memory: Memory) -> Iterator[_Named]:
    """Every id with its title, pages first, in order; the archive by id."""
    for path in sorted(memory.pages):
        for card in memory.pages[path].cards:
            yield _Named(card.id, path, card.title)
    for name in sorted(memory.archive):
        file = parse_archive(_front_matter(memory.archive[name]), memory.key)
        yield _Named(name, file.page, file.title)


def _front_matter(text: str) -> str:
    """An archive file as far as its fields go: thousands of cards needn't be parsed for their titles."""
    end = text.find("\n---\n", 3)
    return text[: end + 5] if text.startswith("---\n") and end > 0 else text


def _origin(key: str, one: _Named, pages: list[str]) -> tuple[str, int] | None:
    """The page and the number that an id was made of; None where it wasn't, as far as can be told."""
    for page in dict.fromkeys((one.page, *pages)):
        for n in range(1, NAMESAKES):
            if card_id(key, page, one.title, n) == one.id:
                return page, n
    return None
