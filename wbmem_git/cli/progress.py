"""A bar on a terminal for what takes long; nothing otherwise."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wbmem_git.model import Progress

PATIENCE_S = 0.5
"""What is done by then shows no bar."""


def progress() -> Progress | None:
    """What a verb is handed to tell how far it is; None where nobody looks."""
    return Bar().tell if sys.stderr.isatty() else None


class Bar:
    """A bar for each stretch of the work."""

    def __init__(self) -> None:
        self._begun = time.monotonic()
        self._what = ""
        self._bar: Any = None

    def tell(self, what: str, done: int, total: int) -> None:
        """So much of the total is done."""
        if what != self._what:
            self._end()
            self._what = what
        if self._bar is None and done < total and time.monotonic() - self._begun > PATIENCE_S:
            import click  # it takes as long as a question does

            self._bar = click.progressbar(length=total, label=what, file=sys.stderr)
        if self._bar is not None:
            self._bar.update(done - self._bar.pos)
            if done >= total:
                self._end()

    def _end(self) -> None:
        if self._bar is not None:
            self._bar.render_finish()
            self._bar = None
