"""A tree that is there already becomes index and working files, and its commit HEAD: git's own checkout.

`git read-tree -m -u` touches what differs between two trees and nothing else, whatever kind of file it is,
and refuses where a file has changes of its own. These are told before it starts.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import shown
from wbmem_git.store.git import Git, failure, text_of
from wbmem_git.store.steps import step
from wbmem_git.store.writer import PAUSES_S
from wbmem_git.verbs.commit import HELD, Commit, commit
from wbmem_git.verbs.listing import lies
from wbmem_git.verbs.new_index import index_info, update_index
from wbmem_git.verbs.publish import HeadMoved

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wbmem_git.store.git import Answer
    from wbmem_git.store.repository import Repository
    from wbmem_git.store.trees import Entry
    from wbmem_git.verbs.commit import Judge
    from wbmem_git.verbs.publish import Moving

MOST_TOLD = 5


class NotCommittedYet(UsageError):
    """Files that the other side changed too have changes that no commit has; nothing was changed."""

    def __init__(self, paths: Iterable[str]) -> None:
        every = [shown(path) for path in paths]
        more = f" and {len(every) - MOST_TOLD} more" if len(every) > MOST_TOLD else ""
        super().__init__(
            f"not committed here, and changed on the other side too: {', '.join(every[:MOST_TOLD])}{more}; "
            "nothing was changed",
            "commit it (git add, git commit), then: wbmem sync",
        )


def land(repository: Repository, wanted: Commit, judge: Judge) -> str:
    """Commit a tree that is stored, and have index and working files follow; the commit's oid.

    Raises:
        NotCommittedYet: Files that it changes have changes of their own.
        HeadMoved: HEAD isn't what it was built on.
        Refused: The gate refuses; nothing was changed.
        NotCommitted: A hook or git refuses; nothing was changed.
    """
    old, new = repository.tree_of(wanted.base), wanted.tree
    placed: list[str] = []

    def stage(moving: Moving | None) -> None:
        if repository.head() != wanted.base:
            raise HeadMoved
        see_free(repository, old, new)
        _follow(repository, old, new)
        placed.append(new)
        step("checked out")
        if moving is not None:
            moving.move()
            step("moved")

    try:
        return commit(repository, wanted, judge, stage)
    except BaseException:
        if placed and repository.head() == wanted.base:
            _follow(repository, new, old)
        raise


def fast_forward(repository: Repository, base: str, target: str) -> None:
    """Have HEAD, index and working files follow a descendant of HEAD, by git, with its hooks.

    Raises:
        NotCommittedYet: Files that it changes have changes of their own.
        HeadMoved: HEAD isn't `base`.
        GitError: git refuses.
    """
    see_free(repository, repository.tree_of(base), repository.tree_of(target))
    if repository.head() != base:
        raise HeadMoved
    answer = _patiently(repository, "merge", "--quiet", "--ff-only", "--no-overwrite-ignore", target)
    if answer.status:
        if repository.head() != base:
            raise HeadMoved
        raise failure("merge", answer)


def see_free(repository: Repository, old: str, new: str) -> None:
    """See that no file that differs between two trees has changes of its own; none is changed.

    What says already what the new tree says (an earlier run was killed) is no obstacle.

    Raises:
        NotCommittedYet: One has.
    """
    coming = {path: after for path, (_, after) in repository.differing(old, new).items()}
    said = repository.git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    changed = [path for one in said.split(b"\0") if one and (path := text_of(one[3:])) in coming]
    changed += [path for path in coming if path not in changed and _is_new_and_ignored(repository, old, path)]
    there = _there_already(repository, {path: coming[path] for path in changed})
    odd = sorted(set(changed).difference(there))
    if odd:
        raise NotCommittedYet(odd)
    update_index(repository.git, index_info(repository, there))


def _is_new_and_ignored(repository: Repository, old: str, path: str) -> bool:
    """Whether a file lies there that git neither tracks nor tells of."""
    known = repository.entry(old, path) if old else None
    return known is None and lies(repository, path)


def _there_already(repository: Repository, wanted: Mapping[str, Entry | None]) -> dict[str, Entry | None]:
    """Those paths whose working file says what is wanted there."""
    git = Git(repository.top, repository.git.environment, inside=True)
    found: dict[str, Entry | None] = {}
    for path, entry in wanted.items():
        place = Path(repository.top, path)
        if entry is None:
            found |= {} if lies(repository, path) else {path: None}
        elif entry.is_file and place.is_file() and not place.is_symlink():
            answer = git.ask("hash-object", "--", path)
            if answer.status == 0 and text_of(answer.out).strip() == entry.oid:
                found[path] = entry
    return found


def _follow(repository: Repository, old: str, new: str) -> None:
    """Have index and working files follow from one tree to another.

    Raises:
        GitError: git can't; it changes all or nothing.
    """
    answer = _patiently(repository, "read-tree", "-m", "-u", old, new)
    if answer.status:
        raise failure("read-tree", answer)


def _patiently(repository: Repository, *args: str) -> Answer:
    """What git says when it has got the index's lock, or hasn't for a while. Its hooks run under our lock."""
    git = Git(repository.top, {**repository.git.environment, HELD: repository.common_dir}, inside=True)
    for pause_s in PAUSES_S:
        answer = git.ask(*args)
        if answer.status == 0 or not Path(f"{repository.index_file()}.lock").exists():
            return answer
        time.sleep(random.uniform(pause_s / 2, pause_s))  # noqa: S311  # so that two don't wait alike
    return git.ask(*args)
