"""`lint`, and what `status` says of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.cli.declared import AS_OF, JSON, Day, Option, command
from wbmem_git.cli.question import asked, tell_degraded
from wbmem_git.cli.voice import painted, say, say_json

if TYPE_CHECKING:
    from datetime import datetime

    from wbmem_git.cli.door import Door
    from wbmem_git.model import Finding
    from wbmem_git.verbs.lint.lint import LintReport

COLOURS = {"soft": "yellow", "note": "cyan"}
TODAY = Option(
    ("--today",),
    "today",
    "The day on which ages are counted; default: today.",
    metavar="YYYY-MM-DD",
    kind=Day(),
    default=None,
)
TODAY_OR_THEN = TODAY._replace(
    help="The day on which ages are counted; default: today, with --as-of the day of that commit."
)


@command(TODAY_OR_THEN, AS_OF, JSON)
def lint(door: Door, today: datetime | None, as_of: str, as_json: bool) -> None:
    """What to look after: orphans, stale cards, what has no card, what isn't linked, ids of nothing.

    It reports and never changes anything, and no gate asks it. `wbmem explain N1` says what a rule asks.
    """
    memory = asked(door, as_of)
    day = None if as_of and today is None else door.day(today)
    if as_json:
        say_json(memory.lint(today=day, as_of=as_of))
    else:
        _tell(memory.linted(today=day, as_of=as_of))


def tell_first(found: LintReport) -> None:
    """The count and the first few, for `status`; nothing where there is none."""
    from wbmem_git.verbs.overview import FIRST

    if found.findings:
        say()
        for finding in found.urgent[:FIRST]:
            _tell_finding(finding)
        say(
            f"lint: {_counted(found)}: wbmem lint",
            fg="yellow" if found.urgent[0].severity == "soft" else None,
        )


def _tell(found: LintReport) -> None:
    tell_degraded(found.degraded)
    for finding in found.findings:
        _tell_finding(finding)
        say(f"  next: {finding.fix}", dim=True)
    say(_counted(found) if found.findings else "nothing to look after", bold=True)


def _tell_finding(finding: Finding) -> None:
    rule = painted(finding.rule, fg=COLOURS[finding.severity])
    say(f"{finding.path}:{finding.line}: ", rule, f" {finding.message}")


def _counted(found: LintReport) -> str:
    """`3 to mend, 2 to consider`: what is wrong (N2, N6), and what could be better."""
    notes = sum(finding.severity == "note" for finding in found.findings)
    counts = ((len(found.findings) - notes, "to mend"), (notes, "to consider"))
    return ", ".join(f"{count} {what}" for count, what in counts if count)
