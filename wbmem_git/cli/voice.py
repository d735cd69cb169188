"""How commands speak: plain lines, colours where a terminal listens, JSON where a program does.

What a page, a commit or a path says may come from a stranger: nothing here lets it drive a terminal, begin a
line of its own, or show a credential (`rules.wording.shown`).
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from wbmem_git.rules.wording import harmless, shown

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

LEVELS = {"ok": "green", "warn": "yellow", "bad": "red"}
SHORTEST_ID = 8

with_json = click.option("--json", "as_json", is_flag=True, help="Print JSON for a program to read.")
with_commit = click.option(
    "--commit", is_flag=True, help="Commit it too: just this, whatever else is staged."
)


class Painted(NamedTuple):
    """A part of a line with a style of its own."""

    text: str
    style: Mapping[str, Any]


def painted(text: str, **style: Any) -> Painted:
    """A part of a line, in that style where a terminal listens."""
    return Painted(text, style)


def say(*parts: str | Painted, **style: Any) -> None:
    """One line on the standard output; the style is that of the parts that have none of their own."""
    click.echo("".join(_drawn(part, style) for part in parts))


def note(text: str) -> None:
    """One line beside the answer, on the standard error."""
    click.echo(shown(text), err=True)


def say_whole(text: str) -> None:
    """Lines of our own that hold nothing foreign which isn't made safe already: a report, a manual."""
    click.echo(text.rstrip("\n"))


def say_text(text: str) -> None:
    """A foreign text, whole: lines and tabs stay, nothing of it drives a terminal or shows a credential."""
    for line in lines_of(text):
        click.echo(line)


def lines_of(text: str) -> list[str]:
    """The lines of a foreign text as they may be told; a tab stays one."""
    from wbmem_git.rules.credentials import mask  # noqa: PLC0415  # compiled only where something is told

    bare = mask(text).replace("\r\n", "\n").removesuffix("\n").split("\n")
    return ["\t".join(map(harmless, line.split("\t"))) for line in bare]


def say_json(value: object) -> None:
    """The value as JSON, keys in the order given, with a final newline."""
    text = json.dumps(_masked(value), ensure_ascii=False, indent=2)
    click.echo("".join(char if char.isprintable() or char == "\n" else _escaped(char) for char in text))


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


def _drawn(part: str | Painted, style: Mapping[str, Any]) -> str:
    text, own = part if isinstance(part, Painted) else (part, style)
    return click.style(shown(text), **own) if own else shown(text)


def _masked(value: object) -> object:
    """The value without a credential in any of its strings."""
    from wbmem_git.rules.credentials import mask  # noqa: PLC0415  # compiled only where something is told

    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {name: _masked(one) for name, one in value.items()}
    return [_masked(one) for one in value] if isinstance(value, (list, tuple)) else value


def _escaped(char: str) -> str:
    r"""A character as JSON writes it in ASCII: `\u202e`."""
    return json.dumps(char)[1:-1]
