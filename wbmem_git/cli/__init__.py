"""Floor 7: the command line. click lives here alone; each command is loaded when it is asked for."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run `wbmem`; its exit status.

    0 fine, 1 the gate refuses or something is open, 2 wrong usage or set-up, or the answer couldn't be
    written, 3 an internal error, 130 Ctrl-C.
    """
    from wbmem_git.cli.running import run  # noqa: PLC0415  # importing the package costs no click
    from wbmem_git.cli.streams import with_safe_streams  # noqa: PLC0415  # as above

    return with_safe_streams(run, list(sys.argv[1:] if argv is None else argv))
