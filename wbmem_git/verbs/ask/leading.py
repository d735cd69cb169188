"""What a folded text leads to by tags and cues, and by which of them."""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store import entries
from wbmem_git.text.folding import fold
from wbmem_git.text.parts import holds
from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.known import Known

NAMESPACES = ("topic:", "dead-end:", "type:", "tag:")
"""A phrase that stands behind one of these is found without it too."""
TERMS = 32
"""How many terms of a long text count."""
TOLD = 5
"""How many terms are named that led somewhere."""
SHORTEST_PART = 3
"""Of ASCII characters: two of them are a part of anything."""
WITHIN = "no tag and no cue is this: longer ones that hold it led here"
PARTLY = "no tag and no cue matches all of it: {found} led here"
_NAMESPACES = pattern(rf"(?i)(?<!\w)(?:{'|'.join(NAMESPACES)})")
_WRAPPING = dict(zip("([{<「『【《〈“‘\"'`", ")]}>」』】》〉”’\"'`", strict=True))
_BREAKS = pattern(r"[\s,，、;；。]+")


class Leading(NamedTuple):
    """The numbers of entries, and what to know of how they were found."""

    numbers: set[int]
    note: str = ""


def leading(kept: Known, db: Connection, asked: str) -> Leading:
    """What a folded text leads to.

    Brackets or quotes around it count only where a tag or cue has them too.
    """
    bare = _unwrapped(asked)
    if bare != asked and not entries.leading_from(db, _spelled(asked)):
        asked = bare
    if asked.endswith("*"):
        beginning = asked.rstrip("*")
        return Leading(entries.leading_from_beginning(db, beginning) if beginning else set())
    if not asked:
        return Leading(set())
    found = entries.leading_from(db, _spelled(asked))
    if found:
        return Leading(found)
    space = _space(asked)
    equal = {
        term: entries.leading_from(db, [space + term] if space else _spelled(term))
        for term in _terms(asked.removeprefix(space))
    }
    found = _most(equal.values())
    return _partly(equal, found) if found else _holding(kept, db, asked, space)


def _holding(kept: Known, db: Connection, asked: str, space: str) -> Leading:
    """The entries whose tags and cues (of a namespace) hold all that is asked, else the most of its terms."""
    whole = list(kept.holding(asked, space)) if _says_enough(asked) else []
    if whole:
        return Leading(entries.leading_from(db, whole), WITHIN)
    parts = {
        part: entries.leading_from(db, names)
        for part in filter(_says_enough, _terms(asked))
        if (names := [*kept.holding(part, space)])
    }
    return _partly(parts, _most(parts.values()))


def _partly(leading: dict[str, set[int]], found: set[int]) -> Leading:
    """What only some of the terms led to, and which: the others may be what was meant."""
    told = [term for term, numbers in leading.items() if numbers & found]
    more = f" and {len(told) - TOLD} more" if len(told) > TOLD else ""
    return Leading(found, PARTLY.format(found=", ".join(told[:TOLD]) + more) if found else "")


def matched(asked: str, names: Sequence[str]) -> tuple[str, ...]:
    """Those of an entry's tags and cues that a folded text led to, where one of another name did.

    It follows `leading`: each way finds only where none before it found anything.
    """
    folded = {name: fold(name) for name in names}
    for text in dict.fromkeys((asked, _unwrapped(asked))):
        if any(name in _spelled(text) for name in folded.values()):
            return ()
    asked = _unwrapped(asked)
    beginning = asked.rstrip("*")
    if beginning != asked:
        return tuple(name for name in names if beginning and folded[name].startswith(beginning))
    terms = _terms(asked) if names else ()
    equal = {one for term in terms for one in _spelled(term)}
    ways: tuple[Callable[[str], bool], ...] = (
        lambda name: folded[name] in equal,
        lambda name: holds(name, asked),
        lambda name: any(holds(name, term) for term in filter(_says_enough, terms)),
    )
    found = (tuple(name for name in names if asked and way(name)) for way in ways)
    return next(filter(None, found), ())


def _space(asked: str) -> str:
    return next((space for space in NAMESPACES if asked.startswith(space)), "")


def without_namespaces(text: str) -> str:
    """A text without `topic:` and the like: they are in no entry's words."""
    return _NAMESPACES.sub("", text)


def _unwrapped(asked: str) -> str:
    """A text without the brackets, quotes or backticks that are all around it."""
    while len(asked) > 1 and _WRAPPING.get(asked[0]) == asked[-1]:
        asked = asked[1:-1].strip()
    return asked


def _says_enough(part: str) -> bool:
    """Whether a part of a name tells something: one Chinese character does, one letter doesn't."""
    return len(part) >= SHORTEST_PART or not part.isascii()


@lru_cache(maxsize=16)
def _terms(asked: str) -> tuple[str, ...]:
    """What stands between blanks, so that a path or a Chinese phrase is one; then the words, as written.

    Of English words only those count that a search looks up: `the` is in many names and means none of them.
    `topic:` is in all topics, so it is no term either.
    """
    from wbmem_git.text.terms import query_words  # its patterns take 30 ms

    asked = without_namespaces(asked)
    words = [word for word in _BREAKS.split(asked) if word and not (word.isascii() and word.isalpha())]
    return tuple(dict.fromkeys([*words, *(fold(written) for _, written in query_words(asked))]))[:TERMS]


def _spelled(asked: str) -> list[str]:
    return [asked, *(f"{space}{asked}" for space in NAMESPACES)]


def _most(found: Iterable[set[int]]) -> set[int]:
    """The entries that stand in the most of these sets."""
    counts: Counter[int] = Counter()
    for numbers in found:
        counts.update(numbers)
    most = max(counts.values(), default=0)
    return {number for number, count in counts.items() if count == most}
