"""`versions`, `show` and `blame` beside git's own answers, on random histories with merges.

No two lines of a page are equal, a card's first and last line never change, and no card moves, so that there
is one way to see what a commit did: a diff that may choose between equal lines chooses for itself, one that
finds changed lines side by side takes them for one change, and a block that moved is a new one.
"""

from __future__ import annotations

import os
from random import Random
from typing import TYPE_CHECKING

import pytest
from memory import Memory
from pages import KEY, SETTINGS
from sidecar.plumbing import PEOPLE, START, Objects
from text.spec import TIMES

from wbmem_git.store.known import Known
from wbmem_git.store.repository import Repository
from wbmem_git.store.sidecar import memory
from wbmem_git.store.tables import rows
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.ask.versions import versions
from wbmem_git.verbs.blame import blame
from wbmem_git.verbs.reader import Ground
from wbmem_git.verbs.refresh import refresh
from wbmem_git.verbs.show import show

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from sidecar.plumbing import Files

    Cards = dict[str, tuple[str, ...]]

PAGES = ("PLAN.md", "boards/side.md")
ORIGIN = "boards/a.md"
"""Where the cards of pages that are renamed have their anchors from: these stay as they are."""
SEEDS = range(6 * TIMES)


class Told:
    """A random history of two boards, with branches, in a repository; the sidecar at its HEAD."""

    def __init__(self, top: Path, seed: int, *, merges: bool) -> None:
        self.memory = Memory.create(top)
        self.merges = merges
        self.chance = Random(seed)
        self.number = 0
        self.ranks: dict[str, float] = {}
        self.seconds = START
        objects = Objects(top / ".git")
        states: dict[str, dict[str, Cards]] = {}
        pages: dict[str, Cards] = {path: {} for path in PAGES}
        heads = [objects.commit(_files(pages), (), START)]
        states[heads[0]] = pages
        for _ in range(30):
            place = self.chance.randrange(len(heads))
            parents = [heads[place]]
            pages = states[heads[place]]
            if merges and len(heads) < 3 and self.chance.random() < 0.2:
                heads.append(heads[place])
            elif merges and len(heads) > 1 and self.chance.random() < 0.3:
                other = heads[place - 1]
                pages = self._merged(pages, states[other])
                parents += [other] if other not in objects.ancestors(heads[place]) else []
                if self.chance.random() < 0.2:
                    pages = self._edited(pages)
            else:
                pages = self._edited(pages)
            self.seconds += self.chance.choice((1, 1, 100))
            author = self.chance.choice(PEOPLE)
            heads[place] = objects.commit(_files(pages), parents, self.seconds, author=author)
            states[heads[place]] = pages
        self.head = heads[0]
        self.pages = states[heads[0]]
        self.ancestors = objects.ancestors
        self.commits = objects.ancestors(heads[0])
        self.states = states
        objects.set_head("main", heads[0])

    def _line(self) -> str:
        self.number += 1
        return f"line {self.number} {self.chance.random()}"

    def _edited(self, pages: dict[str, Cards]) -> dict[str, Cards]:
        """A card more, or another text in one; sometimes two of these."""
        path = self.chance.choice(PAGES)
        cards = dict(pages[path])
        if not cards or self.chance.random() < 0.3:
            title = f"Card {self.number + 1}"
            self.ranks[title] = self.chance.random()
            cards = self._in_order({**cards, title: (self._line(), self._line())})
        else:
            title = self.chance.choice(sorted(cards))
            lines = list(cards[title])
            place = self.chance.randrange(len(lines))
            if self.chance.random() < 0.3 and len(lines) > 1:
                del lines[place]
            elif self.chance.random() < 0.5:
                lines[place] = self._line()
            else:
                lines.insert(place, self._line())
            cards[title] = tuple(lines)
        pages = {**pages, path: cards}
        return self._edited(pages) if self.chance.random() < 0.2 else pages

    def _merged(self, ours: dict[str, Cards], theirs: dict[str, Cards]) -> dict[str, Cards]:
        """Every card of both sides; of one that differs, one side's text."""
        merged = {}
        for path in PAGES:
            cards = dict(ours[path])
            for title, lines in theirs[path].items():
                if title not in cards or self.chance.random() < 0.5:
                    cards[title] = lines
            merged[path] = self._in_order(cards)
        return merged

    def _in_order(self, cards: Cards) -> Cards:
        """On every side the same, so that no card moves: git takes that for another one."""
        return {title: cards[title] for title in sorted(cards, key=self.ranks.__getitem__)}

    def titles(self) -> Iterator[tuple[str, str]]:
        for path in PAGES:
            for title in self.pages[path]:
                yield path, title

    def lines_of(self, path: str, title: str) -> tuple[int, int]:
        lines = _page(path, self.pages[path]).splitlines()
        start = lines.index(f"### {title}") + 1
        return start, lines.index(f"end of {title}") + 1


def _page(path: str, cards: Cards) -> str:
    """A page without a blank line."""
    parts = ["# Plan\n## Doing\n"]
    for title, lines in cards.items():
        anchor = f"<!-- memory:{card_id(KEY, path, title)} -->"
        parts.append("".join(f"{line}\n" for line in (f"### {title}", anchor, *lines, f"end of {title}")))
    return "".join(parts)


def _files(pages: dict[str, Cards]) -> Files:
    found = {path: _page(path, cards).encode() for path, cards in pages.items()}
    return {"wbmem.yaml": f'{SETTINGS}boards:\n  - "PLAN.md"\n  - "boards/*.md"\n'.encode(), **found}


def built(repository: Repository, head: str) -> Ground:
    db = memory()
    db.execute("BEGIN")
    refresh(repository, db, head)
    return Ground(db, "", head, Known(db, head))


@pytest.fixture
def top(tmp_path: Path) -> Path:
    return tmp_path / "handoff"


@pytest.mark.parametrize("merges", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_versions_of_a_page_are_those_of_git_log_on_random_histories(
    top: Path, seed: int, merges: bool
) -> None:
    told = Told(top, seed, merges=merges)
    with Repository.open(str(top), os.environ) as repository:
        ground = built(repository, told.head)
        for path in PAGES:
            listed = told.memory.git("log", "--format=%H", told.head, "--", path).split()
            found = versions(ground, path)
            assert in_order([version.commit for version in found.versions], listed, told), path


def in_order(commits: list[str], listed: list[str], told: Told) -> bool:
    """Whether they are those that git lists: in its order, and where branches ran beside each other, in one
    in which nothing stands before what came after it.
    """
    if not told.merges:
        return commits == listed
    behind = [told.ancestors(commit) for commit in commits]
    return sorted(commits) == sorted(listed) and not any(
        commit in behind[later]
        for place, commit in enumerate(commits)
        for later in range(place + 1, len(commits))
    )


@pytest.mark.parametrize("merges", [False, True])
@pytest.mark.parametrize("seed", SEEDS)
def test_versions_of_a_card_are_those_of_git_log_on_random_histories(
    top: Path, seed: int, merges: bool
) -> None:
    told = Told(top, seed, merges=merges)
    with Repository.open(str(top), os.environ) as repository:
        ground = built(repository, told.head)
        for path, title in told.titles():
            start, end = told.lines_of(path, title)
            listed = told.memory.git("log", "--format=%H", "-s", f"-L{start},{end}:{path}").split()
            found = versions(ground, card_id(KEY, path, title))
            assert in_order([version.commit for version in found.versions], listed, told), (path, title)


@pytest.mark.parametrize("seed", SEEDS)
def test_versions_of_a_renamed_page_are_those_of_git_log_follow_on_random_histories(
    top: Path, seed: int
) -> None:
    told = Renaming(top, seed)
    with Repository.open(str(top), os.environ) as repository:
        head = repository.head()
        ground = built(repository, head)
        refreshed = memory()
        refreshed.execute("BEGIN")
        for commit in (*told.chance.sample(told.commits, 3), head):
            refresh(repository, refreshed, commit)
        assert rows(refreshed) == rows(ground.db)
        for path in told.pages:
            listed = told.memory.git("log", "--follow", "--format=%H", "--", path).split()
            found = versions(ground, path)
            assert [version.commit for version in found.versions] == listed, path
            for version in found.versions:
                shown = show(repository, ground, path, version.commit)
                assert shown.path == version.path == told.paths[version.commit][path]
                assert shown.text == told.memory.git("show", f"{version.commit}:{shown.path}") + "\n"
    assert told.renamed


class Renaming:
    """A straight history of pages that are edited, renamed and replaced by others.

    Attributes:
        pages: Path at HEAD → its cards.
        paths: Commit → path at HEAD → the path that the page has there.
    """

    def __init__(self, top: Path, seed: int) -> None:
        self.memory = Memory.create(top)
        self.chance = Random(seed)
        self.number = 0
        self.renamed = 0
        self.commits: list[str] = []
        pages = {f"boards/{name}.md": self._fresh(name) for name in "ab"}
        was: list[tuple[str, dict[str, str]]] = []
        for _ in range(25):
            before = dict(pages)
            moved = self._changed(pages) if self.commits else {}
            gone = dict.fromkeys(before.keys() - pages.keys())
            texts = {path: _page(ORIGIN, cards) for path, cards in pages.items()}
            self.memory.commit({"wbmem.yaml": f'{SETTINGS}boards: ["boards/*.md"]\n', **gone, **texts})
            self.commits.append(self.memory.git("rev-parse", "HEAD"))
            was.append((self.commits[-1], moved))
        self.pages = pages
        self.paths: dict[str, dict[str, str]] = {}
        now = {path: path for path in pages}
        for commit, moved in reversed(was):
            self.paths[commit] = dict(now)
            now = {path: moved.get(there, there) for path, there in now.items()}

    def _fresh(self, name: str) -> Cards:
        self.number += 1
        return {f"{name} {self.number} {n}": (self._line(), self._line()) for n in range(6)}

    def _line(self) -> str:
        return f"line {self.chance.random()} {self.chance.random()}"

    def _changed(self, pages: dict[str, Cards]) -> dict[str, str]:
        """Something happens to the pages; new path → old path."""
        path, step = self.chance.choice(sorted(pages)), self.chance.random()
        moved = {}
        if step < 0.5:
            title = self.chance.choice(sorted(pages[path]))
            pages[path] = {**pages[path], title: (self._line(), self._line())}
        elif step < 0.6:
            del pages[path]
            self.number += 1
            pages[f"boards/new{self.number}.md"] = self._fresh("n")
        else:
            for old in sorted(pages) if step > 0.9 else [path]:
                self.number += 1
                new = f"boards/{self.chance.choice('xy')}{self.number}.md"
                pages[new] = pages.pop(old)
                moved[new] = old
                self.renamed += 1
                if self.chance.random() < 0.5:
                    title = self.chance.choice(sorted(pages[new]))
                    pages[new] = {**pages[new], title: (self._line(), self._line())}
        return moved


@pytest.mark.parametrize("seed", SEEDS)
def test_show_is_what_git_shows_of_the_page_on_random_histories(top: Path, seed: int) -> None:
    told = Told(top, seed, merges=True)
    with Repository.open(str(top), os.environ) as repository:
        ground = built(repository, told.head)
        for path, title in told.titles():
            for commit in told.chance.sample(told.commits, 3):
                page = told.memory.git("show", f"{commit}:{path}")
                if title not in told.states[commit][path]:
                    continue
                lines = page[page.index(f"### {title}\n") :].split("\n### ")[0].splitlines()
                shown = show(repository, ground, card_id(KEY, path, title), commit)
                assert (shown.path, shown.text.splitlines()) == (path, lines)
                assert page.splitlines()[shown.line - 1 : shown.end] == lines


@pytest.mark.parametrize("seed", SEEDS)
def test_blame_is_git_blame_on_random_histories(top: Path, seed: int) -> None:
    told = Told(top, seed, merges=True)
    with Repository.open(str(top), os.environ) as repository:
        ground = built(repository, told.head)
        for path in PAGES:
            said = told.memory.git("blame", "-s", "-l", "--root", told.head, "--", path).splitlines()
            commits = [line.split(" ", 1)[0] for line in said]
            whole = blame(repository, ground, path)
            assert [line.commit for line in whole.lines] == commits
            for title in told.pages[path]:
                start, end = told.lines_of(path, title)
                found = blame(repository, ground, card_id(KEY, path, title))
                assert [(line.line, line.commit) for line in found.lines] == [
                    (number, commits[number - 1]) for number in range(start, end + 1)
                ]
