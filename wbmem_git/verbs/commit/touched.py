"""What a write touches, as its intent says it, and how working files get back what they held."""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.store.git import Git, text_of
from wbmem_git.store.trees import Entry
from wbmem_git.verbs.commit.working_files import is_behind_link, laid_ready, move

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.store.intent import Touched
    from wbmem_git.store.repository import Repository


def told(entry: Entry | None) -> str:
    """An entry as the intent has it; a folder is nothing there."""
    return "" if entry is None or entry.is_tree else f"{entry.mode} {entry.oid}"


def entry_of(said: str) -> Entry | None:
    """The entry that the intent has."""
    mode, _, oid = said.partition(" ")
    return Entry(mode, oid) if oid else None


def digest(data: bytes | None) -> str:
    """A file's content, or a link's target, as the intent has it."""
    return "" if data is None else hashlib.sha256(data).hexdigest()


def keep(repository: Repository, path: str, copy: Path) -> bool:
    """Copy what lies there, a file or a link; whether anything does."""
    place = Path(repository.top, path)
    data = repository.worktree_file(path)
    if data is not None:
        copy.write_bytes(data)
        copy.chmod(stat.S_IMODE(place.stat().st_mode))
    elif _is_link(repository, path):
        copy.symlink_to(place.readlink())
    else:
        return False
    return True


def take_files_back(repository: Repository, touched: Iterable[Touched], kept: Path, folder: Path) -> None:
    """Working files get back what they held, each where it holds what the writer put there.

    Args:
        repository: Whose.
        touched: Which.
        kept: Where the copies lie.
        folder: One that nobody else writes in.

    Raises:
        OSError: The system refuses.
    """
    ours = [one for one in touched if one.is_file and _holds_ours(repository, one)]
    for one in ours:
        if not one.before:
            _take_away(Path(repository.top), Path(repository.top, one.path))
    for one in ours:
        if one.before and os.path.lexists(kept / one.before):
            with suppress(FileExistsError, NotADirectoryError, IsADirectoryError):  # somebody's, by now
                _give_back(kept / one.before, Path(repository.top, one.path), folder)


def _holds_ours(repository: Repository, one: Touched) -> bool:
    """Whether it holds what was put there; git takes a file away before it writes it anew."""
    now = _digest_of(repository, one.path)
    if now == one.after:
        return True
    return one.by_git and (_would_add(repository, one) if now else one.before != "")


def _digest_of(repository: Repository, path: str) -> str:
    """Of what lies there."""
    data = repository.worktree_file(path)
    if data is None and _is_link(repository, path):
        data = os.fsencode(Path(repository.top, path).readlink())
    return digest(data)


def _would_add(repository: Repository, one: Touched) -> bool:
    """Whether `git add` would make of a file what git has put there, by the line ends and filters here."""
    new = entry_of(one.new)
    if new is None or not new.is_file or _is_link(repository, one.path):
        return False
    answer = Git(repository.top, repository.git.environment, inside=True).ask("hash-object", "--", one.path)
    return answer.status == 0 and text_of(answer.out).strip() == new.oid


def _is_link(repository: Repository, path: str) -> bool:
    return Path(repository.top, path).is_symlink() and not is_behind_link(repository, path)


def _take_away(top: Path, place: Path) -> None:
    """Take a new file away, and the folders that nothing is left in."""
    if place.is_dir() and not place.is_symlink():
        return
    with suppress(FileNotFoundError, NotADirectoryError):
        place.unlink()
    for folder in place.parents:
        if folder == top:
            return
        try:
            folder.rmdir()
        except OSError:
            return


def _give_back(copy: Path, place: Path, folder: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    if place.is_dir() and not place.is_symlink():
        raise IsADirectoryError
    if copy.is_symlink():
        waiting = folder / f"again-{copy.name}"
        waiting.symlink_to(copy.readlink())
    else:
        waiting = laid_ready(place, copy.read_bytes(), folder)
        shutil.copymode(copy, waiting)
    move(waiting, place)
