"""JSON in one line, in which nothing drives a terminal or hides another character."""

from __future__ import annotations

import json

_encoded = json.JSONEncoder(ensure_ascii=False).encode


def plain_json(value: object) -> str:
    r"""A value as JSON; what can't be printed is escaped as JSON does it (`\u202e`), also beyond U+FFFF."""
    text = _encoded(value)
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else json.dumps(char)[1:-1] for char in text)
