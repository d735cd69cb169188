"""Whether a commit of one side of a merge stands on the other once more: picked, amended, rebased."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.git import text_of

if TYPE_CHECKING:
    from wbmem_git.store.repository import Repository

_ABOUT = "--format=%m%x00%an%x00%ae%x00%at%x00%s%x00%ct"


def are_remade(repository: Repository, ours: str, theirs: str) -> bool:
    """Whether two commits, one of each side only, are of one author, second and subject, made at two times.

    git keeps author and time when it makes a commit again; two writers of one name that write the same in one
    second commit in that second, too. False where history can't be told (a rebase names no other side).
    """
    if not ours or not theirs:
        return False
    args = ("--left-right", "--no-merges", _ABOUT, f"{ours}...{theirs}", "--")
    answer = repository.git.ask("rev-list", *args)
    if answer.status:
        return False
    sides: dict[str, dict[str, set[str]]] = {"<": {}, ">": {}}
    for line in text_of(answer.out).splitlines():
        side, _, about = line.partition("\0")
        if side in sides:
            made, _, when = about.rpartition("\0")
            sides[side].setdefault(made, set()).add(when)
    left, right = sides["<"], sides[">"]
    return any(made in right and times != right[made] for made, times in left.items())
