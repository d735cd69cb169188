"""What a writer is about to do, its intent, so that the next one can take back what a killed one began.

One file, `<git common dir>/wbmem/writing.json`, as there is one writer at a time (its flock). Who reads it
holds that flock, so whoever wrote it is dead, and so is the child that moves the ref: it held the flock too.
(The journal, `journal.jsonl`, is another thing: what came past the gate.)
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import WbmemError
from wbmem_git.store.state import open_plain, private_folder, read_bytes
from wbmem_git.variables import WITHIN

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from wbmem_git.store.repository import Repository

NAME = "writing.json"
LOCK = "write.lock"
"""The file whose flock the writer has."""
ASIDE = ".damaged"


class IntentUnreadable(WbmemError):
    """What a killed wbmem had begun can't be read; it stays where it is, and nothing was changed."""

    def __init__(self, path: str, why: str) -> None:
        super().__init__(
            f"{path} says what a killed wbmem had begun, and can't be read ({why}): nothing was changed",
            "wbmem doctor tells what keeps it from being read; then: wbmem fix",
        )


class IntentDamaged(IntentUnreadable):
    """It is damaged, or of another version."""


class Touched(NamedTuple):
    """A path that is about to change.

    Attributes:
        path: In the tree.
        head: What HEAD has there, `mode oid`; "" for nothing.
        old, new: What the index has there, before and after; the same where it doesn't change.
        is_file: Whether the working file changes too.
        before: The name, in the writer's folder, of a copy of the working file; "" where there was none.
        after: The SHA-256 of what the working file is going to hold; "" where it goes. Of a link both are its
            target's.
        by_git: Whether git puts the file there: it may have line ends and filters of its own.
    """

    path: str
    head: str
    old: str
    new: str
    is_file: bool
    before: str
    after: str
    by_git: bool = False


class Intent(NamedTuple):
    """What a writer is about to do.

    Attributes:
        token: What stands in its lock of the index.
        index_file: The index.
        folder: Where the writer's temporary files lie.
        refs: The refs whose locks git takes for it, each by its file.
        base: HEAD's commit before.
        commit: The commit that HEAD is going to name; "" where there is none, or git makes it.
        touched: What it changes.
        child: The number of the git that works for it now, and whose end is waited for; 0 for none.
        git_dir, top: The git folder and the top of the worktree where it goes on; "" in an older one.
        others: The further parents of a commit that git makes; it is told of them in MERGE_HEAD.
        child_began: When the child began, as `temporary.began` tells it; "" where the system doesn't.
        tree, subject: Of a commit that git makes, and that a hook may change: how it is known again.
        is_there: Whether the commit was there before: then that another branch has it tells nothing.
        heads: What git was merging, where no commit is made (`verbs.commit.stages.merge_heads`).
    """

    token: str
    index_file: str
    folder: str
    refs: tuple[str, ...]
    base: str
    commit: str
    touched: tuple[Touched, ...]
    child: int = 0
    git_dir: str = ""
    top: str = ""
    others: tuple[str, ...] = ()
    child_began: str = ""
    tree: str = ""
    subject: str = ""
    is_there: bool = False
    heads: str = ""


def merge_files(others: Sequence[str]) -> dict[str, str]:
    """The files in its git folder that tell git of a commit's further parents, and what they hold."""
    return {"MERGE_HEAD": "".join(f"{oid}\n" for oid in others), "MERGE_MODE": "no-ff"} if others else {}


class IntentFile:
    """The file of one repository's intent.

    Attributes:
        path: Its file.
    """

    def __init__(self, common_dir: str) -> None:
        """Nothing is read yet.

        Args:
            common_dir: The repository's common git folder.
        """
        self.path = os.path.join(private_folder(common_dir), NAME)

    @classmethod
    def of(cls, repository: Repository, folder: str) -> Self:
        """The file of who writes there now.

        In a hook of a commit of ours that is the one of the writer who makes the commit. What the hook
        stages is in that commit's own index and taken back with it, so it notes it in a folder of its own.

        Args:
            repository: Where.
            folder: One that nobody else writes in.
        """
        return cls(folder if is_within(repository) else repository.common_dir)

    def note(self, intent: Intent) -> None:
        """Say what comes now.

        Raises:
            OSError: That can't be written; then nothing may be begun.
        """
        import json  # only who writes needs it

        half = f"{self.path}.{os.getpid()}.tmp"
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        try:
            with open(half, "w", encoding="ascii") as file:
                json.dump(intent._asdict(), file)
            os.replace(half, self.path)
        except OSError:
            with suppress(OSError):
                os.unlink(half)
            raise

    def read(self) -> Intent | None:
        """What a killed writer had begun; None where none had.

        What another version of wbmem noted beyond what is known here is passed over.

        Raises:
            IntentUnreadable: The system doesn't let it be read. IntentDamaged: It says nothing.
        """
        try:
            data = read_bytes(self.path)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise IntentUnreadable(self.path, error.strerror or type(error).__name__) from error
        import json  # only who writes needs it

        try:
            told: dict[str, Any] = json.loads(data)
            known = {name: value for name, value in told.items() if name in Intent._fields}
            width = len(Touched._fields)
            known["touched"] = tuple(Touched(*each[:width]) for each in known["touched"])
            known["refs"] = tuple(known["refs"])
            known["others"] = tuple(known.get("others", ()))
            return Intent(**known)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise IntentDamaged(self.path, "it is damaged, or of another version") from None

    def put_aside(self) -> None:
        """Keep one that says nothing beside, so that a person can look at it; it is in nobody's way there.

        Raises:
            OSError: It can't be moved.
        """
        os.replace(self.path, f"{self.path}{ASIDE}")

    def clear(self) -> None:
        """Say that nothing is under way.

        Raises:
            OSError: The file can't be taken away; then the next writer finds that all was done.
        """
        with suppress(FileNotFoundError):
            os.unlink(self.path)


def is_within(repository: Repository) -> bool:
    """Whether this is a hook, or what a hook started, of a write that goes on: its writer waits for hooks.

    A variable that outlived the write it tells of means nothing.

    Raises:
        IntentUnreadable: That can't be told.
    """
    token = repository.git.environment.get(WITHIN, "")
    if not token:
        return False
    try:
        begun = IntentFile(repository.common_dir).read()
    except IntentDamaged:
        return False
    return begun is not None and begun.token.strip() == token and is_writing(repository.common_dir)


def is_writing(common_dir: str) -> bool:
    """Whether a wbmem has the writers' lock."""
    import fcntl  # only who writes needs it

    try:
        descriptor = open_plain(os.path.join(private_folder(common_dir), LOCK), os.O_RDONLY)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return False
