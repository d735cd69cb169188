"""`wbmem index`: the sidecar as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wbmem_git.cli.clicked import with_option
from wbmem_git.cli.declared import AS_OF
from wbmem_git.cli.progress import progress
from wbmem_git.cli.question import asked, tell_degraded
from wbmem_git.cli.voice import note, say, say_json, say_whole

if TYPE_CHECKING:
    from wbmem_git.cli.door import Door
    from wbmem_git.workspace import Workspace

VIEWS = (".json", ".jsonl")


@click.command()
@click.option("--rebuild", is_flag=True, help="Build it from nothing.")
@click.option(
    "--check",
    is_flag=True,
    help="Build it from nothing in memory and compare. Exit status 1 where it differs.",
)
@click.option(
    "--lines",
    is_flag=True,
    help="A line for each card, entry, ledger, archive file and item of a log, the newest first.",
)
@with_option(AS_OF)
@click.option("--json", "as_json", is_flag=True, help="Print index.json; with --check, what differs.")
@click.pass_obj
def index(  # noqa: PLR0913, PLR0917  # click hands over every option
    door: Door, rebuild: bool, check: bool, lines: bool, as_of: str, as_json: bool
) -> int:
    """What questions are answered from: brought to HEAD, and how much it holds.

    It is derived from the commits and may be deleted at any time. Nothing has to call this: whoever commits
    or asks refreshes it.
    """
    if rebuild + check + lines > 1:
        raise click.UsageError("--rebuild, --check and --lines exclude each other")
    if as_of and (rebuild or check):
        raise click.UsageError("--as-of asks what was: it goes with neither --rebuild nor --check")
    if check:
        return _check(door, as_json=as_json)
    if rebuild:
        memory = door.memory()
        memory.progress = progress()
        memory.rebuild_index()
    else:
        memory = asked(door, as_of)
    if lines:
        _tell_lines(memory.index_lines(as_of=as_of), as_json=as_json, is_all=not memory.degraded)
        tell_degraded(memory.degraded)
    elif as_json:
        say_whole(memory.index_json(as_of=as_of))
        tell_degraded(memory.degraded)  # the object is the file's, to the letter
    else:
        _tell_state(memory, as_of)
    return 0


def _check(door: Door, *, as_json: bool) -> int:
    memory = door.memory()
    memory.progress = progress()
    found = memory.check_index()
    if as_json:
        say_json([one._asdict() for one in found])
        return 1 if found else 0
    for one in found:
        say(f"{one.where}: {one.detail}", fg="red")
    if found:
        only_views = all(one.where.endswith(VIEWS) for one in found)
        note("next: wbmem index" if only_views else "next: wbmem index --rebuild")
    else:
        say("the sidecar is what the commits say", fg="green")
    return 1 if found else 0


def _tell_lines(lines: tuple[str, ...], *, as_json: bool, is_all: bool) -> None:
    if as_json:
        say_json(list(lines))
    elif lines:
        say_whole("\n".join(lines))
    elif is_all:
        note("there is nothing yet: wbmem new card TITLE makes a card")


def _tell_state(memory: Workspace, as_of: str) -> None:
    state = memory.index_state(as_of=as_of)
    tell_degraded(state.get("degraded"))
    counts = [f"{count} {name}" for name, count in state["holds"].items()]
    say(f"{state['head'][:12] or '(no commit yet)'}: {', '.join(counts)}")
