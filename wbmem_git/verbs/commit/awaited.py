"""A git that works for a write: should its writer be killed, the next one waits for its end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.index_lock import WAIT_S
from wbmem_git.store.intent import IntentFile
from wbmem_git.store.patience import tries
from wbmem_git.store.steps import step
from wbmem_git.verbs.temporary import began, runs

if TYPE_CHECKING:
    from wbmem_git.store.git import Answer, Git
    from wbmem_git.store.intent import Intent
    from wbmem_git.store.repository import Repository

POLL_S = 0.02
TOLD = b"begin\n"


def awaited(repository: Repository, git: Git, *command: str, stdin: bytes) -> Answer:
    """Run a git that does nothing before it is told something, once the intent names it.

    Args:
        repository: Whose intent.
        git: Where and how it runs.
        command: What it does.
        stdin: What it is told.

    Raises:
        OSError: It can't be noted; then it hasn't begun.
    """
    child = git.start(*command, quiet=False)
    try:
        _note(repository, child.pid)
        step("git waits")
    except BaseException:
        child.close()
        raise
    return git.finish(child, stdin)


def told_first(*command: str) -> tuple[str, ...]:
    """A command of git's as one that begins when it is told; its own standard input is empty then."""
    script = '!f() { read -r told && exec git "$@" </dev/null; }; f'
    return ("-c", f"alias.wbmem-told={script}", "wbmem-told", *command)


def _note(repository: Repository, child: int) -> None:
    intent_file = IntentFile(repository.common_dir)
    begun = intent_file.read()
    if begun is not None:
        intent_file.note(begun._replace(child=child, child_began=began(child)))


def has_ended(begun: Intent, wait_s: float | None = None) -> bool:
    """Whether the git of a killed writer has come to its end; hooks and filters may take a while."""
    looks = tries(POLL_S, POLL_S, wait_s=WAIT_S if wait_s is None else wait_s)
    return any(not goes_on(begun) for _ in looks)


def goes_on(begun: Intent) -> bool:
    """Whether the git of a killed writer still works, as far as the system tells.

    Another process that has got its number, as after a restart, is none of ours.
    """
    if not begun.child or not runs(begun.child):
        return False
    return began(begun.child) in {"", begun.child_began} or not begun.child_began
