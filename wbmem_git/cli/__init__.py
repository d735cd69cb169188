"""Floor 7: the command line. click lives here alone; each command is loaded when it is asked for."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

FEW_COLLECTIONS = 100_000
"""So many new objects: what a command imports is no garbage, and to look through it takes 5 ms."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run `wbmem`; its exit status.

    0 fine, 1 the gate refuses or something is open, 2 wrong usage or set-up, or the answer couldn't be
    written, 3 an internal error, 130 Ctrl-C. Without `argv` it is the program itself, and ends the process.
    """
    from wbmem_git.cli.running import run  # noqa: PLC0415  # importing the package costs no click
    from wbmem_git.cli.streams import with_safe_streams  # noqa: PLC0415  # as above

    if argv is not None:
        return with_safe_streams(run, list(argv))
    gc.set_threshold(FEW_COLLECTIONS)
    status = with_safe_streams(run, sys.argv[1:])
    os._exit(status)  # all is written and closed; to take the interpreter apart takes as long as a question
