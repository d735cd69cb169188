"""A history as an agent's memory has it: of every kind of commit some, half of them by agents.

Of a hundred commits 20 add a ledger, 15 a card, 10 archive one, 10 change a metadata line, 10 write in a log
and the others edit a card, on a 65 KB board of 300 cards. The same bytes for the same arguments. Without
anchors it is a board as people keep it: the gate tells of each card, and refuses none.
"""

from __future__ import annotations

import random
import re
from typing import TYPE_CHECKING

from benchmarks.boards import KEY, board
from wbmem_git.text.archive import render_archive
from wbmem_git.text.ids import card_id

if TYPE_CHECKING:
    from collections.abc import Iterator

CARDS, SIZE_BYTES = 300, 65_000
BEGUN = 1_780_000_000
DAY_COMMITS = 200
AUTHORS = ("Ada <ada@example.org>", "Bot <bot@agent.local>")
SHARES = (("ledger", 20), ("create", 15), ("archive", 10), ("metadata", 10), ("log", 10), ("edit", 35))
LEDGER = """# Handoff {number}

## Goals

Keep the queue moving while the store is rewritten, part {number}

## Task state

See PLAN.md: card "{title}" says where the work stands

## Tried and failed

- polling every second → the server limits the rate to {number} calls a minute

## Progress and next step

The store reads trees now. Next: run `make test` in src/part{number}
"""
CARD = """### Look into case {number}
<!-- memory:{name} -->
<!-- status: current / date: 2026-09-14 -->
The case was reported by the night shift as number {number} and has no owner yet.

- Next: run `make case-{number}` and compare what it prints

"""

Part = tuple[str, bytes]


class _Memory:
    """The tree that is being written: its board's parts, each beginning with a card's heading."""

    def __init__(self, *, anchored: bool) -> None:
        text = board(CARDS, SIZE_BYTES)
        self.anchored = anchored
        head, *cards = (text if anchored else _plain(text)).split("### ")
        self.head, self.cards = head, [f"### {card}" for card in cards]
        self.logs: dict[str, str] = {}
        self.dice = random.Random(7)

    def page(self) -> tuple[str, str]:
        return "PLAN.md", self.head + "".join(self.cards)

    def step(self, what: str, number: int) -> list[tuple[str, str]]:
        """Do it; the files that are other than before."""
        at = self.dice.randrange(len(self.cards))
        if what == "ledger":
            day, second = divmod(number, 20_000)
            name = f"handoff-202609{day + 1:02}-{second // 3600:02}{second // 60 % 60:02}{second % 60:02}.md"
            return [(name, LEDGER.format(number=number, title=_title(self.cards[at])))]
        if what == "log":
            path = f"log/{2020 + number // DAY_COMMITS // 28}-09-{number // DAY_COMMITS % 28 + 1:02}.md"
            self.logs[path] = self.logs.get(path, "# Log\n\n") + f"- {number}: the case was looked at again\n"
            return [(path, self.logs[path])]
        files = []
        if what == "create":
            card = new_card(number)
            self.cards.insert(at, card if self.anchored else _plain(card))
        elif what == "archive" and "\n## " not in self.cards[at]:
            files.append(archived(self.cards.pop(at)))
        elif what == "metadata":
            self.cards[at] = self.cards[at].replace("date: 2026-09", f"date: {2027 + number % 50}-09", 1)
        else:
            self.cards[at] = _edited(self.cards[at], number)
        return [self.page(), *files]


def _title(card: str) -> str:
    return card.partition("\n")[0].removeprefix("### ").replace("`", "")


def new_card(number: int) -> str:
    """A card of its own."""
    return CARD.format(number=number, name=card_id(KEY, "PLAN.md", f"Look into case {number}"))


def _plain(text: str) -> str:
    return re.sub(r"<!-- memory:.*\n", "", text)


def archived(card: str) -> tuple[str, str]:
    """The path of its archive file, and what stands there."""
    name = card_id(KEY, "PLAN.md", _title(card))
    return f"archive/{name}.md", render_archive(
        id=name,
        title=_title(card),
        page="PLAN.md",
        archived_at="2026-09-14T10:00:00Z",
        reason="done",
        body=card,
    )


def _edited(card: str, number: int) -> str:
    """The card with another first line of its body."""
    lines = card.split("\n")
    place = next(n for n, line in enumerate(lines) if n and line and not line.startswith("<!--"))
    lines[place] = f"{lines[place].partition(' (')[0]} ({number})"
    return "\n".join(lines)


def history(commits: int, *, anchored: bool = True) -> Iterator[bytes]:
    """So many commits on `main`, for `git fast-import`."""
    memory = _Memory(anchored=anchored)
    kinds = [kind for kind, share in SHARES for _ in range(share)]
    for number in range(commits):
        files = [("wbmem.yaml", f"format: 1\nworkspace: {KEY}\n"), memory.page()]
        what = memory.dice.choice(kinds) if number else "begin"
        if number:
            files = memory.step(what, number)
        who, when = AUTHORS[memory.dice.randrange(2)], BEGUN + number * 60
        message = f"{what} {number}"
        yield (
            f"commit refs/heads/main\nauthor {who} {when} +0000\ncommitter {AUTHORS[0]} {when} +0000\n"
            f"data {len(message)}\n{message}\n"
        ).encode()
        for path, text in files:
            data = text.encode()
            yield b"M 100644 inline %s\ndata %d\n%s\n" % (path.encode(), len(data), data)
