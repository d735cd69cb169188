"""Work in processes of their own."""

from __future__ import annotations

import os
import traceback
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def in_child(work: Callable[[], None]) -> int:
    """Start work in a process of its own; what goes wrong there is told on standard error."""
    child = os.fork()
    if child:
        return child
    try:
        work()
    except BaseException:  # noqa: BLE001  # the parent asks for the status
        os.write(2, traceback.format_exc().encode())
        os._exit(1)
    os._exit(0)


def exits_well(child: int) -> bool:
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
