"""How whoever finds another program in the way tries again: soon, then less and less often."""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FOR_EVER_S = float("inf")


def tries(first_s: float, longest_s: float, *, wait_s: float = FOR_EVER_S, most: int = 0) -> Iterator[int]:
    """The number of each try, from 0 on, with a pause before every other one; at its end patience is too.

    Each pause is about twice the one before. No two programs that wait for the same wait alike.

    Args:
        first_s: At most so long is the first pause, and at least half of that.
        longest_s: No pause is longer.
        wait_s: When that is over there is one more try, if none was since.
        most: There are no more tries than that; 0: as many as there is time for.
    """
    until_s = time.monotonic() + wait_s
    pause_s, number = first_s, 0
    while True:
        is_last = time.monotonic() >= until_s
        yield number
        number += 1
        if is_last or number == most:
            return
        time.sleep(random.uniform(pause_s / 2, pause_s))  # noqa: S311  # nothing secret
        pause_s = min(2 * pause_s, longest_s)
