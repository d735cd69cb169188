"""Commands that commit at once: `remarks`, `allow`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wbmem_git.cli.voice import say, say_json, with_json

if TYPE_CHECKING:
    from wbmem_git.cli.door import Door

REMARKS = {
    "committed": "committed",
    "taken out": "an agent may not commit this edit: it isn't staged any more, the file keeps it",
    "unreadable": "its zone marks are out of order: mend them first (wbmem explain C4)",
}


@click.command()
@with_json
@click.pass_obj
def remarks(door: Door, as_json: bool) -> None:
    """Commit what stands in user zones, and nothing else.

    Run by a person it commits every edit of a user zone as that person's. Run by an agent it commits
    additions only, marked as unconfirmed, and takes any other edit out of the index, never out of the file.
    """
    report = door.memory().remarks()
    if as_json:
        say_json({"remarks": [one._asdict() for one in report.remarks], "commit": report.commit})
        return
    for one in report.remarks:
        say(f"{one.path}:{one.line}: {one.title!r}: {REMARKS[one.what]}")
    if report.commit:
        say(f"committed {report.commit[:12]}")
    elif not report.remarks:
        say("no user zone differs from the last commit")


@click.command()
@click.argument("finding", metavar="FINDING")
@with_json
@click.pass_obj
def allow(door: Door, finding: str, as_json: bool) -> None:
    """Let a finding through: its fingerprint goes into wbmem.yaml, in a commit of its own.

    FINDING is the fingerprint that a report names, or 8 digits of it. Only a person may, and it lets no card
    vanish: C2 and C5 can't be allowed.
    """
    report = door.memory().allow(finding)
    if as_json:
        said = report.finding._asdict() if report.finding is not None else None
        say_json({"fingerprint": report.fingerprint, "finding": said, "commit": report.commit})
        return
    known = report.finding
    what = f"{known.rule} {known.path}".strip() if known is not None else "no finding that is open here"
    say(f"{report.fingerprint}: {what}")
    say(f"committed {report.commit[:12]}" if report.commit else "it was allowed already")
