"""What counts as a part of a name: from where a word of it begins on; in scripts without blanks, anything.

`one` is no part of `phone call`; `call` is, and so is `budget` of `retryBudget`, `login.ts` of
`src/login.ts`, `超时` of `登录超时`.
"""

from __future__ import annotations

from wbmem_git.text.folding import fold


def shape_of(written: str, folded: str) -> str:
    """What shows where the words of a name begin, as long as the folded name is."""
    return written if len(written) == len(folded) else folded


def begins_word(shape: str, at: int) -> bool:
    """Whether a word begins there; only within ASCII letters, or digits, of one case none does."""
    here, before = shape[at], shape[at - 1 : at]
    if not (before.isascii() and before.isalnum() and here.isascii() and here.isalnum()):
        return True
    if before.isdigit() or here.isdigit():
        return before.isdigit() != here.isdigit()
    return here.isupper() and (before.islower() or shape[at + 1 : at + 2].islower())


def holds(name: str, part: str) -> bool:
    """Whether a name, as written, has a folded part."""
    folded = fold(name)
    shape, at = shape_of(name, folded), folded.find(part)
    while at >= 0 and not begins_word(shape, at):
        at = folded.find(part, at + 1)
    return at >= 0
