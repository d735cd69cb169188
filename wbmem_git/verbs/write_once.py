"""`--key`: what was written under a name isn't written again; the commit's trailer `Wbmem-Key` proves it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError

if TYPE_CHECKING:
    from wbmem_git.store.repository import Repository

TRAILER = "Wbmem-Key"
MOST_CHARACTERS = 200


def see_key(key: str) -> None:
    """See that it can stand in a trailer as it is.

    Raises:
        UsageError: It can't.
    """
    is_line = all(char.isprintable() and unicodedata.category(char)[0] != "C" for char in key)
    if not is_line or key != key.strip() or not 0 < len(key) <= MOST_CHARACTERS:
        raise UsageError(
            "a key is one line of visible characters without blanks around it, "
            f"{MOST_CHARACTERS} at most: nothing was written",
            "take one for each thing to write, as a request's id",
        )


def written_under(repository: Repository, head: str, key: str) -> str:
    """The commit of HEAD's history that was made under that key; "" where there is none.

    Args:
        repository: Where.
        head: HEAD's commit, "" for none.
        key: One that `see_key` has passed.
    """
    if not head:
        return ""
    wanted = (TRAILER.lower(), key)
    for oid in repository.rev_list("--fixed-strings", f"--grep={TRAILER}: {key}", head):
        if wanted in {(name.lower(), value) for name, value in repository.commit(oid).trailers}:
            return oid
    return ""
