"""A commit that equals `rekey(old, key)` is exempt from W1, C1, C2, C5 and A1, and from nothing else."""

from __future__ import annotations

import pytest
from rules.building import change_of
from rules.loader import parse

from wbmem_git.rules.check import check

OTHER_KEY = """
---- old PLAN.md
## Doing

### A
<!-- memory:mem_{A} -->
text
---- old archive/mem_{B}.md
---
id: mem_{B}
title: B
page: PLAN.md
archived_at: 2026-09-14T08:00:00Z
reason: done
---
### B
==== the key changes, and every id with it
---- new wbmem.yaml
format: 1
workspace: other-00000000
---- new PLAN.md
## Doing

### A
<!-- memory:mem_11111111111111111111111111111111 -->
text
---- new archive/mem_{B}.md (gone)
---- new archive/mem_22222222222222222222222222222222.md
---
id: mem_22222222222222222222222222222222
title: B
page: PLAN.md
archived_at: 2026-09-14T08:00:00Z
reason: done
---
### B
---- new handoff.md
not a ledger
---- expect
passes
"""


@pytest.mark.parametrize(
    ("rekeyed", "expected"), [(False, {"W1", "C1", "C2", "A1"}), (True, set())], ids=["by hand", "rekeyed"]
)
def test_rekeying_is_exempt_from_what_it_must_change(rekeyed: bool, expected: set[str]) -> None:
    (case,) = parse(OTHER_KEY, "W1")
    change = change_of(case, "human")._replace(rekeyed=rekeyed)
    verdict = check(change)
    assert {finding.rule for finding in verdict.findings if finding.refuses} == expected
    assert "L3" in {finding.rule for finding in verdict.findings}


def test_a_rekeyed_commit_may_not_put_a_card_on_a_page_and_in_the_archive_unseen() -> None:
    text = OTHER_KEY.replace("mem_22222222222222222222222222222222", "mem_11111111111111111111111111111111")
    (case,) = parse(text, "C5")
    change = change_of(case, "human")
    assert "C5" in {finding.rule for finding in check(change).findings}
    assert "C5" not in {finding.rule for finding in check(change._replace(rekeyed=True)).findings}
