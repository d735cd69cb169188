"""Histories of branches that merge by card, as wbmem's own driver and people do it, and as mishaps do."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import wild
from memory import Memory
from pages import AGENT
from streamed import Files, commit_of, pour

from wbmem_git.text.names import is_ledger

if TYPE_CHECKING:
    import random
    from pathlib import Path

ADA = "Ada <ada@example.org>"
BRANCHES = 3
_PART = re.compile(r"(?m)^(?=#{1,3} )")
_ANCHOR = re.compile(r"memory:(mem_[0-9a-f]{32})")
_ZONE = re.compile(r"(?s)<!-- user -->\n.*?<!-- /user -->\n")


class Made(NamedTuple):
    """A commit that was made: its files, and the numbers of all commits before it, itself among them."""

    files: Files
    behind: frozenset[int]


def make_woven(top: Path, dice: random.Random, commits: int, *, wrong: float = 0.1) -> Memory:
    """A repository with so many commits, half of them merges, on `main`.

    Args:
        top: Its folder. dice: What decides. commits: How many.
        wrong: How often something odd is done, beside a merge or in it.
    """
    memory = Memory.create(top)
    made = [Made(wild.begin(dice), frozenset([0]))]
    parts = [commit_of(0, [], made[0].files, ADA, "begin")]
    tips = [0] * BRANCHES
    for number in range(1, commits):
        branch = dice.randrange(BRANCHES)
        above = [tips[branch]]
        others = [tip for tip in dict.fromkeys(tips) if tip not in made[above[0]].behind]
        if others and (dice.random() < 0.5 or number == commits - 1):
            above += dice.sample(others, k=min(len(others), 2 if dice.random() < 0.05 else 1))
        hand = wild.Hand(_merged(made, above, dice, wrong) if above[1:] else made[above[0]].files, dice)
        if len(above) == 1 or dice.random() < wrong:
            dice.choice(wild.WRONG if dice.random() < wrong / 3 else wild.RIGHT)(hand)
        behind = frozenset([number]).union(*(made[one].behind for one in above))
        made.append(Made(hand.files, behind))
        who = AGENT if dice.random() < 0.5 else ADA
        parts.append(commit_of(number, above, hand.files, who, dice.choice(wild.MESSAGES)))
        tips[branch] = number
        if dice.random() < 0.1:
            tips[dice.randrange(BRANCHES)] = number
    pour(memory, parts)
    memory.git("update-ref", "refs/heads/main", f"refs/heads/c{commits - 1}")
    return memory


def _merged(made: list[Made], above: list[int], dice: random.Random, wrong: float) -> Files:
    """What a merge makes of its first two sides; a third one is left out."""
    one, other = (made[number] for number in above[:2])
    base = made[max(one.behind & other.behind)].files
    files: Files = {}
    for path in sorted({*one.files, *other.files}):
        was, ours, theirs = (each.get(path) for each in (base, one.files, other.files))
        if dice.random() < wrong / 10:
            now = dice.choice([was, ours, theirs])
        elif ours in {theirs, was}:
            now = theirs
        elif theirs == was:
            now = ours
        elif was is None or ours is None or theirs is None:
            now = ours or theirs
        elif path in wild.PAGES:
            now = woven(was, ours, theirs, dice, wrong)
        else:
            now = ours + "".join(theirs[len(was) :] if theirs.startswith(was) else [])
        if now is not None:
            files[path] = now
        if is_ledger(path) and ours and theirs and ours != theirs and dice.random() < 0.8:
            files[path.replace(".md", "-b.md")] = theirs
    return files


def woven(was: str, ours: str, theirs: str, dice: random.Random, wrong: float) -> str:
    """A page by card: whichever side changed one has it; sometimes something goes wrong."""
    before, here, there = (dict(map(_named, _PART.split(text))) for text in (was, ours, theirs))
    found: dict[str, str] = {}
    for name, text in here.items():
        other, old = there.get(name), before.get(name)
        if dice.random() < wrong / 4:
            spoilt = _spoilt(text, other or text, dice)
            if spoilt:
                found[name] = spoilt
        elif other is None:
            if text != old:
                found[name] = text
        else:
            found[name] = text if other == old else other if text == old else _both(text, other, dice)
    new = {name: text for name, text in there.items() if name not in here and before.get(name) != text}
    return "".join((found | new).values())


def _both(text: str, other: str, dice: random.Random) -> str:
    if dice.random() < 0.5:
        return text.rstrip("\n") + "\n" + "".join(f"{line}\n" for line in other.split("\n")[-3:-1]) + "\n"
    return dice.choice([text, other])


def _spoilt(text: str, other: str, dice: random.Random) -> str:
    """A card that a merge drops, writes in, or takes from the wrong side in part."""
    what = dice.random()
    zones = _ZONE.findall(other)
    if what < 0.3:
        return ""
    if what < 0.5 and zones:
        return _ZONE.sub(lambda _: zones[0], text)
    if what < 0.6:
        return _ZONE.sub("", text)
    if what < 0.7:
        return text + other
    if what < 0.8:
        return text.replace(" ", " re", 1)
    return dice.choice([text.rstrip("\n") + f"\n{dice.choice([*wild.TAME, *wild.ODD])}\n\n", other])


def _named(part: str) -> tuple[str, str]:
    anchors = _ANCHOR.findall(part)
    return (anchors[0] if anchors else part.partition("\n")[0]), part
