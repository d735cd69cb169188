"""Which entries, and which pages, answer a question best: from what has its terms to an order.

An entry's score is BM25's, and it leans on its neighbours on the page (what was written before and after
speaks of the same; for a word that it has itself it needs none), and on what its page as a whole answers.
All figures were chosen on two of ten public conversations (benchmarks/locomo.py). Equal scores are in the
order of pages and places, so no row number shows.
"""

from __future__ import annotations

from heapq import nlargest
from math import log
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store import matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.matches import Candidate, Match, WordPage
    from wbmem_git.verbs.ask.filters import Filters

MOST_POSTINGS = 4_000
"""The rarest terms choose the pool, until so many occurrences are looked through; all of them rank it."""
MOST_POSTINGS_OF_PAGES = 40_000
MOST_FEW = 4_096
"""Of so many entries that a filter keeps, each is scored by itself, whatever has the terms besides."""
POSTINGS_GROW = 8
"""So many times more, where too little of what has the rare terms may be found."""
HARDLY_ANY = 32
"""Where not one of so many may be found, a filter is asked what it keeps before more are looked at."""
ENOUGH = 1.5
"""How many times more are looked at than it takes if these are as the best ones were."""
ROUND_GROWS = 4
"""Of entries that may turn out not to be asked for, so many times more are looked at in each round."""
NEIGHBOURS = (0.35, 0.20, 0.10)
"""What an entry has of the scores at distance 1, 2 and 3 on its page."""
_NEAR = [sign * far for far in range(1, len(NEIGHBOURS) + 1) for sign in (-1, 1)]
_SHARES = {0: 1.0} | {far: NEIGHBOURS[abs(far) - 1] for far in _NEAR}
REPEATED = 0.2
"""Of a word that stands in several of them the best counts whole, the others so much."""
PAGE_SHARE = 0.6
"""What the best page adds, measured by the best entry's own score."""
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
        held: For each term its rarity, and which members have it, each with its byte.
        match: What was asked.
    """

    scores: dict[int, float]
    members: tuple[Candidate, ...]
    pages: dict[int, WordPage]
    held: tuple[tuple[float, dict[int, int]], ...]
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
        first: Beside how many of them there may be others that have none of the terms, and before whose last
            such a one has to come.
        filters: Which entries may be found.
    """
    pooled = _pool(db, terms, pool, MOST_POSTINGS, filters)
    around = _Surroundings(pooled)
    found = sorted(around.ordered(pooled.members))
    near = [one for *_, one in found[:first] if one.says.kind == TALK]
    spots = around.free(near, -found[first - 1][0] if len(found) >= first else 0.0) if near else []
    if spots:
        beside = [one for one in matches.at(db, spots) if one.says.kind == TALK]
        found = sorted([*found, *around.ordered(filters.admitted(beside))])
    for less, _, path, _, one in found:
        yield Ranked(one, path, -less, one.number not in pooled.scores)


class _Surroundings:
    """What entries have of what stands around them, word by word, and of their pages."""

    def __init__(self, pooled: Pool) -> None:
        self._pooled = pooled
        self._asked = {found.term for found in pooled.match.terms}
        self._parts = matches.shares(pooled.match.mean_length)
        self._words: dict[int, dict[int, float]] = {}
        self._stretches = _stretches(one for one in pooled.members if one.says.kind in RUNNING)
        of_pages = _page_scores(pooled)
        best = max(of_pages.values(), default=0.0) or 1.0
        share = PAGE_SHARE * max(pooled.scores.values(), default=0.0) / best
        self._lent = {page: share * score for page, score in of_pages.items()}

    def ordered(self, some: Iterable[Candidate]) -> Iterator[_Place]:
        """What tells where in the order each of these is; they are of the pool, or stand in its gaps."""
        pooled, stretches = self._pooled, self._stretches
        for one in some:
            number, page, place, says = one
            if says.kind in RUNNING:
                spot = _spot(one)
                stretch = stretches[spot]
                score = pooled.scores[number] if stretch == [(spot, number)] else self._around(spot, stretch)
            else:
                score = pooled.scores[number]
            score += self._lent[page]
            if says.head:
                score *= _factor(says.head, self._asked)
            yield -score, says.kind not in FIRST, pooled.pages[page].path, place, one

    def free(self, some: Iterable[Candidate], least: float) -> list[tuple[int, int]]:
        """Where others have such a score that stand next to these: next to which of them, how far off."""
        stretches = self._stretches
        spots = []
        for one in some:
            spot, lent = _spot(one), self._lent[one.page]
            stretch = stretches[spot]
            if len(stretch) == 1 and NEIGHBOURS[0] * self._pooled.scores[one.number] + lent < least:
                continue
            for far in _NEAR:
                there = spot + far
                if there not in stretches:
                    stretches[there] = stretch
                    if self._around(there, stretch) + lent >= least:
                        spots.append((one.number, far))
        return spots

    def _around(self, spot: int, stretch: Sequence[tuple[int, int]]) -> float:
        """The score of what stands there, which may have none of the terms, with that of its neighbours."""
        near = [(_SHARES[there - spot], number) for there, number in stretch if there - spot in _SHARES]
        if len(near) == 1:
            ((share, number),) = near
            return share * self._pooled.scores[number]
        all_of, best = 0.0, dict[int, float]()
        for share, number in near:
            for term, score in self._of(number):
                part = share * score
                all_of += part
                if part > best.get(term, 0.0):
                    best[term] = part
        return REPEATED * all_of + (1 - REPEATED) * sum(best.values())

    def _of(self, number: int) -> Iterable[tuple[int, float]]:
        """The part of each of the terms that the entry has."""
        if number not in self._words:
            self._words[number] = {
                term: rarity * self._parts[have[number]]
                for term, (rarity, have) in enumerate(self._pooled.held)
                if number in have
            }
        return self._words[number].items()


def _stretches(some: Iterable[Candidate]) -> dict[int, list[tuple[int, int]]]:
    """For each entry, by its spot, itself and those that may share a neighbour with it: spots, numbers."""
    found: dict[int, list[tuple[int, int]]] = {}
    stretch: list[tuple[int, int]] = []
    last = 0
    for spot, number in sorted((_spot(one), one.number) for one in some):
        if spot - last > 2 * len(NEIGHBOURS):
            stretch = []
        stretch.append((spot, number))
        found[spot] = stretch
        last = spot
    return found


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
    asked = {found.term for found in pooled.match.terms}
    own = {one.number: pooled.scores[one.number] * _factor(one.says.head, asked) for one in pooled.members}
    best: dict[int, Candidate] = {}
    for one in pooled.members:
        known = best.get(one.page, one)
        best[one.page] = min(known, one, key=lambda it: (-own[it.number], it.place))
    top = max(own.values(), default=0.0) or 1.0
    found = [
        Ranked(
            one,
            pooled.pages[page].path,
            (1 - BEST_ENTRY) * of_pages[page] / best_page + BEST_ENTRY * own[one.number] / top,
            beside=False,
        )
        for page, one in best.items()
    ]
    return sorted(found, key=lambda one: (-one.score, one.path))


def _factor(head: str, asked: set[str]) -> float:
    """What an entry's score is multiplied by for its short title."""
    return ASKED_HEAD if head and asked.issuperset(head.split(" ")) else 1.0


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
    best = _best(match.scores, size)
    members = filters.admitted(matches.candidates(db, best))
    if len(members) < size and (match.late or len(best) < len(match.scores)):
        hardly_any = len(members) * HARDLY_ANY < size
        few = filters.few(MOST_FEW) if hardly_any else None
        if few is None:
            likely = int(ENOUGH * size * size / max(1, len(members)))
            members = _members(db, match.scores, size, filters, likely)
        else:
            left = {number: match.scores[number] for number in match.scores.keys() & few}
            members = _members(db, left, size, filters, size)
        if match.late and len(members) < size:  # what may be found has none of the rare terms
            few = few if hardly_any else filters.few(MOST_FEW)
            if few is None:
                return _pool(db, terms, size, POSTINGS_GROW * most_postings, filters)
            match = matches.among(match, few)
            members = _members(db, match.scores, size, filters, size)
    pages = matches.pages(db, {one.page for one in members})
    if len(members) > size:
        members.sort(key=lambda one: (-match.scores[one.number], pages[one.page].path, one.place))
        del members[size:]
    wanted = {one.number for one in members}
    held = tuple((found.rarity, found.among(wanted)) for found in match.terms)
    return Pool(_whole_scores(match, wanted, held), tuple(members), pages, held, match)


def _members(
    db: Connection, scores: dict[int, float], size: int, filters: Filters, some: int
) -> list[Candidate]:
    """At least `size` of the best that may be found, if there are so many; `some` are looked at first."""
    members: list[Candidate] = []
    left, looked_at = scores, 0
    while left and len(members) < size:
        wanted = _best(left, some)
        asked = filters.wanted if some > size else None  # of the first all, to know what is left out
        members += filters.admitted(matches.candidates(db, wanted, asked))
        looked_at += len(wanted)
        left = {number: score for number, score in left.items() if number not in wanted}
        some = max(ROUND_GROWS * some, size * looked_at // max(1, len(members)))
    return members


def _best(scores: dict[int, float], size: int) -> set[int]:
    """The numbers of the best `size`, and of all that are as good as the last of these."""
    if len(scores) <= size:
        return set(scores)
    values = scores.values()
    least = nlargest(size, values)[-1] if len(values) > 32 * size else sorted(values)[-size]
    return {number for number, score in scores.items() if score >= least}


def _whole_scores(
    match: Match, numbers: Iterable[int], held: Sequence[tuple[float, dict[int, int]]]
) -> dict[int, float]:
    """Their scores with the terms that are too frequent to be looked through."""
    scores = {number: match.scores[number] for number in numbers}
    parts = matches.shares(match.mean_length)
    late = {found.term for found in match.late}
    for found, (rarity, have) in zip(match.terms, held, strict=True):
        if found.term in late:
            for number, weight in have.items():
                scores[number] += rarity * parts[weight]
    return scores


def _page_scores(pool: Pool) -> dict[int, float]:
    """BM25 of each page, as if its entries in the pool were all it has of these terms."""
    totals = pool.match.totals
    mean = max(1.0, totals.length / max(1, totals.pages))
    lengths = {
        number: PAGE_K1 * (1 - PAGE_B + PAGE_B * page.length / mean) for number, page in pool.pages.items()
    }
    scores = dict.fromkeys(pool.pages, 0.0)
    page_of = {one.number: one.page for one in pool.members}
    for _, have in pool.held:
        counts: dict[int, int] = {}
        for number, weight in have.items():
            page = page_of[number]
            counts[page] = counts.get(page, 0) + matches.FREQUENCY_IN[weight]
        rarity = log(1 + (totals.pages - len(counts) + 0.5) / (len(counts) + 0.5))
        for page, count in counts.items():
            scores[page] += rarity * count * (PAGE_K1 + 1) / (count + lengths[page])
    return scores
