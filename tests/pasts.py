"""Random histories of a memory: branches, merges of every kind, cards that come, change and go."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from memory import Memory
from pages import KEY, SETTINGS, archived, id_of, ledger
from streamed import Files, commit_of, pour

from wbmem_git.store.repository import Repository

if TYPE_CHECKING:
    import random
    from pathlib import Path

ADA, BOT = "Ada <ada@example.org>", "Bot <bot@agent.local>"
TITLES = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta")
PAGES = ("PLAN.md", "MEMORY.md")
LINES = (
    *(
        "Next: run `make test` in src/",
        "text that says what holds",
        "- item",
        "",
        "- [ ] open",
        "下一步：测试",
    ),
    *("a token is refreshed here", "password: hunter2horse", "mem_x", "> quote", "###near", "---", "```"),
    *("a\ufffd\ufffd\ufffd\ufffd", "the same words again and again, " * 4, "<!-- User -->", "A1b2" * 60),
)
PLAIN = LINES[:7]
ANCHORED = 0.93
"""How many of the cards have an anchor."""


class Card:
    """A card as text: title, column, the lines of its body, a remark."""

    def __init__(self, title: str, page: str, dice: random.Random) -> None:
        self.title = title
        self.anchor = id_of(title, page) if dice.random() < ANCHORED else ""
        self.status = dice.choice(["status: current / date: 2026-09-14", "status: current", ""])
        self.body = dice.choices(PLAIN, k=dice.randint(1, 3))
        self.remark = dice.choice(["", "", "", "keep it"])


class Scene:
    """A tree that is being written: the cards of its pages by column, and its other files."""

    def __init__(self) -> None:
        self.pages: dict[str, list[tuple[str, Card]]] = {"PLAN.md": []}
        self.others: Files = {"wbmem.yaml": SETTINGS}

    def copy(self) -> Scene:
        made = Scene()
        made.pages = {path: list(cards) for path, cards in self.pages.items()}
        made.others = dict(self.others)
        return made

    def files(self) -> Files:
        return {path: _page(path, cards) for path, cards in self.pages.items()} | self.others


def _page(path: str, cards: list[tuple[str, Card]]) -> str:
    mark = "###" if path == "PLAN.md" else "##"
    parts = ["# Plan\n\n"]
    column = ""
    for own, card in cards:
        if mark == "###" and own != column:
            parts.append(f"## {own}\n\n")
            column = own
        parts.append(text_of(card, mark))
    return "".join(parts)


def text_of(card: Card, mark: str) -> str:
    lines = [f"{mark} {card.title}"]
    lines += [f"<!-- memory:{card.anchor} -->"] if card.anchor else []
    lines += [f"<!-- {card.status} -->"] if card.status else []
    lines += card.body
    lines += ["<!-- user -->", card.remark, "<!-- /user -->"] if card.remark else []
    return "\n".join(lines) + "\n\n"


def _changed(card: Card, dice: random.Random) -> Card:
    other = Card.__new__(Card)
    other.__dict__.update(card.__dict__)
    other.body = list(card.body)
    what = dice.random()
    spare = PLAIN if dice.random() < 0.6 else LINES
    if what < 0.85:
        at = dice.randint(0, len(other.body))
        other.body[at : at + dice.randint(0, 2)] = dice.choices(spare, k=dice.randint(1, 3))
    elif what < 0.93:
        other.status = dice.choice(["status: superseded", "status: current", "status: odd", ""])
    else:
        other.remark = dice.choice(["", "keep it", "another remark"])
    return other


def edit(old: Scene, dice: random.Random, calm: float = 0.4, chat: float = 0.0) -> Scene:
    """The scene after something was done to it.

    Args:
        old: The scene before.
        dice: What decides.
        calm: How often that is to a card's lines alone.
        chat: How often lines are written in a log instead.
    """
    scene = old.copy()
    path = dice.choice(PAGES) if dice.random() < 0.3 else "PLAN.md"
    cards = scene.pages.setdefault(path, [])
    what = dice.random()
    if what < (1 - calm) * 0.4 or not cards:
        title = dice.choice(TITLES)
        column = dice.choice(["Doing", "Next"]) if path == "PLAN.md" else ""
        if dice.random() < 0.6:
            title += f" {dice.randint(1, 9)}"
        if all(card.title != title for _, card in cards) or dice.random() < 0.2:
            cards.insert(dice.randint(0, len(cards)), (column, Card(title, path, dice)))
    elif what < (1 - calm) * 0.4 + calm:
        at = dice.randrange(len(cards))
        cards[at] = (cards[at][0], _changed(cards[at][1], dice))
    else:
        _move(scene, path, dice.randrange(len(cards)), dice)
    if dice.random() < 0.25 * (1 - calm):
        scene.others[f"handoff-2026091{dice.randint(0, 9)}-101500.md"] = ledger()
    if dice.random() < 0.2 * (1 - calm):
        scene.others["log/2026-09-14.md"] = scene.others.get("log/2026-09-14.md", "# Log\n") + "- a line\n"
    if dice.random() < chat:
        day = f"log/2026-09-1{dice.randint(4, 6)}.md"
        lines = dice.choices(PLAIN if dice.random() < 0.7 else LINES, k=dice.choice([1, 1, 2, 4]))
        before = Scene() if dice.random() < 0.05 else scene
        written = before.others.get(day, dice.choice(["# Log\n", "# Log\n", "", "- begun"]))
        made = old.copy()
        made.others[day] = written + "\n".join(lines) + dice.choice(["\n", "\n", ""])
        return made
    if dice.random() < 0.2 * (1 - calm):
        scene.others["notes.txt"] = dice.choice(LINES) + "\n"
    return scene


def _move(scene: Scene, path: str, at: int, dice: random.Random) -> None:
    cards = scene.pages[path]
    column, card = cards.pop(at)
    mark = "###" if path == "PLAN.md" else "##"
    what = dice.random()
    if what < 0.25:
        cards.insert(dice.randint(0, len(cards)), (dice.choice(["Doing", "Next", "Done"]), card))
    elif what < 0.45:
        other = PAGES[1 - PAGES.index(path)]
        scene.pages.setdefault(other, []).append(("Doing", card))
    elif what < 0.65:
        own, text = archived(card.title, text_of(card, mark), page=path)
        scene.others[own] = text if dice.random() < 0.7 else text.replace("reason: done", "reason: aged out")
    elif what < 0.85:
        title = dice.choice(TITLES) + " again"
        if card.anchor:
            own, text = archived(card.title, text_of(card, mark), page=path, superseded_by=id_of(title, path))
            scene.others[own] = text.replace("reason: done", "reason: renamed")
        renamed = _changed(card, dice)
        renamed.title, renamed.anchor = title, id_of(title, path) if card.anchor else ""
        renamed.body = card.body
        cards.insert(at, (column, renamed))
    elif what < 0.93:
        scene.others.pop(f"archive/{id_of(card.title, path)}.md", None)
        cards.insert(at, (column, card))


def merged(one: Scene, other: Scene, dice: random.Random) -> Scene:
    """What a merge may make of two scenes."""
    what = dice.random()
    if what < 0.2:
        return one.copy()
    if what < 0.4:
        return other.copy()
    made = one.copy()
    for path in {*one.pages, *other.pages}:
        made.pages[path] = dice.choice([one, other]).pages.get(path, made.pages.get(path, []))
    for path in {*one.others, *other.others}:
        side = dice.choice([one, other])
        if path in side.others:
            made.others[path] = side.others[path]
    return edit(made, dice) if dice.random() < 0.3 else made


def make(
    top: Path,
    dice: random.Random,
    commits: int,
    *,
    straight: float = 0.6,
    calm: float = 0.4,
    chat: float = 0.0,
) -> list[str]:
    """A repository with so many commits; their oids, parents first.

    Args:
        top: Its folder. dice: What decides. commits: How many.
        straight: How often a commit follows the one before, and is no merge.
        calm: As in `edit`.
        chat: As there.
    """
    memory = Memory.create(top)
    scenes: list[Scene] = []
    parts: list[bytes] = []
    for number in range(commits):
        parents: list[int] = []
        scene = edit(edit(edit(Scene(), dice, 0), dice, 0), dice, 0)
        if number:
            parents = [number - 1 if dice.random() < straight else dice.randrange(number)]
            scene = edit(scenes[parents[0]], dice, calm, chat)
            if number > 2 and dice.random() > straight:
                second = dice.choice([n for n in range(number) if n not in parents])
                parents.append(second)
                scene = merged(scenes[parents[0]], scenes[second], dice)
                if dice.random() < 0.15 and number > 4:
                    parents.append(dice.choice([n for n in range(number) if n not in parents]))
        scenes.append(scene)
        who = BOT if dice.random() < 0.5 else ADA
        trailer = "\n\nWbmem-Actor: agent" if dice.random() < 0.1 else ""
        parts.append(commit_of(number, parents, scene.files(), who, f"commit {number}{trailer}"))
    return pour(memory, parts)


def one_after_the_other(memory: Memory, steps: list[tuple[Files, str, str]]) -> None:
    """Commits on `main`, each of (all files, author, message): a hundred of them take no time."""
    parts = [
        commit_of(number, [number - 1] if number else [], files, who, message)
        for number, (files, who, message) in enumerate(steps)
    ]
    pour(memory, parts)
    memory.git("update-ref", "refs/heads/main", f"refs/heads/c{len(steps) - 1}")


def opened(top: Path) -> Repository:
    return Repository.open(str(top), os.environ)


__all__ = ["KEY", "make", "one_after_the_other", "opened"]
