"""Where the words of a question stand in a text, and the part of the text around most of them."""

from __future__ import annotations

import re
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.folding import fold
from wbmem_git.text.terms import date_terms, is_single, query_words, stem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

LONGEST_SNIPPET = 160
CONTEXT = 60
"""How much of the text may stand in front of the first word that was found."""
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_RUN = re.compile(r"[a-z0-9]+")
_HUMP = re.compile(r"[a-z0-9][A-Z]|[A-Z][A-Z][a-z]")
"""Without one a text has no name of several parts."""
# Each run of letters is read from its beginning only: what follows it may be missing.
_CAMEL = re.compile(
    r"(?<=[a-z0-9])[A-Z][a-z0-9]++|(?<![A-Z])[A-Z]+(?=[A-Z][a-z])|(?<![A-Za-z])[a-z]++(?=[A-Z])"
)
_BEGINNINGS = re.compile(r"[\n。！？；]|[.!?;] ")


class Span(NamedTuple):
    """Where a word of the question stands: characters `start` to `end`, and how the question writes it."""

    start: int
    end: int
    word: str


class _Word(NamedTuple):
    """A word to look for: its stem, and what was written."""

    term: str
    written: str


class Asked:
    """A question's words, ready to be looked for in many texts."""

    def __init__(self, question: str) -> None:
        self._words: list[_Word] = []
        self._pairs: dict[str, None] = {}
        for term, written in query_words(question):
            if len(term) <= 2 and is_single(term[0]):
                self._pairs[term] = None
            else:
                self._words.append(_Word(term, written))
        self._means = cache(self._meant)
        self._letters = frozenset(word.term[0] for word in self._words if _RUN.match(word.term))
        among = "".join(sorted(self._letters))
        # A set of letters in front: that is what `re` searches fast.
        self._first = re.compile(f"[{among}](?<![a-z0-9][{among}])[a-z0-9]*+") if among else None

    def spans(self, text: str) -> list[Span]:
        """All of them in a text, in its order; comments aside."""
        folded = fold(text).replace("’", "'")
        if len(folded) != len(text):  # a character that becomes several: case alone then
            folded = "".join(one.lower() if len(one.lower()) == 1 else one for one in text)
        if "<!--" in folded:
            folded = _COMMENT.sub(lambda found: "\n" * len(found[0]), folded)
        found = [span for spans in self._found(text, folded, self._words) for span in spans]
        if self._pairs:
            found.extend(self._of_pairs(folded))
        found.sort()
        return found

    def besides(self, spans: Sequence[Span], title: str, date: str) -> list[str]:
        """Words of the question that don't stand in the text, and in its title or its date do."""
        seen = {span.word for span in spans}
        missing = [word for word in self._words if word.written not in seen]
        if not missing:
            return []
        days, places = date_terms(date), self._found(title, fold(title), missing)
        return [
            f"{word.written} ×1"
            for word, found in zip(missing, places, strict=True)
            if found or word.term in days
        ]

    def _meant(self, form: str) -> tuple[_Word, ...]:
        """The words that a word of a text is a form of."""
        likely = [word for word in self._words if word.term[:1] == form[0]]
        return tuple(word for word in likely if form == word.written or stem(form) == word.term)

    def _found(self, text: str, folded: str, words: Sequence[_Word]) -> list[list[Span]]:
        """Where each of these words stands: a form of it; else as a part of a name; else inside."""
        whole = self._noted(self._standing(folded))
        if len(whole) == len(words):
            return [whole.get(word, []) for word in words]
        named = self._noted(self._parts(text, folded))
        return [whole.get(word) or named.get(word) or _inside(folded, word) for word in words]

    def _noted(self, forms: Iterable[tuple[str, int]]) -> dict[_Word, list[Span]]:
        """Which words these forms are of, and where they stand."""
        found: dict[_Word, list[Span]] = {}
        for form, place in forms:
            for word in self._means(form):
                found.setdefault(word, []).append(Span(place, place + len(form), word.written))
        return found

    def _standing(self, folded: str) -> Iterator[tuple[str, int]]:
        """Each word of a text that begins as one of the question's, and where."""
        if self._first is not None:
            yield from ((word[0], word.start()) for word in self._first.finditer(folded))

    def _parts(self, text: str, folded: str) -> Iterator[tuple[str, int]]:
        """Each part of a name that does: of `refreshToken` there are two."""
        if self._letters and len(text) == len(folded) and text != folded and _HUMP.search(text):
            for part in _CAMEL.finditer(text):
                if folded[part.start()] in self._letters:
                    yield folded[part.start() : part.end()], part.start()

    def _of_pairs(self, folded: str) -> Iterator[Span]:
        """Pairs of characters that follow each other are one word."""
        starts = sorted({place for pair in self._pairs for place in _places(folded, pair)})
        begin = end = -1
        for place in starts:
            width = len(folded[place : place + 2]) if folded[place : place + 2] in self._pairs else 1
            if place < end or (place == end and begin >= 0 and width == 1):
                end = place + width
                continue
            if begin >= 0:
                yield Span(begin, end, folded[begin:end])
            begin, end = place, place + width
        if begin >= 0:
            yield Span(begin, end, folded[begin:end])


def _places(folded: str, needle: str) -> Iterator[int]:
    place = folded.find(needle)
    while place >= 0:
        yield place
        place = folded.find(needle, place + 1)


def _inside(folded: str, word: _Word) -> list[Span]:
    """Where what was written stands by itself; else where it is a part of a longer word."""
    whole: list[Span] = []
    part: list[Span] = []
    end = 0
    while (place := folded.find(word.written, end)) >= 0:
        end = place + len(word.written)
        beside = folded[max(place - 1, 0) : place] + folded[end : end + 1]
        by_itself = not any(one.isascii() and one.isalnum() for one in beside)
        (whole if by_itself else part).append(Span(place, end, word.written))
    return whole or part


def why(spans: Sequence[Span]) -> list[str]:
    """What was found and how often: `登录 ×2`, in the order in which it stands there."""
    counts: dict[str, int] = {}
    for span in spans:
        counts[span.word] = counts.get(span.word, 0) + 1
    return [f"{word} ×{count}" for word, count in counts.items()]


def snippet(text: str, spans: Sequence[Span]) -> str:
    """The part of the text with the most different words, as it stands there; its beginning for none.

    A heading is told as the title already: what is below it counts, where there is anything.
    """
    below = text.find("\n") + 1 if text.startswith("#") else 0
    spans = [span for span in spans if span.start >= below]
    if not spans:
        bare = _COMMENT.sub("", text[below:]).strip() or text.strip()
        return bare[:LONGEST_SNIPPET].rstrip()
    first = _densest(spans)
    start, limit = _stretch(text, spans[first].start)
    begin = max(start, spans[first].start - CONTEXT)
    if begin > start:
        begin = _beginning(text, begin, spans[first].start)
    return text[begin : min(limit, begin + LONGEST_SNIPPET)].strip()


def _densest(spans: Sequence[Span]) -> int:
    """The first span at which a window begins with the most different words."""
    best = most = end = 0
    counts: dict[str, int] = {}
    for first, span in enumerate(spans):
        limit = span.start + LONGEST_SNIPPET - CONTEXT
        while end < len(spans) and spans[end].end <= limit:
            counts[spans[end].word] = counts.get(spans[end].word, 0) + 1
            end += 1
        if len(counts) > most:
            best, most = first, len(counts)
        if end == first:  # a span that no window holds
            end += 1
        elif counts[span.word] == 1:
            del counts[span.word]
        else:
            counts[span.word] -= 1
    return best


def _stretch(text: str, place: int) -> tuple[int, int]:
    """The part without comments around a place."""
    if "<!--" not in text:
        return 0, len(text)
    start = 0
    for comment in _COMMENT.finditer(text):
        if comment.start() > place:
            return start, comment.start()
        start = comment.end()
    return start, len(text)


def _beginning(text: str, least: int, place: int) -> int:
    """Where a snippet begins: behind the first end of a line, sentence or word from `least` on."""
    cut = _BEGINNINGS.search(text, least, place)
    if cut is not None:
        return cut.end()
    blank = text.find(" ", least, place)
    return blank + 1 if blank >= 0 else least
