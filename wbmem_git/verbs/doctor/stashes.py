"""Backups that a hook manager, killed, left among git's stashes: it takes one away when all went well.

lint-staged stashes everything before it works (`lint-staged automatic backup`), lefthook where a file is
partly staged (`lefthook auto backup`). husky puts nothing away: it only starts others.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.rules.wording import command, shown
from wbmem_git.store.git import text_of
from wbmem_git.verbs.doctor.facts import Fact, warn
from wbmem_git.verbs.doctor.locks import age
from wbmem_git.verbs.doctor.put_away import AGAIN, new_lines, nowhere

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.store.repository import Repository

MANAGERS = {"lint-staged automatic backup": "lint-staged", "lefthook auto backup": "lefthook"}
NEWEST = 50
SHOWN = 3
PLAIN = ("--no-color", "--no-ext-diff", "--no-textconv", "--no-renames", "--unified=0")


def stashes(repository: Repository, now_s: float) -> Iterator[Fact]:
    """Those that hold a line which stands nowhere else."""
    if not repository.top:
        return
    said = repository.git.ask("stash", "list", "-z", f"--max-count={NEWEST}", "--format=%H %ct %gs")
    for row in text_of(said.out).split("\0"):
        oid, _, rest = row.partition(" ")
        written, _, title = rest.partition(" ")
        who = next((who for mark, who in MANAGERS.items() if mark in title), "")
        if who:
            yield from _told(repository, oid, who, age(int(now_s) - int(written)))


def _told(repository: Repository, oid: str, who: str, written: str) -> Iterator[Fact]:
    between = (f"{oid}^1", oid, "--")
    paths = _names(repository.git.run("diff", "--name-only", "-z", "--no-renames", *between))
    lines = new_lines(repository, text_of(repository.git.run("diff", *PLAIN, *between)))
    lost = nowhere(repository, paths, lines)
    hidden = _names(repository.git.ask("ls-tree", "-r", "-z", "--name-only", f"{oid}^3").out)
    gone = [path for path in hidden if not os.path.lexists(Path(repository.top, path))]
    if not lost and not gone:
        return
    what = f"{len(lost)} {'line' if len(lost) == 1 else 'lines'} of {_listed(paths)}" if lost else ""
    what = " and ".join(filter(None, (what, _listed(gone))))
    git = ("git", "-C", repository.top, "stash")
    again = f"{AGAIN}: {command(*git, 'apply', oid[:12])}"
    yield warn(
        "put away",
        f"stash {oid[:12]}: {who} put it away {written} ago and didn't clear it up; nothing else has {what}",
        f"{command(*git, 'show', '-p', oid[:12])} shows it; {again}",
    )


def _names(data: bytes) -> list[str]:
    return [name for name in text_of(data).split("\0") if name]


def _listed(paths: list[str]) -> str:
    more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
    return f"{', '.join(map(shown, paths[:SHOWN]))}{more}"
