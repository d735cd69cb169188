"""Three sides as texts, merged, and judged by the gate: no repository."""

from __future__ import annotations

import os
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from pages import KEY, SETTINGS
from rules.building import change_of
from rules.loader import Case, Content

from wbmem_git.rules.check import check
from wbmem_git.store.git import Git
from wbmem_git.store.merging import merge_texts
from wbmem_git.text.archive import parse_archive
from wbmem_git.text.names import archive_path, archived_id, kind_of
from wbmem_git.text.page import parse_page
from wbmem_git.text.settings import default_settings
from wbmem_git.verbs.assign import Side
from wbmem_git.verbs.merge.pages import merge_pages

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.model import Actor, Card
    from wbmem_git.verbs.merge.swaps import Swaps
    from wbmem_git.verbs.merge.values import First, MergedPages

    Files = Mapping[str, str]

GIT = Git(os.sep, {"PATH": os.environ.get("PATH", os.defpath), "GIT_CONFIG_GLOBAL": os.devnull})
JUDGING = default_settings(KEY)
ACTORS: tuple[Actor, Actor] = ("agent", "human")


class Outcome(NamedTuple):
    """The files after a merge, and what it said."""

    files: dict[str, str]
    merged: MergedPages

    @property
    def board(self) -> str:
        return self.files["PLAN.md"]

    @property
    def notes(self) -> list[str]:
        return [note.kind for note in self.merged.notes]

    @property
    def why(self) -> list[str]:
        return [conflict.why for conflict in self.merged.conflicts]


@cache
def lines3(base: str, ours: str, theirs: str, *, union: bool = False) -> tuple[str, int]:
    """git's own merge of three texts."""
    labels = ("ours", "base", "theirs")
    return merge_texts(GIT, (base, ours, theirs), union=union, labels=labels, marker=7)


def side_of(files: Files) -> Side:
    kinds = {path: kind_of(path, JUDGING) for path in files}
    return Side(
        {p: parse_page(p, files[p], KEY, k) for p, k in kinds.items() if k in {"board", "entries"}},
        {name: parse_archive(files[p], KEY) for p in files if (name := archived_id(p))},
    )


def merge(  # three sides, and how they are merged
    base: Files,
    ours: Files,
    theirs: Files,
    *,
    alone: bool = False,
    first: First = "ours",
    swaps: Swaps | None = None,
) -> Outcome:
    """The merge of three trees of pages and archive files."""
    sides = side_of(base), side_of(ours), side_of(theirs)
    merged = merge_pages(*sides, lines3, KEY, alone=alone, first=first, swaps=swaps)
    files = {path: text for path, text in merged.texts.items() if text is not None}
    for name, whose in merged.archive.items():
        if whose != "gone":
            path = archive_path(name)
            files[path] = (ours if whose == "ours" else theirs)[path]
    return Outcome(files, merged)


def refused(base: Files, ours: Files, theirs: Files, new: Files) -> list[tuple[str, str, str, str]]:
    """What the gate refuses of a merge commit, whoever makes it: actor, rule, title, message."""
    found: list[tuple[str, str, str, str]] = []
    for actor in ACTORS:
        sides = [_contents(files) for files in (base, ours, theirs, new)]
        case = Case("", 0, "", (actor,), {}, sides[0], (sides[1], sides[2]), sides[3], sides[3], (), "", ())
        findings = check(change_of(case, actor)).findings
        found += [(actor, one.rule, one.title, one.message) for one in findings if one.refuses]
    return found


def cards_of(files: Files) -> dict[str, Card]:
    """Id → card, over all pages."""
    return {card.id: card for card in side_of(files).cards}


def _contents(files: Files) -> dict[str, Content]:
    return {path: Content(text.encode()) for path, text in {"wbmem.yaml": SETTINGS, **files}.items()}
