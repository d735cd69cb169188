"""Commands that ask the memory: `expand`, `trace`, `recall`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wbmem_git.cli.declared import AS_OF, ID, JSON, Argument, Choice, Day, IntRange, Option, command
from wbmem_git.cli.question import asked, named, tell_degraded
from wbmem_git.cli.table import cut_to, is_terminal, line_width, padded, path_told, say_table, width_of
from wbmem_git.cli.voice import by_whom, lines_of, painted, say, say_json, say_line, short_ids, to_the_minute
from wbmem_git.rules.wording import shown

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import date, datetime

    from wbmem_git.cli.door import Door
    from wbmem_git.cli.voice import Painted
    from wbmem_git.store.versions import Version
    from wbmem_git.verbs.ask.expand import Expansion, Hit
    from wbmem_git.verbs.ask.trace import Neighbor, Traced

COLOURS = {"passed": "green", "warned": "yellow", "failed": "red"}
SCOPES = ("board", "handoff", "memory", "log", "archive", "sessions", "all")
BETWEEN = " │ "
MARKS_OF_ITEMS = "-*+ 0123456789.)"
ENOUGH = 44
"""How much of a line of history says something: when, what, which commit, and by whom."""
ECHOED = 60
"""How wide a question is, at most, where it is told again."""
BESIDE = 160
"""How wide a card and its history are together at most, where no terminal says how wide it is."""

STATUS = Option(
    ("--status",),
    "status",
    "What is superseded, retracted, expired or not valid yet is left out; `all`, or one status alone.",
    metavar="STATUS",
    default="current",
    shows_default=True,
)
TODAY = Option(
    ("--today",),
    "today",
    "The day on which an entry must be valid; default: today, with --as-of the day of that commit.",
    metavar="YYYY-MM-DD",
    kind=Day(),
    default=None,
)


@command(
    Argument("tag", "TAG…", is_many=True),
    Option(
        ("--limit",),
        "limit",
        "How many entries, 1 to 20.",
        metavar="N",
        kind=IntRange(1, 20),
        default=10,
        shows_default=True,
    ),
    Option(("--session",), "session", "In one session nothing is told twice.", metavar="NAME"),
    STATUS,
    TODAY,
    AS_OF,
    JSON,
)
def expand(  # noqa: PLR0913, PLR0917  # every parameter of the command line
    door: Door,
    tag: tuple[str, ...],
    limit: int,
    session: str,
    status: str,
    today: datetime | None,
    as_of: str,
    as_json: bool,
) -> None:
    """From a tag (`type:dead-end`, `topic:*`), a cue (a path, a name in code) or a few words to entries.

    The best first: what the gate passed, then by the weight of the section, then the newest.
    """
    memory = asked(door, as_of)
    found = memory.expansion(
        " ".join(tag),
        limit=limit,
        session=session,
        status=status,
        as_of=as_of,
        today=day(door, today, as_of),
    )
    if as_json:
        from wbmem_git.verbs.ask.expand import as_json as json_of  # only one of the two is loaded

        say_json(json_of(found))
    else:
        _tell_expansion(found)


@command(
    Argument("words", "WORDS…", is_many=True),
    Option(("--scope",), "scope", "Where to look.", kind=Choice(SCOPES), default="all", shows_default=True),
    Option(("-k",), "k", "How many hits.", metavar="N", kind=IntRange(1), default=10, shows_default=True),
    Option(("--since",), "since", "Not what is older.", metavar="YYYY-MM-DD"),
    Option(("--until",), "until", "Not what is newer.", metavar="YYYY-MM-DD"),
    STATUS,
    Option(
        ("--per-source",),
        "per_source",
        "How many hits of one page; default: 3 of a board, 2 of a ledger, 2 of an archive file.",
        metavar="N",
        kind=IntRange(1),
        default=None,
    ),
    Option(
        ("--by-page",),
        "by_page",
        "One hit a page; pages are ranked by all that they hold.",
        default=False,
        is_flag=True,
    ),
    TODAY,
    AS_OF,
    JSON,
)
def recall(  # noqa: PLR0913, PLR0917  # as above
    door: Door,
    words: tuple[str, ...],
    scope: str,
    k: int,
    since: str,
    until: str,
    status: str,
    per_source: int | None,
    by_page: bool,
    today: datetime | None,
    as_of: str,
    as_json: bool,
) -> None:
    """The entries that answer a question's words best, and why each was found.

    Chinese words of two characters and parts of names in code are found too. The scope `handoff` is board,
    ledgers and archive.
    """
    memory = asked(door, as_of)
    found = memory.recall(
        " ".join(words),
        scope,
        k=k,
        since=since,
        until=until,
        status=status,
        per_source=per_source,
        by_page=by_page,
        as_of=as_of,
        today=day(door, today, as_of),
    )
    if as_json:
        say_json(found)
    else:
        _tell_recalled(found)


@command(
    ID,
    Option(
        ("--neighbors",),
        "neighbors",
        "Whether to look for what is near.",
        default=True,
        is_flag=True,
        off="--no-neighbors",
    ),
    Option(
        ("--neighbor-limit",),
        "neighbor_limit",
        "How many, 1 to 10.",
        metavar="N",
        kind=IntRange(1, 10),
        default=6,
        shows_default=True,
    ),
    AS_OF,
    JSON,
)
def trace(  # noqa: PLR0913, PLR0917  # as above
    door: Door, wanted: str, neighbors: bool, neighbor_limit: int, as_of: str, as_json: bool
) -> None:
    """One entry whole, with its history beside it, its tags and cues, and its neighbours.

    ID is an id or 8 of its hex digits, a page's path, or a ledger's stem. A neighbour shares tags or cues;
    its weight is the sum over these of 1 / (how many entries have it).
    """
    memory = asked(door, as_of)
    found = memory.traced(
        named(door, memory, wanted), neighbors=neighbors, neighbor_limit=neighbor_limit, as_of=as_of
    )
    if as_json:
        from wbmem_git.verbs.ask.trace import as_json as json_of

        say_json(json_of(found))
    else:
        _tell_traced(found)


def day(door: Door, today: datetime | None, as_of: str) -> date | None:
    """The day that is meant; None: that of the commit as whose memory the answer is given."""
    return None if as_of and today is None else door.day(today)


# --- expand -----------------------------------------------------------------------------------------------


def _tell_expansion(found: Expansion) -> None:
    tell_degraded(found.degraded)
    if found.hits:
        say(f"{_echo(found.tag)}: {len(found.hits)} of {found.total}")
        _tell_hits(found.hits)
    else:
        say(f"{_echo(found.tag)}: {'expanded before' if found.repeated else 'nothing found'}")
    _tell_next(found.hint)


def _tell_hits(hits: tuple[Hit, ...]) -> None:
    """A table; by which tag or cue each was found only where these have other names than what was asked."""
    short = short_ids(hit.entry.id for hit in hits)
    head = ("weight", "criteria", "id", "source", "what")
    rows: list[tuple[str | Painted, ...]] = [head, *(_row(hit, short) for hit in hits)]
    if any(hit.matched for hit in hits):
        by = ("found by", *(_found_by(hit) for hit in hits))
        rows = [(*row[:-1], name, row[-1]) for row, name in zip(rows, by, strict=True)]
    say_table(rows, "  ")


def _found_by(hit: Hit) -> str:
    more = f" +{len(hit.matched) - 1}" if len(hit.matched) > 1 else ""
    return f"{hit.matched[0]}{more}" if hit.matched else ""


def _tell_next(hint: str) -> None:
    """How to go on; how to go about it is told to programs only."""
    from wbmem_git.verbs.ask.expand import DISCIPLINE

    said = hint.removesuffix(DISCIPLINE).removesuffix("; ") if is_terminal() else hint
    if said:
        say(f"next: {said}", dim=True)


def _echo(text: str) -> str:
    """What was asked, in one short line."""
    return cut_to(" ".join(text.split()), ECHOED) or "(an empty question)"


def _row(hit: Hit, short: Callable[[str], str]) -> tuple[str | Painted, ...]:
    return (_weight(hit.entry.weight), criteria(hit), short(hit.entry.id), source(hit), _what(hit))


def criteria(hit: Hit) -> str | Painted:
    """What the gate said of it, in its colour."""
    said = hit.standing.criteria
    return painted(said, fg=COLOURS[said]) if said in COLOURS else said


def source(hit: Hit) -> str:
    """Where it stands: `PLAN.md:12`."""
    return f"{path_told(hit.entry.path)}:{hit.entry.line}"


def _what(hit: Hit) -> str:
    from wbmem_git.verbs.ask.expand import titled

    said = titled(hit.entry)
    return said if hit.entry.status == "current" else f"({hit.entry.status}) {said}"


def _weight(weight: float) -> str:
    return f"{weight:.2f}".lstrip("0")


# --- recall -----------------------------------------------------------------------------------------------


def _tell_recalled(found: dict[str, Any]) -> None:
    tell_degraded(found["degraded"])
    short = short_ids(hit["id"] for hit in found["hits"])
    for hit in found["hits"]:
        about = [hit["date"], *([hit["status"]] if hit["status"] != "current" else [])]
        title, part = hit["title"], " ".join(hit["snippet"].split())
        text = part.lstrip(MARKS_OF_ITEMS)
        if text.startswith(title.removesuffix("…")):  # a list item, whose title is how it begins
            title, part = text, ""
        say(painted(f"{hit['rank']:>2}  {title}", bold=True), painted(f"  ({', '.join(about)})", dim=True))
        say(f"    {short(hit['id'])}  {hit['source']}:{hit['line']}  score {hit['score']:.2f}")
        if part:
            say(f"    {part}")
        say(f"    why: {' · '.join(hit['why'])}", dim=True)
    if not found["hits"]:
        say(f"{_echo(found['q'])}: nothing found")
    if found["hint"]:
        say(f"next: {found['hint']}", dim=True)


# --- trace ------------------------------------------------------------------------------------------------


def _tell_traced(found: Traced) -> None:
    tell_degraded(found.degraded)
    _tell_entry(found)
    say()
    _tell_beside(lines_of(found.text), _history(found.versions))
    if found.neighbors:
        say()
        say("neighbours, by what they share:", bold=True)
        short = short_ids(one.hit.entry.id for one in found.neighbors)
        rows = [_neighbor(one, short) for one in found.neighbors]
        say_table([("weight", "id", "source", "shared", "what"), *rows], "  ")
    _tell_next(found.hint)


def _history(versions: tuple[Version, ...]) -> list[str]:
    widest = max((len(one.kind) for one in versions), default=0)
    return [
        f"{_when(one)} {padded(one.kind, max(widest, len('archived')))} {one.commit[:12]}"
        f"  {by_whom(one.author, one.actor)}: {one.subject}"
        for one in versions
    ]


def _tell_entry(found: Traced) -> None:
    entry = found.hit.entry
    say(f"{source(found.hit)}  {entry.id}", bold=True)
    told = (
        ("kind", entry.kind),
        ("section", entry.section),
        ("status", entry.status),
        ("layer", entry.layer),
    )
    about = " · ".join(f"{name}: {value}" for name, value in told if value)
    say(f"{about} · criteria: ", criteria(found.hit))
    if found.archived.reason:
        say(f"archived: {found.archived.reason}")
    for name, values in (("tags", found.tags), ("cues", found.hit.cues)):
        if values:
            say(f"{name}: {' · '.join(values)}")


def _neighbor(one: Neighbor, short: Callable[[str], str]) -> tuple[str, ...]:
    hit = one.hit
    return f"{one.weight:.2f}", short(hit.entry.id), source(hit), " · ".join(one.shared), _what(hit)


def _tell_beside(text: list[str], history: list[str]) -> None:
    """A text and its history beside it, or below, where the lines are too long for that.

    Only a terminal has a line of history cut.
    """
    widest = max(map(width_of, text), default=0)
    room = min(line_width(), BESIDE) - widest - len(BETWEEN)
    history = [shown(line) for line in history]
    rest = max(map(width_of, history), default=0)
    least = rest if line_width() > BESIDE else min(rest, ENOUGH)
    if least <= room and not any("\t" in line for line in text):
        history = [cut_to(line, room) for line in history]
        for number in range(max(len(text), len(history))):
            left = text[number] if number < len(text) else ""
            right = history[number] if number < len(history) else ""
            say(padded(left, widest), painted(BETWEEN + right, dim=True)) if right else say_line(left)
        return
    for line in text:
        say_line(line)
    say()
    for line in history:
        say(line, dim=True)


def _when(version: Version) -> str:
    from wbmem_git.text.moments import moment

    return to_the_minute(moment(version.time))
