"""What git is about to commit, as far as a hook can know, and the stamp that one hook leaves for the next."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.registry import RULES_VERSION
from wbmem_git.store.stamp import Stamp, read_stamp, write_stamp
from wbmem_git.verbs.actor import who
from wbmem_hooks.command_line import amends_head

if TYPE_CHECKING:
    from wbmem_git.store.commits import Commit
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.actor import Decision
    from wbmem_git.verbs.gate import Gate
    from wbmem_hooks.environment import Environment


class Proposal(NamedTuple):
    """A commit that isn't made yet.

    Attributes:
        parents: The commits that it will be compared with: HEAD and what is being merged; empty on an unborn
            branch. With `--amend` that is the commit that will be replaced.
        trees: Their trees.
        new: The tree that git will commit.
        author: `Name <email>`.
        decision: Who commits.
        replaced: The commit that `--amend` replaces.
    """

    parents: tuple[str, ...]
    trees: tuple[str, ...]
    new: str
    author: str
    decision: Decision
    replaced: Commit | None = None

    def fits(self, stamp: Stamp | None) -> bool:
        """Whether a stamp speaks of exactly this. Not all hooks know in which order an octopus merges."""
        return (
            stamp is not None
            and (stamp.new, stamp.author, stamp.rules) == (self.new, self.author, RULES_VERSION)
            and stamp.actor == self.decision.actor
            and stamp.parents[:1] == self.trees[:1]
            and sorted(stamp.parents) == sorted(self.trees)
        )


def propose(gate: Gate, environment: Environment, new: str) -> Proposal:
    """What git is about to commit.

    Args:
        gate: The gate of this repository.
        environment: The variables of this hook.
        new: The tree that git will commit.

    Raises:
        NoIdentity: git knows no author.
        UsageError: WBMEM_ACTOR says something unknown.
    """
    repository = gate.repository
    head = repository.head()
    parents = (head, *_merged(repository, environment)) if head else ()
    settings = gate.settings(parents, new)
    agents = settings.agents if settings is not None else ()
    replaced = _replaced(repository, head, environment)
    picked = _picked(repository)
    author = environment.author or (picked.author if picked is not None else repository.author_ident()).who
    said = picked if picked is not None else replaced
    decision = who(
        wbmem_actor=environment.actor,
        author_email=picked.author.email if picked is not None else email_of(author),
        agents=agents,
        environment=environment.variables,
        message_trailers=said.trailers if said is not None else (),
        picked=picked is not None,
    )
    trees = tuple(repository.tree_of(parent) for parent in parents)
    return Proposal(parents, trees, new, author, decision, replaced)


def left(repository: Repository) -> Stamp | None:
    """The stamp that an earlier hook left."""
    return read_stamp(repository.git_dir)


def leave(repository: Repository, proposal: Proposal, *, passed: bool) -> None:
    """Leave a stamp for the hooks that follow. Where it can't be written they check again."""
    decision = proposal.decision
    write_stamp(
        repository.git_dir,
        Stamp(
            proposal.new,
            proposal.trees,
            proposal.author,
            decision.actor,
            RULES_VERSION,
            passed,
            decision.trailers,
        ),
    )


def email_of(author: str) -> str:
    """The address of `Name <email>`, whatever follows it."""
    return author.rpartition("<")[2].partition(">")[0]


def _merged(repository: Repository, environment: Environment) -> tuple[str, ...]:
    """Heads being merged, but not those of another repository's merge whose hook commits here."""
    heads = repository.other_heads(environment.variables)
    return tuple(oid for oid in heads if repository.objects.find(oid) is not None)


def _replaced(repository: Repository, head: str, environment: Environment) -> Commit | None:
    if not head or not environment.author_date:
        return None
    commit = repository.commit(head)
    return commit if amends_head(commit, environment) else None


def _picked(repository: Repository) -> Commit | None:
    """The commit that a cherry-pick re-applies, also where the user concludes it with `git commit`."""
    oid = repository.pseudo_ref("CHERRY_PICK_HEAD")
    return repository.commit(oid) if oid else None
