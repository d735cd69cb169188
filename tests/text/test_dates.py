"""Days of the calendar."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from wbmem_git.text.dates import is_date, is_day


def test_a_day_is_one_of_the_calendar() -> None:
    first = date(1895, 1, 1)
    days = {first + timedelta(days=n) for n in range(80_000)}
    known = {(day.year, day.month, day.day) for day in days}
    written = {
        (year, month, day)
        for year in range(1895, 2110)
        for month in range(14)
        for day in range(33)
        if is_day(year, month, day)
    }
    assert written == {day for day in known if day[0] < 2110}


@pytest.mark.parametrize(
    "text",
    [
        "2026-09-14",
        "2024-02-29",
        "2026-09-14T10:15",
        "2026-09-14 10:15:00",
        "2026-09-14T10:15:00.5Z",
        "0001-01-01",
        "2026-09-14T23:59+08:00",
        "2026-09-14T00:00:00-0330",
    ],
)
def test_a_date_may_have_a_time(text: str) -> None:
    assert is_date(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "2026-9-14",
        "2026-02-30",
        "2026-13-01",
        "0000-01-01",
        "2026-09-14T24:00",
        "2026-09-14T10",
        "2026-09-14Z",
        "2026-09-14\n",
        "２０２６-09-14",
        "2026-09-14T10:15:60",
        "14.9.2026",
    ],
)
def test_anything_else_is_no_date(text: str) -> None:
    assert not is_date(text)
