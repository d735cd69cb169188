"""Times as text."""

from __future__ import annotations

import pytest

from wbmem_git.text.moments import moment


@pytest.mark.parametrize(
    ("seconds", "text"),
    [
        (0, "1970-01-01T00:00:00Z"),
        (1_780_000_000, "2026-05-28T20:26:40Z"),
        (-5, "1970-01-01T00:00:00Z"),
        (2**63, "9999-12-31T23:59:59Z"),
    ],
)
def test_any_number_of_seconds_is_a_time(seconds: int, text: str) -> None:
    assert moment(seconds) == text
