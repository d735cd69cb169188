"""`wbmem blame`: who wrote which line of a card, an entry or a page, by `git blame`."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import UnknownId
from wbmem_git.rules.credentials import mask
from wbmem_git.store.git import Git, text_of
from wbmem_git.text.document import BOM, split_lines, without_end
from wbmem_git.text.moments import moment
from wbmem_git.verbs.actor import of_commit
from wbmem_git.verbs.discretion import discreet, masked
from wbmem_git.verbs.show import show

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from wbmem_git.model import Actor
    from wbmem_git.store.commits import Commit
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.reader import Ground

_BLAMED = re.compile(rb"([0-9a-f]{40,64}) [0-9]+ ([0-9]+)(?: [0-9]+)?")


class Line(NamedTuple):
    """A line of a page, and the commit that it comes from; `time` in seconds."""

    line: int
    commit: str
    time: int
    author: str
    actor: Actor
    text: str


class Blamed(NamedTuple):
    """The lines of one thing, as they stand at a commit."""

    id: str
    commit: str
    path: str
    lines: tuple[Line, ...]


def blame(repository: Repository, ground: Ground, wanted: str) -> Blamed:
    """Who wrote which line of what is meant, as the commit has it that the sidecar was built from.

    Raises:
        UnknownId: Nothing answers to it, or it stands nowhere now. AmbiguousId: Several ids begin so.
    """
    from wbmem_git.verbs.refresh import settings_of  # status needs only the lines' commits

    head = ground.head
    shown = show(repository, ground, wanted)
    entry = repository.entry(repository.tree_of(head), shown.path)
    if entry is None:
        raise UnknownId(wanted)
    text = text_of(repository.blob(entry.oid))
    lines, safe = split_lines(text), discreet(text)
    blamed = commits_of_lines(repository, head, shown.path, lines, (shown.line, shown.end))
    settings = settings_of(repository, ground.db)
    agents = settings.agents if settings is not None else ()
    found = (
        Line(
            number,
            commit.oid,
            commit.committer_time,
            commit.author_name,
            of_commit(commit.author_email, commit.trailers, agents),
            _told(without_end(lines[number - 1]).removeprefix(BOM if number == 1 else ""), safe),
        )
        for number, commit in blamed.items()
    )
    return Blamed(shown.id, head, shown.path, tuple(found))


def _told(line: str, safe: Callable[[str], bool]) -> str:
    """A line without a credential, or a part of one that has several lines."""
    masked = mask(line)
    return masked if masked != line or safe(line) else "…"


def as_json(found: Blamed, degraded: str = "") -> dict[str, Any]:
    """The object of `--json` and the API."""
    said = {
        "ok": True,
        "id": found.id,
        "commit": found.commit,
        "page": found.path,
        "lines": [{**line._asdict(), "time": moment(line.time)} for line in found.lines],
    }
    return masked(said | ({"degraded": degraded} if degraded else {}))


def commits_of_lines(
    repository: Repository, commit: str, path: str, lines: Iterable[str], part: tuple[int, int] | None = None
) -> dict[int, Commit]:
    """The commit that each line of a page comes from, by number of line.

    Args:
        repository: The memory's repository.
        commit: The commit whose page it is.
        path: The page.
        lines: All of its lines, with their ends.
        part: The first and the last line that are asked for; None for all.
    """
    of_git = dict(enumerate(_lines_of_git(lines), 1))
    asked = range(part[0], part[1] + 1) if part else range(1, len(of_git) + 1)
    wanted = [number for number in asked if number in of_git]
    if not wanted:
        return {}
    said = _said(repository, commit, path, of_git[wanted[0]], of_git[wanted[-1]])
    oids = {int(found[2]): found[1].decode() for found in map(_BLAMED.fullmatch, said.split(b"\n")) if found}
    known = {oid: repository.commit(oid) for oid in sorted(set(oids.values()))}
    return {number: known[oids[of_git[number]]] for number in wanted}


def _said(repository: Repository, commit: str, path: str, first: int, last: int) -> bytes:
    place = repository.as_git_takes_it(commit, path)
    asked = ("blame", "--no-textconv", "--porcelain", f"-L{first},{last}", commit, "--", place)
    answer = repository.git.ask(*asked)
    # A `blame.ignoreRevsFile` of the user's that isn't here is fatal, and nothing unsets it (git 2.39).
    return answer.out if answer.status == 0 else _without_users_config(repository.git).run(*asked)


def _without_users_config(git: Git) -> Git:
    return Git(
        git.folder,
        {**git.environment, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"},
        inside=True,
    )


def _lines_of_git(lines: Iterable[str]) -> Iterator[int]:
    """The 1-based line, as git counts them, that each line of a page lies in: git knows no bare CR."""
    number = 1
    for line in lines:
        yield number
        number += line.endswith("\n")
