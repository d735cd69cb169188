"""On which branch a commit would come: on none where HEAD is detached, and then nobody finds it again.

git detaches HEAD for `git submodule update`, a bisect, the checkout of a tag or of a commit, and in the
checkouts of most CI. To read there is as good as anywhere; a commit made there is lost from sight with the
next `git switch`.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import command
from wbmem_git.store.git import text_of

if TYPE_CHECKING:
    from wbmem_git.store.repository import Repository

_FORMAT = "--format=%(refname) %(worktreepath)"


class OnNoBranch(UsageError):
    """HEAD is detached; `way_out` is what brings it to a branch and loses nothing."""

    def __init__(self, way_out: str) -> None:
        super().__init__("HEAD is detached: what is committed here would be on no branch", way_out)


class BranchSwitched(UsageError):
    """Another branch was checked out while one was synced; that one is as it was."""

    def __init__(self, was: str, now: str, back: str) -> None:
        there = f"{now} is checked out here" if now else "HEAD is detached here"
        super().__init__(
            f"{there} by now, and {was} was to be synced: sync stopped before it touched "
            f"{now or 'anything of that'}",
            f"{back}, then: wbmem sync",
        )


def see_on_a_branch(repository: Repository) -> str:
    """The branch that a commit would come on, born or not.

    Raises:
        OnNoBranch: HEAD is detached.
    """
    branch = repository.branch_named()
    if not branch:
        raise OnNoBranch(way_to_a_branch(repository))
    return branch


def see_still_on(repository: Repository, branch: str) -> None:
    """See that this branch is still the one that is checked out.

    Raises:
        BranchSwitched: It isn't.
    """
    now = repository.branch_named()
    if now != branch:
        raise BranchSwitched(branch, now, git_here(repository, "switch", branch))


def way_to_a_branch(repository: Repository) -> str:
    """What to type where HEAD is detached: the branch that is at this commit, or a new one."""
    if repository.in_rebase_or_am():
        return "finish what is being rebased first: git status says how"
    if Path(repository.git_dir, "BISECT_LOG").exists():
        return f"{git_here(repository, 'bisect', 'reset')} ends the bisect and goes back to where it began"
    free = _free(repository, "--points-at=HEAD")
    if free:
        return f"{git_here(repository, 'switch', free[0])} (it is at this commit)"
    new = f"{git_here(repository, 'switch', '-c', 'NAME')} goes on from here in a new branch"
    others = _free(repository) if repository.in_a_branch(repository.head()) else []
    if not others:
        return new
    usual = "main" if "main" in others else others[0]
    return f"{new}; {git_here(repository, 'switch', usual)} goes on where that one is"


def is_loose(repository: Repository) -> bool:
    """Whether HEAD is detached, and no branch has its commit: the next switch loses it from sight."""
    head = repository.head()
    return not repository.branch_named() and head != "" and not repository.in_a_branch(head)


def git_here(repository: Repository, *words: str) -> str:
    """A git command for this memory, wherever it is typed: the folder around it is another repository's."""
    return command("git", "-C", repository.top, *words)


def _free(repository: Repository, *which: str) -> list[str]:
    """The local branches that no other worktree has checked out."""
    said = repository.git.ask("for-each-ref", _FORMAT, *which, "refs/heads")
    rows = (line.partition(" ") for line in text_of(said.out).splitlines()) if said.status == 0 else ()
    return [ref.removeprefix("refs/heads/") for ref, _, elsewhere in rows if not elsewhere]
