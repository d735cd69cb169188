"""Patterns in which only `*` is special, as `agents:` holds them; matched in linear time."""

from __future__ import annotations


def text_matches(pattern: str, text: str) -> bool:
    """Whether a pattern names that text; only `*` is special, and stands for anything."""
    first, *rest = pattern.split("*")
    if not rest:
        return text == first
    *middle, last = rest
    if not (text.startswith(first) and text.endswith(last) and len(text) >= len(first) + len(last)):
        return False
    at, end = len(first), len(text) - len(last)
    for part in middle:
        found = text.find(part, at, end)
        if found < 0:
            return False
        at = found + len(part)
    return True
