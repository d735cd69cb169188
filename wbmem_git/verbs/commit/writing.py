"""How every verb that edits carries it out: planned on all three versions, staged, and committed if asked."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, ParamSpec, TypeVar

from wbmem_git.errors import UsageError, WbmemError
from wbmem_git.store.intent import LOCK, is_within
from wbmem_git.store.patience import tries
from wbmem_git.store.state import open_plain, private_folder
from wbmem_git.store.steps import step
from wbmem_git.text.archive import parse_archive
from wbmem_git.variables import follows
from wbmem_git.verbs.cards import holds_in_order
from wbmem_git.verbs.commit.commit import Commit, commit
from wbmem_git.verbs.commit.placing import HeadMoved, disk_refusing
from wbmem_git.verbs.commit.publish import publish
from wbmem_git.verbs.commit.recover import recover
from wbmem_git.verbs.commit.working_files import CannotTakeEdit, ChangedMeanwhile
from wbmem_git.verbs.temporary import sweep
from wbmem_git.verbs.three_trees import edited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.cards import Edits
    from wbmem_git.verbs.commit.commit import Judge
    from wbmem_git.verbs.commit.placing import Moving
    from wbmem_git.verbs.three_trees import Version, Versions


WAIT_S = 60.0
TRIES = 20
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.01, 0.5
LOOSE_OBJECTS = 27
P = ParamSpec("P")
T = TypeVar("T")


class Busy(UsageError):
    """Another wbmem is writing here."""

    def __init__(self) -> None:
        super().__init__(
            f"another wbmem has been writing here for {WAIT_S:.0f} s; nothing was changed",
            "see what it waits for (a hook, a passphrase), then try again",
        )


class Plan(NamedTuple):
    """An edit, made on each version for itself: path → whole text, None: gone.

    Attributes:
        head: On HEAD's version: what a commit of this edit alone holds. Empty where it can't stand alone.
        staged: On the index's version.
        file: On the working files.
    """

    head: Edits
    staged: Edits
    file: Edits


def with_archive_files(versions: Versions, plan: Plan, files: Edits) -> Plan:
    """The plan with these archive files (None: it goes) in the index and in the working tree.

    One that lies in the working tree already is taken as it is where it fits.

    Raises:
        CannotTakeEdit: A file lies there that doesn't hold the card.
    """
    head, staged, file = dict(plan.head), dict(plan.staged), dict(plan.file)
    for path, text in files.items():
        lying = versions.file.read(path)
        if text is None:
            staged |= {path: None} if path in versions.staged.entries else {}
            file |= {path: None} if lying is not None else {}
        elif lying is None:
            staged[path] = file[path] = text
        elif _fits(lying, text, versions.key):
            staged[path] = lying
            head |= {path: lying} if path in head else {}
        else:
            raise CannotTakeEdit(
                path, "a file lies there that doesn't hold the card's text", "read it, then move it"
            )
    return Plan(head, staged, file)


def _fits(lying: str, wanted: str, key: str) -> bool:
    """Whether an archive file holds the same card, with every line."""
    one, other = parse_archive(lying, key), parse_archive(wanted, key)
    return one.id == other.id and holds_in_order(one.body.splitlines(), other.body.splitlines())


@contextmanager
def writing(repository: Repository) -> Iterator[None]:
    """One wbmem at a time reads, edits and stages here; the others wait. A killed one leaves no lock.

    A hook of a commit that wbmem is making runs under that wbmem's lock.

    Raises:
        Busy: Another one didn't finish in time.
    """
    if is_within(repository):
        yield
        return
    folder = Path(private_folder(repository.common_dir))
    with disk_refusing():
        folder.mkdir(parents=True, exist_ok=True)
        file = os.fdopen(open_plain(str(folder / LOCK), os.O_WRONLY | os.O_CREAT, 0o644), "wb")
    with file:
        from fcntl import LOCK_EX  # only who writes needs it

        from wbmem_git.store.locks import locked  # as above

        if not locked(file.fileno(), LOCK_EX, WAIT_S):
            raise Busy
        repository.writers_lock = file.fileno()
        try:
            with disk_refusing():
                recover(repository)
                sweep(repository)
                step("locked")
            before = repository.head()
            yield
        finally:
            repository.writers_lock = -1
    _afterwards(repository, before)


def _afterwards(repository: Repository, before: str) -> None:
    """What comes behind a commit: nobody waits for us any more, and what fails here fails nothing."""
    with suppress(WbmemError, OSError):
        if repository.head() == before:
            return
        step("unlocked")
        if follows(repository.git.environment):
            from wbmem_git.verbs.refresh import follow  # only who commits needs it

            follow(repository, time.monotonic)
        step("followed")
        _tidy(repository)


def _tidy(repository: Repository) -> None:
    """Have git pack its objects where it would behind a commit of its own.

    That is told by one of 256 folders, as git tells it: 27 there are its limit of 6,700 (`gc.auto`).
    """
    loose = Path(repository.common_dir, "objects", "17")
    if not loose.is_dir() or sum(1 for _ in loose.iterdir()) <= LOOSE_OBJECTS:
        return
    if repository.variables().is_true("maintenance.auto", default=True):
        repository.git.ask("maintenance", "run", "--auto", "--quiet")


def retried(once: Callable[[], T]) -> T:
    """What `once` returns; it is called again where another program was faster, in an instant or two.

    Args:
        once: Loads, plans and carries out; nothing is changed where it raises.

    Raises:
        HeadMoved, ChangedMeanwhile: Others were faster every time.
    """
    for number in tries(FIRST_PAUSE_S, LONGEST_PAUSE_S, most=TRIES):
        if number < TRIES - 1:
            with suppress(HeadMoved, ChangedMeanwhile):
                return once()
    return once()


def retrying(verb: Callable[P, T]) -> Callable[P, T]:
    """A verb that loads, plans and carries out, `retried`."""

    @wraps(verb)
    def again(*args: P.args, **kwargs: P.kwargs) -> T:
        return retried(lambda: verb(*args, **kwargs))

    return again


class Asked(NamedTuple):
    """What a commit of the plan needs.

    Attributes:
        message: The whole message.
        judge: The gate.
        variables: For git's environment.
        others: Further parents: the commit is a merge.
    """

    message: str
    judge: Judge
    variables: Mapping[str, str] = {}
    others: tuple[str, ...] = ()


def carry_out(repository: Repository, versions: Versions, plan: Plan, asked: Asked | None) -> str:
    """Stage the plan; where a commit is asked for, commit it too.

    Returns:
        The commit's oid, "" where there is none.

    Raises:
        CannotTakeEdit: A working file can't take it; nothing was changed.
        HeadMoved, ChangedMeanwhile: Another program was faster; nothing was changed (`retried`).
        Refused: The gate refuses the commit; nothing was changed.
    """
    with disk_refusing():
        step("loaded")

    def stage(moving: Moving | None) -> str:
        return publish(repository, versions, plan.staged, plan.file, moving)

    if asked is None or not (plan.head or asked.others):
        return stage(None)
    wanted = Commit(versions.commit, plan.head, asked.message, asked.variables, asked.others)
    return commit(repository, wanted, asked.judge, stage)


def see_ids(
    version: Version, edits: Edits, versions: Versions, *, gone: Iterable[str] = (), come: Iterable[str] = ()
) -> None:
    """See that the edits change the ids on the pages as they should, and no others.

    An open fence or comment above the place could swallow a card that is put in there.

    Raises:
        UsageError: They don't; nothing was changed.
    """
    expected = version.ids.difference(gone).union(come)
    ids = edited(version, edits, versions.settings).ids
    if ids != expected:
        odd = ", ".join(sorted(ids ^ expected))
        raise UsageError(
            f"the edit would change more in {version.name} than it should ({odd}): "
            "an open code fence or comment may swallow cards; nothing was changed",
            "wbmem check --all names the place",
        )
