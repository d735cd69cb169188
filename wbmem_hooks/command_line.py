"""What the command line of the `git commit` above us says and git tells no hook: `--amend`, `--no-verify`.

Where the system doesn't show command lines, an amend is told by another trace: `--amend` keeps the author and
the date of the commit that it replaces, so an exported author and date that are HEAD's mean an amend. That
misses one with `--reset-author`.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.store.commits import Commit
    from wbmem_hooks.environment import Environment

PROCESSES = "/proc"
GENERATIONS = 8
LONG_WITH_VALUE = ("--message", "--file", "--author", "--date", "--template", "--reuse-message", "--trailer")
LETTERS_WITH_VALUE = "mFcCt"
LETTERS_WITH_SUFFIX = "uS"


def amends_head(head: Commit, environment: Environment) -> bool:
    """Whether the commit that is being made replaces HEAD."""
    arguments = commit_arguments()
    if arguments is not None:
        return any(len(option) > 3 and "--amend".startswith(option) for option in _options(arguments))
    date = f"@{head.author.time} {head.author.zone}"
    return environment.author == head.author.who and environment.author_date == date


def skips_hooks(arguments: Sequence[str]) -> bool:
    """Whether these arguments of `git commit` say `--no-verify`."""
    return any(
        option == "-n" or (len(option) > 8 and "--no-verify".startswith(option))
        for option in _options(arguments)
    )


def commit_arguments() -> list[str] | None:
    """The arguments of the `git commit` that started this hook; None where they can't be seen."""
    process = os.getppid()
    for _ in range(GENERATIONS):
        command = _command(process)
        if command and os.path.basename(command[0]) in {"git", "git-commit"}:
            return command[command.index("commit") + 1 :] if "commit" in command else None
        process = _parent(process)
        if process <= 1:
            break
    return None


def _options(arguments: Sequence[str]) -> Iterator[str]:
    """Each option by itself, letters of a cluster (`-anm`) as `-a`, `-n`, `-m`; no value of an option."""
    value = False
    for argument in arguments:
        if value:
            value = False
        elif argument == "--":
            return
        elif argument.startswith("--"):
            yield argument.partition("=")[0]
            value = "=" not in argument and argument in LONG_WITH_VALUE
        elif argument.startswith("-"):
            for place, letter in enumerate(argument[1:], 2):
                yield f"-{letter}"
                if letter in LETTERS_WITH_VALUE:
                    value = place == len(argument)
                    break
                if letter in LETTERS_WITH_SUFFIX:
                    break


def _command(process: int) -> list[str]:
    try:
        with open(f"{PROCESSES}/{process}/cmdline", "rb") as file:
            return file.read().decode("utf-8", "replace").rstrip("\0").split("\0")
    except OSError:
        return []


def _parent(process: int) -> int:
    try:
        with open(f"{PROCESSES}/{process}/stat", "rb") as file:
            return int(file.read().rpartition(b")")[2].split()[1])
    except (OSError, ValueError, IndexError):
        return 0
