"""Commands that ask what was: `versions`, `show`, `diff`, `blame`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wbmem_git.cli.declared import AS_OF, ID, JSON, REVISION, Argument, Misused, Option, command
from wbmem_git.cli.question import asked, named, tell_degraded
from wbmem_git.cli.table import cut_to, line_width, path_told, say_table
from wbmem_git.cli.voice import (
    SHORTEST_ID,
    by_whom,
    lines_of,
    note,
    painted,
    say,
    say_json,
    say_line,
    say_text,
    to_the_minute,
)

if TYPE_CHECKING:
    from wbmem_git.cli.door import Door
    from wbmem_git.cli.voice import Painted

KINDS = {
    "created": "green",
    "restored": "green",
    "archived": "yellow",
    "superseded": "yellow",
    "removed": "red",
}
RENAMED = "renamed"
"""The reason for which a renamed card is archived."""
NARROW = 100
"""Of a line that is no wider something has to be short."""
MOST_OF_A_NAME = 10
SIGNS = {"+": "green", "-": "red", "@": "cyan"}


@command(ID, AS_OF, JSON)
def versions(door: Door, wanted: str, as_of: str, as_json: bool) -> None:
    """What a card, an entry or a page went through, the newest first.

    Through edits, moves between pages, renames, the archive and back. ID is an id or 8 of its hex digits, a
    page's path (also of a page that is gone), a ledger's stem, or a place as wbmem prints it (PLAN.md:5).
    """
    memory = asked(door, as_of)
    found = memory.versions(named(door, memory, wanted), as_of=as_of)
    if as_json:
        say_json(found)
        return
    tell_degraded(found.get("degraded"))
    say(f"{found['id']}  {found['page'] or 'is no more'}", bold=True)
    if found.get("reason"):
        note(f"archived: {found['reason']}")
    _tell_successor(found, "versions")
    say_table([_version(one) for one in found["versions"]], "  ")


@command(
    ID,
    Argument("rev", "[REV]", is_required=False, kind=REVISION),
    Option(("--rev",), "rev_option", "The same as the argument REV.", "REV", REVISION),
    AS_OF,
    JSON,
)
def show(  # noqa: PLR0913, PLR0917  # every parameter of the command line
    door: Door, wanted: str, rev: str, rev_option: str, as_of: str, as_json: bool
) -> None:
    """A card, an entry or a page as it stood at a commit (HEAD), wherever, and under whatever title.

    ID as for `versions`. REV looks back from the memory as it is now, which knows what a card was renamed to;
    with --as-of it is the memory of that commit that is asked.
    """
    if rev and rev_option:
        raise Misused("REV and --rev are the same: give one of them")
    rev = rev or rev_option
    memory = asked(door, rev or as_of)
    found = memory.show(named(door, memory, wanted), rev, as_of=as_of)
    if as_json:
        say_json(found)
        return
    tell_degraded(found.get("degraded"))
    note(f"{found['page']}:{found['line']} at {found['commit'][:12]}")
    _tell_successor(found, "show")
    say_text(found["text"])


@command(
    ID,
    Argument("old", "[OLD]", is_required=False, kind=REVISION),
    Argument("new", "[NEW]", is_required=False, kind=REVISION),
    AS_OF,
    JSON,
)
def diff(  # noqa: PLR0913, PLR0917  # every parameter of the command line
    door: Door, wanted: str, old: str, new: str, as_of: str, as_json: bool
) -> None:
    """What changed in a card, an entry or a page, as a unified diff.

    Between its last two versions; with OLD, from that commit to HEAD; with NEW too, between these two. ID as
    for `versions`.
    """
    memory = asked(door, new or as_of)
    found = memory.diff(named(door, memory, wanted), old, new, as_of=as_of)
    if as_json:
        say_json(found)
        return
    tell_degraded(found.get("degraded"))
    if not found["diff"]:
        note(f"the text is the same: {_place(found['old'])}, {_place(found['new'])}")
    for line in lines_of(found["diff"]) if found["diff"] else ():
        style: dict[str, Any] = {"fg": SIGNS[line[:1]]} if line[:1] in SIGNS else {}
        say_line(line, **style)


@command(ID, AS_OF, JSON)
def blame(door: Door, wanted: str, as_of: str, as_json: bool) -> None:
    """Who wrote which line of a card, an entry or a page: a person or an agent. ID as for `versions`."""
    memory = asked(door, as_of)
    found = memory.blame(named(door, memory, wanted), as_of=as_of)
    if as_json:
        say_json(found)
        return
    tell_degraded(found.get("degraded"))
    say(f"{found['id']}  {found['page']} at {found['commit'][:12]}", bold=True)
    say_table(_blamed(found["lines"]))


def _tell_successor(found: dict[str, Any], command: str) -> None:
    successor = found.get("successor")
    if successor:
        is_renamed = found.get("reason", RENAMED) == RENAMED
        what = "renamed, it goes on as" if is_renamed else "superseded by"
        note(f"{what} {successor}: wbmem {command} {successor[4:12]}")


def _version(one: dict[str, Any]) -> tuple[str | Painted, ...]:
    kind = painted(one["kind"], fg=KINDS[one["kind"]]) if one["kind"] in KINDS else one["kind"]
    return (
        to_the_minute(one["time"]),
        kind,
        one["commit"][:12],
        by_whom(one["author"], one["actor"]),
        path_told(one["page"]),
        one["subject"],
    )


def _blamed(lines: list[dict[str, Any]]) -> list[tuple[str | Painted, ...]]:
    """A row for each line; on a narrow terminal the line itself has half of it."""
    is_narrow = line_width() < NARROW
    digits, most = (SHORTEST_ID, MOST_OF_A_NAME) if is_narrow else (12, line_width())
    last = len(str(lines[-1]["line"])) if is_narrow and lines else 5
    return [
        (
            painted(line["commit"][:digits], dim=True),
            line["time"][:10],
            cut_to(by_whom(line["author"], line["actor"]), most),
            f"{line['line']:>{last}}",
            line["text"],
        )
        for line in lines
    ]


def _place(side: dict[str, str] | None) -> str:
    return f"{side['page']} at {side['commit'][:12]}" if side is not None else "nowhere"
