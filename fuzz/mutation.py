"""Mutations by lines: pages change by the line, and bytes alone hardly ever make two versions of one page."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from fuzz.inputs import ID, PARTING

if TYPE_CHECKING:
    from collections.abc import Callable, MutableSequence

    Mutate = Callable[[bytes, int], bytes]

BYTEWISE = 0.4
"""How often the fuzzer's own mutations of bytes are taken."""
PREFIXES = (
    "",
    " ",
    "  ",
    "   ",
    "    ",
    "\t",
    "- ",
    "* ",
    "1. ",
    "12. ",
    "> ",
    "#",
    "## ",
    "### ",
    "\\",
    "<",
)
LINES = (
    "", "", "a", "b b", "登录超时", "# Page", "## Doing", "### Card", "### Card (2)", "#### Deeper", "===",
    "---", "***", "...", "```", "````", "~~~", "```sh", "<!--", "-->", "<!-- a -->", "<!-- user -->",
    "<!-- /user -->", "<!-- model -->", "<!-- /model -->", "<!-- user --> a <!-- /user -->",
    f"<!-- memory:{ID} -->", "<!-- memory:x -->",
    "<!-- status: current / date: 2026-09-14 / tags: topic:a -->", "<!-- status: superseded -->", "<div>",
    "</div>", "<pre>", "</pre>", "<script>", "<br>", "<b>", "<?", "?>", "<![CDATA[", "[a]: /b 'c", "|a|b|",
    "|-|-|", "- item", "- item\n\n  more", "1. one", "-", "> quote", "\ufeff", "a\r", "\r",
    "---\ntitle: a\n---", "&#103;", "\\_", "<<<<<<< ours", "=======", ">>>>>>> theirs", "|||||||",
    "## 已试方案与失败原因", "## Tried and failed", "- 方案：a → b", f"id: {ID}", 'title: "a\\nb"',
    "title: 'a'", "page: PLAN.md", f"superseded_by: {ID}", "format: 1", "workspace: demo-1a2b3c4d",
    "locale: zh", "allow:", '  - "deadbeef"', "boards: [PLAN.md]", "lint:", "  stale_days: 3", "&a b", "*a",
    "!!str a", "? a", ": b", "2026-09-14", PARTING,
)  # fmt: skip


def by_lines(data: bytes, size_bytes: int, seed: int, mutate: Mutate) -> bytes:
    """Another input: a few lines put in, taken out, doubled, moved; or by `mutate`, byte by byte."""
    dice = Random(seed)
    if dice.random() < BYTEWISE:
        return mutate(data, size_bytes)
    lines = data.decode("utf-8", "replace").split("\n")
    for _ in range(dice.choice((1, 1, 2, 3, 5))):
        dice.choice(CHANGES)(lines, dice)
    return "\n".join(lines).encode()[:size_bytes]


def _put_in(lines: MutableSequence[str], dice: Random) -> None:
    lines.insert(dice.randint(0, len(lines)), dice.choice(PREFIXES) + dice.choice(LINES))


def _put_in_as_it_is(lines: MutableSequence[str], dice: Random) -> None:
    lines.insert(dice.randint(0, len(lines)), dice.choice(LINES))


def _take_out(lines: MutableSequence[str], dice: Random) -> None:
    at = dice.randint(0, len(lines))
    del lines[at : at + dice.choice((1, 1, 2, 4))]


def _copy(lines: MutableSequence[str], dice: Random) -> None:
    at = dice.randint(0, len(lines))
    to = dice.randint(0, len(lines))
    lines[to:to] = lines[at : at + dice.choice((1, 1, 2, 4, 9))]


def _move(lines: MutableSequence[str], dice: Random) -> None:
    at = dice.randint(0, len(lines))
    moved = lines[at : at + dice.choice((1, 1, 2, 4, 9))]
    del lines[at : at + len(moved)]
    to = dice.randint(0, len(lines))
    lines[to:to] = moved


def _indent(lines: MutableSequence[str], dice: Random) -> None:
    if lines:
        at = dice.randrange(len(lines))
        lines[at] = dice.choice(PREFIXES) + lines[at]


def _lengthen(lines: MutableSequence[str], dice: Random) -> None:
    if lines:
        at = dice.randrange(len(lines))
        lines[at] += dice.choice(
            (" ", "  ", "x", "。", "\r", "`", "*", "_", "-->", "#", "\\", "&amp;", "\u00a0")
        )


def _copy_a_part(lines: MutableSequence[str], dice: Random) -> None:
    """One text of several becomes another of them: what two versions of a page are."""
    cuts = [-1, *(n for n, line in enumerate(lines) if line == PARTING), len(lines)]
    if len(cuts) > 3:
        one, other = dice.sample(range(len(cuts) - 1), 2)
        lines[cuts[other] + 1 : cuts[other + 1]] = lines[cuts[one] + 1 : cuts[one + 1]]


CHANGES = (
    _put_in, _put_in_as_it_is, _put_in_as_it_is, _take_out, _copy, _move, _indent, _lengthen, _copy_a_part,
)  # fmt: skip
