"""Pieces of a text that are told by themselves: none of them is a part of a credential.

What masks credentials (`rules.credentials`) knows them by their shape; one line of a private key, cut out of
it as a cue or a snippet, has none any more. So a piece is told only if it stands in the masked text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable

_WORD = pattern(r"\S+")


def discreet(text: str) -> Callable[[str], bool]:
    """Whether a piece of that text may be told by itself."""
    from wbmem_git.rules.credentials import mask  # noqa: PLC0415  # compiled only where something is told

    masked = mask(text)
    return lambda piece: masked == text or piece in masked


def discreetly(text: str, piece: str) -> str:
    """A piece of that text with `…` for each of its words that may not be told by itself."""
    may = discreet(text)
    return piece if may(piece) else _WORD.sub(lambda word: word[0] if may(word[0]) else "…", piece)
