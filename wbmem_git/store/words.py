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

from wbmem_git.text.indexed import Words, words_of
from wbmem_git.text.terms import is_single

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterable, Sequence

    from wbmem_git.text.content import Content

RUN_BITS = 11
FREQUENCIES = (1, 2, 3, 4, 6, 8, 12, 16)
STEPS = 2.5
"""How finely a length is told: so many steps to the double."""
LENGTHS = 32
K1, B = 0.9, 0.4
"""BM25's: how soon a further occurrence says nothing new, and how much a long entry is held back."""
MOST_TERMS = 48
"""The rarest of a question's terms; what a page-long question has beyond them hardly tells entries apart."""
MANY = 4096
"""Up to so many postings are kept as a dictionary, more are searched."""
LAST_CHARACTER = "\U0010ffff"


_CANDIDATE = (
    "words.number, words.page, entries.place, words.kind, words.status, words.valid_from, words.expiry,"
    " words.date, words.head"
)


class Totals(NamedTuple):
    """How much there is: entries and pages with terms, and terms of all entries."""

    entries: int
    pages: int
    length: int


class TermMatch(NamedTuple):
    """A term of the question.

    Attributes:
        term: It. rarity: Its weight among entries (BM25's idf).
        weight: An entry's byte (`frequency_in` reads it), -1 where it hasn't the term.
    """

    term: str
    rarity: float
    weight: Callable[[int], int]


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


class Candidate(NamedTuple):
    """What an entry's rank depends on, beside its terms."""

    number: int
    page: int
    place: int
    kind: str
    status: str
    valid_from: str
    expiry: str
    date: str
    head: str


class WordText(NamedTuple):
    """What is shown of an entry."""

    id: str
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
    """Index these entries; none of these numbers is indexed yet."""
    found = sorted((number, content, words_of(content)) for number, content in rows)
    if not found:
        return
    numbers = _term_numbers(db, {term for _, _, words in found for term in words.terms})
    pages = _grow_pages(db, [(content.path, len(words.terms)) for _, content, words in found])
    postings: dict[tuple[int, int], tuple[array[int], bytearray]] = {}
    rows_of_words = []
    for number, content, words in found:
        counted = Counter(words.terms)
        length = _length_step(len(words.terms))
        for term, count in counted.items():
            key = numbers[term], number >> RUN_BITS
            have, weights = postings.setdefault(key, (array("I"), bytearray()))
            have.append(number)
            weights.append(_frequency_step(count) * LENGTHS + length)
        own = array("I", (numbers[term] for term in counted)).tobytes()
        rows_of_words.append((number, pages[content.path], *_standing(content, words), own))
    last = db.execute("SELECT coalesce(max(number), -1) FROM words").fetchone()[0]
    db.executemany("INSERT INTO words VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", rows_of_words)
    (_append if found[0][0] > last else _merge)(db, postings)
    frequencies = Counter[int]()
    for (named, _), (have, _) in postings.items():
        frequencies[named] += len(have)
    db.executemany(
        "UPDATE terms SET entries = entries + ? WHERE number = ?",
        ((count, term) for term, count in frequencies.items()),
    )


def _standing(content: Content, words: Words) -> tuple[str | int, ...]:
    replaced = content.successor and content.status == "current"
    return (
        content.kind,
        "superseded" if replaced else content.status,
        content.valid_from,
        content.expiry,
        content.date,
        words.head,
        len(words.terms),
    )


def _term_numbers(db: sqlite3.Connection, terms: set[str]) -> dict[str, int]:
    asked = "SELECT term, number FROM terms WHERE term IN (SELECT value FROM json_each(?))"
    known: dict[str, int] = dict(db.execute(asked, (json.dumps(sorted(terms)),)))
    new = sorted(terms - known.keys())
    if new:
        db.executemany("INSERT INTO terms (term, entries) VALUES (?, 0)", ((term,) for term in new))
        known.update(db.execute(asked, (json.dumps(new),)))
    return known


def _grow_pages(db: sqlite3.Connection, lengths: Iterable[tuple[str, int]]) -> dict[str, int]:
    """Make room for entries of these paths and lengths; the pages' numbers."""
    grown: dict[str, list[int]] = defaultdict(list)
    for path, length in lengths:
        grown[path].append(length)
    numbers: dict[str, int] = {}
    before = db.execute("SELECT count(*) FROM word_pages").fetchone()[0]
    for path, some in grown.items():
        db.execute(
            "INSERT INTO word_pages (path, entries, length) VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE"
            " SET entries = entries + excluded.entries, length = length + excluded.length",
            (path, len(some), sum(some)),
        )
        numbers[path] = db.execute("SELECT number FROM word_pages WHERE path = ?", (path,)).fetchone()[0]
    after = db.execute("SELECT count(*) FROM word_pages").fetchone()[0]
    added = [length for some in grown.values() for length in some]
    _count(db, len(added), after - before, sum(added))
    return numbers


def _count(db: sqlite3.Connection, entries: int, pages: int, length: int) -> None:
    db.execute(
        "UPDATE word_totals SET entries = entries + ?, pages = pages + ?, length = length + ?",
        (entries, pages, length),
    )


Postings = dict[tuple[int, int], tuple["array[int]", bytearray]]


def _append(db: sqlite3.Connection, postings: Postings) -> None:
    """All of these numbers come behind those that are there."""
    db.executemany(
        "INSERT INTO postings VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET"
        " numbers = CAST(numbers || excluded.numbers AS BLOB),"
        " weights = CAST(weights || excluded.weights AS BLOB)",
        (
            (term, run, have.tobytes(), bytes(weights))
            for (term, run), (have, weights) in sorted(postings.items(), key=lambda item: item[0])
        ),
    )


def _merge(db: sqlite3.Connection, postings: Postings) -> None:
    for (term, run), (have, weights) in postings.items():
        pairs = sorted([*_pairs(db, term, run), *zip(have, weights, strict=True)])
        _put(db, term, run, pairs)


def _pairs(db: sqlite3.Connection, term: int, run: int) -> list[tuple[int, int]]:
    row = db.execute(
        "SELECT numbers, weights FROM postings WHERE term = ? AND run = ?", (term, run)
    ).fetchone()
    return [] if row is None else list(zip(array("I", row[0]), row[1], strict=True))


def _put(db: sqlite3.Connection, term: int, run: int, pairs: list[tuple[int, int]]) -> None:
    if not pairs:
        db.execute("DELETE FROM postings WHERE term = ? AND run = ?", (term, run))
        return
    numbers = array("I", (number for number, _ in pairs)).tobytes()
    db.execute(
        "INSERT OR REPLACE INTO postings VALUES (?, ?, ?, ?)",
        (term, run, numbers, bytes(weight for _, weight in pairs)),
    )


def remove(db: sqlite3.Connection, numbers: Iterable[int]) -> None:
    """Take these entries out; a number that isn't indexed doesn't matter."""
    gone: dict[tuple[int, int], set[int]] = defaultdict(set)
    frequencies = Counter[int]()
    for number in sorted(set(numbers)):
        row = db.execute("SELECT page, length, terms FROM words WHERE number = ?", (number,)).fetchone()
        if row is None:
            continue
        for term in array("I", row[2]):
            gone[term, number >> RUN_BITS].add(number)
            frequencies[term] += 1
        db.execute("DELETE FROM words WHERE number = ?", (number,))
        _shrink_page(db, row[0], row[1])
    for (term, run), some in gone.items():
        _put(db, term, run, [pair for pair in _pairs(db, term, run) if pair[0] not in some])
    db.executemany(
        "UPDATE terms SET entries = entries - ? WHERE number = ?",
        ((count, term) for term, count in frequencies.items()),
    )
    db.executemany("DELETE FROM terms WHERE number = ? AND entries = 0", ((term,) for term in frequencies))


def _shrink_page(db: sqlite3.Connection, page: int, length: int) -> None:
    db.execute(
        "UPDATE word_pages SET entries = entries - 1, length = length - ? WHERE number = ?", (length, page)
    )
    emptied = db.execute("DELETE FROM word_pages WHERE number = ? AND entries = 0", (page,)).rowcount
    _count(db, -1, -emptied, -length)


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


def match(db: sqlite3.Connection, asked: Sequence[str], most_postings: int) -> Match:
    """What has these terms.

    Args:
        db: The sidecar.
        asked: Terms, each once.
        most_postings: The rarest terms are looked through until there are more occurrences than these; what
            the frequent ones add, `Match.late` says for entries that are worth it.
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
        found = TermMatch(term, rarity, _lookup(numbers, weights))
        terms.append(found)
        if scores and spent > most_postings:
            late.append(found)
            continue
        for number, weight in zip(numbers, weights, strict=True):
            scores[number] = before(number, 0.0) + rarity * base[weight]
    return Match(scores, tuple(terms), tuple(late), all_of)


def _lookup(numbers: array[int], weights: bytes) -> Callable[[int], int]:
    if len(numbers) <= MANY:
        known = dict(zip(numbers, weights, strict=True))
        return lambda number: known.get(number, -1)

    def searched(number: int) -> int:
        place = bisect_left(numbers, number)
        return weights[place] if place < len(numbers) and numbers[place] == number else -1

    return searched


def _lists(db: sqlite3.Connection, asked: Sequence[str]) -> Iterable[tuple[int, str, array[int], bytes]]:
    """How many entries have a term, it, which ones, and their bytes; the rarest term first."""
    if asked and all(is_single(term) for term in asked):
        found = [(term, *_beginning_with(db, term)) for term in asked]
        yield from sorted((len(numbers), term, numbers, weights) for term, numbers, weights in found)
        return
    rows = db.execute(
        "SELECT entries, term, number FROM terms WHERE term IN (SELECT value FROM json_each(?))"
        " ORDER BY entries, term LIMIT ?",
        (json.dumps(asked), MOST_TERMS),
    ).fetchall()
    for entries, term, number in rows:
        yield entries, term, *_postings(db, (number,))


def _postings(db: sqlite3.Connection, terms: Iterable[int]) -> tuple[array[int], bytes]:
    numbers, weights = array("I"), bytearray()
    for term in terms:
        for have, some in db.execute(
            "SELECT numbers, weights FROM postings WHERE term = ? ORDER BY run", (term,)
        ):
            numbers.frombytes(have)
            weights += some
    return numbers, bytes(weights)


def _beginning_with(db: sqlite3.Connection, character: str) -> tuple[array[int], bytes]:
    """What has a term that begins with this character; of several in one entry the most frequent."""
    rows = db.execute(
        "SELECT number FROM terms WHERE term >= ? AND term < ?", (character, character + LAST_CHARACTER)
    ).fetchall()
    numbers, weights = _postings(db, (row[0] for row in rows))
    best: dict[int, int] = {}
    for number, weight in zip(numbers, weights, strict=True):
        best[number] = max(weight, best.get(number, 0))
    ordered = sorted(best)
    return array("I", ordered), bytes(best[number] for number in ordered)


def candidates(db: sqlite3.Connection, numbers: Iterable[int]) -> list[Candidate]:
    """What the rank of these entries depends on, in no order."""
    rows = db.execute(
        f"SELECT {_CANDIDATE} FROM json_each(?) AS wanted JOIN words ON words.number = wanted.value"  # noqa: S608
        " JOIN entries ON entries.number = wanted.value",
        (json.dumps(list(numbers)),),
    )
    return [Candidate(*row) for row in rows]


def around(db: sqlite3.Connection, numbers: Iterable[int], distance: int) -> list[Candidate]:
    """These entries, and those that stand on their pages at most so far from one of them, in no order."""
    rows = db.execute(
        f"SELECT DISTINCT {_CANDIDATE} FROM json_each(?1) AS wanted"  # noqa: S608
        " JOIN entries AS one ON one.number = wanted.value"
        " JOIN entries ON entries.page = one.page AND entries.place BETWEEN one.place - ?2 AND one.place + ?2"
        " JOIN words ON words.number = entries.number",
        (json.dumps(list(numbers)), distance),
    )
    return [Candidate(*row) for row in rows]


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
        "SELECT entries.number, entries.id, line, title, text, layer FROM json_each(?) AS wanted"
        " JOIN entries ON entries.number = wanted.value JOIN pages ON pages.number = entries.page",
        (json.dumps(list(numbers)),),
    )
    return {row[0]: WordText(*row[1:]) for row in rows}
