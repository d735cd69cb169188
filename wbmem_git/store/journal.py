"""What a writer is about to do, so that the next one can take back what a killed one began.

One file, `<git common dir>/wbmem/writing.json`, as there is one writer at a time (its flock). Who reads it
holds that flock, so whoever wrote it is dead, and so is the child that moves the ref: it held the flock too.
(`journal.jsonl` is another thing: what came past the gate.)
"""

from __future__ import annotations

import os
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.store.state import private_folder

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Self

    from wbmem_git.store.repository import Repository

NAME = "writing.json"
VERSION = 1
HELD = "WBMEM_WRITING"
"""The variable that tells a hook of a commit of ours whose lock it runs under."""


class Touched(NamedTuple):
    """A path that is about to change.

    Attributes:
        path: In the tree.
        head: What HEAD has there, `mode oid`; "" for nothing.
        old, new: What the index has there, before and after; the same where it doesn't change.
        is_file: Whether the working file changes too.
        before: The name, in the writer's folder, of a copy of the working file; "" where there was none.
        after: The SHA-256 of what the working file is going to hold; "" where it goes.
    """

    path: str
    head: str
    old: str
    new: str
    is_file: bool
    before: str
    after: str


class Writing(NamedTuple):
    """A write that has begun.

    Attributes:
        token: What stands in its lock of the index.
        index_file: The index.
        folder: Where the writer's temporary files lie.
        refs: The refs whose locks git takes for it, each by its file.
        base: HEAD's commit before.
        commit: The commit that HEAD is going to name; "" where there is none.
        touched: What it changes.
        child: The number of the `git commit` that makes the commit, whose name isn't known then; 0 for none.
        git_dir, top: The git folder and the top of the worktree where it goes on; "" in an older journal.
        others: The further parents that git was told of in MERGE_HEAD.
        child_began: When the child began, as `temporary.began` tells it; "" where the system doesn't.
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


def merge_files(others: Sequence[str]) -> dict[str, str]:
    """The files in its git folder that tell git of a commit's further parents, and what they hold."""
    return {"MERGE_HEAD": "".join(f"{oid}\n" for oid in others), "MERGE_MODE": "no-ff"} if others else {}


class Journal:
    """The journal of one repository.

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
        """The journal of who writes there now.

        In a hook of a commit of ours the journal is that of the writer who makes the commit. What the hook
        stages is in that commit's own index and taken back with it, so it notes it in a folder of its own.

        Args:
            repository: Where.
            folder: One that nobody else writes in.
        """
        is_within = repository.git.environment.get(HELD) == repository.common_dir
        return cls(folder if is_within else repository.common_dir)

    def note(self, writing: Writing) -> None:
        """Say what comes now.

        Raises:
            OSError: That can't be written; then nothing may be begun.
        """
        import json  # noqa: PLC0415  # only who writes needs it

        told = {**writing._asdict(), "version": VERSION}
        half = f"{self.path}.{os.getpid()}.tmp"
        os.makedirs(os.path.dirname(self.path), exist_ok=True)
        try:
            with open(half, "w", encoding="ascii") as file:
                json.dump(told, file)
            os.replace(half, self.path)
        except OSError:
            with suppress(OSError):
                os.unlink(half)
            raise

    def read(self) -> Writing | None:
        """What a killed writer had begun; None where none had, or a half of it is all that there is."""
        try:
            with open(self.path, "rb") as file:
                data = file.read()
        except OSError:
            return None
        import json  # noqa: PLC0415  # as above

        try:
            told: dict[str, Any] = json.loads(data)
            if told.pop("version") != VERSION:
                return None
            told["touched"] = tuple(Touched(*each) for each in told["touched"])
            told["refs"] = tuple(told["refs"])
            told["others"] = tuple(told.get("others", ()))
            return Writing(**told)
        except (ValueError, TypeError, KeyError, AttributeError):
            return None

    def clear(self) -> None:
        """Say that nothing is under way.

        Raises:
            OSError: The file can't be taken away; then the next writer finds that all was done.
        """
        with suppress(FileNotFoundError):
            os.unlink(self.path)
