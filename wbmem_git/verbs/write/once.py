"""`--key`: what was written under a name isn't written again; the commit's trailer `Wbmem-Key` proves it."""

from __future__ import annotations

import unicodedata
from contextlib import suppress
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.store.commits import trailers_of
from wbmem_git.store.faults import SidecarDamaged, SidecarUnreadable, reading
from wbmem_git.store.revisions import commit_with
from wbmem_git.store.sidecar import Sidecar
from wbmem_git.verbs.commit.foreign_hooks import foreign_files

if TYPE_CHECKING:
    from wbmem_git.store.repository import Repository

TRAILER = "Wbmem-Key"
MOST_CHARACTERS = 200
MESSAGE_HOOKS = ("prepare-commit-msg", "commit-msg")


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

    The sidecar tells it for all that it knows; git's log is read for what is newer, and where there is none.
    Where other people's hooks write in messages it is read whole: behind a paragraph of theirs no line is a
    trailer any more, and the sidecar knows trailers alone.

    Args:
        repository: Where.
        head: HEAD's commit, "" for none.
        key: One that `see_key` has passed.
    """
    if not head:
        return ""
    wanted = (TRAILER.lower(), key)
    if foreign_files(repository, repository.variables(), *MESSAGE_HOOKS):
        return _in_log(repository, wanted, head, is_covered=True)
    with suppress(SidecarDamaged, SidecarUnreadable), reading():
        known, found = _in_sidecar(repository, wanted)
        if known and repository.is_ancestor(known, head):
            return found or _in_log(repository, wanted, f"{known}..{head}" if known != head else "")
    return _in_log(repository, wanted, head)


def _in_sidecar(repository: Repository, wanted: tuple[str, str]) -> tuple[str, str]:
    """The commit that the sidecar was built from, and the one in it that has the trailer; "" for none."""
    sidecar = Sidecar(repository.git_dir)
    try:
        meta = sidecar.begin()
        return ("", "") if meta is None else (meta.get("head", ""), commit_with(sidecar.db, *wanted))
    finally:
        sidecar.close()


def _in_log(
    repository: Repository, wanted: tuple[str, str], commits: str, *, is_covered: bool = False
) -> str:
    """The first of these commits that has the trailer; "" for none.

    Args:
        repository: Where.
        wanted: The trailer, its key in lower case.
        commits: A revision or a range, "" for none.
        is_covered: Whether further paragraphs may stand behind it.
    """
    if not commits:
        return ""
    both = ("--all-match", f"--grep={TRAILER}:", f"--grep={wanted[1]}")
    how = ("--fixed-strings", "--regexp-ignore-case", "--encoding=UTF-8")  # whatever git writes its log in
    for oid in repository.rev_list(*how, *both, "--reverse", commits):
        if wanted in _said(repository.commit(oid).message, is_covered=is_covered):
            return oid
    return ""


def _said(message: str, *, is_covered: bool) -> set[tuple[str, str]]:
    """The trailers, (key in lower case, value); also those that a hook's paragraphs have covered."""
    paragraphs = message.replace("\r\n", "\n").rstrip().split("\n\n")
    first = 1 if is_covered else len(paragraphs)
    heads = ("\n\n".join(paragraphs[:end]) for end in range(first, len(paragraphs) + 1))
    return {(key.lower(), value) for head in heads for key, value in trailers_of(head)}
