"""Recall on a workspace as people keep it: boards, ledgers, entries, logs and an archive in two languages.

Pages and questions are our own. Gold is the entry on that page whose text holds those characters.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest
from stored import stored_pages

from wbmem_git.verbs.ask.filters import Query
from wbmem_git.verbs.ask.recall import recall

if TYPE_CHECKING:
    import sqlite3

HERE = Path(__file__).parent
TODAY = "2026-09-15"
AT_FIVE, MRR = 0.95, 0.90
"""Measured: .975 and .923. Missed are a question in other words than the text (锁, 互斥锁 is found by neither
pair) and an English one whose answer is Chinese without a shared word."""


class Question(NamedTuple):
    kind: str
    text: str
    page: str
    holds: str


def questions() -> list[Question]:
    lines = (HERE / "questions.tsv").read_text(encoding="utf-8").splitlines()
    return [Question(*line.split("\t")) for line in lines]


@pytest.fixture(scope="module")
def db() -> sqlite3.Connection:
    return stored_pages(HERE / "pages")


def rank_of(db: sqlite3.Connection, asked: Question) -> int:
    """The place of the gold among the first ten hits, 0 where it isn't."""
    for hit in recall(db, Query(asked.text, TODAY)).hits:
        (text,) = db.execute(
            "SELECT text FROM entries JOIN pages ON pages.number = page WHERE entries.id = ? AND path = ?",
            (hit.id, hit.source),
        ).fetchone()
        if hit.source == asked.page and asked.holds in text:
            return hit.rank
    return 0


def test_there_are_sixty_questions_of_every_kind() -> None:
    kinds = [asked.kind for asked in questions()]
    assert len(kinds) >= 60
    assert set(kinds) == {"zh", "en", "two", "id", "cross", "superseded", "day"}


@pytest.mark.parametrize("asked", questions(), ids=lambda asked: asked.text)
def test_every_gold_stands_in_the_pages(asked: Question) -> None:
    assert asked.holds in (HERE / "pages" / asked.page).read_text(encoding="utf-8")


def test_the_first_hits_are_those_that_answer(db: sqlite3.Connection) -> None:
    ranks = {asked: rank_of(db, asked) for asked in questions()}
    missed = [f"{asked.text} ({rank})" for asked, rank in ranks.items() if not 1 <= rank <= 5]
    at_five = 1 - len(missed) / len(ranks)
    mrr = sum(1 / rank for rank in ranks.values() if rank) / len(ranks)
    assert at_five >= AT_FIVE, missed
    assert mrr >= MRR, (
        mrr,
        [f"{asked.text} ({rank})" for asked, rank in ranks.items() if rank != 1],
    )


def test_what_is_superseded_or_expired_is_not_among_the_hits(db: sqlite3.Connection) -> None:
    for asked in ("production database primary host", "全局限流每分钟", "holiday promotion freeze releases"):
        hits = recall(db, Query(asked, TODAY, k=50)).hits
        assert hits
        assert not {hit.title for hit in hits} & {
            "Old production database host", "旧的限流方案", "Holiday promotion freeze"
        }  # fmt: skip
        assert len(recall(db, Query(asked, TODAY, k=50, status="all")).hits) > len(hits)


def test_pages_are_ranked_as_well(db: sqlite3.Connection) -> None:
    asked = "Celery RabbitMQ polling jobs"
    pages = [hit.source for hit in recall(db, Query(asked, TODAY, by_page=True)).hits]
    assert pages[0] == "handoff-20260912-173000.md"
    assert len(set(pages)) == len(pages) > 1
