"""What has a question's terms: postings added up to scores, and what else a rank depends on."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from functools import lru_cache
from math import log
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.store.kept_words import may_be_kept
from wbmem_git.store.words import FREQUENCIES, LENGTHS, RUN_BITS, STEPS, Totals, totals
from wbmem_git.text.folding import LAST_CHARACTER
from wbmem_git.text.terms import is_single

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from collections.abc import Set as AbstractSet

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.kept_words import Wanted
    from wbmem_git.text.content import ContentKind

K1, B = 0.9, 0.3
"""BM25's: how soon a further occurrence says nothing new, and how much a long entry is held back."""
MOST_TERMS = 48
"""The rarest of a question's terms; what a page-long question has beyond them hardly tells entries apart."""
FEW = 8
"""Up to so many postings for each entry that is looked for are gone through, more are searched."""
_FAR = 64
"""An entry and how far something is from it are one number: a pair of them takes longer to read."""
FREQUENCY_IN = tuple(count for count in FREQUENCIES for _ in range(LENGTHS))
"""By a posting's byte: about how often the term stands in the entry."""
_SAYS = ("kind", "status", "valid_from", "expiry", "date", "head")
_CANDIDATE = f"words.number, words.page, words.place, {', '.join(f'words.{name}' for name in _SAYS)}"


class TermMatch:
    """A term of the question, and which entries have it.

    Attributes:
        term: It. rarity: Its weight among entries (BM25's idf).
    """

    __slots__ = ("_numbers", "_weights", "rarity", "term")

    def __init__(self, term: str, rarity: float, numbers: array[int], weights: bytes) -> None:
        self.term, self.rarity = term, rarity
        self._numbers, self._weights = numbers, weights

    def among(self, wanted: AbstractSet[int]) -> dict[int, int]:
        """Which of these entries have it, each with its byte; in no order."""
        numbers = self._numbers
        if len(numbers) <= FEW * len(wanted):
            return {
                number: weight
                for number, weight in zip(numbers, self._weights, strict=True)
                if number in wanted
            }
        found = {}
        for number in wanted:
            place = bisect_left(numbers, number)
            if place < len(numbers) and numbers[place] == number:
                found[number] = self._weights[place]
        return found


class Match(NamedTuple):
    """What has a question's terms.

    Attributes:
        scores: Of entries by number: BM25 over the terms that were rare enough to be looked through.
        terms: Every term that stands anywhere, the rarest first.
        late: Those of them whose part is missing in `scores`.
        totals: How much there is.
    """

    scores: dict[int, float]
    terms: tuple[TermMatch, ...]
    late: tuple[TermMatch, ...]
    totals: Totals

    @property
    def mean_length(self) -> float:
        """Terms of an entry, on average."""
        return max(1.0, self.totals.length / max(1, self.totals.entries))


class Says(NamedTuple):
    """What an entry says that its rank depends on; `head` as in `text.indexed`."""

    kind: str
    status: str
    valid_from: str
    expiry: str
    date: str
    head: str


class Candidate(NamedTuple):
    """What an entry's rank depends on, beside its terms; entries that say the same share `says`."""

    number: int
    page: int
    place: int
    says: Says


class WordText(NamedTuple):
    """What is shown of an entry; `own` as `text.content` has it, `suspect` where it may hold a credential."""

    id: str
    kind: ContentKind
    line: int
    title: str
    text: str
    own: str | None
    suspect: int
    layer: str


class WordPage(NamedTuple):
    """A page as full text knows it: how many terms its entries have together."""

    path: str
    length: int


@lru_cache(maxsize=8)
def shares(mean_length: float) -> tuple[float, ...]:
    """BM25's part of each byte, to be multiplied by the term's rarity."""
    return tuple(
        count * (K1 + 1) / (count + K1 * (1 - B + B * (2 ** (step / STEPS) - 1) / mean_length))
        for count in FREQUENCIES
        for step in range(LENGTHS)
    )


def match(db: Connection, asked: Sequence[str], least: int, most_postings: int) -> Match:
    """What has these terms.

    Args:
        db: The sidecar.
        asked: Terms, each once.
        least: The rarest terms are looked through at least until so many entries have one of them,
        most_postings: and until there are more occurrences than these; what the frequent ones add,
            `Match.late` says for entries that are worth it.
    """
    all_of = totals(db)
    scores: dict[int, float] = {}
    base = shares(Match(scores, (), (), all_of).mean_length)
    before = scores.get
    terms: list[TermMatch] = []
    late: list[TermMatch] = []
    spent = 0
    for count, term, numbers, weights in _lists(db, asked):
        rarity = log(1 + (all_of.entries - count + 0.5) / (count + 0.5))
        spent += count
        found = TermMatch(term, rarity, numbers, weights)
        terms.append(found)
        if spent > most_postings and len(scores) >= least:
            late.append(found)
            continue
        for number, weight in zip(numbers, weights, strict=True):
            scores[number] = before(number, 0.0) + rarity * base[weight]
    return Match(scores, tuple(terms), tuple(late), all_of)


def among(matched: Match, numbers: Iterable[int]) -> Match:
    """The same of these entries alone, with all terms, however frequent."""
    wanted = set(numbers)
    parts = shares(matched.mean_length)
    known = matched.scores
    scores = {number: known[number] for number in known.keys() & wanted}
    for found in matched.late:
        for number, weight in found.among(wanted).items():
            scores[number] = scores.get(number, 0.0) + found.rarity * parts[weight]
    return matched._replace(scores=scores, late=())


def _lists(db: Connection, asked: Sequence[str]) -> list[tuple[int, str, array[int], bytes]]:
    """How many entries have a term, it, which ones, and their bytes; the rarest term first."""
    runs = _runs(db)
    if asked and all(is_single(term) for term in asked):
        found = [(term, *_beginning_with(db, runs, term)) for term in asked]
    else:
        found = list(_postings(db, runs, asked))
    lists = [(len(numbers), term, numbers, weights) for term, numbers, weights in found if numbers]
    return sorted(lists, key=lambda one: one[:2])[:MOST_TERMS]


def _runs(db: Connection) -> range:
    last = db.execute("SELECT max(number) FROM words").fetchone()[0]
    return range(0 if last is None else (last >> RUN_BITS) + 1)


def _postings(db: Connection, runs: range, asked: Sequence[str]) -> Iterator[tuple[str, array[int], bytes]]:
    """The terms that stand anywhere, in no order: one question for all costs less than one for each."""
    rows = db.execute(
        "SELECT asked.key, run, numbers, weights FROM json_each(?) AS asked CROSS JOIN json_each(?) AS runs"
        " CROSS JOIN postings ON run = runs.value AND term = asked.value",
        (json.dumps(asked), json.dumps(list(runs))),
    )
    found: dict[int, list[tuple[int, bytes, bytes]]] = {}
    for key, run, numbers, weights in rows:
        found.setdefault(key, []).append((run, numbers, weights))
    for key, some in found.items():
        some.sort(key=itemgetter(0))
        yield asked[key], array("I", b"".join(row[1] for row in some)), b"".join(row[2] for row in some)


def _beginning_with(db: Connection, runs: range, character: str) -> tuple[array[int], bytes]:
    """What has a term that begins with this character; of several in one entry the most frequent."""
    best: dict[int, int] = {}
    for run in runs:
        for have, weights in db.execute(
            "SELECT numbers, weights FROM postings WHERE run = ? AND term >= ? AND term < ?",
            (run, character, character + LAST_CHARACTER),
        ):
            for number, weight in zip(array("I", have), weights, strict=True):
                best[number] = max(weight, best.get(number, 0))
    ordered = sorted(best)
    return array("I", ordered), bytes(best[number] for number in ordered)


@lru_cache(maxsize=8192)
def _says(said: tuple[str, ...]) -> Says:
    return Says(*said)


def candidates(db: Connection, numbers: Iterable[int], wanted: Wanted | None = None) -> list[Candidate]:
    """What the rank of these entries depends on, in no order.

    Args:
        db: The sidecar.
        numbers: The entries.
        wanted: A filter: what it doesn't keep is left out, but for days that only a commit tells.
    """
    where, values = may_be_kept(wanted) if wanted is not None else ("1", [])
    rows = db.execute(
        f"SELECT {_CANDIDATE} FROM json_each(?) AS one CROSS JOIN words ON words.number = one.value"  # noqa: S608
        f" WHERE {where}",
        (json.dumps(list(numbers)), *values),
    )
    return _candidates(rows)


def at(db: Connection, spots: Iterable[tuple[int, int]]) -> list[Candidate]:
    """What stands on the page of an entry so far behind it (less than 0: before it), in no order."""
    rows = db.execute(
        f"SELECT {_CANDIDATE} FROM json_each(?) AS spot"  # noqa: S608
        f" JOIN entries AS one ON one.number = spot.value / {_FAR}"
        " JOIN entries ON entries.page = one.page"
        f" AND entries.place = one.place + spot.value % {_FAR} - {_FAR // 2}"
        " JOIN words ON words.number = entries.number",
        (json.dumps([number * _FAR + far + _FAR // 2 for number, far in spots]),),
    )
    return _candidates(rows)


def _candidates(rows: Iterable[tuple[Any, ...]]) -> list[Candidate]:
    return [Candidate(row[0], row[1], row[2], _says(row[3:])) for row in rows]


def pages(db: Connection, numbers: Iterable[int]) -> dict[int, WordPage]:
    """These pages as full text knows them."""
    rows = db.execute(
        "SELECT number, word_pages.path, length FROM json_each(?) AS wanted"
        " JOIN word_pages ON word_pages.number = wanted.value",
        (json.dumps(list(numbers)),),
    )
    return {number: WordPage(path, length) for number, path, length in rows}


def texts(db: Connection, numbers: Iterable[int]) -> dict[int, WordText]:
    """What is shown of these entries."""
    rows = db.execute(
        "SELECT entries.number, entries.id, entries.kind, line, title, text, own, suspect, layer"
        " FROM json_each(?) AS wanted JOIN entries ON entries.number = wanted.value"
        " JOIN pages ON pages.number = entries.page",
        (json.dumps(list(numbers)),),
    )
    return {row[0]: WordText(*row[1:]) for row in rows}
