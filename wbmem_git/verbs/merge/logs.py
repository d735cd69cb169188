"""Two versions of a daily log as one: the common part, ours, theirs, by whole blocks."""

from __future__ import annotations

import re
from collections import Counter
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.lines import fault_of
from wbmem_git.text.document import BOM, bare_lines, parse_document
from wbmem_git.verbs.edits import without_blank_end

if TYPE_CHECKING:
    from collections.abc import Sequence

_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)")


class _Block(NamedTuple):
    """Lines that stay together, and how many blank ones follow; two blocks are one by their lines."""

    lines: tuple[str, ...]
    blanks: int

    @property
    def is_item(self) -> bool:
        return _ITEM.match(self.lines[0]) is not None if self.lines else False


def merge_log(
    base: str | None, ours: str | None, theirs: str | None, *, are_apart: bool = False
) -> str | None:
    """The merged log: no line of either side is lost, no block is torn, nothing conflicts.

    What the base has stands there as often as there, and so does what both have in another order (of a merge
    the other way round).

    A block is an item of a list at the left margin, a heading, or what stands between blank lines; a code
    fence isn't torn. Lines that a side wrote right below a block stay there. Where a side did more than that,
    sections under their headings are the blocks.

    Args:
        base: The merge base's text, None where it has none.
        ours: Ours, None where our side has none (any more).
        theirs: Theirs.
        are_apart: Each side wrote for itself: what both added alike is there twice. Else the same commit may
            stand on both (picked, amended), and it is there once.

    Returns:
        The text with ours' line ends; None where the log is gone: one side took it away and the other left it
        as it was.
    """
    if theirs == base or (theirs == ours and not are_apart):
        return ours
    if ours == base:
        return theirs
    if ours is None or theirs is None:
        return theirs if ours is None else ours
    before, mine, other = (_blocks(text) for text in (base or "", ours, theirs))
    if before and _is_continued(before, mine) and _is_continued(before, other):
        grown = [_grown(*blocks) for blocks in zip(before, mine, other, strict=False)]
        rest = (mine[len(grown) :], other[len(grown) :])
        merged = [*grown, *_added(*rest)] if are_apart else _appended(*([*grown, *side] for side in rest))
    elif not before and are_apart:
        merged = _added(mine, other)
    elif before and all(_counts(before) <= _counts(side) for side in (mine, other)):
        counted = _rendered(_counted(before, mine, other, are_apart=are_apart), ours)
        if fault_of(base, [ours, theirs], counted, is_log=True) is None:
            return counted
        merged = _in_order(ours, theirs)
    else:
        merged = _in_order(ours, theirs)
    return _rendered(merged, ours)


def _in_order(ours: str, theirs: str) -> list[_Block]:
    """Both by sections, in the order of each: whatever they did, no line changes its place."""
    return _united(_blocks(ours, whole=True), _blocks(theirs, whole=True))


def _is_continued(before: Sequence[_Block], blocks: Sequence[_Block]) -> bool:
    """Whether a side has every block of the base in its place, some of them with lines below."""
    return len(blocks) >= len(before) and all(
        block.lines[: len(was.lines) or None] == was.lines for was, block in zip(before, blocks, strict=False)
    )


def _grown(was: _Block, ours: _Block, theirs: _Block) -> _Block:
    """A block of the base with the lines that the sides wrote below it: the common ones, ours, theirs."""
    size = len(was.lines)
    mine, other = ours.lines[size:], theirs.lines[size:]
    same = next((n for n, pair in enumerate(zip(mine, other, strict=False)) if pair[0] != pair[1]), None)
    rest = other[min(len(mine), len(other)) if same is None else same :]
    return _Block((*ours.lines, *rest), max(ours.blanks, theirs.blanks))


def _appended(ours: Sequence[_Block], theirs: Sequence[_Block]) -> list[_Block]:
    """Ours, then theirs from the first block on that ours hasn't, or hasn't behind those before it."""
    merged = list(ours)
    at = 0
    for number, block in enumerate(theirs):
        found = next((n for n in range(at, len(ours)) if ours[n].lines == block.lines), -1)
        if found < 0:
            return [*merged, *theirs[number:]]
        merged[found] = max(ours[found], block, key=_blanks)
        at = found + 1
    return merged


def _added(ours: Sequence[_Block], theirs: Sequence[_Block]) -> list[_Block]:
    """Ours, then theirs; both under one heading where both begin with it (and with one front matter)."""
    size = 0
    for mine, other in zip(ours, theirs, strict=False):
        if mine.lines != other.lines or not (_is_heading(mine) or mine.lines[:1] == ("---",)):
            break
        size += 1
    return [*map(_wider, ours, theirs[:size]), *ours[size:], *theirs[size:]]


def _counted(
    before: Sequence[_Block], ours: Sequence[_Block], theirs: Sequence[_Block], *, are_apart: bool
) -> list[_Block]:
    """Ours, and of theirs what it has beyond the base, each behind what of ours it stands behind there."""
    shared = _counts(ours) & _counts(theirs)
    if are_apart:
        shared &= _counts(before)
    merged, places = list(ours), _places(ours, shared)
    joints = sorted(place for found in places.values() for place in found)
    reach = -1
    more: dict[int, list[_Block]] = {}
    for block in theirs:
        if places.get(block.lines):
            place = places[block.lines].pop(0)
            merged[place] = _wider(merged[place], block)
            reach = max(reach, place)
        else:
            end = next((joint for joint in joints if joint > reach), len(ours))
            more.setdefault(end, []).append(block)
    return [
        one for place in range(len(ours) + 1) for one in (*more.get(place, ()), *merged[place : place + 1])
    ]


def _places(blocks: Sequence[_Block], wanted: Counter[tuple[str, ...]]) -> dict[tuple[str, ...], list[int]]:
    """Where the first of them stand, by what they say, each as often as is wanted."""
    places: dict[tuple[str, ...], list[int]] = {}
    for place, block in enumerate(blocks):
        found = places.setdefault(block.lines, [])
        if len(found) < wanted[block.lines]:
            found.append(place)
    return places


def _counts(blocks: Sequence[_Block]) -> Counter[tuple[str, ...]]:
    return Counter(map(_lines, blocks))


def _wider(one: _Block, other: _Block) -> _Block:
    """The one of two alike that more blank lines follow."""
    return max(one, other, key=_blanks)


def _united(ours: Sequence[_Block], theirs: Sequence[_Block]) -> list[_Block]:
    """The blocks of both in the order of each: what they have in common once, else ours before theirs."""
    from difflib import SequenceMatcher  # a log that isn't only appended to is rare

    found = SequenceMatcher(None, [*map(_lines, ours)], [*map(_lines, theirs)], autojunk=False)
    merged: list[_Block] = []
    for tag, i, j, k, end in found.get_opcodes():
        if tag == "equal":
            pairs = zip(ours[i:j], theirs[k:end], strict=True)
            merged += [max(pair, key=_blanks) for pair in pairs]
        else:
            merged += (*ours[i:j], *theirs[k:end])
    return merged


def _lines(block: _Block) -> tuple[str, ...]:
    return block.lines


def _blanks(block: _Block) -> int:
    return block.blanks


def _blocks(text: str, *, whole: bool = False) -> list[_Block]:
    """The blocks of a log; `whole`: its sections, where it has any below the day's heading."""
    document = parse_document(text)
    lines = bare_lines(document)
    headings = {block.line for block in document.blocks if block.kind == "heading"}
    inside = {number for block in document.blocks for number in range(block.line + 1, block.end + 1)} | set(
        range(1, document.body + 1)
    )
    if whole and any(block.kind == "heading" and block.level > 1 for block in document.blocks):
        starts = headings
    else:
        starts = {
            number
            for number, line in enumerate(lines, 1)
            if line.strip() and number not in inside and _opens(lines, number, headings)
        }
    cuts = sorted({1, *starts, len(lines) + 1})
    return [_block(lines[start - 1 : end - 1]) for start, end in pairwise(cuts)]


def _opens(lines: Sequence[str], number: int, headings: set[int]) -> bool:
    line = lines[number - 1]
    if number in headings or _ITEM.match(line):
        return True
    is_below_blank = number == 1 or not lines[number - 2].strip() or number - 1 in headings
    return is_below_blank and not line.startswith((" ", "\t"))


def _block(lines: Sequence[str]) -> _Block:
    own = without_blank_end(lines)
    return _Block(own, len(lines) - len(own))


def _rendered(blocks: Sequence[_Block], ours: str) -> str:
    """The text with ours' line ends and BOM."""
    lines: list[str] = []
    for index, block in enumerate(blocks):
        lines += block.lines
        is_last = index + 1 == len(blocks)
        is_list = not is_last and block.is_item and blocks[index + 1].is_item
        lines += [""] * (block.blanks or int(not (is_last or is_list or _is_heading(block))))
    first = parse_document(ours).lines[0] if ours else "\n"
    end = first[len(first.rstrip("\r\n")) :] or "\n"
    text = "".join(f"{line}{end}" for line in lines)
    if ours and not ours.endswith(("\n", "\r")):
        text = text.removesuffix(end)
    return (BOM if ours.startswith(BOM) else "") + text


def _is_heading(block: _Block) -> bool:
    return len(block.lines) == 1 and block.lines[0].startswith("#")
