"""Where two versions of a text aren't alike, in whole lines."""

from __future__ import annotations

_LINE_FEED = 10


def unlike_bytes(old: bytes, new: bytes) -> tuple[int, int, int]:
    """Where the lines begin and end that aren't alike, in the old text, and how much longer the new one is.

    Line ends count as they are: it is the bytes that are compared.
    """
    begin = _alike_before(old, new)
    start, moved = old.rfind(b"\n", 0, begin) + 1, len(new) - len(old)
    end = old.find(b"\n", begin) + 1
    if end and new.find(b"\n", begin) + 1 == end + moved and new.endswith(old[end:]):
        return start, end, moved  # the usual edit is one of a line
    rest = _alike_behind(old, new, min(len(old), len(new)) - begin)
    end = len(old) - rest
    if end and rest and old[end - 1] != _LINE_FEED:
        end = old.find(b"\n", end) + 1 or len(old)
    return start, end, moved


def _alike_before(old: bytes, new: bytes) -> int:
    """How many bytes two texts begin with alike."""
    low, high = 0, min(len(old), len(new))
    while low < high:
        middle = (low + high + 1) // 2
        if old.startswith(new[low:middle], low):
            low = middle
        else:
            high = middle - 1
    return low


def _alike_behind(old: bytes, new: bytes, high: int) -> int:
    """How many bytes, at most `high`, two texts end with alike."""
    low = 0
    while low < high:
        middle = (low + high + 1) // 2
        if old.endswith(new[len(new) - middle : len(new) - low], 0, len(old) - low):
            low = middle
        else:
            high = middle - 1
    return low


def unlike_lines(old: str, new: str) -> tuple[str, str]:
    """The lines between what both texts begin and end with alike: more than a rule calls added."""
    before, after = old.split("\n"), new.split("\n")
    shorter = min(len(before), len(after))
    head = next((n for n in range(shorter) if before[n] != after[n]), shorter)
    tail = next((n for n in range(shorter - head) if before[-1 - n] != after[-1 - n]), shorter - head)
    return "\n".join(before[head : len(before) - tail]), "\n".join(after[head : len(after) - tail])
