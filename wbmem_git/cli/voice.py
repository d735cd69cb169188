"""How commands speak: plain lines, colours where a terminal listens, JSON where a program does."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

LEVELS = {"ok": "green", "warn": "yellow", "bad": "red"}
SHORTEST_ID = 8

with_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
with_commit = click.option(
    "--commit", is_flag=True, help="Commit it too: just this, whatever else is staged."
)


def say(text: str = "", **style: Any) -> None:
    """A line on the standard output."""
    click.echo(click.style(text, **style) if style else text)


def note(text: str) -> None:
    """A line beside the answer, on the standard error."""
    click.echo(text, err=True)


def say_json(value: object) -> None:
    """The value as JSON, keys in the order given, with a final newline."""
    click.echo(json.dumps(value, ensure_ascii=False, indent=2))


def say_commit(commit: str, *, asked: bool, where: str = "git commit") -> None:
    """What became of it: committed, or only staged."""
    if commit:
        say(f"committed {commit[:12]}")
    elif asked:
        say(f"staged, not committed: it belongs to work that isn't committed yet; {where} takes it along")


def short_ids(ids: Iterable[str]) -> Callable[[str], str]:
    """A function that shortens an id to as few hex digits (8 at least) as tell all of `ids` apart."""
    known = sorted(set(ids))
    digits = SHORTEST_ID
    while len({name[4 : 4 + digits] for name in known}) < len(known):
        digits += 1
    return lambda name: name[4 : 4 + digits]
