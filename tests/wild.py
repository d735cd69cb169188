"""Wild histories of a memory, text by text: whatever a person, an agent or a mishap may do to its files."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from memory import Memory
from pages import AGENT, KEY, SETTINGS, archived, card, id_of, ledger
from streamed import Files, commit_of, pour

from wbmem_git.text.ids import card_id

if TYPE_CHECKING:
    import random
    from collections.abc import Callable
    from pathlib import Path

ADA = "Ada <ada@example.org>"
PAGES = ("PLAN.md", "PLAN.md", "PLAN.md", "MEMORY.md", "USER.md")
TITLES = ("Alpha", "Beta", "Gamma", "Delta", "Epsilon")
TAME = (
    *(
        "Next: run `make test` in src/",
        "text that says what holds",
        "- item",
        "",
        "- [ ] open one",
        "下一步：测试",
    ),
    *("a line of more than forty characters, so that it is long enough", "second line of a card", "* star"),
    *("```\n### no card\n```", "<div>\nin it\n</div>\n", "#### below", "1. one\n   ```\n   x\n   ```"),
)
ODD = (
    *("a token is refreshed here", "password: hunter2horse", "mem_x", "> quote", "###near", "---", "```"),
    *("a\ufffd\ufffd\ufffd\ufffd", "the same words again and again, " * 4, "<!-- User -->", "A1b2" * 60),
    *("<div>", "<!-- open", "<<<<<<< a\nx\n=======\ny\n>>>>>>> b", "-----BEGIN PRIVATE KEY-----", "\\n" * 6),
    *("<!-- memory: x -->", "a\x07\x07\x07", "| a | b |", "<!-- user -->", "<!-- /user -->", "（待补充）"),
    *(
        "said three times, twenty letters\n" * 3,
        "    code",
        "~~~",
        "<!-- status: current -->",
        "[link]: /url",
    ),
)
_PART = re.compile(r"(?m)^(?=#{1,3} )")
_ANCHOR = re.compile(r"memory:(mem_[0-9a-f]{32})")
ANCHORED = 1.0
"""How many of the cards have an anchor."""


def begin(dice: random.Random) -> Files:
    files = {"wbmem.yaml": SETTINGS}
    for page in dict.fromkeys(PAGES[: dice.randint(3, 5)]):
        mark, middle = ("###", "## Doing\n\n") if page == "PLAN.md" else ("##", "")
        parts = [f"# Head of {page}\n\n" + dice.choice(["", "What stands here.\n\n"]), middle]
        for number in range(dice.randint(2, 12)):
            parts.append(_card(f"{dice.choice(TITLES)} {number}", page, dice))
            if page == "PLAN.md" and dice.random() < 0.2:
                parts.append(
                    f"## {dice.choice(['Next', 'Done', 'Later'])} {number}\n\n{dice.choice(['', 'Prose.'])}\n"
                )
        files[page] = "".join(parts)
        assert mark in files[page]
    return files


def _card(title: str, page: str, dice: random.Random) -> str:
    body = "\n".join(dice.choices(TAME, k=dice.randint(1, 4))) or "x"
    text = card(title, body, page=page, user=dice.choice([None, None, None, "", "keep it"])) + "\n"
    if dice.random() < 0.5:
        text = text.replace("<!-- model -->\n", "").replace("<!-- /model -->\n", "")
    if dice.random() < 0.3:
        text = re.sub(r"<!-- status.*\n", "", text)
    if ANCHORED < 1 and dice.random() > ANCHORED:
        text = re.sub(r"<!-- memory.*\n", "", text)
    return text if page == "PLAN.md" else text.replace("### ", "## ")


class Hand:
    """Does things to the files of a memory."""

    def __init__(self, files: Files, dice: random.Random) -> None:
        self.files = dict(files)
        self.dice = dice

    def page(self) -> tuple[str, list[str]]:
        there = [path for path in PAGES if path in self.files] or ["PLAN.md"]
        path = self.dice.choice(there)
        return path, _PART.split(self.files.get(path, "# Plan\n"))

    def put(self, path: str, parts: list[str]) -> None:
        self.files[path] = "".join(parts)

    def at(self, path: str, parts: list[str]) -> int:
        mark = "### " if path == "PLAN.md" else "## "
        return self.dice.choice(
            [n for n, part in enumerate(parts) if part.startswith(mark)] or [len(parts) - 1]
        )

    def ids(self) -> list[str]:
        found = [name for text in self.files.values() for name in _ANCHOR.findall(text)]
        found += [path[8:-3] for path in self.files if path.startswith("archive/mem_")]
        return [*found, id_of("nobody")]

    # --- what is right ------------------------------------------------------------------------------

    def edit(self) -> None:
        path, parts = self.page()
        at = self.at(path, parts)
        lines = parts[at].split("\n")
        place = self.dice.randint(min(3, len(lines)), len(lines))
        spare = TAME if self.dice.random() < 0.75 else ODD
        lines[place : place + self.dice.choice([0, 0, 1, 2])] = self.dice.choices(
            spare, k=self.dice.randint(0, 2)
        )
        parts[at] = "\n".join(lines).rstrip("\n") + "\n\n"
        self.put(path, parts)

    def create(self) -> None:
        path, parts = self.page()
        title = self.dice.choice(TITLES) + self.dice.choice(["", f" {self.dice.randint(1, 30)}"])
        text = _card(title, path, self.dice)
        if self.dice.random() < 0.3:
            number = self.dice.randint(2, 4)
            text = text.replace(id_of(title, path), card_id(KEY, path, title, number))
        elif self.dice.random() < 0.1:
            text = text.replace(id_of(title, path), self.dice.choice(self.ids()))
        elif self.dice.random() < 0.15:
            text = re.sub(r"<!-- memory.*\n", "", text)
        parts.insert(self.dice.randint(1, len(parts)), text)
        self.put(path, parts)

    def move(self) -> None:
        path, parts = self.page()
        part = parts.pop(self.at(path, parts))
        self.put(path, parts)
        if self.dice.random() < 0.4:
            path, parts = self.page()
            part = part.replace("### ", "## ") if path != "PLAN.md" else re.sub("^## ", "### ", part)
        parts.insert(self.dice.randint(min(1, len(parts)), len(parts)), part)
        self.put(path, parts)

    def archive(self) -> None:
        path, parts = self.page()
        part = parts.pop(self.at(path, parts))
        names = _ANCHOR.findall(part)
        title = part.partition("\n")[0].lstrip("# ")
        successor = self.dice.choice([*[""] * 6, self.dice.choice(self.ids())])
        body = part if self.dice.random() < 0.9 else part.replace("text", "words")
        _, text = archived(title, body, page=path, superseded_by=successor)
        if self.dice.random() < 0.1:
            text = text.replace("reason: done\n", "")
        if names:
            text = text.replace(f"id: {id_of(title, path)}", f"id: {names[0]}")
            self.files[f"archive/{names[0]}.md"] = text
        if self.dice.random() < 0.93:
            self.put(path, parts)

    def rename(self) -> None:
        path, parts = self.page()
        at = self.at(path, parts)
        names = _ANCHOR.findall(parts[at])
        old = parts[at].partition("\n")[0].lstrip("# ")
        new = f"{self.dice.choice(TITLES)} again {self.dice.randint(1, 5)}"
        text = parts[at].replace(f"# {old}", f"# {new}", 1)
        if names and self.dice.random() < 0.85:
            text = text.replace(names[0], id_of(new, path))
            _, file = archived(old, parts[at], page=path, superseded_by=id_of(new, path))
            file = file.replace("reason: done", "reason: renamed").replace(
                f"id: {id_of(old, path)}", f"id: {names[0]}"
            )
            self.files[f"archive/{names[0]}.md"] = file
        parts[at] = text
        self.put(path, parts)

    def restore(self) -> None:
        names = [path for path in self.files if path.startswith("archive/mem_")]
        if names:
            own = self.dice.choice(names)
            text = self.files.pop(own)
            path, parts = self.page()
            body = text.rpartition("\n---\n")[2]
            if self.dice.random() < 0.2:
                body = body.replace("text", "words")
            parts.insert(self.dice.randint(1, len(parts)), body if body.startswith("#") else f"### {body}")
            self.put(path, parts)
            if self.dice.random() < 0.1:
                self.files[own] = text

    def metadata(self) -> None:
        path, parts = self.page()
        at = self.at(path, parts)
        said = [
            *(
                "status: current / date: 2026-09-15",
                "status: current",
                "status: superseded",
                "date: 2026-10-01",
            ),
            *("status: odd", "date: soon", f"supersedes: {self.dice.choice(self.ids())}"),
            f"status: current / supersedes: {self.dice.choice(self.ids())} {self.dice.choice(self.ids())}",
        ]
        line = f"<!-- {self.dice.choice(said)} -->\n"
        text = re.sub(r"<!-- (?:status|date|super).*\n", "", parts[at])
        parts[at] = re.sub(r"(<!-- memory:.*\n)", lambda match: match[1] + line, text, count=1)
        self.put(path, parts)

    def remark(self) -> None:
        path, parts = self.page()
        at = self.at(path, parts)
        text = parts[at].rstrip("\n") + "\n"
        if "<!-- user -->" not in text:
            said = self.dice.choice(["", "said by a person\n"])
            text += f"<!-- user -->\n{said}<!-- /user -->\n"
        else:
            text = text.replace("<!-- user -->\n", "<!-- user -->\nanother remark\n", 1)
        parts[at] = text + "\n"
        self.put(path, parts)

    def ledger(self) -> None:
        path, parts = self.page()
        part = parts[self.at(path, parts)]
        title, lines = part.partition("\n")[0].lstrip("# "), part.split("\n")[3:]
        state = "See PLAN.md, card Alpha: it says where the work stands"
        others = (
            *("\n".join(lines).replace("#", ""), f"The work on {title} is half done by now"),
            *("All goes on as it was said before", "TODO"),
        )
        changes = (
            *(("", ""), ("it is the wrong tree", "TODO"), ("## Goals", "## Aims")),
            *((state, other) for other in others),
            ("next: `make test` in the folder of the store", "next: go on"),
        )
        text = ledger().replace(*self.dice.choice(changes), 1)
        name = self.dice.choice(["handoff-202609{:02}-1015{:02}.md"] * 9 + ["handoff-{}-{}.md"])
        self.files[name.format(self.dice.randint(1, 28), self.dice.randint(0, 59))] = text

    def log(self) -> None:
        path = f"log/2026-09-{self.dice.randint(14, 17)}.md"
        lines = self.dice.choices(TAME if self.dice.random() < 0.7 else ODD, k=self.dice.randint(1, 2))
        self.files[path] = self.files.get(path, "# Log\n") + "\n".join(lines) + "\n"

    # --- what is odd --------------------------------------------------------------------------------

    def vanish(self) -> None:
        path, parts = self.page()
        del parts[self.dice.randrange(len(parts))]
        self.put(path, parts)

    def double(self) -> None:
        path, parts = self.page()
        part = parts[self.at(path, parts)]
        if self.dice.random() < 0.5:
            path, parts = self.page()
        parts.append(part)
        self.put(path, parts)

    def column(self) -> None:
        path, parts = self.page()
        what = self.dice.random()
        if what < 0.3:
            parts.insert(self.dice.randint(1, len(parts)), f"## Column {self.dice.randint(1, 9)}\n\n")
        elif what < 0.7:
            old = self.dice.choice(["What stands here.", "Prose."])
            new = self.dice.choice(["", "Something else.", "text that says what holds", "One.\nTwo."])
            parts = [part.replace(old, new) for part in parts]
        else:
            parts[0] += self.dice.choice(
                ["A line of prose.\n", "Next: something\n", "<!-- user -->\nx\n<!-- /user -->\n"]
            )
        self.put(path, parts)

    def spoil(self) -> None:
        path, _ = self.page()
        text = self.files.get(path, "")
        odd = self.dice.choice(
            ["crlf", "bom", "gone", "named", "front", "cut", "json", "above", "tail", "nul"]
        )
        if odd == "gone":
            self.files.pop(path, None)
        elif odd == "named":
            self.files["OTHER.md"] = self.files.pop(path, "")
        else:
            made = {
                "crlf": text.replace("\n", "\r\n"),
                "bom": "\ufeff" + text,
                "front": "---\ntitle: x\n---\n" + text,
                "cut": text[: len(text) // 2],
                "nul": text + "\0\n",
                "json": '{"role": "user"}\n',
                "above": text.replace("\n### ", "\n<!-- status: current -->\n### ", 1),
                "tail": text + self.dice.choice(["Setext\n---\n", "# Again\n", "<!-- user -->\n", "```\n"]),
            }
            self.files[path] = made[odd]

    def past(self) -> None:
        """Something that isn't to be changed."""
        paths = [path for path in self.files if path.startswith(("handoff", "log/", "archive/"))]
        if paths:
            path = self.dice.choice(paths)
            what = self.dice.random()
            text = self.files.pop(path)
            if what < 0.5:
                self.files[path] = text.replace("e", "i", 1) + "more\n"
            elif what < 0.7:
                self.files["archive/" + path if path.startswith("log/") else "handoff-x.md"] = text

    def settings(self) -> None:
        said = (
            *("", "", "agents: ['*@example.org']\n", "criteria: warn\n", "boards: [PLAN.md, OTHER.md]\n"),
            *("odd: 1\n", "columns: {done: [Doing]}\n", "a: [\n", "locale: zh\n"),
        )
        self.files["wbmem.yaml"] = SETTINGS + self.dice.choice(said)

    def other(self) -> None:
        name = self.dice.choice(
            ["notes.txt", ".hidden", "OTHER.md", "handoff-soon.md", "USER-CANDIDATES.md", "a.md"]
        )
        text = self.files.get(name, "") if self.dice.random() < 0.6 else ""
        self.files[name] = text + self.dice.choice([*TAME, *ODD]) + "\n"


RIGHT: tuple[Callable[[Hand], None], ...] = (
    *(Hand.edit, Hand.edit, Hand.edit, Hand.create, Hand.create, Hand.move, Hand.archive, Hand.rename),
    *(Hand.restore, Hand.metadata, Hand.remark, Hand.ledger, Hand.ledger, Hand.log),
)
WRONG: tuple[Callable[[Hand], None], ...] = (
    *(Hand.vanish, Hand.double, Hand.column, Hand.column, Hand.spoil, Hand.past, Hand.settings, Hand.other),
)
MESSAGES = (
    *["edit"] * 12,
    "password: hunter2horse",
    "x\n\nWbmem-Actor: agent",
    "x\n\nWbmem-Remarks: unconfirmed",
)


def make_wild(
    top: Path, dice: random.Random, commits: int, *, wrong: float = 0.2, merges: float = 0.03
) -> Memory:
    """A repository with so many commits, on `main`.

    Args:
        top: Its folder. dice: What decides. commits: How many.
        wrong: How often something odd is done. merges: How often a commit merges, or a branch begins.
    """
    memory = Memory.create(top)
    states = [begin(dice)]
    parts = [commit_of(0, [], states[0], ADA, "begin", is_link=_is_link)]
    for number in range(1, commits):
        above = [number - 1]
        base = states[-1]
        if dice.random() < merges and number > 3:
            above = [dice.randrange(max(0, number - 6), number)]
            base = states[above[0]]
        hand = Hand(base, dice)
        if dice.random() < merges and number > 3:
            above.append(dice.choice([n for n in range(max(0, number - 8), number) if n != above[0]]))
            for path in dict.fromkeys((*base, *states[above[1]])):
                if dice.random() < 0.5 and path in states[above[1]]:
                    hand.files[path] = states[above[1]][path]
        for _ in range(dice.choice([1, 1, 1, 2, 3])):
            dice.choice(WRONG if dice.random() < wrong else RIGHT)(hand)
        if dice.random() < wrong * 1.5 and number > 2:
            hand.files = dict(states[above[0] - 1])  # a step back
        states.append(hand.files)
        who = AGENT if dice.random() < 0.5 else ADA
        parts.append(commit_of(number, above, hand.files, who, dice.choice(MESSAGES), is_link=_is_link))
    pour(memory, parts)
    memory.git("update-ref", "refs/heads/main", f"refs/heads/c{commits - 1}")
    return memory


def _is_link(path: str, text: str) -> bool:
    return path == "a.md" and "item" in text


__all__ = ["make_wild"]
