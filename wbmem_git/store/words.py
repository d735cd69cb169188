"""Full text: which entries have which terms, and which of them answer a question best.

Postings of our own in SQLite and not FTS5: its `bm25()` asks for the length of each row that matches and its
vocabulary hands over rows one by one, so it is three to six times as slow where scores are added up here, and
lends no score of a single term to neighbours and pages.
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections import Counter, defaultdict
from functools import lru_cache
from math import log, log2
from typing import TYPE_CHECKING, NamedTuple
from zlib import compress, decompress

from wbmem_git.text.indexed import is_log_page, words_of
from wbmem_git.text.terms import is_single

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable, Sequence
    from collections.abc import Set as AbstractSet

    from wbmem_git.text.content import Content, ContentKind

RUN_BITS = 13
FREQUENCIES = (1, 2, 3, 4, 6, 8, 12, 16)
STEPS = 2.5
"""How finely a length is told: so many steps to the double."""
LENGTHS = 32
K1, B = 0.9, 0.3
"""BM25's: how soon a further occurrence says nothing new, and how much a long entry is held back."""
MOST_TERMS = 48
"""The rarest of a question's terms; what a page-long question has beyond them hardly tells entries apart."""
MANY = 512
"""Up to so many postings are kept as a dictionary, more are searched."""
LOG_PAGE = "log page"
"""The kind of a log as a whole; what it holds is of kind `log`."""
LAST_CHARACTER = "\U0010ffff"


_CANDIDATE = "words.number, words.page, entries.place, says"


class Totals(NamedTuple):
    """How much there is: entries and pages with terms, and terms of all entries."""

    entries: int
    pages: int
    length: int


class TermMatch:
    """A term of the question, and which entries have it.

    Attributes:
        term: It. rarity: Its weight among entries (BM25's idf).
    """

    __slots__ = ("_known", "_numbers", "_weights", "rarity", "term")

    def __init__(self, term: str, rarity: float, numbers: array[int], weights: bytes) -> None:
        self.term, self.rarity = term, rarity
        self._numbers, self._weights = numbers, weights
        self._known = dict(zip(numbers, weights, strict=True)) if len(numbers) <= MANY else None

    def among(self, wanted: AbstractSet[int]) -> dict[int, int]:
        """Which of these entries have it, each with its byte; in no order."""
        known = self._known
        if known is not None:
            return {number: known[number] for number in known.keys() & wanted}
        numbers = self._numbers
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
    """What is shown of an entry."""

    id: str
    kind: ContentKind
    line: int
    title: str
    text: str
    layer: str


class WordPage(NamedTuple):
    """A page as full text knows it: how many terms its entries have together."""

    path: str
    length: int


# --- writing ----------------------------------------------------------------------------------------------


def add(db: sqlite3.Connection, rows: Iterable[tuple[int, Content]]) -> None:
    """Index these entries; none of these numbers is indexed yet. `settle` makes them found."""
    known = [(number, content, words_of(content)) for number, content in rows]
    found = [one for one in known if one[2].terms]
    if not found:
        return
    pages = _grow_pages(db, [(content.path, len(words.terms)) for _, content, words in found])
    db.executemany(
        "INSERT INTO words VALUES (?, ?, ?, ?, 0)",
        (
            (number, pages[content.path], _said(content, words.head), len(words.terms))
            for number, content, words in found
        ),
    )
    db.executemany(
        "INSERT INTO word_terms VALUES (?, ?, ?)",
        ((number, *_deflated(words.terms)) for number, _, words in found),
    )


def remove(db: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Take these entries out; a number that isn't indexed doesn't matter."""
    gone: dict[tuple[int, str], set[int]] = defaultdict(set)
    for number in set(numbers):
        row = db.execute(
            "SELECT page, length, settled, terms FROM words JOIN word_terms USING (number) WHERE number = ?",
            (number,),
        ).fetchone()
        if row is None:
            continue
        page, length, settled, terms = row
        for term in _inflated(terms) if settled else ():
            gone[number >> RUN_BITS, term].add(number)
        db.execute("DELETE FROM words WHERE number = ?", (number,))
        db.execute("DELETE FROM word_terms WHERE number = ?", (number,))
        _shrink_page(db, page, length)
    for (run, term), some in gone.items():
        _put(db, run, term, [pair for pair in _pairs(db, run, term) if pair[0] not in some])


def settle(db: sqlite3.Connection) -> None:
    """Put the terms of what was added among the postings; a refresh ends with it."""
    runs = db.execute("SELECT DISTINCT number >> ? FROM words WHERE settled = 0", (RUN_BITS,)).fetchall()
    if runs:
        db.execute("SAVEPOINT settling")
        for (run,) in sorted(runs):
            _settle(db, run)
        db.execute("UPDATE words SET settled = 1 WHERE settled = 0")
        db.execute("RELEASE settling")


def _settle(db: sqlite3.Connection, run: int) -> None:
    span = (run << RUN_BITS, (run + 1) << RUN_BITS)
    last = db.execute(
        "SELECT coalesce(max(number), -1) FROM words WHERE settled = 1 AND number >= ? AND number < ?", span
    ).fetchone()[0]
    new = db.execute(
        "SELECT number, terms, weights FROM words JOIN word_terms USING (number)"
        " WHERE settled = 0 AND number >= ? AND number < ? ORDER BY number",
        span,
    )
    first = -1
    postings: dict[str, tuple[array[int], bytearray]] = {}
    for number, terms, weights in new:
        first = number if first < 0 else first
        for term, weight in zip(_inflated(terms), weights, strict=True):
            there = postings.get(term)
            if there is None:
                there = postings[term] = array("I"), bytearray()
            there[0].append(number)
            there[1].append(weight)
    if last < first:
        _append(db, run, postings)
    else:
        for term, (numbers, some) in postings.items():
            _put(db, run, term, sorted([*_pairs(db, run, term), *zip(numbers, some, strict=True)]))


def _append(db: sqlite3.Connection, run: int, postings: dict[str, tuple[array[int], bytearray]]) -> None:
    """All of these numbers come behind those that are there."""
    db.executemany(
        "INSERT INTO postings VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " numbers = CAST(numbers || excluded.numbers AS BLOB),"
        " weights = CAST(weights || excluded.weights AS BLOB)",
        ((run, term, postings[term][0].tobytes(), bytes(postings[term][1])) for term in sorted(postings)),
    )


def _pairs(db: sqlite3.Connection, run: int, term: str) -> list[tuple[int, int]]:
    row = db.execute(
        "SELECT numbers, weights FROM postings WHERE run = ? AND term = ?", (run, term)
    ).fetchone()
    return [] if row is None else list(zip(array("I", row[0]), row[1], strict=True))


def _put(db: sqlite3.Connection, run: int, term: str, pairs: list[tuple[int, int]]) -> None:
    if not pairs:
        db.execute("DELETE FROM postings WHERE run = ? AND term = ?", (run, term))
        return
    numbers = array("I", (number for number, _ in pairs)).tobytes()
    db.execute(
        "INSERT OR REPLACE INTO postings VALUES (?, ?, ?, ?)",
        (run, term, numbers, bytes(weight for _, weight in pairs)),
    )


def _said(content: Content, head: str) -> str:
    replaced = content.successor and content.status == "current"
    status = "superseded" if replaced else content.status
    kind = LOG_PAGE if is_log_page(content) else content.kind
    said = (kind, status, content.valid_from, content.expiry, content.date, head)
    return "\n".join(part.replace("\n", " ") for part in said)


def _deflated(terms: Sequence[str]) -> tuple[bytes, bytes]:
    counted = Counter(terms)
    length = _length_step(len(terms))
    weights = bytes(_frequency_step(count) * LENGTHS + length for count in counted.values())
    return compress("\n".join(counted).encode(), 1), weights


def _inflated(terms: bytes) -> list[str]:
    text = decompress(terms).decode()
    return text.split("\n") if text else []


# --- pages and totals ---------------------------------------------------------------------------------------


def _grow_pages(db: sqlite3.Connection, lengths: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Make room for entries of these paths and lengths; the pages' numbers."""
    grown: dict[str, list[int]] = defaultdict(list)
    for path, length in lengths:
        grown[path].append(length)
    return {path: _grow_page(db, path, some) for path, some in grown.items()}


def _grow_page(db: sqlite3.Connection, path: str, lengths: Sequence[int]) -> int:
    row = db.execute("SELECT number FROM word_pages WHERE path = ?", (path,)).fetchone()
    _count(db, len(lengths), 0 if row else 1, sum(lengths))
    if row is None:
        new = db.execute(
            "INSERT INTO word_pages (path, entries, length) VALUES (?, ?, ?)",
            (path, len(lengths), sum(lengths)),
        )
        return new.lastrowid or 0
    db.execute(
        "UPDATE word_pages SET entries = entries + ?, length = length + ? WHERE number = ?",
        (len(lengths), sum(lengths), row[0]),
    )
    return int(row[0])


def _shrink_page(db: sqlite3.Connection, page: int, length: int) -> None:
    db.execute(
        "UPDATE word_pages SET entries = entries - 1, length = length - ? WHERE number = ?", (length, page)
    )
    emptied = db.execute("DELETE FROM word_pages WHERE number = ? AND entries = 0", (page,)).rowcount
    _count(db, -1, -emptied, -length)


def _count(db: sqlite3.Connection, entries: int, pages: int, length: int) -> None:
    db.execute(
        "UPDATE word_totals SET entries = entries + ?, pages = pages + ?, length = length + ?",
        (entries, pages, length),
    )


# --- the byte beside a number -------------------------------------------------------------------------------


def _frequency_step(count: int) -> int:
    return max(step for step, least in enumerate(FREQUENCIES) if count >= least)


def _length_step(length: int) -> int:
    return min(LENGTHS - 1, round(STEPS * log2(length + 1)))


def frequency_in(weight: int) -> int:
    """About how often the term stands in the entry."""
    return FREQUENCIES[weight // LENGTHS]


@lru_cache(maxsize=8)
def shares(mean_length: float) -> tuple[float, ...]:
    """BM25's part of each byte, to be multiplied by the term's rarity."""
    return tuple(
        count * (K1 + 1) / (count + K1 * (1 - B + B * (2 ** (step / STEPS) - 1) / mean_length))
        for count in FREQUENCIES
        for step in range(LENGTHS)
    )


# --- reading ------------------------------------------------------------------------------------------------


def totals(db: sqlite3.Connection) -> Totals:
    """How much there is."""
    return Totals(*db.execute("SELECT entries, pages, length FROM word_totals").fetchone())


def match(db: sqlite3.Connection, asked: Sequence[str], least: int, most_postings: int) -> Match:
    """What has these terms.

    Args:
        db: The sidecar.
        asked: Terms, each once.
        least: The rarest terms are looked through at least until so many entries have one of them,
        most_postings: and until there are more occurrences than these; what the frequent ones add,
            `Match.late` says for entries that are worth it.
    """
    if db.execute("SELECT 1 FROM words WHERE settled = 0").fetchone():
        settle(db)
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


def _lists(db: sqlite3.Connection, asked: Sequence[str]) -> list[tuple[int, str, array[int], bytes]]:
    """How many entries have a term, it, which ones, and their bytes; the rarest term first."""
    runs = _runs(db)
    if asked and all(is_single(term) for term in asked):
        found = [(term, *_beginning_with(db, runs, term)) for term in asked]
    else:
        found = [(term, *_postings(db, runs, term)) for term in asked]
    lists = [(len(numbers), term, numbers, weights) for term, numbers, weights in found if numbers]
    return sorted(lists, key=lambda one: one[:2])[:MOST_TERMS]


def _runs(db: sqlite3.Connection) -> range:
    last = db.execute("SELECT max(number) FROM words").fetchone()[0]
    return range(0 if last is None else (last >> RUN_BITS) + 1)


def _postings(db: sqlite3.Connection, runs: range, term: str) -> tuple[array[int], bytes]:
    rows = [
        db.execute("SELECT numbers, weights FROM postings WHERE run = ? AND term = ?", (run, term)).fetchone()
        for run in runs
    ]
    have = [row for row in rows if row is not None]
    return array("I", b"".join(row[0] for row in have)), b"".join(row[1] for row in have)


def _beginning_with(db: sqlite3.Connection, runs: range, character: str) -> tuple[array[int], bytes]:
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
def _says(said: str) -> Says:
    return Says(*said.split("\n"))


def candidates(db: sqlite3.Connection, numbers: Iterable[int]) -> list[Candidate]:
    """What the rank of these entries depends on, in no order."""
    rows = db.execute(
        f"SELECT {_CANDIDATE} FROM json_each(?) AS wanted JOIN words ON words.number = wanted.value"  # noqa: S608
        " JOIN entries ON entries.number = wanted.value",
        (json.dumps(list(numbers)),),
    )
    return [Candidate(number, page, place, _says(said)) for number, page, place, said in rows]


def around(db: sqlite3.Connection, numbers: Iterable[int], distance: int) -> list[Candidate]:
    """These entries, and those that stand on their pages at most so far from one of them, in no order."""
    rows = db.execute(
        f"SELECT DISTINCT {_CANDIDATE} FROM json_each(?1) AS wanted"  # noqa: S608
        " JOIN entries AS one ON one.number = wanted.value"
        " JOIN entries ON entries.page = one.page AND entries.place BETWEEN one.place - ?2 AND one.place + ?2"
        " JOIN words ON words.number = entries.number",
        (json.dumps(list(numbers)), distance),
    )
    return [Candidate(number, page, place, _says(said)) for number, page, place, said in rows]


def pages(db: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, WordPage]:
    """These pages as full text knows them."""
    rows = db.execute(
        "SELECT number, word_pages.path, length FROM json_each(?) AS wanted"
        " JOIN word_pages ON word_pages.number = wanted.value",
        (json.dumps(list(numbers)),),
    )
    return {number: WordPage(path, length) for number, path, length in rows}


def texts(db: sqlite3.Connection, numbers: Iterable[int]) -> dict[int, WordText]:
    """What is shown of these entries."""
    rows = db.execute(
        "SELECT entries.number, entries.id, entries.kind, line, title, text, layer"
        " FROM json_each(?) AS wanted JOIN entries ON entries.number = wanted.value"
        " JOIN pages ON pages.number = entries.page",
        (json.dumps(list(numbers)),),
    )
    return {row[0]: WordText(*row[1:]) for row in rows}
