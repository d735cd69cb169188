"""`wbmem expand`: from a tag, a cue or a few words to the entries that have them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.store import entries
from wbmem_git.store.known import Answer
from wbmem_git.store.standing import standings
from wbmem_git.text.folding import fold
from wbmem_git.text.sentences import CUT, PREVIEW_CHARS, shortened
from wbmem_git.verbs.ask.leading import leading, matched, without_namespaces
from wbmem_git.verbs.ask.validity import CURRENT, EVERY_STATUS, see_status, stands
from wbmem_git.verbs.discretion import discreet, discreetly, hold_secrets, masked

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.entries import Entry
    from wbmem_git.store.expanded import Session
    from wbmem_git.store.known import Known
    from wbmem_git.store.standing import Standing
    from wbmem_git.verbs.reader import Ground

MOST = 20
DISCIPLINE = (
    "take cues from the material at hand; at most 4 expansions and 8 calls;"
    " stop as soon as the work can go on; no tag twice"
)
REPEATED = "this tag was expanded before in this session, and"
KNOWN = "what it leads to is known already"
FURTHER = "a narrower tag or cue of these entries leads on"
NOTHING = (
    "nothing has it as a tag, a cue or a word: wbmem expand 'topic:*' shows the topics there are,"
    " wbmem index --lines what else"
)
LEFT_OUT = "{count} left out, superseded, retracted, expired or not valid yet: --status all"
BY_WORDS = "no tag and no cue matches: the words search answered"
BEST_BY_WORDS = f"{BY_WORDS} with its best {MOST}: wbmem recall finds what more there is"


class Hit(NamedTuple):
    """An entry that was found: what it is, how it stands, its cues.

    `matched` are those of its tags and cues that led there, where one of another name did.
    """

    entry: Entry
    standing: Standing
    cues: tuple[str, ...]
    matched: tuple[str, ...] = ()


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
        status: Of which status they were asked for.
    """

    tag: str
    hits: tuple[Hit, ...]
    total: int
    degraded: str
    hint: str
    repeated: bool = False
    given: int = 0
    digest: str = ""
    status: str = CURRENT


class _Asked(NamedTuple):
    """What is looked for, folded, of which status, and the day on which it is to hold."""

    text: str
    status: str
    today: str

    @property
    def noted(self) -> str:
        """What a session notes it by."""
        return self.text if self.status == CURRENT else f"{self.text}\0{self.status}"


def expand(  # noqa: PLR0913  # what may be asked
    ground: Ground,
    tag: str,
    *,
    today: str,
    limit: int = 10,
    session: Session | None = None,
    status: str = CURRENT,
) -> Expansion:
    """The entries that a tag, a beginning with a star (`topic:*`), a cue or free text leads to.

    Free text is split into terms: first what equals one of them, then what holds one of them somewhere; only
    the entries that answer to the most terms count.

    Args:
        ground: The sidecar.
        tag: What is asked for.
        today: The day on which validity is judged.
        limit: How many entries; at most 20.
        session: What was expanded in this session is not told again, unless more is asked for, or it isn't
            what it was; `remember` notes it.
        status: As for recall: `current` leaves out what is superseded, retracted, not valid yet or expired.

    Raises:
        UnknownStatus: No such status.
    """
    see_status(status)
    asked = _Asked(_folded(tag), status, today)
    limit = max(1, min(limit, MOST))
    answer = _answer(ground.known, ground.db, asked)
    if not answer.first and not answer.left_out:
        answer = _by_words(ground.db, tag, asked)
    degraded = "; ".join(filter(None, (ground.degraded, answer.note)))
    first, total = answer.first, answer.total
    given = session.given(asked.noted) if session is not None else None
    if session is not None and given is not None and given.told >= min(limit, total):
        hint = f"{REPEATED} {_rest(given.told, total)}; {DISCIPLINE}"
        if given.digest == session.digest(_stands(ground.db, first[: given.told])):
            return Expansion(tag, (), total, degraded, hint, repeated=True, given=given.told)
    hits = tuple(hits_of(ground.db, first[:limit], asked.text))
    digest = session.digest(_stands(ground.db, first[:limit])) if session is not None else ""
    return Expansion(
        tag, hits, total, degraded, _hint(answer, limit), given=len(hits), digest=digest, status=status
    )


def _folded(tag: str) -> str:
    return fold(printable(tag.strip()))


def _hint(answer: Answer, limit: int) -> str:
    """How to go on."""
    left_out = LEFT_OUT.format(count=answer.left_out) if answer.left_out else ""
    if not answer.first:
        return left_out or NOTHING
    return "; ".join(filter(None, (left_out, FURTHER if answer.total > limit else "", DISCIPLINE)))


def remember(session: Session, found: Expansion) -> None:
    """Note that a tag was answered; what failed, found nothing or was told before is no answer."""
    if found.hits:
        session.note(_Asked(_folded(found.tag), found.status, "").noted, found.given, found.digest)


def _stands(db: Connection, numbers: Sequence[int]) -> list[str]:
    """What is news of entries where it changes: no line, no order, nothing that dates their page."""
    return sorted(
        "\0".join((one.id, one.path, one.section, one.status, entries.text_of(db, one.number)))
        for one in entries.with_numbers(db, numbers)
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


def hits_of(db: Connection, numbers: Sequence[int], asked: str = "") -> Iterator[Hit]:
    """The entries of these numbers, in that order, with all that is told of one.

    Args:
        db: The sidecar.
        numbers: Those of the entries.
        asked: The folded text that led to them, "" for none.
    """
    stand = standings(db, numbers)
    texts = {number: entries.text_of(db, number) for number in numbers}
    secret = hold_secrets(texts.values())
    for entry in entries.with_numbers(db, numbers):
        cues = entries.cues_of(db, entry.number)
        names = (*entries.tags_of(db, entry.number), *cues) if asked else ()
        if secret:
            text = texts[entry.number]
            cues, names = (tuple(filter(discreet(text), some)) for some in (cues, names))
            title, preview = (discreetly(text, one) for one in (entry.title, entry.preview))
            entry = entry._replace(title=title, preview=preview)  # noqa: PLW2901
        yield Hit(entry, stand[entry.number], cues, matched(asked, names))


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
    entry, standing, cues, _ = hit
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


def _answer(kept: Known, db: Connection, asked: _Asked) -> Answer:
    """The first entries that a folded text leads to, how many there are, and how many were left out."""
    key = "\0".join(asked)
    answered = kept.answered(key)
    if answered is None:
        found = leading(kept, db, asked.text)
        whole = found.numbers - kept.divided(found.numbers)
        out = {
            one.number for one in kept.bounded(whole) if not stands(one, asked.status, asked.today)
        } | _others(asked.status, whole, kept)
        there = whole - out
        answered = Answer(tuple(kept.first(there, MOST)), len(there), len(out), found.note if there else "")
        kept.keep(key, answered)
    return answered


def _others(status: str, whole: set[int], kept: Known) -> set[int]:
    """What is simply current, where another status is asked for."""
    return set() if status in {CURRENT, EVERY_STATUS} else whole - {one.number for one in kept.bounded(whole)}


def _by_words(db: Connection, tag: str, asked: _Asked) -> Answer:
    """What the words search finds."""
    from wbmem_git.verbs.ask.filters import Query  # most tags are found without it
    from wbmem_git.verbs.ask.recall import search

    words = without_namespaces(printable(tag))
    query = Query(words, asked.today, k=MOST, status=asked.status)
    found = tuple(search(db, query))
    if not found:
        return Answer((), 0, len(search(db, query._replace(status=EVERY_STATUS))))
    return Answer(found, len(found), note=BEST_BY_WORDS if len(found) == MOST else BY_WORDS)
