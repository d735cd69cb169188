"""Temporary files: each process's in a folder of its own under `<git dir>/wbmem/tmp/`, none where git looks.

Who is killed takes nothing away; the next one that writes here does. A folder is somebody's as long as its
lock is held, so no process of another host or container, and no number that came again, is mistaken.
"""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import rmtree
from typing import TYPE_CHECKING

from wbmem_git.errors import WbmemError
from wbmem_git.store.intent import IntentFile
from wbmem_git.store.state import private_folder

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.store.repository import Repository

FOLDER = "tmp"
_HALF_WRITTEN = re.compile(r".+\.(?P<process>[0-9]+)\.tmp")
"""How `store.state` calls what it is about to put in a file's place."""
_BEGAN = 19
"""Where /proc/N/stat has the start, counted behind the name."""
_PATIENCE_S = 5.0


@contextmanager
def own_folder(repository: Repository) -> Iterator[Path]:
    """A folder that nobody else writes in, on the git folder's file system; it goes when we are done.

    Where what was begun with it failed and couldn't be taken back, it stays for the next writer.
    """
    top = Path(private_folder(repository.git_dir), FOLDER)
    top.mkdir(parents=True, exist_ok=True)
    own, descriptor = _locked_folder(top)
    try:
        yield own
    except BaseException:
        if not _is_wanted(repository, own):
            rmtree(own, ignore_errors=True)
        raise
    else:
        rmtree(own, ignore_errors=True)
    finally:
        os.close(descriptor)


def _is_wanted(repository: Repository, folder: Path) -> bool:
    """Whether what failed couldn't be taken back: the copies that lie there are for the next writer."""
    try:
        begun = IntentFile(repository.common_dir).read()
    except WbmemError:
        return True
    return begun is not None and begun.folder == str(folder)


def sweep(repository: Repository) -> None:
    """Take away what killed processes left."""
    private = Path(private_folder(repository.git_dir))
    for left in _entries(private / FOLDER):
        try:
            descriptor = _lock(left)
        except OSError:
            continue  # somebody's, or no folder
        rmtree(left, ignore_errors=True)
        os.close(descriptor)
    for left in _entries(private):
        found = _HALF_WRITTEN.fullmatch(left.name)
        if found and not runs(int(found["process"])):
            with suppress(OSError):
                left.unlink()


def _locked_folder(top: Path) -> tuple[Path, int]:
    """A new folder and the descriptor that holds its lock.

    Raises:
        OSError: The system gives none.
    """
    while True:
        own = Path(tempfile.mkdtemp(dir=top))
        try:
            descriptor = _lock(own)
        except (FileNotFoundError, BlockingIOError):
            continue  # a sweep took the new folder for one that was left
        except OSError:
            with suppress(OSError):
                own.rmdir()
            raise
        if own.exists():
            return own, descriptor
        os.close(descriptor)


def _lock(folder: Path) -> int:
    """A descriptor that holds the folder's lock.

    Raises:
        BlockingIOError: Somebody else does.
        OSError: It is no folder, or the system refuses.
    """
    import fcntl  # only who writes needs it

    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        raise
    return descriptor


def _entries(folder: Path) -> list[Path]:
    try:
        return list(folder.iterdir())
    except OSError:
        return []


def runs(process: int) -> bool:
    """Whether a process of that number goes on; one that has ended and that nobody waits for doesn't."""
    with suppress(OSError):
        if Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()[:1] == [b"Z"]:
            return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def began(process: int) -> str:
    """When a process began, and since which start of the system that counts; "" where that isn't told.

    No two processes that ever had the same number have the same.
    """
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        said = Path(f"/proc/{process}/stat").read_bytes().rpartition(b")")[2].split()
        return f"{boot} {said[_BEGAN].decode('ascii')}"
    except (OSError, IndexError):
        return _began_by_ps(process)


def _began_by_ps(process: int) -> str:
    import subprocess  # only where the system has no /proc

    called = ["/bin/ps", "-o", "lstart=", "-p", str(process)]
    with suppress(OSError, subprocess.SubprocessError):
        done = subprocess.run(
            called, env={"LC_ALL": "C", "TZ": "UTC"}, capture_output=True, check=False, timeout=_PATIENCE_S
        )
        return done.stdout.decode("ascii", "replace").strip() if done.returncode == 0 else ""
    return ""
