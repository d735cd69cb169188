"""What goes on here already that a commit would come into: a merge of git's, or a write of wbmem's."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.store.intent import is_within
from wbmem_git.verbs.on_branch import see_on_a_branch

if TYPE_CHECKING:
    from wbmem_git.store.repository import Repository

OPERATIONS = {
    "MERGE_HEAD": "a merge",
    "CHERRY_PICK_HEAD": "a cherry-pick",
    "REVERT_HEAD": "a revert",
    "rebase-merge": "a rebase",
    "rebase-apply": "a rebase or an am",
}
"""File in the git folder → what git does as long as that is there."""


class WithinWrite(UsageError):
    """A hook of a write asks for another commit, on top of one that isn't made yet."""

    def __init__(self) -> None:
        super().__init__(
            "this runs in a hook of what wbmem is writing just now: nothing was committed",
            "run it when that write has ended",
        )


class OperationGoingOn(UsageError):
    """A commit made now would conclude somebody's merge with our tree."""

    def __init__(self, what: str) -> None:
        super().__init__(
            f"{what} is going on here: nothing was committed",
            "finish it first (wbmem resolve settles what it left unmerged, git status says how to conclude "
            "it), then try again",
        )


def see_none_going_on(repository: Repository) -> str:
    """See that a commit would conclude no merge, rebase …, and wouldn't come into one that wbmem is making.

    Returns:
        The branch that it would come on.

    Raises:
        OperationGoingOn: It would conclude one.
        WithinWrite: This runs in a hook of a write of wbmem's.
        OnNoBranch: HEAD is detached, and nothing of that goes on.
    """
    if is_within(repository):
        raise WithinWrite
    see_no_operation(repository)
    return see_on_a_branch(repository)


def see_no_operation(repository: Repository) -> None:
    """See that git is in no merge, rebase …; whoever has the index's lock knows that none begins either.

    Raises:
        OperationGoingOn: It is in one.
    """
    for name, what in OPERATIONS.items():
        if Path(repository.git_dir, name).exists():
            raise OperationGoingOn(what)
