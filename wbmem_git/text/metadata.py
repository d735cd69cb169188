"""The metadata line of a card: `<!-- status: current / date: 2026-09-14 -->`."""

from __future__ import annotations

import re
from functools import lru_cache

from wbmem_git.model import Metadata

KNOWN_KEYS = frozenset({
    "status",
    "date",
    "tags",
    "chain",
    "importance",
    "expiry",
    "valid_from",
    "protect_until",
    "supersedes",
    "source",
})  # fmt: skip
NO_METADATA = Metadata(0, ())
_PAIR = re.compile(r"([^\W\d][\w-]*)[ \t]*:(?:[ \t]+(.*)|(\S.*))?")
# Without looking behind, every blank of a long run would be tried as the first one.
_PARTS = re.compile(r"(?<![ \t])[ \t]+/[ \t]+")


@lru_cache(maxsize=4096)  # both sides of a change have nearly all of them
def is_metadata(comment: str) -> bool:
    """Whether a comment is a metadata line and not free prose.

    It is where its first key is a known one, or where it is two or more `key: value` parted by ` / `.
    """
    inner = _inner(comment)
    if ":" not in inner or "\n" in inner:
        return False
    parts = _PARTS.split(inner)
    first = _pair(parts[0])
    if first is None:
        return False
    return first[0] in KNOWN_KEYS or (len(parts) > 1 and None not in map(_pair, parts))


def parse_metadata(comment: str, line: int) -> Metadata:
    """The pairs of a metadata line, in written order; a part without a key belongs to the value before it."""
    return Metadata(line, _pairs(comment))


@lru_cache(maxsize=4096)
def _pairs(comment: str) -> tuple[tuple[str, str], ...]:
    pairs: list[tuple[str, str]] = []
    for part in _PARTS.split(_inner(comment)):
        pair = _pair(part)
        if pair is not None:
            pairs.append(pair)
        elif pairs:
            key, value = pairs[-1]
            pairs[-1] = (key, f"{value} / {part}")
    return tuple(pairs)


def _pair(part: str) -> tuple[str, str] | None:
    """A `key: value`; only a known key needs no blank after its colon (`https://…` is none)."""
    match = _PAIR.fullmatch(part)
    if match is None:
        return None
    key = match[1].lower()
    if match[3] is not None and key not in KNOWN_KEYS:
        return None
    return key, match[2] or match[3] or ""


def _inner(comment: str) -> str:
    return comment.strip().removeprefix("<!--").removesuffix("-->").strip()
