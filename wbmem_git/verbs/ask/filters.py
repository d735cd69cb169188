"""What recall may find: the parts of the memory, the days and the statuses that a question asks for."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.store.kept_words import Wanted, few
from wbmem_git.store.standing import standings
from wbmem_git.store.words import LOG_PAGE, MEMORY_PAGE
from wbmem_git.text.dates import is_date
from wbmem_git.text.moments import moment
from wbmem_git.verbs.ask.validity import CURRENT, EVERY_STATUS, KNOWN, PRESENT, see_status, stands

if TYPE_CHECKING:
    from wbmem_git.store.connection import Connection
    from wbmem_git.store.matches import Candidate, Says

SCOPES: dict[str, frozenset[str]] = {
    "board": frozenset({"board", "card"}),
    "handoff": frozenset({"board", "card", "ledger", "section", "leaf", "archive"}),
    "memory": frozenset({"memory", MEMORY_PAGE}),
    "log": frozenset({"log", LOG_PAGE}),
    "archive": frozenset({"archive"}),
    "sessions": frozenset(),
}
SCOPES["all"] = frozenset().union(*SCOPES.values())


class UnknownScope(UsageError):
    """A part of the memory that there isn't."""

    def __init__(self, scope: str) -> None:
        super().__init__(f"no scope {scope!r}: {', '.join(SCOPES)}", "wbmem recall --scope all WORDS")


class NotADay(UsageError):
    """A bound that is no date."""

    def __init__(self, name: str, value: str) -> None:
        super().__init__(f"{name}: {value!r} is no date", f"wbmem recall --{name} 2026-09-14 WORDS")


class NoDays(UsageError):
    """Bounds that no day is between."""

    def __init__(self, since: str, until: str) -> None:
        super().__init__(
            f"--since {since} is later than --until {until}",
            f"wbmem recall --since {until} --until {since} WORDS",
        )


class Query(NamedTuple):
    """What recall is asked.

    Attributes:
        q: Any text; only its words count.
        today: The day on which validity is judged.
        scope: One of `SCOPES`; `handoff` is board, ledgers and archive.
        k: How many hits at most.
        since: The first day, by the entry's date, else that of its last commit; "" for no bound.
        until: The last day, likewise.
        status: `current` leaves out what is superseded, retracted, not valid yet or expired; `all` leaves out
            nothing; any other of `validity.STATUSES` is that status alone.
        per_source: How many hits of one page; None: 3 of a board, 2 of a ledger, 2 of an archive file.
        by_page: One hit a page, the page's best; pages are ranked by all that their entries hold.
    """

    q: str
    today: str
    scope: str = "all"
    k: int = 10
    since: str = ""
    until: str = ""
    status: str = CURRENT
    per_source: int | None = None
    by_page: bool = False


class Filters:
    """Which entries may be found.

    Attributes:
        strange: The numbers of entries that were looked at and whose status is no known word.
    """

    def __init__(self, db: Connection, query: Query) -> None:
        """What a question asks for.

        Raises:
            UnknownScope: No such scope.
            UnknownStatus: No such status.
            NotADay: A bound is no date.
            NoDays: The first day is later than the last.
        """
        if query.scope not in SCOPES:
            raise UnknownScope(query.scope)
        see_status(query.status)
        for name, day in (("since", query.since), ("until", query.until)):
            if day and not is_date(day):
                raise NotADay(name, day)
        since, until = query.since[:10], query.until[:10]
        if since and until and since > until:
            raise NoDays(since, until)
        self._db, self._scope, self._status, self._today = db, query.scope, query.status, query.today
        self._kinds = SCOPES[query.scope]
        self._since, self._until = since, until
        self.strange: set[int] = set()

    def admitted(self, some: list[Candidate]) -> list[Candidate]:
        """Those that may be found."""
        distinct = {id(one.says): one.says for one in some}  # what says the same mostly is the same
        may = {name for name, says in distinct.items() if says.kind in self._kinds and self._stands(says)}
        found = [one for one in some if id(one.says) in may]
        strange = {name for name, says in distinct.items() if says.status not in KNOWN}
        if strange:
            self.strange.update(one.number for one in some if id(one.says) in strange)
        return self._in_time(found)

    def few(self, most: int) -> set[int] | None:
        """The numbers of all that may be found, and of some that may not; None where these are many."""
        wanted = self.wanted
        bounded = self._scope != "all" or self._since or self._until
        if not bounded and self._status in {CURRENT, EVERY_STATUS}:
            return None  # nearly all of them
        return few(self._db, wanted, most)

    @property
    def wanted(self) -> Wanted:
        """The same for the sidecar, as far as rows of full text tell it."""
        statuses = {CURRENT: PRESENT, EVERY_STATUS: frozenset[str]()}.get(self._status, {self._status})
        today = self._today if self._status == CURRENT else ""
        return Wanted(self._kinds, statuses, today, self._since, self._until)

    def ways(self, some: list[Candidate]) -> list[str]:
        """How to ask so that none of these entries is left out, as a user types it."""
        bounds = {"--since": self._since, "--until": self._until}
        without = " ".join(f"{name} {day}" for name, day in bounds.items() if day)
        parts = {
            "--scope all": any(one.says.kind not in self._kinds for one in some),
            "--status all": not all(self._stands(one.says) for one in some),
            f"without {without}": len(self._in_time(some)) < len(some),
        }
        return [part for part, leaves_out in parts.items() if leaves_out]

    def _in_time(self, some: list[Candidate]) -> list[Candidate]:
        if not (self._since or self._until):
            return some
        days = days_of(self._db, some)
        return [one for one in some if self._since <= days[one.number] <= (self._until or "9")]

    def _stands(self, says: Says) -> bool:
        return stands(says, self._status, self._today)


def days_of(db: Connection, some: list[Candidate]) -> dict[int, str]:
    """The date of each, else the day (UTC) of the commit that last changed it."""
    days = {one.number: one.says.date for one in some}
    undated = [number for number, day in days.items() if not day]
    for number, standing in standings(db, undated).items() if undated else ():
        days[number] = moment(standing.time)[:10]
    return days
