"""`events.jsonl`: what was written and what the gate said of it, a line an event (CONTRACTS §2)."""

from __future__ import annotations

import json
import time
from typing import TYPE_CHECKING

from wbmem_git.store.revisions import newest_events

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.store.connection import Connection

LAST_SECOND = 253_402_300_799
"""Of the year 9999: years have four digits."""


def events_jsonl(db: Connection, behind: int = 0) -> Iterator[str]:
    """The newest 10,000 events, oldest first: JSON, each with its line end.

    Args:
        db: The sidecar.
        behind: Only those of commits behind this seq.
    """
    for it in newest_events(db, behind):
        page = json.dumps(it.page, ensure_ascii=False)
        yield (
            f'{{"ts": "{_shown(it.time)}", "commit": "{it.commit}", "actor": "{it.actor}",'
            f' "event": "{it.event}", "page": {page}, "ids": {it.ids}, "rules": {it.rules}}}\n'
        )


def _shown(seconds: int) -> str:
    """Seconds since the epoch as `YYYY-MM-DDTHH:MM:SSZ`."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(max(0, min(seconds, LAST_SECOND))))
