"""Days of the calendar, as names and metadata lines write them."""

from __future__ import annotations

from wbmem_git.text.patterns import pattern

_MONTH_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_WRITTEN = pattern(
    r"([0-9]{4})-([0-9]{2})-([0-9]{2})"
    r"(?:[T ](?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]+)?)?(?:Z|[+-][0-9]{2}:?[0-9]{2})?)?"
)


def is_date(text: str) -> bool:
    """Whether `text` is a day of the calendar (`2026-09-14`), with or without a time."""
    match = _WRITTEN.fullmatch(text)
    return match is not None and is_day(*map(int, match.groups()))


def is_day(year: int, month: int, day: int) -> bool:
    """Whether there is such a day, from the year 1 on."""
    if not (year >= 1 and 1 <= month <= 12):
        return False
    leap = month == 2 and year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 1 <= day <= _MONTH_DAYS[month - 1] + leap
