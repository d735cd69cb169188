"""Cutting cards out of two versions of a page, where the rest reads as before."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.verbs.readings import HEADING_FOLLOWS

if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet

    from wbmem_git.store.history import Difference
    from wbmem_git.verbs.readings import Held, Reading

_CONFLICT = b"<<<<<<<"


class Versions(NamedTuple):
    """A page that differs.

    Attributes:
        one: How.
        old: What it was, `verbs.readings.NOTHING` for no page. new: What it is.
        gone: The cards that are no more as they were. came: Those that weren't so before.
        ids: What these go by.
        may_be_cut: Whether cards that are alike can be cut out.
    """

    one: Difference
    old: Reading
    new: Reading
    gone: tuple[Held, ...]
    came: tuple[Held, ...]
    ids: frozenset[str]
    may_be_cut: bool


def compare(one: Difference, old: Reading, new: Reading) -> Versions:
    """Two versions of a page, side by side."""
    gone, came = _unlike(old.cards, new.cards)
    ids = frozenset(held.id for held in (*gone, *came))
    return Versions(one, old, new, gone, came, ids, _is_cuttable(old) and _is_cuttable(new))


def cut(versions: Versions, shown: AbstractSet[str]) -> tuple[bytes, bytes]:
    """Both versions without the cards that are alike, except those that shall be shown."""
    left = versions.ids | shown
    while True:
        old, last = _without(versions.old, left)
        new, other = _without(versions.new, left)
        if not (last or other):
            return old, new
        left |= last | other


def outside(reading: Reading) -> list[bytes]:
    """What stands in no card: a piece for each place between two."""
    data, parts, at = reading.data, [], 0
    for start, size in zip(reading.starts, reading.sizes, strict=True):
        if start > at:
            parts.append(data[at:start])
        at = start + size
    parts.append(data[at:])
    return parts


def text_of(reading: Reading, place: int) -> str:
    """A card as its page has it."""
    return bytes_of(reading, place).decode()


def bytes_of(reading: Reading, place: int) -> bytes:
    """The same, undecoded."""
    start = reading.starts[place]
    return reading.data[start : start + reading.sizes[place]]


def _unlike(old: Sequence[Held], new: Sequence[Held]) -> tuple[tuple[Held, ...], tuple[Held, ...]]:
    """The cards that only one of two versions has as they are, wherever they stand."""
    shorter = min(len(old), len(new))
    forwards = enumerate(zip(old, new, strict=False))
    head = next((n for n, (one, other) in forwards if one is not other), shorter)
    backwards = enumerate(zip(reversed(old), reversed(new), strict=False))
    tail = next((n for n, (one, other) in backwards if one is not other), shorter)
    tail = min(tail, shorter - head)
    before, after = old[head : len(old) - tail], new[head : len(new) - tail]
    same = set(before) & set(after)
    return tuple(held for held in before if held not in same), tuple(
        held for held in after if held not in same
    )


def _is_cuttable(reading: Reading) -> bool:
    return (
        bool(reading.cards)
        and reading.is_usual
        and reading.is_apart
        and reading.is_tame
        and b"\r" not in reading.data
        and _CONFLICT not in reading.data
        and sum(b"<!--" in part for part in outside(reading)) < 2  # marks of two places don't become one's
    )


def _without(reading: Reading, shown: AbstractSet[str]) -> tuple[bytes, set[str]]:
    """A page without the cards that aren't shown; and those that have to be, since no heading follows."""
    data, parts, at, last = reading.data, [], 0, ""
    needed: set[str] = set()
    for held, start, size in zip(reading.cards, reading.starts, reading.sizes, strict=True):
        if not held.head or held.id in shown:
            continue
        if start > at:
            parts.append(data[at:start])
            if last and not HEADING_FOLLOWS.match(data, at):
                needed.add(last)
        at, last = start + size, held.id
    parts.append(data[at:])
    if last and not HEADING_FOLLOWS.match(data, at):
        needed.add(last)
    return b"".join(parts), needed
