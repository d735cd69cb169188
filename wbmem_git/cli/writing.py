"""`wbmem write plan|ledger|entry|log|card`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from wbmem_git.cli.clicked import DayType, with_json
from wbmem_git.cli.voice import say, say_json
from wbmem_git.errors import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime
    from typing import BinaryIO

    from wbmem_git.cli.door import Door
    from wbmem_git.verbs.write.order import Kind
    from wbmem_git.verbs.write.write import Written

with_file = click.argument("file", type=click.File("rb"))
with_title = click.option("--title", metavar="TEXT", required=True, help="Its title.")
with_today = click.option(
    "--today", type=DayType(), metavar="YYYY-MM-DD", help="The day of its date or log; default: today."
)


def _with_terms(command: Callable[..., int]) -> Callable[..., int]:
    """The options of every kind of write."""
    for option in (
        with_json,
        click.option(
            "--key",
            metavar="KEY",
            default="",
            help="Write only once under this name, however often it is tried.",
        ),
        click.option(
            "--if-rev", metavar="REV", default="", help="Write only if it still is as that commit has it."
        ),
        click.option(
            "--message", metavar="TEXT", default="", help="The commit's message; default: what it is."
        ),
    ):
        command = option(command)
    return command


@click.group()
def write() -> None:
    """Write a board, a card, an entry, a ledger or a piece of log from FILE, and commit it at once.

    FILE may be - for the standard input. The commit holds just that; what you have edited there stays as it
    is, and isn't committed. The same text again makes no commit.
    """


@write.command("plan")
@with_file
@click.option("--page", metavar="PAGE", default="", help="Another board, or an entry page; default: PLAN.md.")
@_with_terms
@click.pass_obj
def write_plan(  # noqa: PLR0913, PLR0917  # click hands over every option
    door: Door, file: BinaryIO, page: str, message: str, if_rev: str, key: str, as_json: bool
) -> int:
    """A whole board. Every card gets its anchor; a card that isn't there any more is refused."""
    return _write(door, "plan", file, as_json, page=page, message=message, if_rev=if_rev, key=key)


@write.command("card")
@with_file
@with_title
@click.option(
    "--column", metavar="TITLE", default="", help="Its column; default: where it is, a new one in the first."
)
@click.option("--page", metavar="PAGE", default="", help="The board; default: PLAN.md.")
@with_today
@_with_terms
@click.pass_obj
def write_card(  # noqa: PLR0913, PLR0917  # as above
    door: Door,
    file: BinaryIO,
    title: str,
    column: str,
    page: str,
    today: datetime | None,
    message: str,
    if_rev: str,
    key: str,
    as_json: bool,
) -> int:
    """What stands in the model zone of the card of that title; it is made where there is none."""
    terms = {"message": message, "if_rev": if_rev, "key": key}
    return _write(door, "card", file, as_json, today, title=title, column=column, page=page, **terms)


@write.command("entry")
@with_file
@with_title
@click.option(
    "--page", metavar="PAGE", default="", help="MEMORY.md, PINNED.md or USER.md; default: MEMORY.md."
)
@with_today
@_with_terms
@click.pass_obj
def write_entry(  # noqa: PLR0913, PLR0917  # as above
    door: Door,
    file: BinaryIO,
    title: str,
    page: str,
    today: datetime | None,
    message: str,
    if_rev: str,
    key: str,
    as_json: bool,
) -> int:
    """The same for a long-term entry."""
    terms = {"message": message, "if_rev": if_rev, "key": key}
    return _write(door, "entry", file, as_json, today, title=title, page=page, **terms)


@write.command("ledger")
@with_file
@_with_terms
@click.pass_obj
def write_ledger(  # noqa: PLR0913, PLR0917  # as above
    door: Door, file: BinaryIO, message: str, if_rev: str, key: str, as_json: bool
) -> int:
    """A ledger under the next free name, UTC, with a heading that says when.

    With --if-rev: only if no other ledger came since that commit.
    """
    return _write(door, "ledger", file, as_json, message=message, if_rev=if_rev, key=key)


@write.command("log")
@with_file
@with_today
@_with_terms
@click.pass_obj
def write_log(  # noqa: PLR0913, PLR0917  # as above
    door: Door, file: BinaryIO, today: datetime | None, message: str, if_rev: str, key: str, as_json: bool
) -> int:
    """A piece more at the end of the day's log; a day ends at `day_starts` of the next one."""
    return _write(door, "log", file, as_json, today, message=message, if_rev=if_rev, key=key)


def _write(  # what a write has
    door: Door, kind: Kind, file: BinaryIO, as_json: bool, today: datetime | None = None, **given: str
) -> int:
    from wbmem_git.verbs.write.order import Order  # noqa: PLC0415  # as above
    from wbmem_git.verbs.write.write import WriteRefused  # noqa: PLC0415  # `--help` needs none

    try:
        text = file.read().decode()
    except UnicodeDecodeError:
        raise UsageError(f"{file.name}: the text isn't UTF-8: nothing was written") from None
    day = today.date() if today is not None else None
    order = Order(kind, text, door.now().astimezone(), today=day, **given)
    try:
        written = door.memory().write(order)
    except WriteRefused as refused:
        if not as_json:
            raise
        say_json(refused.as_json())
        return refused.exit_status
    if as_json:
        say_json(written.as_json())
    else:
        _tell(written)
    return 0


def _tell(written: Written) -> None:
    place = f"{written.path}, {written.column}" if written.column else written.path
    say(f"{written.id} {written.title!r} in {place}" if written.id else place)
    if written.repeated:
        say(f"written before under this key: committed {written.commit[:12]}")
    elif written.changed:
        say(f"committed {written.commit[:12]}")
    else:
        say("nothing to commit: it says just that already")
