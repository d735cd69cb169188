"""What HEAD named before something moved it: refs of our own, the newest few."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import GitError
from wbmem_git.store.git import text_of

if TYPE_CHECKING:
    from datetime import datetime

    from wbmem_git.store.repository import Repository

FOLDER = "refs/wbmem/backup/"
KEPT = 20


class Backup(NamedTuple):
    """A ref and the commit that it names."""

    ref: str
    commit: str


def keep(repository: Repository, commit: str, now: datetime) -> str:
    """Have a new ref name this commit; the ref. Of more than `KEPT` the oldest go.

    Args:
        repository: Where.
        commit: What HEAD names still.
        now: UTC.

    Raises:
        GitError: git can't make it.
    """
    stem = f"{FOLDER}{now:%Y%m%dT%H%M%SZ}"
    known = {one.ref: one.commit for one in backups(repository)}
    same = [ref for ref in sorted(known) if ref.startswith(stem)]
    if same and known[same[-1]] == commit:
        return same[-1]
    number = int(same[-1][len(stem) + 1 :] or 1) + 1 if same else 1
    ref = stem if number == 1 else f"{stem}-{number:04}"
    repository.git.run("update-ref", ref, commit, "0" * len(commit))
    known[ref] = commit
    old = sorted(known)[:-KEPT]
    if old:
        repository.git.run("update-ref", "--stdin", stdin="".join(f"delete {one}\n" for one in old).encode())
    return ref


def backups(repository: Repository) -> tuple[Backup, ...]:
    """Every one, oldest first."""
    answer = repository.git.ask("for-each-ref", "--format=%(refname) %(objectname)", FOLDER)
    if answer.status:
        raise GitError("git can't list its refs", "git fsck tells whether something is damaged")
    lines = text_of(answer.out).splitlines()
    return tuple(Backup(*line.split(" ", 1)) for line in lines)
