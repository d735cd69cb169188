"""The past as rows: what is forgotten, hidden and kept."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wbmem_git.store import revisions, sidecar
from wbmem_git.store.revisions import (
    CommitRow,
    Event,
    RevisionRow,
    add_commits,
    add_events,
    add_revisions,
    add_trailers,
    commit_with,
    commits_in,
    count_events,
    drop_events,
    hidden_behind,
    hide,
    is_on_chain,
    last_commit,
    newest_events,
    parents_of,
    place_of,
    revised_in,
    truncate,
)
from wbmem_git.store.versions import versions

if TYPE_CHECKING:
    import sqlite3


def oid(seq: int) -> str:
    return f"{seq:040x}"


@pytest.fixture
def db() -> sqlite3.Connection:
    """1 ← 2 ← 4 (a merge of 3) ← 5; what 3 did to `side` is hidden by 4."""
    made = sidecar.memory()
    parents = {1: "", 2: "1", 3: "1", 4: "2 3", 5: "4"}
    add_commits(
        made,
        [
            CommitRow(seq, oid(seq), above, int(seq != 3), seq, "Ada", "human", f"c{seq}")
            for seq, above in parents.items()
        ],
    )
    add_revisions(made, [RevisionRow("card", seq, "edited", "PLAN.md", oid(seq)) for seq in (1, 2, 5)])
    add_revisions(made, [RevisionRow("side", 3, "created", "PLAN.md", oid(3), "", 4)])
    add_events(
        made, [(seq, [Event("written", "PLAN.md"), Event("criteria.passed", "PLAN.md")]) for seq in parents]
    )
    return made


def test_where_commits_stand(db: sqlite3.Connection) -> None:
    assert (last_commit(db), last_commit(sidecar.memory())) == (oid(5), "")
    assert [is_on_chain(db, seq) for seq in (2, 3, 4)] == [True, False, True]
    assert [place_of(db, oid(seq)) for seq in (2, 3, 9)] == [2, 3, 0]
    assert [parents_of(db, seq) for seq in (1, 4)] == [(), (2, 3)]
    assert commits_in(db, 4, 5) == {oid(4): (oid(2), oid(3)), oid(5): (oid(4),)}
    assert list(revised_in(db, (3, 5))) == [("side", 3), ("card", 5)]


def test_what_is_hidden_comes_back_when_its_merge_is_forgotten(db: sqlite3.Connection) -> None:
    assert list(versions(db, "side")) == []
    truncate(db, 3)
    assert [version.commit for version in versions(db, "side")] == [oid(3)]
    assert [version.seq for version in versions(db, "card")] == [2, 1]
    assert last_commit(db) == oid(3)
    assert count_events(db) == 6


def test_what_is_hidden_stays_so_where_its_merge_stays(db: sqlite3.Connection) -> None:
    truncate(db, 4)
    assert hidden_behind(db, 0) == [("side", 3, 4)]
    hide(db, [(0, "side", 3)])
    assert hidden_behind(db, 0) == []


def test_nothing_is_forgotten_behind_the_last_commit(db: sqlite3.Connection) -> None:
    before = list(db.iterdump())
    truncate(db, 5)
    assert list(db.iterdump()) == before


def test_a_commit_keeps_all_of_its_events_or_none(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(revisions, "MOST_EVENTS", 3)
    assert drop_events(db, 1) == 4
    assert count_events(db) == 4
    assert [(event.commit, event.event) for event in newest_events(db)] == [
        (oid(4), "criteria.passed"),
        (oid(5), "written"),
        (oid(5), "criteria.passed"),
    ]
    assert drop_events(db, 5) == 5
    assert count_events(db) == 2


def test_a_rename_leads_on(db: sqlite3.Connection) -> None:
    add_revisions(db, [RevisionRow("other", 4, "renamed", "PLAN.md", oid(4), "card")])
    assert [(version.id, version.seq) for version in versions(db, "other")] == [
        ("other", 4),
        ("card", 2),
        ("card", 1),
    ]


def test_a_trailer_leads_to_the_first_commit_that_has_it(db: sqlite3.Connection) -> None:
    add_trailers(
        db, [("wbmem-key", "k", 5), ("wbmem-key", "k", 2), ("wbmem-actor", "k", 1), ("wbmem-key", "l", 5)]
    )
    assert [commit_with(db, "wbmem-key", value) for value in ("k", "l", "m")] == [oid(2), oid(5), ""]
    truncate(db, 4)
    assert [commit_with(db, "wbmem-key", value) for value in ("k", "l")] == [oid(2), ""]
