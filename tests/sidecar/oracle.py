"""Which commits changed a card, told once more: every page of every commit parsed whole, and git's own rule.

From a merge `git log` follows the first parent in which the thing is the same, and where there is none, all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sidecar.plumbing import Link

from wbmem_git.text.document import decode
from wbmem_git.text.names import archived_id, kind_of
from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from sidecar.plumbing import Objects

    from wbmem_git.model import Settings

    State = Mapping[str, tuple[object, ...]]


def changes(objects: Objects, head: str, settings: Settings) -> dict[str, set[str]]:
    """Id → the commits that changed it, for whatever stood once on one place at a time."""
    known: dict[tuple[str, bytes], tuple[tuple[str, object], ...]] = {}
    states: dict[str, State] = {}
    twice: set[str] = set()
    for oid in objects.ancestors(head):
        found: dict[str, tuple[object, ...]] = {}
        for path, data in objects.made[oid].files.items():
            if (path, data) not in known:
                known[path, data] = tuple(_parsed(path, data, settings))
            for name, where in known[path, data] if not isinstance(data, Link) else ():
                if name in found:
                    twice.add(name)
                found[name] = (*found.get(name, ()), where)
        states[oid] = found
    names = {name for state in states.values() for name in state} - twice
    return {name: set(_listed(objects, head, states, name)) for name in names}


def _parsed(path: str, data: bytes, settings: Settings) -> Iterator[tuple[str, object]]:
    name = archived_id(path)
    if name:
        yield name, data
        return
    kind, text = kind_of(path, settings), decode(data)
    if kind in {"board", "entries"} and text is not None:
        for card in parse_page(path, text, settings.workspace, kind).cards:
            lines = list(card.lines)
            while not lines[-1].strip():
                lines.pop()
            yield card.id, (path, card.column, tuple(lines))


def _listed(objects: Objects, head: str, states: Mapping[str, State], name: str) -> Iterator[str]:
    left, seen = [head], set()
    while left:
        oid = left.pop()
        if oid in seen:
            continue
        seen.add(oid)
        parents = objects.made[oid].parents
        same = [one for one in parents if states[one].get(name) == states[oid].get(name)]
        if same:
            left.append(same[0])
        else:
            if parents or name in states[oid]:
                yield oid
            left += parents
