"""`wbmem expand`: from a tag, a cue or a few words to the entries that have them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.store import questions
from wbmem_git.store.standing import standings
from wbmem_git.text.folding import fold
from wbmem_git.text.patterns import pattern
from wbmem_git.text.sentences import CUT, PREVIEW_CHARS, shortened
from wbmem_git.verbs.discretion import discreet, discreetly, hold_secrets, masked

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.expanded import Session
    from wbmem_git.store.known import Known
    from wbmem_git.store.questions import Entry
    from wbmem_git.store.standing import Standing
    from wbmem_git.verbs.reader import Ground

MOST = 20
NAMESPACES = ("topic:", "dead-end:", "type:", "tag:")
"""A phrase that stands behind one of these is found without it too."""
TERMS = 32
"""How many terms of a long text count."""
SHORTEST_PART = 3
"""Of ASCII characters: two of them are a part of anything."""
DISCIPLINE = (
    "take cues from the material at hand; at most 4 expansions and 8 calls;"
    " stop as soon as the work can go on; no tag twice"
)
REPEATED = "this tag was expanded before in this session, and"
KNOWN = "what it leads to is known already"
FURTHER = "a narrower tag or cue of these entries leads on"
NOTHING = "nothing has it as a tag, a cue or a word: wbmem index --lines lists what there is"
BY_WORDS = "no tag and no cue matches: the words search answered"
BEST_BY_WORDS = f"{BY_WORDS} with its best {MOST}: wbmem recall finds what more there is"
_NAMESPACES = pattern(rf"(?i)(?<!\w)(?:{'|'.join(NAMESPACES)})")
_WRAPPING = dict(zip("([{<「『【《〈“‘\"'`", ")]}>」』】》〉”’\"'`", strict=True))
_BREAKS = pattern(r"[\s,，、;；。]+")


class Hit(NamedTuple):
    """An entry that was found: what it is, how it stands, its cues."""

    entry: Entry
    standing: Standing
    cues: tuple[str, ...]


class Expansion(NamedTuple):
    """What a tag leads to.

    Attributes:
        tag: As it was asked for.
        hits: The first of them, in order.
        total: How many there are.
        degraded: Why the answer isn't what it could be, "" where it is.
        hint: How to go on.
        repeated: Whether it was expanded before in this session, and nothing new has come; then there are no
            hits.
        given: How many of them this session knows, with these.
        digest: What a session tells them by; "" where none is named.
    """

    tag: str
    hits: tuple[Hit, ...]
    total: int
    degraded: str
    hint: str
    repeated: bool = False
    given: int = 0
    digest: str = ""


def expand(
    ground: Ground, tag: str, *, today: str, limit: int = 10, session: Session | None = None
) -> Expansion:
    """The entries that a tag, a beginning with a star (`topic:*`), a cue or free text leads to.

    Free text is split into terms: first what equals one of them, then what holds one of them somewhere; only
    the entries that answer to the most terms count.

    Args:
        ground: The sidecar.
        tag: What is asked for.
        today: The day on which the words search judges validity.
        limit: How many entries; at most 20.
        session: What was expanded in this session is not told again, unless more is asked for, or it isn't
            what it was; `remember` notes it.
    """
    asked = fold(printable(tag.strip()))
    limit, degraded = max(1, min(limit, MOST)), ground.degraded
    first, total = _answer(ground.known, ground.db, asked)
    if not first:
        first = _by_words(ground.db, tag, today)
        total = len(first)
        by_words = BEST_BY_WORDS if total == MOST else BY_WORDS
        degraded = "; ".join(filter(None, (degraded, by_words if first else "")))
    given = session.given(asked) if session is not None else None
    if session is not None and given is not None and given.told >= min(limit, total):
        hint = f"{REPEATED} {_rest(given.told, total)}; {DISCIPLINE}"
        if given.digest == session.digest(_stands(ground.db, first[: given.told])):
            return Expansion(tag, (), total, degraded, hint, repeated=True, given=given.told)
    hits = tuple(hits_of(ground.db, first[:limit]))
    parts = [NOTHING] if not hits else [FURTHER, DISCIPLINE] if total > limit else [DISCIPLINE]
    digest = session.digest(_stands(ground.db, first[:limit])) if session is not None else ""
    return Expansion(tag, hits, total, degraded, "; ".join(parts), given=len(hits), digest=digest)


def remember(session: Session, found: Expansion) -> None:
    """Note that a tag was answered; what failed, found nothing or was told before is no answer."""
    if found.hits:
        session.note(fold(printable(found.tag.strip())), found.given, found.digest)


def _stands(db: Connection, numbers: Sequence[int]) -> list[str]:
    """What is news of entries where it changes: no line, no order, nothing that dates their page."""
    return sorted(
        "\0".join((one.id, one.path, one.section, one.status, questions.text_of(db, one.number)))
        for one in questions.entries(db, numbers)
    )


def _rest(given: int, total: int) -> str:
    """How to get what a session wasn't given yet."""
    if given >= total:
        return KNOWN
    said = f"its first {given} of {total} were given"
    return f"{said}: {FURTHER}" if given >= MOST else f"{said}: a higher limit ({MOST} at most) gives more"


def printable(text: str) -> str:
    """What was typed, as text that SQLite takes: bytes that aren't UTF-8 stand for nothing."""
    return text.encode("utf-8", "replace").decode()


def hits_of(db: Connection, numbers: Sequence[int]) -> Iterator[Hit]:
    """The entries of these numbers, in that order, with all that is told of one."""
    stand = standings(db, numbers)
    texts = {number: questions.text_of(db, number) for number in numbers}
    secret = hold_secrets(texts.values())
    for entry in questions.entries(db, numbers):
        cues = questions.cues_of(db, entry.number)
        if secret:
            text = texts[entry.number]
            cues = tuple(filter(discreet(text), cues))
            title, preview = (discreetly(text, one) for one in (entry.title, entry.preview))
            entry = entry._replace(title=title, preview=preview)  # noqa: PLW2901
        yield Hit(entry, stand[entry.number], cues)


def as_json(found: Expansion) -> dict[str, Any]:
    """The object of CONTRACTS §3."""
    remaining = found.total - found.given
    said: dict[str, Any] = {
        "ok": True,
        "tag": found.tag,
        "entries": [entry_json(hit) for hit in found.hits],
        "total": found.total,
        "truncated": remaining > 0,
        "remaining": remaining,
        "degraded": found.degraded or None,
        "hint": found.hint,
    }
    return masked(said | ({"repeated": True} if found.repeated else {}))


def entry_json(hit: Hit) -> dict[str, Any]:
    """An entry, as expand and trace give it."""
    entry, standing, cues = hit
    return {
        "id": entry.id,
        "kind": entry.kind,
        "section": entry.section,
        "preview": titled(entry),
        "source": entry.path,
        "line": entry.line,
        "mtime": standing.time * 1000,
        "cues": list(cues),
        "criteria": standing.criteria,
        "status": entry.status,
    }


def titled(entry: Entry) -> str:
    """An entry in one line of at most 120 characters: its title, and how its text begins."""
    title = entry.title.removesuffix(CUT)
    said = entry.preview if entry.preview.startswith(title) else f"{entry.title} — {entry.preview}"
    return shortened(said.removesuffix(" — "), PREVIEW_CHARS)


# --- what matches -------------------------------------------------------------------------------------------


def _answer(kept: Known, db: Connection, asked: str) -> tuple[Sequence[int], int]:
    """The first entries that a folded text leads to, and how many there are."""
    answered = kept.answered(asked)
    if answered is None:
        found = _found(kept, db, asked)
        answered = tuple(kept.first(found, MOST)), len(found)
        kept.keep(asked, *answered)
    return answered


def _by_words(db: Connection, tag: str, today: str) -> list[int]:
    """What the words search finds: the numbers of the best entries."""
    from wbmem_git.verbs.recall import search  # noqa: PLC0415  # most tags are found without it

    return search(db, _NAMESPACES.sub("", printable(tag)), MOST, today)


def _found(kept: Known, db: Connection, asked: str) -> set[int]:
    """The numbers of the entries that a folded text leads to.

    Brackets or quotes around it count only where a tag or cue has them too.
    """
    bare = _unwrapped(asked)
    if bare != asked and not questions.leading_from(db, _spelled(asked)):
        asked = bare
    if asked.endswith("*"):
        beginning = asked.rstrip("*")
        return questions.leading_from_beginning(db, beginning) if beginning else set()
    if not asked:
        return set()
    found = questions.leading_from(db, _spelled(asked))
    if found:
        return found
    space = next((space for space in NAMESPACES if asked.startswith(space)), "")
    terms = _terms(asked.removeprefix(space))
    equal = (questions.leading_from(db, [space + term] if space else _spelled(term)) for term in terms)
    return _most(equal) or _holding(kept, db, asked, space)


def _holding(kept: Known, db: Connection, asked: str, space: str) -> set[int]:
    """The entries whose tags and cues (of a namespace) hold all that is asked, else the most of its terms."""
    whole = list(kept.holding(asked, space)) if _says_enough(asked) else []
    if whole:
        return questions.leading_from(db, whole)
    parts = filter(_says_enough, _terms(asked))
    return _most(
        questions.leading_from(db, names) for part in parts if (names := [*kept.holding(part, space)])
    )


def _unwrapped(asked: str) -> str:
    """A text without the brackets, quotes or backticks that are all around it."""
    while len(asked) > 1 and _WRAPPING.get(asked[0]) == asked[-1]:
        asked = asked[1:-1].strip()
    return asked


def _says_enough(part: str) -> bool:
    """Whether a part of a name tells something: one Chinese character does, one letter doesn't."""
    return len(part) >= SHORTEST_PART or not part.isascii()


def _terms(asked: str) -> list[str]:
    """What stands between blanks, so that a path or a Chinese phrase is one; then the words, as written.

    Of English words only those count that a search looks up: `the` is in many names and means none of them.
    `topic:` is in all topics, so it is no term either.
    """
    from wbmem_git.text.terms import query_words  # noqa: PLC0415  # its patterns take 30 ms

    asked = _NAMESPACES.sub("", asked)
    words = [word for word in _BREAKS.split(asked) if word and not (word.isascii() and word.isalpha())]
    return list(dict.fromkeys([*words, *(fold(written) for _, written in query_words(asked))]))[:TERMS]


def _spelled(asked: str) -> list[str]:
    return [asked, *(f"{space}{asked}" for space in NAMESPACES)]


def _most(found: Iterable[set[int]]) -> set[int]:
    """The entries that stand in the most of these sets."""
    counts: Counter[int] = Counter()
    for numbers in found:
        counts.update(numbers)
    most = max(counts.values(), default=0)
    return {number for number, count in counts.items() if count == most}
