"""`wbmem sync`: fetch, merge by card in memory, pass the gate, push; again where somebody was faster.

Nothing moves before a backup ref names what stood here. What a person has to decide moves nothing at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from wbmem_git.errors import GitError, NotAMemory, UsageError
from wbmem_git.store.patience import tries
from wbmem_git.verbs.commit.commit import Commit, cleaned, see_passed
from wbmem_git.verbs.commit.going_on import see_none_going_on
from wbmem_git.verbs.commit.landing import fast_forward, land
from wbmem_git.verbs.commit.obstacles import see_free
from wbmem_git.verbs.commit.retried import retried
from wbmem_git.verbs.commit.writing import writing
from wbmem_git.verbs.governing import last_good, see_format
from wbmem_git.verbs.merge.trees import merge_trees, tree_with
from wbmem_git.verbs.on_branch import see_still_on
from wbmem_git.verbs.operation import OtherKey
from wbmem_git.verbs.sync.backups import Backup, backups, keep
from wbmem_git.verbs.sync.remote import remote_of
from wbmem_git.verbs.sync.retitled import retitled

if TYPE_CHECKING:
    from datetime import datetime

    from wbmem_git.model import Settings
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit.commit import Judge
    from wbmem_git.verbs.merge.values import Conflict, Note
    from wbmem_git.verbs.sync.remote import Remote

ROUNDS = 10
LONGEST_PAUSE_S = 2.0
Done = Literal["nothing", "fast-forward", "merge", "conflict"]


class Unrelated(UsageError):
    """Two histories without a common commit: nobody knows what either side changed."""

    def __init__(self, title: str) -> None:
        super().__init__(
            f"{title} and this memory have no commit in common: they are two memories; nothing was changed",
            "see that the remote is the right one (git remote -v); to go on with its memory: move this one's "
            "folder away, git clone it as handoff, wbmem init",
        )


class AlwaysSlower(GitError):
    """Others pushed in every round."""

    def __init__(self, title: str, commit: str) -> None:
        super().__init__(
            f"others pushed to {title} {ROUNDS} times meanwhile; "
            f"what is here is committed ({commit[:12]}) and isn't pushed",
            "wbmem sync",
        )


class SyncReport(NamedTuple):
    """What was done, or would be.

    Attributes:
        remote, branch: With what.
        before: What HEAD named, "" on an unborn branch.
        theirs: What the other side had, "" where it had nothing.
        commit: What HEAD names now.
        done: How theirs came here.
        pushed: Whether the other side has it all now.
        received, sent: How many commits came, and how many went or would go.
        backup: The ref that names `before`, "" where nothing was moved.
        conflicts: What a person has to decide; then nothing was changed.
        notes: What the merge settled; and which cards of ours another side's merge gave another title.
        backups: Every backup ref, oldest first.
        next: What to type, "" where nothing is left to do.
        said: What hooks behind a fast-forward said: what came past the gate, say.
    """

    remote: str
    branch: str
    before: str
    theirs: str
    commit: str
    done: Done
    pushed: bool = False
    received: int = 0
    sent: int = 0
    backup: str = ""
    conflicts: tuple[Conflict, ...] = ()
    notes: tuple[Note, ...] = ()
    backups: tuple[Backup, ...] = ()
    next: str = ""
    said: tuple[str, ...] = ()


class _Taken(NamedTuple):
    """What one look at both sides led to."""

    before: str
    commit: str
    done: Done
    backup: str = ""
    said: tuple[str, ...] = ()
    notes: tuple[Note, ...] = ()
    conflicts: tuple[Conflict, ...] = ()


def sync(
    repository: Repository, wanted: str, judge: Judge, now: datetime, *, dry_run: bool = False
) -> SyncReport:
    """Keep this branch and that of a remote in step.

    Args:
        repository: The memory.
        wanted: The remote's name, "" for the usual one.
        judge: The gate.
        now: UTC.
        dry_run: Whether only to tell what would be done; then nothing but what is fetched is new here.

    Raises:
        NoRemote, Unrelated, OtherKey, OperationGoingOn, OnNoBranch, NotCommittedYet: Nothing was changed.
        BranchSwitched: Another branch was checked out meanwhile; that one is as it was.
        Unreachable: Nobody answers; what is committed here stays.
        Refused: The gate refuses the merge; nothing was changed.
        PushRefused, AlwaysSlower: What is committed here isn't pushed.
    """
    remote = remote_of(repository, wanted)
    first: _Taken | None = None
    for _ in tries(0.05, LONGEST_PAUSE_S, most=ROUNDS):
        theirs = remote.fetch()
        taken = retried(lambda: _Taking(repository, remote, judge, now, dry_run=dry_run).take())
        if taken.done == "conflict" or dry_run:
            return _report(repository, remote, taken, theirs)
        first = _joined(first, taken)
        if taken.commit == theirs or remote.push(taken.commit):
            return _report(repository, remote, first, theirs)._replace(pushed=True)
    raise AlwaysSlower(remote.title, taken.commit)


def _joined(first: _Taken | None, later: _Taken) -> _Taken:
    """Rounds told as one: where HEAD was before the first of them, and all that was settled."""
    if first is None or first.done == "nothing":
        return later
    done = later.done if later.done != "nothing" else first.done
    notes, said = (*first.notes, *later.notes), (*first.said, *later.said)
    return _Taken(first.before, later.commit, done, first.backup, said, notes)


def _report(repository: Repository, remote: Remote, taken: _Taken, theirs: str) -> SyncReport:
    def count(since: str, until: str) -> int:
        limits = [until, *([f"^{since}"] if since else [])]
        return int(repository.rev_list("--count", *limits)[0]) if until else 0

    return SyncReport(
        remote=remote.name,
        branch=remote.branch,
        before=taken.before,
        theirs=theirs,
        commit=taken.commit,
        done=taken.done,
        received=count(taken.before, theirs),
        sent=count(theirs, taken.commit),
        backup=taken.backup,
        conflicts=taken.conflicts,
        notes=taken.notes,
        backups=backups(repository),
        next=f"git merge {_named(repository, remote)}" if taken.conflicts else "",
        said=taken.said,
    )


def _named(repository: Repository, remote: Remote) -> str:
    """What git calls the fetched commit, in the shortest way."""
    followed = repository.git.ask("rev-parse", "--verify", "--quiet", f"refs/remotes/{remote.title}")
    is_it = followed.status == 0 and followed.out.decode().strip() == remote.known
    return remote.title if is_it else remote.known[:12]


class _Taking:
    """One round: what was fetched comes into this branch."""

    def __init__(
        self, repository: Repository, remote: Remote, judge: Judge, now: datetime, *, dry_run: bool
    ) -> None:
        self._repository = repository
        self._remote = remote
        self._judge = judge
        self._now = now
        self._dry_run = dry_run

    def take(self) -> _Taken:
        """Under the writer's lock.

        Raises:
            HeadMoved: Another program was faster; nothing was changed.
            BranchSwitched: Another branch is checked out by now; nothing was changed.
        """
        repository, theirs = self._repository, self._remote.known
        with writing(repository):
            see_none_going_on(repository)
            see_still_on(repository, self._remote.here)
            ours = repository.head()
            if not ours and not theirs:
                raise UsageError(
                    f"nothing is committed, neither here nor in {self._remote.title}", "wbmem init"
                )
            if not theirs or repository.is_ancestor(theirs, ours):
                return _Taken(ours, ours, "nothing")
            if not ours or repository.is_ancestor(ours, theirs):
                return self._forward(ours, theirs)
            bases = repository.merge_bases(ours, theirs)
            if not bases:
                raise Unrelated(self._remote.title)
            return self._merge(bases, ours, theirs)

    def _forward(self, ours: str, theirs: str) -> _Taken:
        repository = self._repository
        see_free(repository, repository.tree_of(ours), repository.tree_of(theirs))
        notes = self._retitled(ours, theirs)
        if self._dry_run:
            return _Taken(ours, ours, "fast-forward", notes=notes)
        backup = keep(repository, ours, self._now) if ours else ""
        said = fast_forward(
            repository, ours, theirs, f"merge {self._remote.title}: Fast-forward", self._remote.here
        )
        return _Taken(ours, theirs, "fast-forward", backup, said=said, notes=notes)

    def _retitled(self, ours: str, theirs: str) -> tuple[Note, ...]:
        """Cards of ours that the other side's merge gave another title."""
        good = last_good(self._repository, ours) if ours else None
        if good is None:
            return ()
        tree_of = self._repository.tree_of
        return retitled(self._repository, tree_of(ours), tree_of(theirs), good.settings)

    def _merge(self, bases: tuple[str, ...], ours: str, theirs: str) -> _Taken:
        repository = self._repository
        settings = self._settings(ours, theirs)
        labels = ("ours", "base", self._remote.title)
        merged = merge_trees(repository, bases, ours, theirs, settings, labels=labels, first="theirs")
        if merged.conflicts:
            return _Taken(ours, ours, "conflict", conflicts=merged.conflicts, notes=merged.notes)
        tree = tree_with(repository, repository.tree_of(ours), merged.edits)
        message = f"merge {self._remote.title}\n"
        see_free(repository, repository.tree_of(ours), tree)
        told = {note.id for note in merged.notes if note.kind == "retitled"}
        later = retitled(repository, repository.tree_of(ours), tree, settings)
        notes = (*merged.notes, *(note for note in later if note.id not in told))
        if self._dry_run:
            see_passed(self._judge.check(ours, tree, cleaned(message), (theirs,)))
            return _Taken(ours, ours, "merge", notes=notes)
        backup = keep(repository, ours, self._now)
        wanted = Commit(ours, {}, message, others=(theirs,), tree=tree, branch=self._remote.here)
        oid = land(repository, wanted, self._judge)
        return _Taken(ours, oid, "merge", backup, notes=notes)

    def _settings(self, ours: str, theirs: str) -> Settings:
        """Ours.

        Raises:
            NotAMemory: No commit here has any.
            OtherKey: Theirs have another key.
            NewerFormat: One of them are a newer wbmem's.
        """
        mine, other = (last_good(self._repository, commit) for commit in (ours, theirs))
        for commit, good, whose in ((ours, mine, "HEAD"), (theirs, other, self._remote.title)):
            see_format(self._repository, commit, good, whose)
        if mine is None:
            raise NotAMemory(self._repository.top)
        if other is not None and other.settings.workspace != mine.settings.workspace:
            key = other.settings.workspace
            then = f"wbmem rekey --key {key}, then: wbmem sync"
            raise OtherKey(mine.settings.workspace, key, self._remote.title, then)
        return mine.settings
