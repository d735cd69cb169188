"""Which entries a filter keeps, where these are few."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from stored import content, numbers, put

from wbmem_git.store.kept_words import Wanted, few
from wbmem_git.store.revisions import CommitRow, RevisionRow, add_commits, add_revisions

if TYPE_CHECKING:
    from sqlite3 import Connection

DAY_S = 86_400
FIRST_S = 1_780_012_800  # 2026-05-29
KINDS = {"card", "leaf"}


def on(first: str, last: str = "") -> Wanted:
    return Wanted(KINDS, (), "", first, last or first)


@pytest.fixture
def filled(db: Connection) -> Connection:
    """Forty cards of no date on one page; two list items on another, which a later commit changed."""
    put(db, [content(f"{chr(65 + n)} card", n) for n in range(40)])
    put(
        db,
        [content("x item", 1, kind="leaf"), content("y item", 2, kind="leaf", date="2026-06-09")],
        "handoff-1.md",
        "ledger",
    )
    add_commits(
        db,
        [
            CommitRow(seq, f"{seq:040x}", "", 1, FIRST_S + (seq - 1) * DAY_S, "", "human", "")
            for seq in (1, 2, 3, 4)
        ],
    )
    add_revisions(
        db,
        [
            RevisionRow("page of PLAN.md", 1, "created", "PLAN.md", ""),
            RevisionRow("page of handoff-1.md", 2, "created", "handoff-1.md", ""),
            RevisionRow(content("B card").id, 3, "edited", "PLAN.md", ""),
            RevisionRow(content("C card").id, 4, "edited", "PLAN.md", "", hidden=9),
        ],
    )
    return db


def titles(db: Connection, found: set[int] | None) -> set[str] | None:
    named = {number: title for title, number in numbers(db).items()}
    return None if found is None else {named[number] for number in found}


def test_what_has_no_date_is_found_by_the_commit_that_changed_it(filled: Connection) -> None:
    assert titles(filled, few(filled, on("2026-05-31"), 9)) == {"B card"}


def test_and_by_the_commit_that_changed_its_page(filled: Connection) -> None:
    assert titles(filled, few(filled, on("2026-05-30"), 9)) == {"x item"}


def test_what_has_a_date_is_found_by_that_alone(filled: Connection) -> None:
    assert titles(filled, few(filled, on("2026-06-09"), 9)) == {"y item"}


def test_what_a_merge_hides_changed_nothing(filled: Connection) -> None:
    assert titles(filled, few(filled, on("2026-06-01"), 9)) == set()


def test_where_there_are_more_it_is_none(filled: Connection) -> None:
    assert few(filled, on("2026-05-29"), 9) is None
    assert titles(filled, few(filled, on("2026-05-29"), 99)) is not None
