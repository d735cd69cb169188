"""The message of a commit that is being made: what git will keep of it, and the trailers put into it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.commits import trailers_of
from wbmem_git.store.git import text_of
from wbmem_git.verbs.actor import TRAILER

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wbmem_git.model import Actor
    from wbmem_git.store.repository import Repository
    from wbmem_hooks.environment import Environment

SCISSORS = " ------------------------ >8 ------------------------"


def what_git_keeps(repository: Repository, around: Environment, file: str) -> str:
    """The message without what git takes out: with an editor comments, and all below the scissors."""
    with open(file, "rb") as opened:
        data = opened.read()
    if around.without_editor:
        return text_of(repository.git.run("stripspace", stdin=data))
    lines = data.split(b"\n")
    cut = next((n for n, line in enumerate(lines) if line[1:] == SCISSORS.encode()), len(lines))
    return text_of(repository.git.run("stripspace", "--strip-comments", stdin=b"\n".join(lines[:cut])))


def add_trailers(
    repository: Repository, file: str, message: str, trailers: Iterable[tuple[str, str]], actor: Actor
) -> None:
    """Have a message say what was found out about its commit.

    Args:
        repository: Where it is made.
        file: The file that holds the message.
        message: What git will keep of it; where that is nothing the commit is aborted, and a trailer would
            save it.
        trailers: What it is to say, (key, value).
        actor: Who commits. An agent whose author shows it, and whose message says that a person commits, is
            contradicted.
    """
    wanted = list(trailers)
    said = any(key.casefold() == TRAILER.casefold() for key, _ in trailers_of(message))
    if actor == "agent" and said and all(key != TRAILER for key, _ in wanted):
        wanted.append((TRAILER, actor))
    if message and wanted:
        _end_last_line(file)
        options = [word for trailer in wanted for word in _options(*trailer)]
        repository.git.run("interpret-trailers", "--in-place", "--no-divider", *options, "--", file)


def _end_last_line(file: str) -> None:
    """As `git merge -m` leaves it, git 2.39 would put a trailer into the subject's paragraph."""
    with open(file, "r+b") as opened:
        if not opened.read().endswith(b"\n"):
            opened.write(b"\n")


def _options(key: str, value: str) -> Iterator[str]:
    """Of several lines about the actor the last one counts; any other line needn't stand there twice."""
    yield f"--if-exists={'addIfDifferentNeighbor' if key == TRAILER else 'addIfDifferent'}"
    yield f"--trailer={key}: {value}"
