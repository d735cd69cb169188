"""What answers tell: no credential, and no piece of one.

Every verb's `as_json` ends in `masked`, so the API, `--json` and whatever else gives the object say the same.

What masks credentials (`rules.credentials`) knows them by their shape; one line of a private key, cut out of
it as a cue or a snippet, has none any more. So a piece is told only if it stands in the masked text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from wbmem_git.rules.wording import mask
from wbmem_git.text.patterns import pattern
from wbmem_git.text.suspicion import may_hold

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeVar

    T = TypeVar("T")

_WORD = pattern(r"\S+")


def discreet(text: str) -> Callable[[str], bool]:
    """Whether a piece of that text may be told by itself."""
    masked = mask(text)
    return lambda piece: masked == text or piece in masked


def discreetly(text: str, piece: str) -> str:
    """A piece of that text with `…` for each of its words that may not be told by itself."""
    may = discreet(text)
    return piece if may(piece) else _WORD.sub(lambda word: word[0] if may(word[0]) else "…", piece)


def alone(text: str, piece: str) -> str:
    """A piece of that text as it is kept to be told by itself: without what only the text shows to be secret.

    Of a credential that stands in it whole it keeps every character: whoever tells it sees what it is.
    """
    return piece if discreet(text)(mask(piece)) else discreetly(text, piece)


def hold_secrets(texts: Iterable[str]) -> bool:
    """Whether there may be a credential in one of these; all at once, since mostly there is none."""
    text = "\n\n".join(texts)
    if not may_hold(text):
        return False
    from wbmem_git.rules.credentials import credentials_in  # mostly it isn't needed

    return bool(credentials_in(text))


def masked(said: T) -> T:
    """Whatever JSON can hold, an answer's object say, with every credential in its strings cut short."""
    return cast("T", _masked(said)) if hold_secrets(_strings(said)) else said


def _masked(value: object) -> object:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, dict):
        return {name: _masked(one) for name, one in value.items()}
    return [_masked(one) for one in value] if isinstance(value, (list, tuple)) else value


def _strings(value: object) -> Iterator[str]:
    left = [value]
    while left:
        one = left.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, dict):
            left += one.values()
        elif isinstance(one, (list, tuple)):
            left += one
