"""Which entries, and which pages, answer a question best: from what has its terms to an order.

An entry's score is BM25's; on it lean its neighbours on the page (what was written before and after speaks of
the same), and what its page as a whole answers. All figures were chosen on two of ten public conversations
(benchmarks/locomo.py). Equal scores are in the order of pages and places, so no row number shows.
"""

from __future__ import annotations

from heapq import nlargest
from math import log
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store import matches

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator, Sequence

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.matches import Candidate, Match, WordPage
    from wbmem_git.verbs.filters import Filters

MOST_POSTINGS = 4_000
"""The rarest terms choose the pool, until so many occurrences are looked through; all of them rank it."""
MOST_POSTINGS_OF_PAGES = 40_000
MOST_FEW = 4_096
"""Of so many entries that a filter keeps, each is scored by itself, whatever has the terms besides."""
ROUND_GROWS = 4
"""Of entries that may turn out not to be asked for, so many times more are looked at in each round."""
NEIGHBOURS = (0.35, 0.20, 0.10)
"""What an entry has of the scores at distance 1, 2 and 3 on its page."""
_DISTANCES = [(sign * far, share) for far, share in enumerate(NEIGHBOURS, 1) for sign in (-1, 1)]
PAGE_SHARE = 0.5
"""What the best page adds, measured by the best entry's score."""
ASKED_HEAD = 1.2
"""The factor where all of an entry's short title was asked for: a person, a component, a decision."""
PAGE_K1, PAGE_B = 0.8, 0.9
BEST_ENTRY = 0.35
"""What a page's best entry counts where pages are ranked, the page's own score the rest."""
RUNNING = frozenset({"leaf", "log"})
"""What is written one after the other; cards and long-term entries stand each for itself."""
TALK = "log"
"""Where an answer may stand beside the words that were asked for, as in talk."""
FIRST = ("board", "card", "ledger", "section", "leaf", "archive")
"""At equal scores these come first."""


class Ranked(NamedTuple):
    """An entry in its place of the order."""

    candidate: Candidate
    path: str
    score: float
    beside: bool
    """It has none of the terms and stands beside one that has."""


_Place = tuple[float, bool, str, int, "Candidate"]
"""Less the score, whether others go first at an equal one, path, place; and the entry."""


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
    db: Connection,
    terms: Sequence[str],
    pool: int,
    first: int,
    filters: Filters,
) -> Iterator[Ranked]:
    """The entries that answer best, the best first.

    Args:
        db: The sidecar.
        terms: The question's, each once.
        pool: How many entries are compared with each other.
        first: Beside how many of them there may be others that have none of the terms.
        filters: Which entries may be found.
    """
    pooled = _pool(db, terms, pool, MOST_POSTINGS, filters)
    lent = _lent_by_pages(pooled)
    found = sorted(_ordered(pooled, lent, pooled.members))
    near = [one.number for *_, one in found[:first] if one.says.kind == TALK]
    beside = _beside(db, near, pooled.scores.keys(), filters)
    if beside:
        found = sorted([*found, *_ordered(pooled, lent, beside)])
    for less, _, path, _, one in found:
        yield Ranked(one, path, -less, one.number not in pooled.scores)


def _ordered(pooled: Pool, lent: dict[int, float], some: Iterable[Candidate]) -> Iterator[_Place]:
    """What tells where in the order each of these entries is."""
    scores, pages = pooled.scores, pooled.pages
    at = {_spot(one): scores[one.number] for one in pooled.members if one.says.kind in RUNNING}
    for one in some:
        score = scores.get(one.number, 0.0) + lent[one.page]
        if one.says.kind in RUNNING:
            spot = _spot(one)
            for distance, share in _DISTANCES:
                if spot + distance in at:
                    score += share * at[spot + distance]
        yield -score, one.says.kind not in FIRST, pages[one.page].path, one.place, one


def _lent_by_pages(pooled: Pool) -> dict[int, float]:
    of_pages = _page_scores(pooled)
    best_page = max(of_pages.values(), default=0.0) or 1.0
    share = PAGE_SHARE * max(pooled.scores.values(), default=0.0) / best_page
    return {page: share * score for page, score in of_pages.items()}


def _beside(
    db: Connection,
    near: Sequence[int],
    known: Container[int],
    filters: Filters,
) -> list[Candidate]:
    """What stands close to the first entries of a log and has none of the terms."""
    found = matches.around(db, near, len(NEIGHBOURS)) if near else []
    return filters.admitted([one for one in found if one.says.kind == TALK and one.number not in known])


def rank_pages(
    db: Connection,
    terms: Sequence[str],
    pool: int,
    filters: Filters,
) -> list[Ranked]:
    """The best entry of each page; the pages by what their entries hold together, and by that best one."""
    pooled = _pool(db, terms, pool, MOST_POSTINGS_OF_PAGES, filters)
    of_pages = _page_scores(pooled)
    best_page = max(of_pages.values(), default=0.0) or 1.0
    best: dict[int, Candidate] = {}
    for one in pooled.members:
        known = best.get(one.page, one)
        best[one.page] = min(known, one, key=lambda it: (-pooled.scores[it.number], it.place))
    top = max((pooled.scores[one.number] for one in best.values()), default=0.0) or 1.0
    found = [
        Ranked(
            one,
            pooled.pages[page].path,
            (1 - BEST_ENTRY) * of_pages[page] / best_page + BEST_ENTRY * pooled.scores[one.number] / top,
            beside=False,
        )
        for page, one in best.items()
    ]
    return sorted(found, key=lambda one: (-one.score, one.path))


def _spot(one: Candidate) -> int:
    """Page and place in one number: neighbours are one apart, pages far from each other."""
    return one.page << 32 | one.place + len(NEIGHBOURS)


# --- the pool -----------------------------------------------------------------------------------------------


def _pool(
    db: Connection,
    terms: Sequence[str],
    size: int,
    most_postings: int,
    filters: Filters,
) -> Pool:
    match = matches.match(db, terms, size, most_postings)
    members, seen_all = _members(db, match.scores, size, filters, rounds=1)
    if len(members) < size and not (seen_all and not match.late):
        few = filters.few(MOST_FEW)
        left = match.scores if few is None else {n: match.scores[n] for n in match.scores.keys() & few}
        members, _ = _members(db, left, size, filters)
        if match.late and len(members) < size:  # what may be found has none of the rare terms
            if few is None:
                return _pool(db, terms, size, match.totals.length, filters)
            match = matches.among(match, few)
            members, _ = _members(db, match.scores, size, filters)
    pages = matches.pages(db, {one.page for one in members})
    if len(members) > size:
        members.sort(key=lambda one: (-match.scores[one.number], pages[one.page].path, one.place))
        del members[size:]
    return Pool(_whole_scores(match, members), tuple(members), pages, match)


def _members(
    db: Connection, scores: dict[int, float], size: int, filters: Filters, rounds: int = -1
) -> tuple[list[Candidate], bool]:
    """At least `size` of the best that may be found, if there are so many; whether all were looked at."""
    members: list[Candidate] = []
    left, some, looked_at = scores, size, 0
    while left and rounds:
        wanted = _best(left, some)
        asked = filters.wanted if looked_at else None  # of the first all, to know what is left out
        members += filters.admitted(matches.candidates(db, wanted, asked))
        if len(wanted) == len(left):
            return members, True
        if len(members) >= size:
            break
        looked_at, rounds = looked_at + len(wanted), rounds - 1
        left = {number: score for number, score in left.items() if number not in wanted}
        some = max(ROUND_GROWS * some, size * looked_at // max(1, len(members)))
    return members, not left


def _best(scores: dict[int, float], size: int) -> set[int]:
    """The numbers of the best `size`, and of all that are as good as the last of these."""
    if len(scores) <= size:
        return set(scores)
    values = scores.values()
    least = nlargest(size, values)[-1] if len(values) > 8 * size else sorted(values)[-size]
    return {number for number, score in scores.items() if score >= least}


def _whole_scores(match: Match, members: Iterable[Candidate]) -> dict[int, float]:
    """Their scores with the terms that are too frequent to be looked through, and the factor of a head."""
    scores = {one.number: match.scores[one.number] for one in members}
    parts = matches.shares(match.mean_length)
    for found in match.late:
        for number, weight in found.among(scores.keys()).items():
            scores[number] += found.rarity * parts[weight]
    asked = {found.term for found in match.terms}
    for one in members:
        if one.says.head and asked.issuperset(one.says.head.split(" ")):
            scores[one.number] *= ASKED_HEAD
    return scores


def _page_scores(pool: Pool) -> dict[int, float]:
    """BM25 of each page, as if its entries in the pool were all it has of these terms."""
    totals = pool.match.totals
    mean = max(1.0, totals.length / max(1, totals.pages))
    held = {
        number: PAGE_K1 * (1 - PAGE_B + PAGE_B * page.length / mean) for number, page in pool.pages.items()
    }
    scores = dict.fromkeys(pool.pages, 0.0)
    page_of = {one.number: one.page for one in pool.members}
    for found in pool.match.terms:
        counts: dict[int, int] = {}
        for number, weight in found.among(page_of.keys()).items():
            page = page_of[number]
            counts[page] = counts.get(page, 0) + matches.frequency_in(weight)
        rarity = log(1 + (totals.pages - len(counts) + 0.5) / (len(counts) + 0.5))
        for page, count in counts.items():
            scores[page] += rarity * count * (PAGE_K1 + 1) / (count + held[page])
    return scores
