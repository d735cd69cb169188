"""What answers tell: no credential, and no piece of one.

Every verb's `as_json` ends in `masked`, so the API, `--json` and whatever else gives the object say the same.

What masks credentials (`rules.credentials`) knows them by their shape; one line of a private key, cut out of
it as a cue or a snippet, has none any more. So a piece is told only if it stands in the masked text.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

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


def hold_secrets(texts: Iterable[str]) -> bool:
    """Whether there may be a credential in one of these; all at once, since mostly there is none."""
    from wbmem_git.rules.credentials import credentials_in  # noqa: PLC0415  # as above

    return bool(credentials_in("\n\n".join(texts)))


def masked(said: dict[str, Any]) -> dict[str, Any]:
    """An answer's object, with every credential in its strings cut to what may be shown."""
    if not hold_secrets(_strings(said)):
        return said
    return {name: _masked(value) for name, value in said.items()}


def _masked(value: Any) -> Any:  # whatever JSON can hold
    if isinstance(value, str):
        from wbmem_git.rules.credentials import mask  # noqa: PLC0415  # as above

        return mask(value)
    if isinstance(value, dict):
        return {name: _masked(one) for name, one in value.items()}
    return [_masked(one) for one in value] if isinstance(value, list) else value


def _strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _strings(one)
    elif isinstance(value, list):
        for one in value:
            yield from _strings(one)
