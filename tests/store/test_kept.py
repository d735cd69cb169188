"""What a refresh left alone of the past: the views go on behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wbmem_git.store import kept as module
from wbmem_git.store.kept import Kept, kept, watch
from wbmem_git.store.revisions import CommitRow, Event, add_commits, add_events, truncate
from wbmem_git.store.sidecar import empty_tables

if TYPE_CHECKING:
    from sqlite3 import Connection


def append(db: Connection, first: int, last: int) -> None:
    """Commits of two events each."""
    seqs = range(first, last + 1)
    add_commits(db, [CommitRow(seq, f"{seq:040x}", "", 1, seq, "", "human", "") for seq in seqs])
    add_events(
        db, [(seq, [Event("written", "PLAN.md"), Event("criteria.passed", "PLAN.md")]) for seq in seqs]
    )


@pytest.fixture
def begun(db: Connection) -> Connection:
    append(db, 1, 5)
    db.execute("BEGIN")
    return db


def test_a_further_commit_leaves_all_as_it_was(begun: Connection) -> None:
    last = watch(begun)
    append(begun, 6, 6)
    assert kept(begun, last) == Kept(5, 0, 10)


def test_what_was_forgotten_is_counted(begun: Connection) -> None:
    last = watch(begun)
    truncate(begun, 3)
    append(begun, 4, 4)
    assert kept(begun, last) == Kept(3, 4, 6)


def test_of_more_events_than_are_kept_the_newest_count(
    begun: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MOST_EVENTS", 7)
    last = watch(begun)
    append(begun, 6, 6)
    assert kept(begun, last) == Kept(5, 0, 5)


def test_of_tables_that_were_made_anew_nothing_was_kept(begun: Connection) -> None:
    last = watch(begun)
    empty_tables(begun)
    append(begun, 1, 6)
    assert kept(begun, last) == Kept(0, 0, 0)


def test_it_can_be_watched_again(begun: Connection) -> None:
    for seq in (6, 7):
        last = watch(begun)
        append(begun, seq, seq)
        assert kept(begun, last) == Kept(seq - 1, 0, 2 * (seq - 1))
    truncate(begun, 2)  # nobody watches
    assert kept(begun, watch(begun)) == Kept(2, 0, 4)


def test_what_was_begun_and_taken_back_is_watched_anew(begun: Connection) -> None:
    watch(begun)
    begun.execute("ROLLBACK")
    begun.execute("BEGIN")
    last = watch(begun)
    truncate(begun, 3)
    assert kept(begun, last) == Kept(3, 4, 6)
