"""Which page of a commit goes on under another path: as git finds renames, and by the cards on it."""

from __future__ import annotations

from posixpath import basename
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    Pages = Mapping[str, str]
    """Path → blob."""
    Cards = Callable[[str, bool], frozenset[str]]

EMPTY = frozenset(
    {
        "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391",
        "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813",
    }
)
"""The empty blob: of two empty files none is the other one, for git neither."""


def renamed_pages(removed: Pages, created: Pages, cards: Cards) -> dict[str, str]:
    """New path → old path.

    A page that is byte for byte what a removed one was is that one; where several are, one of the same name
    comes first. Else it is the one that most of its cards come from, where these are half of what that had,
    or more.

    Args:
        removed: What stood there, of pages that a commit takes away.
        created: What stands there, of those that it brings.
        cards: The ids on such a page, for a path and whether it is a new one; none for what has no cards.
    """
    found = _by_blob(removed, created)
    gone = set(found.values())
    old = [path for path in removed if path not in gone]
    new = [path for path in created if path not in found]
    for _, there, here in sorted(_by_cards(old, new, cards)):
        if there not in found and here not in gone:
            found[there] = here
            gone.add(here)
    return found


def _by_blob(removed: Pages, created: Pages) -> dict[str, str]:
    free: dict[str, list[str]] = {}
    for path in sorted(removed):
        if removed[path] not in EMPTY:
            free.setdefault(removed[path], []).append(path)
    found = {}
    for path in sorted(created):
        same = free.get(created[path])
        if same:
            found[path] = min(same, key=lambda old: basename(old) != basename(path))
            same.remove(found[path])
    return found


def _by_cards(removed: Iterable[str], created: Iterable[str], cards: Cards) -> Iterator[tuple[int, str, str]]:
    """How many cards they share (less than 0), the new path, the old one."""
    held: dict[str, list[str]] = {}
    for new in created:
        for name in cards(new, True):
            held.setdefault(name, []).append(new)
    for old in removed if held else ():
        shared: dict[str, int] = {}
        ids = cards(old, False)
        for name in ids:
            for new in held.get(name, ()):
                shared[new] = shared.get(new, 0) + 1
        yield from ((-number, new, old) for new, number in shared.items() if 2 * number >= len(ids))
