"""Who works here, as far as the system tells: which processes have a file open, which gits are at work.

Linux tells it in /proc. Elsewhere nothing is told, and nothing is concluded from that.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.wording import shown

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

PROC = Path("/proc")
LOCKLESS = frozenset({"cat-file", "check-attr", "check-ignore", "fsmonitor--daemon", "hash-object"})
"""What of git may run for hours, as a child of an editor or of ours, and takes no lock."""
_VALUED = frozenset({"-C", "-c", "--git-dir", "--work-tree", "--namespace", "--exec-path"})


class Workers(NamedTuple):
    """Who works with a file, or in its repository.

    Attributes:
        holders: Those that have it open, a word or two each: `git commit (process 57)`.
        gits: The gits that work in one of the folders.
        is_whole: Whether every process could be looked at.
    """

    holders: tuple[str, ...] = ()
    gits: tuple[str, ...] = ()
    is_whole: bool = False


def workers(path: Path, folders: Sequence[Path]) -> Workers:
    """Who has a file open, and which gits work in these folders or below them."""
    if not (PROC / "self/stat").exists():
        return Workers()
    whole = os.path.realpath(path)
    inside = [Path(os.path.realpath(folder)) for folder in folders]
    holders, gits, hidden = [], [], False
    for process in _others():
        try:
            if whole in _opened(process):
                holders.append(_called(process))
            elif _is_git(process) and _lies_in(process, inside):
                gits.append(_called(process))
        except PermissionError:
            hidden = hidden or _is_git(process)
        except OSError:
            continue  # it has ended
    return Workers(tuple(holders), tuple(gits), not hidden)


def _others() -> Iterator[Path]:
    """The processes beside ourselves."""
    own = str(os.getpid())
    return (process for process in PROC.iterdir() if process.name.isdecimal() and process.name != own)


def _opened(process: Path) -> set[str]:
    found = set()
    for handle in (process / "fd").iterdir():
        with suppress(FileNotFoundError):
            found.add(str(handle.readlink()))
    return found


def _is_git(process: Path) -> bool:
    with suppress(OSError):
        name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
        return name.partition("-")[0] == "git" and _command(process) not in LOCKLESS
    return False


def _lies_in(process: Path, folders: Sequence[Path]) -> bool:
    place = (process / "cwd").readlink()
    return any(place.is_relative_to(folder) for folder in folders)


def _called(process: Path) -> str:
    name = (process / "comm").read_text(encoding="utf-8", errors="replace").strip()
    return f"{shown(f'{name} {_command(process)}'.strip())} (process {process.name})"


def _command(process: Path) -> str:
    """The command as git was given it, and nothing else of the line: a URL there may hold a password."""
    words = iter((process / "cmdline").read_bytes().decode("utf-8", "replace").split("\0")[1:])
    for word in words:
        if word in _VALUED:
            next(words, "")
        elif word and not word.startswith("-"):
            return word if word.replace("-", "").isalpha() else ""
    return ""
