"""The terms of a text: what full text search compares. The text itself is never changed.

A word is folded by case and width and stemmed; an identifier stands there whole and by its parts, a day
too, and is asked for as a whole; an emoji is a word. Chinese, Japanese and Korean characters stand there in
pairs, and the last one of a run by itself, so that every character begins a term and can be found as the
beginning of one.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from wbmem_git.text.folding import narrow as _narrow

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

LONGEST = 64
"""How many characters of a term count."""
MOST_ASKED = 512
"""How many different terms of a question count."""

_PAIRED = "々〇\u3041-\u30ff\u31f0-\u31ff\u3400-\u9fff\uac00-\ud7a3\uf900-\ufaff\U00020000-\U0003ffff"
_WIDE = re.compile(rf"([0-9]{{1,4}}[年月日号])|([{_PAIRED}]+)")
_WORD = r"[^\W_]+(?:['’][^\W_]+)*"
# Possessive, and only where no `_` stands before: a run of `_` is read once, whatever stands behind it.
_NAME = rf"(?<!_)_*+{_WORD}(?:_++(?:{_WORD})?+)*+"
_NAMES = re.compile(_NAME)
# Between wide runs only: with a class of wide characters in it, it takes 30 ms to compile.
# Flags are two letters each; the tones of skin are no words of their own.
_EMOJI = (
    "[\U0001f1e6-\U0001f1ff]{2}|"
    "[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f1e5\U0001f200-\U0001f3fa\U0001f400-\U0001faff]"
)
_TOKEN = re.compile(rf"[A-Za-z](?:\+\+|\#)(?![\w+\#])|{_NAME}(?:[./\\:@+-]+{_NAME})*|{_EMOJI}")
_CAMEL = re.compile(r"[A-Z]{2,}(?=s(?![A-Za-z]))s|[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_DAY = re.compile(r"(?<![0-9])([0-9]{4})([-/.])([0-9]{1,2})\2([0-9]{1,2})(?![0-9])")
_SEVERAL = re.compile(r"[a-rt-z]s\Z")
_PLAIN = re.compile(r"[a-z]+(?:'[a-z]+)?")
_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")

# What nearly every English sentence has says nothing of what it is about: not indexed, not asked for.
_EVERYWHERE = frozenset(
    re.findall(
        r"\w+",
        "a about also am an and any are as at be been being but by can could did do does doing for from "
        "had has have having he her here hers him his how i if in into is it its just me might must my "
        "nor of on or our ours out shall she should so some such than that the their theirs them then "
        "there these they this those to too up us was we were what when where which while who whom whose "
        "why will with would you your yours",
    )
)
_MONTHS = re.findall(
    r"\w+", "january february march april may june july august september october november december"
)
# What only makes a Chinese sentence a question: not asked for beside other terms.
_ASKING = re.compile(
    "为什么|是什么|有什么|什么|怎么样|怎么办|怎么|怎样|如何|哪一个|哪些|哪个|哪里|哪儿|是否|是不是|有没有|能不能|可不可以|"
    "多少|几个|吗|呢|请问|我们|你们|他们|这个|那个"
)


def terms(text: str) -> list[str]:
    """What is indexed of a text, in its order, each as often as it stands there."""
    found: list[str] = []
    for kind, token in _tokens(text):
        found.extend(_of_token(kind, token))
    return found


def query_terms(text: str) -> list[str]:
    """What is looked up for a question: each term once; not what every question has."""
    return [term for term, _ in query_words(text)]


def query_words(text: str) -> list[tuple[str, str]]:
    """The terms of a question, each once, and beside each what was written, folded."""
    return _words_asked(text) or _unlike_the_index(text)


@lru_cache(maxsize=4096)
def date_terms(date: str) -> tuple[str, ...]:
    """The terms of a day as people name it: `2026-05-08`, 2026, May, 8, 5月, 8日; none of what is no day."""
    shape = _DATE.fullmatch(date)
    if shape is None or not 1 <= int(shape[2]) <= 12:
        return ()
    year, month, day = shape[1], int(shape[2]), int(shape[3])
    return (date, year, f"{year}年", stem(_MONTHS[month - 1]), f"{month}月", str(day), f"{day}日")


def is_single(term: str) -> bool:
    """Whether it is one character of a script that is indexed in pairs."""
    return len(term) == 1 and _WIDE.fullmatch(term) is not None


def stem(word: str) -> str:
    """The stem of an English word in small letters; what is none, or too long for one, as it is."""
    return _stem(word) if 2 < len(word) <= LONGEST else word


@lru_cache(maxsize=65536)
def _stem(word: str) -> str:
    if not _PLAIN.fullmatch(word):
        return word
    stemmed = _stemmer()(word)
    # English leaves the s of `bus`; what isn't read as a word (`gpus`, `vms`) has it for several.
    return word[:-1] if stemmed == word and _SEVERAL.search(word) else stemmed


@cache
def _stemmer() -> Callable[[str], str]:
    """Snowball's English stemmer, the one in Python: the same on every machine."""
    from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]  # 13 ms

    stemmed: Callable[[str], str] = EnglishStemmer().stemWord
    return stemmed


def _tokens(text: str) -> Iterator[tuple[str, str]]:
    """The words, identifiers, days and runs of wide characters of a text, in its order."""
    pieces = _WIDE.split(_narrow(text))
    for place in range(0, len(pieces), 3):
        for token in _TOKEN.findall(pieces[place]):
            yield "word", token
        for kind, token in zip(("day", "run"), pieces[place + 1 : place + 3], strict=False):
            if token:
                yield kind, token


def _of_token(kind: str, token: str) -> Iterable[str]:
    if kind == "run":
        return _of_run(token)
    if kind == "day":
        return _of_day(token)
    return _of_word(token) if len(token) <= LONGEST else _parts_of(token)


def _of_run(run: str) -> list[str]:
    pairs = [run[place : place + 2] for place in range(len(run) - 1)]
    pairs.append(run[-1])
    return pairs


def _pairs_asked(run: str) -> list[str]:
    return _of_run(run)[:-1] if len(run) > 1 else list(run)


def _of_day(token: str) -> list[str]:
    number, unit = token[:-1].lstrip("0") or "0", token[-1]
    return [number, number + ("日" if unit == "号" else unit)]


@lru_cache(maxsize=65536)
def _of_word(token: str) -> tuple[str, ...]:
    """What is worth to be kept of `_parts_of`: words of ordinary length."""
    return _parts_of(token)


def _parts_of(token: str) -> tuple[str, ...]:
    """The parts of a word or identifier, and itself where it has parts."""
    whole = token.casefold()[:LONGEST]
    if whole.endswith(("+", "#")):
        return (whole,)
    names = _NAMES.findall(token)
    found = [term for name in names for term in _of_name(name)]
    if len(names) != 1 and whole not in found:
        found.append(whole)
    if len(names) > 2:
        known = set(found)
        found += [day for day in map(_iso, _DAY.finditer(token)) if day not in known]
    return tuple(found)


def _iso(day: re.Match[str]) -> str:
    """A day as `2026-05-08`, however its numbers are parted."""
    return f"{day[1]}-{day[3]:0>2}-{day[4]:0>2}"


def _of_name(name: str) -> Iterator[str]:
    """A `snake_case` or `camelCase` name: its parts, and itself if there are several."""
    words = [word for word in name.split("_") if word]
    parts = [part for word in words for part in _of_camel(word)]
    for part in parts:
        plain = _plain(part)
        if plain and plain not in _EVERYWHERE:
            yield stem(plain)[:LONGEST]
    if len(parts) > 1:
        yield name.casefold()[:LONGEST]


def _of_camel(word: str) -> list[str]:
    if not word.isascii() or word.islower() or word.isdigit() or "'" in word:
        return [word]
    parts = [_singular(part) for part in _CAMEL.findall(word)]
    if len(parts) == 1:
        return parts if len(word) - len(parts[0]) <= 1 else [word]
    return parts if len(parts) > 1 and all(len(part) > 1 for part in parts) else [word]


def _singular(part: str) -> str:
    """`GPUs` is several of what `GPU` is."""
    return part[:-1] if len(part) > 2 and part[-1] == "s" and part[:-1].isupper() else part


def _plain(part: str) -> str:
    """Small letters, a number without the zeros before it, no possessive."""
    if part.isdigit():
        return part.lstrip("0") or "0"
    word = part.casefold().replace("’", "'")
    return word.removesuffix("'s")


def _words_asked(text: str) -> list[tuple[str, str]]:
    found: dict[str, str] = {}
    for kind, written in _tokens(text):
        if kind == "run":
            for part in _ASKING.split(written):
                found.update((pair, pair) for pair in _pairs_asked(part))
        elif kind == "word" and (day := _DAY.fullmatch(written)):
            found[_iso(day)] = _iso(day)  # its numbers alone are those of any other day
        else:
            words = _written(written)
            for term in _of_token(kind, written):
                found.setdefault(term, words.get(term, term))
        if len(found) > MOST_ASKED:
            break
    return list(found.items())[:MOST_ASKED]


def _written(token: str) -> dict[str, str]:
    """Stem → the first word of the token of which it is the stem."""
    found: dict[str, str] = {}
    for name in _NAMES.findall(token):
        for part in (part for word in name.split("_") for part in _of_camel(word)):
            plain = _plain(part)[:LONGEST]
            found.setdefault(stem(plain), plain)
    return found


def _unlike_the_index(text: str) -> list[tuple[str, str]]:
    """A question of nothing but what holds a sentence together is asked for as it stands."""
    found: dict[str, str] = {}
    for kind, token in _tokens(text):
        if kind == "run":
            found.update((pair, pair) for pair in _pairs_asked(token))
    return list(found.items())[:MOST_ASKED]
