"""The sidecar's tables as SQL, and what a file says of itself that has them."""

from __future__ import annotations

import os
from functools import cache
from zlib import crc32

FORMAT = 10
"""Another number wherever the same commits give other rows than before; tests/recall/test_format.py tells."""
SCHEMAS = ("schema.sql", "words.sql")


@cache
def schema() -> str:
    """Every table, as SQL."""
    folder = os.path.dirname(os.path.abspath(__file__))
    return "".join(_text(os.path.join(folder, name)) for name in SCHEMAS)


@cache
def schema_version() -> int:
    """The `user_version` of a file with these tables."""
    return int(schema().partition("PRAGMA user_version = ")[2].partition(";")[0])


@cache
def file_format() -> str:
    """What a file must say of itself to be read; its tables may have changed in a checkout, too."""
    return f"{FORMAT}.{crc32(schema().encode()):08x}"


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()
