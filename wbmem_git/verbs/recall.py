"""`wbmem recall`: from a question's words to the entries that answer it best, without any model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.store import matches
from wbmem_git.store.standing import standings
from wbmem_git.store.words import LOG_PAGE
from wbmem_git.text.content import Content
from wbmem_git.text.dates import is_date
from wbmem_git.text.indexed import own_text
from wbmem_git.text.moments import moment
from wbmem_git.text.snippets import Asked, snippet, why
from wbmem_git.text.terms import query_terms
from wbmem_git.verbs.discretion import discreetly
from wbmem_git.verbs.ranking import rank, rank_pages

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.matches import Candidate, Says, WordText
from wbmem_git.verbs.ranking import Ranked, RankedPage

SCOPES: dict[str, frozenset[str]] = {
    "board": frozenset({"board", "card"}),
    "handoff": frozenset({"board", "card", "ledger", "section", "leaf", "archive"}),
    "memory": frozenset({"memory"}),
    "log": frozenset({"log", LOG_PAGE}),
    "archive": frozenset({"archive"}),
    "sessions": frozenset(),
    "all": frozenset({"board", "card", "ledger", "section", "leaf", "archive", "memory", "log", LOG_PAGE}),
}
WHOLE = frozenset({"board", "ledger", "section", LOG_PAGE})
"""What holds other entries."""
PER_SOURCE = {"board": 3, "card": 3, "ledger": 2, "section": 2, "leaf": 2, "archive": 2}
"""How many hits of one page there are, by what they are, unless asked otherwise."""
PAST = frozenset({"superseded", "retracted"})
KNOWN = frozenset({"current", "compressed"}) | PAST
EVERY_STATUS = "all"
POOL = 64
"""How many entries are compared with each other, at least: those that are hits, and what leans on them."""
POOL_OF_PAGES = 4096
NO_SESSIONS = "no sessions are indexed: only pages are"
NOTHING = "no entry has any of these words; wbmem expand and wbmem index --lines know other ways in"
BESIDE = "next to a hit"
NO_WORDS = "there is no word in it that could be looked up"
UNKNOWN_STATUS = "{count} left out: their status is no known word (wbmem check names them)"


class UnknownScope(UsageError):
    """A part of the memory that there isn't."""

    def __init__(self, scope: str) -> None:
        super().__init__(f"no scope {scope!r}: {', '.join(SCOPES)}", "wbmem recall --scope all WORDS")


class NotADay(UsageError):
    """A bound that is no date."""

    def __init__(self, name: str, value: str) -> None:
        super().__init__(f"{name}: {value!r} is no date", f"wbmem recall --{name} 2026-09-14 WORDS")


class Hit(NamedTuple):
    """An entry that was found (CONTRACTS §3).

    Attributes:
        why: Which words were found there, and how often.
        date: What it says, else the day of the commit that last changed it.
    """

    id: str
    source: str
    line: int
    title: str
    snippet: str
    score: float
    rank: int
    why: tuple[str, ...]
    layer: str
    status: str
    date: str


class RecallAnswer(NamedTuple):
    """What a question found.

    Attributes:
        q: The question. scope: Where it was looked for.
        hits: The best first.
        degraded: Why the answer isn't what it could be, "" where it is.
        hint: What to know of it, or how to go on; may be empty.
    """

    q: str
    scope: str
    hits: tuple[Hit, ...]
    degraded: str
    hint: str


def recall(  # noqa: PLR0913  # the parameters of CONTRACTS §3
    db: Connection,
    q: str,
    scope: str = "all",
    *,
    k: int = 10,
    since: str = "",
    until: str = "",
    status: str = "current",
    today: str,
    per_source: int | None = None,
    degraded: str = "",
) -> RecallAnswer:
    """The entries that answer best.

    Args:
        db: The sidecar.
        q: Any text; only its words count.
        scope: One of `SCOPES`; `handoff` is board, ledgers and archive.
        k: How many hits at most.
        since: The first day, by the entry's date, else that of its last commit; "" for no bound.
        until: The last day, likewise.
        status: `current` leaves out what is superseded, retracted, not valid yet or expired; `all` leaves out
            nothing; any other word is that status alone.
        today: The day on which validity is judged.
        per_source: How many hits of one page; without it 3 of a board, 2 of a ledger, 2 of an archive file.
        degraded: What the sidecar says of itself.

    Raises:
        UnknownScope: No such scope.
        NotADay: A bound is no date.
    """
    filters = _Filters(db, scope, since=since, until=until, status=status, today=today)
    terms = query_terms(q)
    if scope == "sessions" or not terms:
        return RecallAnswer(q, scope, (), degraded, NO_SESSIONS if scope == "sessions" else NO_WORDS)
    k = max(1, k)
    ranked = rank(db, terms, max(POOL, 6 * k), k, filters.admitted)
    hits = tuple(_hits(db, Asked(q), _first(ranked, k, per_source)))
    hints = [UNKNOWN_STATUS.format(count=filters.unknown)] if filters.unknown else []
    return RecallAnswer(q, scope, hits, degraded, "; ".join(hints if hits else [NOTHING, *hints]))


def sources(  # noqa: PLR0913  # as recall
    db: Connection,
    q: str,
    scope: str = "all",
    *,
    k: int = 10,
    since: str = "",
    until: str = "",
    status: str = "current",
    today: str,
) -> list[RankedPage]:
    """The pages that answer best, by what their entries hold together and by the best of them."""
    filters = _Filters(db, scope, since=since, until=until, status=status, today=today)
    terms = query_terms(q)
    return rank_pages(db, terms, POOL_OF_PAGES, filters.admitted)[: max(1, k)] if terms else []


def search(db: Connection, q: str, limit: int, today: str) -> list[int]:
    """The numbers of the entries that recall finds, the best first."""
    filters = _Filters(db, "all", since="", until="", status="current", today=today)
    ranked = rank(db, query_terms(q), max(POOL, 6 * limit), limit, filters.admitted)
    return [one.candidate.number for one in _first(ranked, limit, None)]


def as_json(answer: RecallAnswer) -> dict[str, Any]:
    """The object of CONTRACTS §3."""
    return {
        "ok": True,
        "q": answer.q,
        "scope": answer.scope,
        "hits": [hit._asdict() | {"score": round(hit.score, 4), "why": list(hit.why)} for hit in answer.hits],
        "degraded": answer.degraded or None,
        "hint": answer.hint,
    }


# --- what may be found --------------------------------------------------------------------------------------


class _Filters:
    """Which entries may be found; `unknown` counts those whose status is no known word."""

    def __init__(  # noqa: PLR0913
        self, db: Connection, scope: str, *, since: str, until: str, status: str, today: str
    ) -> None:
        if scope not in SCOPES:
            raise UnknownScope(scope)
        for name, day in (("since", since), ("until", until)):
            if day and not is_date(day):
                raise NotADay(name, day)
        self._db, self._kinds = db, SCOPES[scope]
        self._since, self._until = since[:10], until[:10]
        self._standing: Callable[[Says], bool] = {
            "current": self._is_current,
            EVERY_STATUS: lambda _: True,
        }.get(status, lambda one: one.status == status)
        self._today = today
        self.unknown = 0

    def admitted(self, some: list[Candidate]) -> list[Candidate]:
        """Those that may be found."""
        kinds, stands = self._kinds, self._standing
        distinct = {id(one.says): one.says for one in some}  # what says the same mostly is the same
        may = {name for name, says in distinct.items() if says.kind in kinds and stands(says)}
        found = [one for one in some if id(one.says) in may]
        strange = {name for name, says in distinct.items() if says.status not in KNOWN}
        if strange:
            self.unknown += sum(id(one.says) in strange for one in some)
        if not (self._since or self._until):
            return found
        days = _days(self._db, found)
        return [one for one in found if self._since <= days[one.number] <= (self._until or "9")]

    def _is_current(self, says: Says) -> bool:
        if says.status in PAST or says.status not in KNOWN or says.valid_from > self._today:
            return False
        return not says.expiry or says.expiry >= self._today


def _days(db: Connection, some: list[Candidate]) -> dict[int, str]:
    """The date of each, else the day (UTC) of the commit that last changed it."""
    days = {one.number: one.says.date for one in some}
    undated = [number for number, day in days.items() if not day]
    for number, standing in standings(db, undated).items() if undated else ():
        days[number] = moment(standing.time)[:10]
    return days


# --- the hits -----------------------------------------------------------------------------------------------


def _first(ranked: Iterable[Ranked], k: int, per_source: int | None) -> list[Ranked]:
    """The first `k`, of one page no more than may be."""
    chosen: list[Ranked] = []
    counts: dict[str, int] = {}
    for one in ranked:
        most = PER_SOURCE.get(one.candidate.says.kind, k) if per_source is None else per_source
        if counts.get(one.path, 0) < most:
            counts[one.path] = counts.get(one.path, 0) + 1
            chosen.append(one)
            if len(chosen) == k:
                break
    return chosen


def _hits(db: Connection, asked: Asked, chosen: list[Ranked]) -> list[Hit]:
    days = _days(db, [one.candidate for one in chosen])
    texts = matches.texts(db, [one.candidate.number for one in chosen])
    secret = _hold_secrets([found.text for found in texts.values()])
    hits = []
    for place, one in enumerate(chosen, 1):
        found = texts[one.candidate.number]
        text = _own_text(found, one)
        spans = asked.spans(text)
        reasons = why(spans) + asked.besides(spans, found.title, one.candidate.says.date)
        if one.beside:
            reasons = [BESIDE]
        part = snippet(text, spans)
        hits.append(
            Hit(
                found.id, one.path, found.line, found.title,
                discreetly(found.text, part) if secret else part, one.score, place,
                tuple(reasons), found.layer, one.candidate.says.status, days[one.candidate.number],
            )
        )  # fmt: skip
    return hits


def _hold_secrets(texts: list[str]) -> bool:
    """Whether there may be a credential in one of these; all at once, since mostly there is none."""
    from wbmem_git.rules.credentials import credentials_in  # noqa: PLC0415  # compiled when something is found

    return bool(credentials_in("\n\n".join(texts)))


def _own_text(found: WordText, one: Ranked) -> str:
    """What no smaller entry holds."""
    if one.candidate.says.kind not in WHOLE:
        return found.text
    whole = Content(found.id, found.kind, one.path, found.line, found.line, "", found.title, found.text)
    return own_text(whole)
