"""Patches in which a hook manager, killed, left what wasn't staged.

| who | where | how long |
| --- | --- | --- |
| pre-commit | `patch<seconds>-<process>` in its cache, for all repositories | for ever |
| prek | `<milliseconds>-<process>.patch` in its cache's `patches/` | for ever |
| lint-staged | `lint-staged_unstaged.patch` in the git folder | until the next one, in most versions |
| lefthook | `lefthook-unstaged*.patch` in the git folder's `info/` | until it is applied again |

Those of lint-staged and lefthook have no context lines: git would apply them anywhere, again and again.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.wording import command, shown
from wbmem_git.store.git import text_of
from wbmem_git.verbs.doctor.facts import Fact, warn
from wbmem_git.verbs.doctor.locks import age
from wbmem_git.verbs.doctor.put_away import AGAIN, known, new_blobs, new_lines, nowhere, old_blobs
from wbmem_git.verbs.temporary import runs

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wbmem_git.store.repository import Repository

NEWEST = 100
LARGEST_BYTES = 4 << 20
SHOWN = 3
AT_WORK_S = 600
"""While a hook manager works its patch isn't back; no number of a process is believed for longer."""
BARE = ("--recount", "--unidiff-zero")
_PROCESS = re.compile(r"-([0-9]+)(?:\.patch)?\Z")


class Patch(NamedTuple):
    """A patch that lies somewhere.

    Attributes:
        path: Its file.
        who: The manager that wrote it.
        is_shared: Whether patches of other repositories lie there too.
        written_s: When it was written.
    """

    path: Path
    who: str
    is_shared: bool
    written_s: float

    @property
    def options(self) -> tuple[str, ...]:
        """What git has to be told of it."""
        return () if self.is_shared else BARE


def patches(repository: Repository, variables: Mapping[str, str], now_s: float) -> Iterator[Fact]:
    """Those whose text isn't in the files."""
    if not repository.top:
        return
    for patch in _patches(repository, variables):
        age_s = int(now_s - patch.written_s)
        text = _text(patch.path)
        is_open = _is_ours(repository, patch, text) and not _was_staged(repository, patch, text)
        if is_open and not _is_at_work(patch, age_s):
            yield from _told(repository, patch, text, age_s)


def _told(repository: Repository, patch: Patch, text: str, age_s: int) -> Iterator[Fact]:
    lines = new_lines(repository, text)
    fits = repository.git.ask("apply", "--check", *patch.options, "--", str(patch.path)).status == 0
    missing = nowhere(repository, _paths(repository, patch), lines)
    is_as_before = fits and patch.is_shared  # it has lines around what it changes
    is_lost = (missing or not lines) if is_as_before else (lines and missing == lines)
    if not is_lost:
        return
    paths = ", ".join(map(shown, _paths(repository, patch)[:SHOWN])) or "files here"
    what = f"{patch.who} put away what wasn't staged in {paths} {age(age_s)} ago, and it isn't back"
    look = f"{command('less', str(patch.path))} shows it"
    again = command("git", "-C", repository.top, "apply", *patch.options, str(patch.path))
    then = f"{AGAIN}: {again}" if fits else "put in again what you miss"
    yield warn("put away", f"{patch.path}: {what}", f"{look}; {then}")


def _paths(repository: Repository, patch: Patch) -> list[str]:
    said = repository.git.ask("apply", "--numstat", "-z", *patch.options, "--", str(patch.path))
    return [row.split("\t", 2)[-1] for row in text_of(said.out).split("\0") if row]


def _is_ours(repository: Repository, patch: Patch, text: str) -> bool:
    """Whether it changes a version of a file that this repository has."""
    return bool(text) if not patch.is_shared else bool(known(repository, old_blobs(text)))


def _was_staged(repository: Repository, patch: Patch, text: str) -> bool:
    """Whether all that it makes has been staged since: pre-commit and prek write none of it as objects."""
    made = new_blobs(text)
    return patch.is_shared and bool(made) and known(repository, made) == made


def _is_at_work(patch: Patch, age_s: int) -> bool:
    number = _PROCESS.search(patch.path.name)
    return age_s < AT_WORK_S and number is not None and runs(int(number[1]))


def _patches(repository: Repository, variables: Mapping[str, str]) -> list[Patch]:
    """The newest ones, newest first."""
    home = Path(variables.get("HOME", "/"))
    cache = Path(variables.get("XDG_CACHE_HOME") or home / ".cache")
    prek = Path(variables.get("PREK_HOME") or cache / "prek")
    places = (
        (Path(variables.get("PRE_COMMIT_HOME") or cache / "pre-commit"), "patch*", "pre-commit", True),
        (prek / "patches", "*.patch", "prek", True),
        (Path(repository.git_dir), "lint-staged_unstaged.patch", "lint-staged", False),
        (Path(repository.common_dir, "info"), "lefthook-unstaged*.patch", "lefthook", False),
    )
    found = []
    for folder, names, who, is_shared in places:
        for path in folder.glob(names):
            try:
                facts = path.stat()
            except OSError:
                continue
            if path.is_file() and 0 < facts.st_size <= LARGEST_BYTES:
                found.append(Patch(path, who, is_shared, facts.st_mtime))
    return sorted(found, key=lambda patch: patch.written_s, reverse=True)[:NEWEST]


def _text(path: Path) -> str:
    try:
        return text_of(path.read_bytes())
    except OSError:
        return ""
