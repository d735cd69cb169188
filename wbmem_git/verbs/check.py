"""`wbmem check`: the gate, asked without committing. Which change is meant, and what it says of it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import shown
from wbmem_git.store.git import failure
from wbmem_git.text.names import SETTINGS
from wbmem_git.verbs.commit import own_index
from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.history import check_range
from wbmem_git.verbs.index import index_tree, unmerged
from wbmem_git.verbs.scratch import scratch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wbmem_git.model import Actor, Verdict
    from wbmem_git.store.repository import Repository


class Checked(NamedTuple):
    """What was looked at, in words, and the verdicts: one, or one for each commit of a range."""

    what: str
    verdicts: tuple[Verdict, ...]

    @property
    def passed(self) -> bool:
        """Whether nothing refuses."""
        return all(verdict.passed for verdict in self.verdicts)


def check_staged(repository: Repository, actor: Actor) -> Checked:
    """What `git commit` would be told now: the index against HEAD and whatever is being merged."""
    tree = index_tree(repository)
    parents = _parents(repository)
    what = "what is staged"
    if parents and repository.tree_of(parents[0]) == tree:
        what = "nothing is staged"
    verdict = Gate(repository).check(parents, tree, actor=actor, look_at_worktree=True)
    return Checked(what, (verdict,))


def check_files(repository: Repository, paths: Sequence[str], actor: Actor) -> Checked:
    """What `git commit PATH…` would be told: HEAD with these working files, none of which is stored.

    Raises:
        UsageError: There is no such file, here or at HEAD.
    """
    with scratch(repository) as copy:
        tree = _tree_with_files(copy, copy.head(), paths)
        verdict = Gate(copy).check(_parents(copy), tree, actor=actor, look_at_worktree=True)
    return Checked(f"the working files {', '.join(paths)}", (verdict,))


def check_all(repository: Repository) -> Checked:
    """Every page of the working tree, as if it were new: what an older commit let through is found too.

    It is compared with a tree that holds nothing but `wbmem.yaml`, so nothing can have vanished. No file is
    stored: one that git doesn't track may hold a secret.
    """
    with scratch(repository) as copy:
        base = copy.head() if unmerged(copy) else index_tree(copy)
        tree = _tree_with_files(copy, base, ["."])
        entry = copy.entry(tree, SETTINGS)
        line = f"{entry.mode} blob {entry.oid}\t{SETTINGS}\n" if entry is not None else ""
        old = copy.git.run("mktree", stdin=line.encode()).decode().strip()
        verdict = Gate(copy).check([old], tree, actor="human")
    return Checked("every page of the working tree", (verdict,))


def check_between(repository: Repository, old: str, new: str) -> Checked:
    """Every commit of `old..new`, against its parents.

    Raises:
        GitError: One of the two names no commit.
        MissingObject: The clone is too shallow.
    """
    first, last = repository.resolve(old), repository.resolve(new)
    verdicts = check_range(repository, first, last)
    return Checked(f"{len(verdicts)} commits, {old}..{new}", verdicts)


def _parents(repository: Repository) -> tuple[str, ...]:
    head = repository.head()
    return (head, *repository.other_heads()) if head else ()


def _tree_with_files(repository: Repository, base: str, paths: Sequence[str]) -> str:
    """The tree `base` with these paths as the working tree has them, gone ones gone."""
    _see_there(repository, base, paths)
    with own_index(repository) as git:
        git.run("read-tree", *([base] if base else ["--empty"]))
        answer = git.ask("-c", "advice.addEmbeddedRepo=false", "add", "--all", "--", *paths)
        if answer.status:
            raise UsageError(failure("add", answer).message, "git status lists the files here")
        return git.line("write-tree")


def _see_there(repository: Repository, base: str, paths: Sequence[str]) -> None:
    known = repository.entries(repository.tree_of(base))
    for path in paths:
        there = os.path.lexists(Path(repository.top, path))
        if not there and not any(name == path or name.startswith(f"{path}/") for name in known):
            raise UsageError(
                f"{shown(path)}: no such file, in the working tree or in the last commit",
                "wbmem check --all looks at every page",
            )
