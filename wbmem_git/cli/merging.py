"""What git's own merges need: `resolve`, and the driver that git starts, `merge-driver`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wbmem_git.cli.clicked import with_json
from wbmem_git.cli.typed import typed_here
from wbmem_git.cli.voice import note, say, say_json
from wbmem_git.rules.wording import shown

if TYPE_CHECKING:
    from wbmem_git.cli.door import Door
    from wbmem_git.verbs.choose import Choice
    from wbmem_git.verbs.resolve import Resolved

CHOICES: tuple[Choice, ...] = ("ours", "theirs", "both")


@click.command()
@click.argument("wanted", metavar="[ID|FILE]", required=False, default="")
@click.option("--ours", is_flag=True, help="Keep what stands under <<<<<<<.")
@click.option("--theirs", is_flag=True, help="Keep what stands above >>>>>>>.")
@click.option("--both", is_flag=True, help="Keep both, ours first.")
@with_json
@click.pass_obj
def resolve(door: Door, /, wanted: str, as_json: bool, **flags: bool) -> int:
    """Settle by card what a merge, rebase, cherry-pick, revert or stash left unmerged; stage just that.

    What needs nobody is settled; the rest is listed, and for a card (or a file) you say whose version stays.
    What you have edited or staged since is left as it is. Exit status 1 while something is left to decide.
    """
    chosen: list[Choice] = [one for one in CHOICES if flags[one]]
    if len(chosen) > 1:
        raise click.UsageError("--ours, --theirs and --both exclude each other")
    choice = chosen[0] if chosen else None
    if bool(wanted) != bool(choice):
        raise click.UsageError("name a card or a file, and say --ours, --theirs or --both")
    report = door.memory().resolve(wanted, choice)
    if as_json:
        left, notes = ([one._asdict() for one in each] for each in (report.left, report.notes))
        alone = [one._asdict() for one in report.alone]
        lists = {"paths": list(report.paths), "left": left, "notes": notes, "alone": alone}
        say_json({**report._asdict(), **lists})
    else:
        _tell(report)
    return 1 if report.left else 0


def _tell(report: Resolved) -> None:
    if not report.operation:
        say("nothing is being merged here", fg="green")
        return
    for path in report.paths:
        say(f"{path}: settled", fg="green")
    for one in report.notes:
        note(f"  {one.title or one.path}: {one.told}")
    for left in report.left:
        place = f"{left.path}:{left.line}" if left.line else left.path
        say(f"{place}: {f'{left.title!r}: ' if left.title else ''}{left.why}", fg="red")
        say(f"  next: {left.way_out}")
    for kept in report.alone:
        say(f"{shown(kept.path)}: left as somebody has edited, staged or chosen it", fg="yellow")
        if kept.again:
            again = typed_here(kept.again)
            say(f"  where the gate refuses that: keep a copy of it, {again}, then: wbmem resolve")
    if report.then:
        say(f"nothing is left to decide in this {report.operation}; next: {report.then}")


@click.command("merge-driver", context_settings={"ignore_unknown_options": True})
@click.argument("words", metavar="%O %A %B %L %P", nargs=-1)
def merge_driver(words: tuple[str, ...]) -> int:
    """Merge one file for git, which starts this itself; `wbmem hooks install` registers it.

    Exit status: 0 merged, 1 what is left stands between markers, anything else: the file is as it was.
    """
    from wbmem_hooks.merge_driver import main

    return main(list(words))
