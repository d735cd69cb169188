"""Whether a commit that was to be made is made, whatever was told of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.commits import subject_of

if TYPE_CHECKING:
    from wbmem_git.store.intent import Intent
    from wbmem_git.store.repository import Repository


def made(repository: Repository, begun: Intent) -> str:
    """The commit, where HEAD's history has it, or that of a branch; "" where HEAD never came to name it.

    HEAD may be somebody else's commit on top of it by now.
    """
    head = repository.head()
    if head in {begun.base, ""} or not (begun.commit or begun.tree):
        return ""
    if begun.commit:
        if repository.is_ancestor(begun.commit, head):
            return begun.commit
        return begun.commit if not begun.is_there and repository.in_a_branch(begun.commit) else ""
    oid = child_of(repository, begun.base, head)
    return oid if oid and is_it(repository, begun, oid) else ""


def child_of(repository: Repository, base: str, head: str) -> str:
    """The commit that followed `base` ("": the first one) along first parents, up to `head`; "" for none."""
    commits = repository.rev_list("--first-parent", head, *([f"^{base}"] if base else []))
    if not commits or repository.commit(commits[-1]).parents[:1] != tuple(filter(None, [base])):
        return ""
    return commits[-1]


def is_it(repository: Repository, begun: Intent, oid: str) -> bool:
    """Whether a commit is the one that git was to make: a hook may have changed its tree or its message."""
    found = repository.commit(oid)
    parents = (*filter(None, [begun.base]), *begun.others)
    return found.parents == parents and (
        found.tree == begun.tree or subject_of(found.message) == begun.subject
    )
