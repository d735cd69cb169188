"""Refs and revisions of a repository: what HEAD names, what git is at, which commit comes before which."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.errors import GitError, MissingObject
from wbmem_git.store.git import failure, is_oid, text_of
from wbmem_git.store.object_database import ObjectDatabase

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wbmem_git.store.git import Git

GITHEAD = "GITHEAD_"
SYMBOLIC = "ref: "


class Refs(ObjectDatabase):
    """The refs of a repository, and the commits that they lead to.

    Attributes:
        git_dir: This worktree's git folder. `common_dir`: that of all its worktrees.
        bases: Commits → their merge base, of those that are known without asking git.
    """

    def __init__(self, git: Git, git_dir: str, common_dir: str, object_format: str) -> None:
        super().__init__(git, object_format)
        self.git_dir = git_dir
        self.common_dir = common_dir
        self.bases: dict[tuple[str, ...], str] = {}

    def head(self) -> str:
        """The commit that HEAD names; "" on an unborn branch."""
        said = _first_line(os.path.join(self.git_dir, "HEAD"))
        branch = said.removeprefix(SYMBOLIC)
        if branch == said:
            named = said
        elif branch.startswith("refs/heads/"):
            named = _first_line(os.path.join(self.common_dir, *branch.split("/")))
        else:
            named = ""
        return named if is_oid(named) else self._exactly("HEAD")

    def pseudo_ref(self, name: str) -> str:
        """The commit that `CHERRY_PICK_HEAD`, `REVERT_HEAD` … names; "" where there is none.

        A tag or a branch of that name, which `git rev-parse` and `git cat-file` would take for it, says
        nothing about what git is doing. (With reftable there is no file; git 2.45, the first that has it,
        tells the one from the other.)
        """
        named = _first_line(os.path.join(self.git_dir, name))
        if not named and os.path.isdir(os.path.join(self.common_dir, "reftable")):
            return self._exactly(name)
        return named if is_oid(named) else ""

    def _exactly(self, name: str) -> str:
        """What the ref of that very name says, "" where there is none."""
        answer = self.git.ask("show-ref", "--verify", "--hash", name)
        return "" if answer.status else text_of(answer.out).strip()

    def resolve(self, rev: str) -> str:
        """The oid of the commit that a revision names, as a user types it.

        Raises:
            GitError: It names none.
        """
        answer = self.git.ask("rev-parse", "--verify", "--quiet", "--end-of-options", f"{rev}^{{commit}}")
        if answer.status:
            hint = (
                MissingObject(rev).hint if self.is_shallow() else "git log --oneline lists the commits here"
            )
            raise GitError(f"{rev!r} names no commit here", hint)
        return text_of(answer.out).strip()

    def merge_base(self, *commits: str) -> str:
        """The best common ancestor of all these commits; "" where they share none.

        Raises:
            MissingObject: The clone is too shallow to tell.
        """
        if commits in self.bases:
            return self.bases[commits]
        return next(iter(self._bases("--octopus", commits)), "")

    def merge_bases(self, ours: str, *theirs: str) -> tuple[str, ...]:
        """Every best common ancestor of a commit and another, or what merges others; none without one.

        Raises:
            MissingObject: The clone is too shallow to tell.
        """
        return self._bases("--all", (ours, *theirs))

    def _bases(self, which: str, commits: Sequence[str]) -> tuple[str, ...]:
        answer = self.git.ask("merge-base", which, *commits)
        if answer.status > 1:
            raise failure("merge-base", answer)
        if answer.status and self.is_shallow():
            raise MissingObject(f"(the merge base of {', '.join(commit[:12] for commit in commits)})")
        return tuple(text_of(answer.out).split())

    def is_ancestor(self, old: str, new: str) -> bool:
        """Whether `old` is `new` or one of its ancestors; False where `old` isn't here any more."""
        return old == new or self.git.ask("merge-base", "--is-ancestor", old, new).status == 0

    def rev_list(self, *args: str) -> list[str]:
        """What `git rev-list ARGS` lists.

        Raises:
            GitError: git refuses.
        """
        return text_of(self.git.run("rev-list", *args)).split()

    def branch(self) -> str:
        """The branch that HEAD is on (`main`); "" where it is detached."""
        answer = self.git.ask("symbolic-ref", "--quiet", "HEAD")
        return text_of(answer.out).strip().removeprefix("refs/heads/") if answer.status == 0 else ""

    def branch_named(self) -> str:
        """The same, from git's own file where that says it."""
        said = _first_line(os.path.join(self.git_dir, "HEAD"))
        if is_oid(said):
            return ""
        named = said.removeprefix(f"{SYMBOLIC}refs/heads/")
        return named if named not in {said, "", ".invalid"} else self.branch()

    def in_a_branch(self, commit: str) -> bool:
        """Whether any branch, local or remote-tracking, has that commit; False where it is gone."""
        answer = self.git.ask(
            *("for-each-ref", "--count=1", "--format=%(refname)", "--contains", commit),
            *("refs/heads", "refs/remotes"),
        )
        return answer.status == 0 and answer.out != b""

    def other_heads(self, variables: Mapping[str, str] | None = None) -> tuple[str, ...]:
        """The heads that are being merged into HEAD.

        They stand in the file MERGE_HEAD; in pre-merge-commit there is none yet, and git exports a
        variable `GITHEAD_<oid>` for each (git 2.39).

        Args:
            variables: The hook's environment, in pre-merge-commit only.
        """
        named = [key.removeprefix(GITHEAD) for key in variables or {} if key.startswith(GITHEAD)]
        try:
            with open(os.path.join(self.git_dir, "MERGE_HEAD"), encoding="ascii") as file:
                named = file.read().split()
        except FileNotFoundError:
            named.sort()
        head = self.head()
        return tuple(oid for oid in named if oid != head)

    def in_rebase_or_am(self) -> bool:
        """Whether a rebase or an am is going on."""
        return any(
            os.path.isdir(os.path.join(self.git_dir, name)) for name in ("rebase-merge", "rebase-apply")
        )

    def is_shallow(self) -> bool:
        """Whether history is cut off somewhere."""
        return os.path.exists(os.path.join(self.common_dir, "shallow"))


def _first_line(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.readline().strip()
    except OSError:
        return ""
