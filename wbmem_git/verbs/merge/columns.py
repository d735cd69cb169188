"""A column that one side renamed is the same column on the other side."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbmem_git.verbs.merge.pieces import Key, Layout


def with_renamed_columns(base: Layout, ours: Layout, theirs: Layout) -> tuple[Layout, Layout, Layout]:
    """The three, with one key for a column that a side renamed.

    A side renamed it where it has it no more, and all its cards that are left stand in one new column.
    """
    for path in sorted(base.pages.keys() & ours.pages.keys() & theirs.pages.keys()):
        for old, new in _renamed(path, base, ours, theirs):
            base, theirs = _relabelled(base, path, old, new), _relabelled(theirs, path, old, new)
        for old, new in _renamed(path, base, theirs, ours):
            base, ours = _relabelled(base, path, old, new), _relabelled(ours, path, old, new)
    return base, ours, theirs


def _renamed(path: str, base: Layout, side: Layout, other: Layout) -> list[tuple[Key, Key]]:
    found: list[tuple[Key, Key]] = []
    for old, section in base.pages[path].items():
        if old in side.pages[path] or old not in other.pages[path]:
            continue
        places = {side.places[name] for name in section.cards if name in side.places}
        targets = {new for where, new in places if where == path}
        if len(targets) != 1:
            continue
        new = targets.pop()
        is_new = new not in base.pages[path] and new not in other.pages[path]
        if is_new and new[0] == old[0] and new not in {taken for _, taken in found}:
            found.append((old, new))
    return found


def _relabelled(layout: Layout, path: str, old: Key, new: Key) -> Layout:
    pages = dict(layout.pages)
    pages[path] = {new if key == old else key: section for key, section in pages[path].items()}
    places = {name: (path, new) if place == (path, old) else place for name, place in layout.places.items()}
    return layout._replace(pages=pages, places=places)
