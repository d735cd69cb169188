"""S1 to S6 beyond their tables: no ledger takes long."""

from __future__ import annotations

import pytest
from rules.building import change_of
from rules.loader import SETTINGS, Case, Content

from wbmem_git.rules.quality import s1, s2, s3, s4, s5, s6


@pytest.mark.timeout(60)
@pytest.mark.parametrize("piece", ["a.", "-", "~/", "a/.", "`a", "→", "next "])
def test_a_long_line_takes_no_time(piece: str) -> None:
    line = piece * (200_000 // len(piece))
    titles = ("Tried and failed", "Progress and next step", "Goals", "Task state")
    ledger = "# A ledger\n" + "".join(f"\n## {title}\n{line}\n" for title in titles)
    before = {"wbmem.yaml": Content(SETTINGS.encode())}
    after = {**before, "handoff-20260914-101500.md": Content(ledger.encode())}
    case = Case("", 0, "", ("agent",), before, before, (before,), after, after, (), "", ())
    change = change_of(case, "agent")
    for rule in (s1, s2, s3, s4, s5, s6):
        list(rule(change))
