"""A fact that `wbmem doctor` tells."""

from __future__ import annotations

from typing import Literal, NamedTuple


class Fact(NamedTuple):
    """One thing that was looked at.

    Attributes:
        about: A word: `hooks`, `identity` …
        level: `ok`; `warn`: it works, and won't for ever; `bad`: something isn't active.
        message: What is so, and where.
        next: What to do, "" where there is nothing.
    """

    about: str
    level: Literal["ok", "warn", "bad"]
    message: str
    next: str


def ok(about: str, message: str) -> Fact:
    """Something is as it should be."""
    return Fact(about, "ok", message, "")


def warn(about: str, message: str, then: str) -> Fact:
    """Something works, and won't for ever."""
    return Fact(about, "warn", message, then)


def bad(about: str, message: str, then: str) -> Fact:
    """Something isn't active."""
    return Fact(about, "bad", message, then)
