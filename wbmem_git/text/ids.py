"""The one function that makes every id, and the shape of an id."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Iterable

_ID = pattern(r"mem_[0-9a-f]{32}")


def card_id(key: str, page: str, title: str, n: int = 1) -> str:
    r"""The id of the `n`-th thing of that title on that page.

    Args:
        key: The workspace key.
        page: Path from the repository's root, `/`-separated.
        title: Inline text as `titles.title_of` gives it; a bullet's is its section + `\0` + its text.
        n: 1 for the first, then 2, 3 … for namesakes.

    Returns:
        `mem_` and the first 32 hex digits of the SHA-256 of `key \0 page \0 title [\0 n]`.
    """
    from hashlib import sha256  # OpenSSL takes 4 ms to load; anchored cards need no digest

    parts = (key, page, title) if n == 1 else (key, page, title, str(n))
    return "mem_" + sha256("\0".join(parts).encode("utf-8", "surrogatepass")).hexdigest()[:32]


class Drawn:
    """Ids that are computed one after the other, only as far as somebody asks, and each only once.

    So a page of thousands of namesakes costs a digest a card, and not one for each pair of them.
    """

    def __init__(self, ids: Iterable[str]) -> None:
        self._left = iter(ids)
        self._seen: set[str] = set()

    def __contains__(self, name: str) -> bool:
        if name in self._seen:
            return True
        for one in self._left:
            self._seen.add(one)
            if one == name:
                return True
        return False


def is_id(text: str) -> bool:
    """Whether `text` is `mem_` and 32 lower-case hex digits, and nothing else."""
    return _ID.fullmatch(text) is not None
