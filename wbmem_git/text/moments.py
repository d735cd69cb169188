"""Times as everything derived writes them: UTC, to the second."""

from __future__ import annotations

import time

LAST_SECOND = 253_402_300_799
"""The end of the year 9999: a commit's time may be any number."""


def moment(seconds: int) -> str:
    """A time as `YYYY-MM-DDTHH:MM:SSZ`; what no calendar has is the nearest one that it has."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(max(0, min(seconds, LAST_SECOND))))
