"""`events.jsonl`: what was written and what the gate said of it, a line an event (CONTRACTS §2)."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from wbmem_git.rules.wording import mask
from wbmem_git.store.revisions import newest_events
from wbmem_git.text.moments import moment

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.store.connection import Connection


def events_jsonl(db: Connection, behind: int = 0) -> Iterator[str]:
    """The newest 10,000 events, oldest first: JSON, each with its line end.

    No credential in a page's name is told.

    Args:
        db: The sidecar.
        behind: Only those of commits behind this seq.
    """
    pages: dict[str, str] = {}
    for it in newest_events(db, behind):
        if it.page not in pages:
            pages[it.page] = json.dumps(mask(it.page), ensure_ascii=False)
        yield (
            f'{{"ts": "{moment(it.time)}", "commit": "{it.commit}", "actor": "{it.actor}",'
            f' "event": "{it.event}", "page": {pages[it.page]}, "ids": {it.ids}, "rules": {it.rules}}}\n'
        )
