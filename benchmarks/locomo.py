"""How well recall finds: LoCoMo's questions, answered by the product without any model.

Sessions become pages (logs), turns become their entries. A question's gold is what its evidence names; R@k is
the share of it among the first k, MRR goes by the first of it. `python -m benchmarks.locomo` prints the
tables; the data lies beside the project (`../shared/data/locomo`) and is never part of it. All figures of the
ranking were chosen on the conversations `CHOSEN_ON`; they are reported on the others and on all.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.store import entries, words
from wbmem_git.store.contents import NewPage, replace_pages
from wbmem_git.store.known import Known
from wbmem_git.store.sidecar import memory
from wbmem_git.text.contents import contents_of
from wbmem_git.verbs.ask.expand import expand
from wbmem_git.verbs.ask.filters import Query
from wbmem_git.verbs.ask.recall import recall
from wbmem_git.verbs.reader import Ground

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Iterator, Sequence

    from wbmem_git.text.content import Content

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "locomo" / "locomo10.json"
KEY = "locomo-0badcafe"
TODAY = "2026-11-30"
EXPANDED_BEHIND, EXPANDED = 5, 5
"""A step of expand: behind so many hits, at most so many entries that tags and cues of the first lead to."""
CHOSEN_ON = ("conv-26", "conv-42")
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop", 5: "adversarial"}
DEPTHS = (5, 10, 25, 50)
BARS = {"R@5": 0.68, "R@10": 0.77, "R@25": 0.85, "R@50": 0.89, "MRR": 0.55}
SESSION_BARS = {"R@5": 0.865, "MRR": 0.80}
MULTI_HOP_BAR = 0.31
_EVIDENCE = re.compile(r"D[0-9]+:[0-9]+")


class Question(NamedTuple):
    """A question, its category, and the ids of the turns that answer it."""

    text: str
    category: int
    gold: frozenset[str]


class Session(NamedTuple):
    """A session as a page: its path, its day, its turns as (id, text)."""

    path: str
    date: str
    turns: tuple[tuple[str, str, str], ...]


class Conversation(NamedTuple):
    """A conversation: its sessions and what is asked of it; `skipped`: evidence that names no turn."""

    name: str
    sessions: tuple[Session, ...]
    questions: tuple[Question, ...]
    skipped: int


def conversations() -> Iterator[Conversation]:
    """All ten."""
    for raw in json.loads(DATA.read_text(encoding="utf-8")):
        sessions = tuple(_sessions(raw["sample_id"], raw["conversation"]))
        turns = {name for session in sessions for name, _, _ in session.turns}
        questions, skipped = [], 0
        for asked in raw["qa"]:
            named = [name for text in asked["evidence"] for name in re.split(r"[;,\s]+", text) if name]
            gold = frozenset(named) & turns
            skipped += len(set(named) - turns)
            if gold:
                questions.append(Question(asked["question"], asked["category"], gold))
        yield Conversation(raw["sample_id"], sessions, tuple(questions), skipped)


def _sessions(name: str, raw: dict[str, Any]) -> Iterator[Session]:
    number = 1
    while f"session_{number}_date_time" in raw:
        day = datetime.strptime(raw[f"session_{number}_date_time"], "%I:%M %p on %d %B, %Y")  # noqa: DTZ007
        turns = tuple(
            (turn["dia_id"], turn["speaker"], _said(turn)) for turn in raw.get(f"session_{number}", ())
        )
        if turns:
            date = day.strftime("%Y-%m-%d")
            yield Session(f"log/{name}/{number}/{date}.md", date, turns)
        number += 1


def _said(turn: dict[str, str]) -> str:
    picture = f" [{turn['blip_caption']}]" if "blip_caption" in turn else ""
    return turn["text"] + picture


def _write(db: sqlite3.Connection, path: str, contents: Sequence[Content]) -> None:
    replace_pages(db, [NewPage(path, path, "log", "log", "", lambda _: contents)])


def corpus(sessions: Iterable[Session]) -> tuple[sqlite3.Connection, dict[str, str]]:
    """A sidecar of these pages, and which turn has which id."""
    db = memory()
    turns: dict[str, str] = {}
    for session in sessions:
        lines = "".join(f"- {speaker}: {' '.join(said.split())}\n" for _, speaker, said in session.turns)
        contents = contents_of(session.path, "log", f"# {session.date}\n\n{lines}", KEY)
        for content, (turn, _, _) in zip(contents[1:], session.turns, strict=True):
            turns[content.id] = turn
        _write(db, session.path, contents)
    words.settle(db)
    return db, turns


class Figures:
    """What is counted over questions."""

    def __init__(self) -> None:
        self.recalls: dict[int, list[float]] = defaultdict(list)
        self.ranks: list[float] = []

    def count(self, found: list[str], gold: Iterable[str]) -> None:
        wanted = set(gold)
        for depth in DEPTHS:
            self.recalls[depth].append(len(wanted & set(found[:depth])) / len(wanted))
        first = next((place for place, name in enumerate(found, 1) if name in wanted), 0)
        self.ranks.append(1 / first if first else 0.0)

    def mean(self, name: str) -> float:
        values = self.ranks if name == "MRR" else self.recalls[int(name[2:])]
        return sum(values) / max(1, len(values))

    def row(self) -> str:
        return "  ".join(f"{self.mean(name):.3f}" for name in (*(f"R@{d}" for d in DEPTHS), "MRR"))


def by_turn(some: Iterable[Conversation], *, expanded: bool = False) -> dict[str, Figures]:
    """Turns within their conversation, over all questions and by category."""
    figures: dict[str, Figures] = defaultdict(Figures)
    for conversation in some:
        db, turns = corpus(conversation.sessions)
        for asked in conversation.questions:
            answer = recall(db, Query(asked.text, TODAY, k=max(DEPTHS)))
            found = [hit.id for hit in answer.hits]
            if expanded:
                found = _expanded(db, found)
            named = [turns.get(name, "") for name in found]  # a page's heading is no turn
            for name in ("all", CATEGORIES[asked.category]):
                figures[name].count(named, asked.gold)
    return figures


def _expanded(db: sqlite3.Connection, found: list[str]) -> list[str]:
    """With one step of expand: what the tags and cues of the first hit lead to, behind the first few hits."""
    led: list[str] = []
    for entry in entries.with_id(db, found[0]) if found else ():
        for cue in (*entries.cues_of(db, entry.number), *entries.tags_of(db, entry.number)):
            led += [hit.entry.id for hit in expand(Ground(db, "", "", Known(db, "")), cue, today=TODAY).hits]
    new = [name for name in dict.fromkeys(led) if name not in found[:EXPANDED_BEHIND]][:EXPANDED]
    rest = [name for name in found[EXPANDED_BEHIND:] if name not in new]
    return [*found[:EXPANDED_BEHIND], *new, *rest]


def by_session(some: Iterable[Conversation], everything: Iterable[Conversation]) -> dict[str, Figures]:
    """Sessions, all of them in one corpus."""
    figures: dict[str, Figures] = defaultdict(Figures)
    db, _ = corpus(session for conversation in everything for session in conversation.sessions)
    for conversation in some:
        for asked in conversation.questions:
            gold = {f"log/{conversation.name}/{turn[1:].partition(':')[0]}" for turn in asked.gold}
            hits = recall(db, Query(asked.text, TODAY, k=max(DEPTHS), by_page=True)).hits
            found = [hit.source.rpartition("/")[0] for hit in hits]
            for name in ("all", CATEGORIES[asked.category]):
                figures[name].count(found, gold)
    return figures


def main() -> int:
    """Print the tables; 1 where a bar is missed."""
    if not DATA.exists():
        print(f"no data at {DATA}: nothing to measure")
        return 0
    everything = list(conversations())
    parts = {
        f"chosen on ({', '.join(CHOSEN_ON)})": [c for c in everything if c.name in CHOSEN_ON],
        "the other eight": [c for c in everything if c.name not in CHOSEN_ON],
        "all": everything,
    }
    print(f"{sum(c.skipped for c in everything)} evidence ids name no turn and are skipped")
    missed: list[str] = []
    for title, some in parts.items():
        turn, session = by_turn(some), by_session(some, everything)
        levels = (
            ("turns within their conversation", turn),
            ("the same with one step of expand", by_turn(some, expanded=True)),
            ("sessions, one corpus", session),
        )
        for level, figures in levels:
            print(f"\n{title}: {level}\n{'':14}questions  R@5    R@10   R@25   R@50   MRR")
            for name in ("all", *CATEGORIES.values()):
                print(f"{name:14}{len(figures[name].ranks):9}  {figures[name].row()}")
        if title == "all":
            missed += [f"turns {name}" for name, bar in BARS.items() if turn["all"].mean(name) < bar]
            missed += [
                f"sessions {name}" for name, bar in SESSION_BARS.items() if session["all"].mean(name) < bar
            ]
            missed += ["multi-hop"] if turn["multi-hop"].mean("R@5") < MULTI_HOP_BAR else []
    print("\nmissed: " + ", ".join(missed) if missed else "\nevery bar is met")
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
