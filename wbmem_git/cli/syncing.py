"""In step with a remote: `sync`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wbmem_git.cli.clicked import filled, with_json
from wbmem_git.cli.typed import typed_here
from wbmem_git.cli.voice import note, say, say_json

if TYPE_CHECKING:
    from wbmem_git.cli.door import Door
    from wbmem_git.verbs.merge.values import Conflict
    from wbmem_git.verbs.sync.sync import SyncReport


@click.command()
@click.argument("remote", metavar="[REMOTE]", default="", callback=filled)
@click.option("--dry-run", is_flag=True, help="Only tell what would be done.")
@with_json
@click.pass_obj
def sync(door: Door, remote: str, dry_run: bool, as_json: bool) -> int:
    """Fetch, merge by card, pass the gate, push.

    REMOTE is the remote that this branch follows, else origin, else the only one. Both sides' cards are
    merged one by one, logs by block, ledgers stand side by side; a backup ref names what stood here before.
    Where a person has to decide nothing is changed: the cards are listed, each with what to type, and the
    exit status is 1.
    """
    report = door.memory().sync(remote, now=door.now(), dry_run=dry_run)
    if as_json:
        say_json(_json(report, dry_run=dry_run))
    elif report.conflicts:
        _tell_conflicts(report)
    else:
        _tell(report, dry_run=dry_run)
    return 1 if report.conflicts else 0


def _json(report: SyncReport, *, dry_run: bool) -> dict[str, object]:
    lists = {
        "conflicts": [one._asdict() for one in report.conflicts],
        "notes": [one._asdict() for one in report.notes],
        "backups": [one._asdict() for one in report.backups],
    }
    return {"ok": not report.conflicts, "dry_run": dry_run, **report._asdict(), **lists}


def _tell(report: SyncReport, *, dry_run: bool) -> None:
    there = f"{report.remote}/{report.branch}"
    would = "would be " if dry_run else ""
    if report.done != "nothing":
        how = "merged by card" if report.done == "merge" else "taken over"
        oid = "" if dry_run else f": {report.commit[:12]}"
        say(f"{_commits(report.received)} of {there} {would}{how}{oid}")
    for one in report.notes:
        say(f"  {one.path}: {repr(one.title) + ': ' if one.title else ''}{one.told}")
    sent = report.sent + (dry_run and report.done == "merge")
    if sent:
        say(f"{_commits(sent)} {would}pushed to {there}")
    elif report.done == "nothing":
        say(f"{there} has all that is here, and nothing else", fg="green")
    for line in report.said:
        note(line)
    if report.backup:
        say(f"what stood here before is {report.backup}")


def _tell_conflicts(report: SyncReport) -> None:
    count = len(report.conflicts)
    many = "1 place needs" if count == 1 else f"{count} places need"
    say(f"{many} a person; nothing was changed here", fg="red")
    for one in report.conflicts:
        say(f"{one.path}: {_named(one)}{one.why}")
        say(f"  {typed_here(one.way_out)}")
    say(f"  next: {report.next}, settle them as told, git commit, then: wbmem sync")


def _named(conflict: Conflict) -> str:
    return f"{conflict.title!r} {conflict.id}: " if conflict.id else ""


def _commits(count: int) -> str:
    return "1 commit" if count == 1 else f"{count} commits"
