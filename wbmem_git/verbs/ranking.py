"""Which entries, and which pages, answer a question best: from what has its terms to an order.

An entry's score is BM25's; on it lean its neighbours on the page (what was written before and after speaks of
the same), and what its page as a whole answers. All figures were chosen on two of ten public conversations
(benchmarks/locomo.py). Equal scores are in the order of pages and places, so no row number shows.
"""

from __future__ import annotations

from collections import defaultdict
from heapq import nlargest
from math import log
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store import words

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Container, Iterable, Sequence

    from wbmem_git.store.words import Candidate, Match, TermMatch, WordPage

MOST_POSTINGS = 8_000
NEIGHBOURS = (0.35, 0.20, 0.10)
"""What an entry has of the scores at distance 1, 2 and 3 on its page."""
PAGE_SHARE = 0.5
"""What the best page adds, measured by the best entry's score."""
ASKED_HEAD = 1.2
"""The factor where all of an entry's short title was asked for: a person, a component, a decision."""
PAGE_K1, PAGE_B = 1.2, 0.75
BEST_ENTRY = 0.35
"""What a page's best entry counts where pages are ranked, the page's own score the rest."""
RUNNING = frozenset({"leaf", "log"})
"""What is written one after the other; cards and long-term entries stand each for itself."""
FIRST = ("board", "card", "ledger", "section", "leaf", "archive")
"""At equal scores these come first."""


class Ranked(NamedTuple):
    """An entry in its place of the order."""

    candidate: Candidate
    path: str
    score: float
    beside: bool
    """It has none of the terms and stands beside one that has."""


class RankedPage(NamedTuple):
    """A page in its place of the order, and the number of its best entry."""

    path: str
    score: float
    best: int


class Pool(NamedTuple):
    """The entries that are ranked: the best by their own terms.

    Attributes:
        scores: By number: the terms that match, all of them.
        members: The entries.
        pages: Theirs.
        match: What was asked.
    """

    scores: dict[int, float]
    members: tuple[Candidate, ...]
    pages: dict[int, WordPage]
    match: Match


def rank(
    db: sqlite3.Connection,
    terms: Sequence[str],
    pool: int,
    first: int,
    admits: Callable[[list[Candidate]], list[Candidate]],
) -> list[Ranked]:
    """The entries that answer best.

    Args:
        db: The sidecar.
        terms: The question's, each once.
        pool: How many entries are compared with each other.
        first: Beside how many of them there may be others that have none of the terms.
        admits: Of these entries those that may be found.
    """
    pooled = _pool(db, terms, pool, admits)
    of_pages = _page_scores(pooled)
    best_page = max(of_pages.values(), default=0.0) or 1.0
    lent = PAGE_SHARE * max(pooled.scores.values(), default=0.0) / best_page
    at = {(one.page, one.place): pooled.scores[one.number] for one in pooled.members if one.kind in RUNNING}

    def ranked(some: Iterable[Candidate]) -> list[Ranked]:
        found = []
        for one in some:
            score = pooled.scores.get(one.number, 0.0) + lent * of_pages[one.page]
            if one.kind in RUNNING:
                score += _neighbours(at, one.page, one.place)
            found.append(Ranked(one, pooled.pages[one.page].path, score, one.number not in pooled.scores))
        return sorted(found, key=_order)

    found = ranked(pooled.members)
    beside = _beside(db, found[:first], pooled.scores, admits)
    return sorted([*found, *ranked(beside)], key=_order) if beside else found


def _beside(
    db: sqlite3.Connection,
    first: Iterable[Ranked],
    known: Container[int],
    admits: Callable[[list[Candidate]], list[Candidate]],
) -> list[Candidate]:
    """What stands close to the first entries of running text and has none of the terms."""
    near = [one.candidate.number for one in first if one.candidate.kind in RUNNING]
    found = words.around(db, near, len(NEIGHBOURS)) if near else []
    return admits([one for one in found if one.kind in RUNNING and one.number not in known])


def rank_pages(
    db: sqlite3.Connection,
    terms: Sequence[str],
    pool: int,
    admits: Callable[[list[Candidate]], list[Candidate]],
) -> list[RankedPage]:
    """The pages that answer best: each by what its entries hold together, and by the best one of them."""
    pooled = _pool(db, terms, pool, admits)
    of_pages = _page_scores(pooled)
    best_page = max(of_pages.values(), default=0.0) or 1.0
    best: dict[int, tuple[float, int, int]] = {}
    for one in pooled.members:
        mine = (pooled.scores[one.number], -one.place, one.number)
        best[one.page] = max(best.get(one.page, mine), mine)
    top = max((score for score, _, _ in best.values()), default=0.0) or 1.0
    found = [
        RankedPage(
            pooled.pages[page].path,
            (1 - BEST_ENTRY) * of_pages[page] / best_page + BEST_ENTRY * score / top,
            number,
        )
        for page, (score, _, number) in best.items()
    ]
    return sorted(found, key=lambda page: (-page.score, page.path))


def _order(ranked: Ranked) -> tuple[float, bool, str, int]:
    candidate = ranked.candidate
    return (-ranked.score, candidate.kind not in FIRST, ranked.path, candidate.place)


def _neighbours(at: dict[tuple[int, int], float], page: int, place: int) -> float:
    lent = 0.0
    for distance, share in enumerate(NEIGHBOURS, 1):
        lent += share * (at.get((page, place - distance), 0.0) + at.get((page, place + distance), 0.0))
    return lent


# --- the pool -----------------------------------------------------------------------------------------------


def _pool(
    db: sqlite3.Connection,
    terms: Sequence[str],
    size: int,
    admits: Callable[[list[Candidate]], list[Candidate]],
) -> Pool:
    match = words.match(db, terms, MOST_POSTINGS)
    members: list[Candidate] = []
    left = match.scores
    while left and len(members) < size:
        wanted = _best(left, size)
        members += admits(words.candidates(db, wanted))
        if len(wanted) == len(left):
            break
        left = {number: score for number, score in left.items() if number not in wanted}
    pages = words.pages(db, {one.page for one in members})
    if len(members) > size:
        members.sort(key=lambda one: (-match.scores[one.number], pages[one.page].path, one.place))
        del members[size:]
    asked = {found.term for found in match.terms}
    scores = {one.number: _whole_score(match, one, asked) for one in members}
    return Pool(scores, tuple(members), pages, match)


def _best(scores: dict[int, float], size: int) -> set[int]:
    """The numbers of the best `size`, and of all that are as good as the last of these."""
    if len(scores) <= size:
        return set(scores)
    least = nlargest(size, scores.values())[-1]
    return {number for number, score in scores.items() if score >= least}


def _whole_score(match: Match, one: Candidate, asked: set[str]) -> float:
    score = match.scores[one.number]
    if match.late:
        parts = words.shares(match.mean_length)
        for found in match.late:
            weight = found.weight(one.number)
            if weight >= 0:
                score += found.rarity * parts[weight]
    return score * ASKED_HEAD if one.head and asked.issuperset(one.head.split(" ")) else score


def _page_scores(pool: Pool) -> dict[int, float]:
    """BM25 of each page, as if its entries in the pool were all it has of these terms."""
    totals = pool.match.totals
    mean = max(1.0, totals.length / max(1, totals.pages))
    held = {
        number: PAGE_K1 * (1 - PAGE_B + PAGE_B * page.length / mean) for number, page in pool.pages.items()
    }
    scores = dict.fromkeys(pool.pages, 0.0)
    for found in pool.match.terms:
        counts = _counts(found, pool.members)
        rarity = log(1 + (totals.pages - len(counts) + 0.5) / (len(counts) + 0.5))
        for page, count in counts.items():
            scores[page] += rarity * count * (PAGE_K1 + 1) / (count + held[page])
    return scores


def _counts(found: TermMatch, members: Iterable[Candidate]) -> dict[int, int]:
    """How often a term stands on each page."""
    counts: dict[int, int] = defaultdict(int)
    for one in members:
        weight = found.weight(one.number)
        if weight >= 0:
            counts[one.page] += words.frequency_in(weight)
    return counts
