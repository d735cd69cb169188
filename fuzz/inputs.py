"""What a fuzzer's bytes mean: one text or more of them, so that a person can read and write an input."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

PARTING = "%%"
"""A line that parts two texts of one input."""
KEY = "demo-1a2b3c4d"
ID = "mem_0123456789abcdef0123456789abcdef"


def text_of(data: bytes) -> str:
    """An input as text; whatever isn't UTF-8 becomes a replacement character, and a NUL is none in a page."""
    return data.decode("utf-8", "replace").replace("\0", "\ufffd")


def texts_of(data: bytes, count: int) -> Sequence[str]:
    """So many texts, parted by lines of `%%`; those that aren't there are empty."""
    texts = text_of(data).split(f"\n{PARTING}\n", count - 1)
    return texts + [""] * (count - len(texts))
