"""No line makes a rule slow, however long: a pattern must not try again from each character."""

from __future__ import annotations

import pytest
from rules.building import change_of
from rules.loader import SETTINGS, Case, Content

from wbmem_git.rules.registry import RULES

LENGTH = 100_000
PIECES = [
    " ",
    "-",
    "`",
    "a.",
    "~/",
    "a/.",
    "`a",
    "→",
    "next ",
    "#",
    "＃",
    "<!",
    "mem_",
    "*a ",
    "a@",
    "k: v / ",
    '"',
    "(",
]
HEADS = ["### A\n<!-- status: current", "### A\n<!-- user", "### A\n<!-- memory:mem_", "- [ ] ", "password: "]
TITLES = ("Tried and failed", "Progress and next step", "Goals", "Task state")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", PIECES)
def test_a_long_line_takes_no_time(piece: str) -> None:
    judge(f"{piece * (LENGTH // len(piece))}x")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", [" ", "`", '"', "k: v / "])
@pytest.mark.parametrize("head", HEADS)
def test_a_long_line_that_begins_as_something_takes_no_time(head: str, piece: str) -> None:
    judge(f"{head}{piece * (LENGTH // len(piece))}x -->")


def judge(line: str) -> None:
    """Every rule on an agent's commit that has the line on its board, in a log, a ledger and its message."""
    ledger = "".join(f"\n## {title}\n{line}\n" for title in TITLES)
    before = {"wbmem.yaml": Content(SETTINGS.encode()), "PLAN.md": Content(b"## Doing\n\n### A\ntext\n")}
    after = {
        **before,
        "PLAN.md": Content(f"## Doing\n\n{line}\n".encode()),
        "log/2026-09-14.md": Content(f"{line}\n".encode()),
        "handoff-20260914-101500.md": Content(f"# A ledger\n{ledger}".encode()),
    }
    case = Case("", 0, "", ("agent",), before, before, (before,), after, after, (), line, ())
    change = change_of(case, "agent")
    for row in RULES:
        list(row.function(change))
