"""Who may write the sidecar, who may give its name to another file, and what a writer tells who waits."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager, suppress
from fcntl import LOCK_EX, LOCK_NB, flock
from typing import TYPE_CHECKING

from wbmem_git.store.state import open_plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wbmem_git.model import Progress

POLL_S = 0.01
TELL_S = 0.05
BUSY_S = 2.0
_WIDTH_BYTES = 80


class WritersLock:
    """`sidecar.lock`: its holder writes the sidecar, and into the lock how far it is.

    Args:
        folder: Where it lies, beside what is written.
    """

    def __init__(self, folder: str) -> None:
        self._folder = folder
        self._held = -1
        self._told_s = 0.0

    def open(self) -> int:
        """A descriptor of it, for `hold`.

        Raises:
            OSError: There can be none.
        """
        os.makedirs(self._folder, exist_ok=True)
        return open_plain(os.path.join(self._folder, "sidecar.lock"), os.O_RDWR | os.O_CREAT, 0o644)

    @contextmanager
    def hold(self, descriptor: int, wait_s: float, progress: Progress | None = None) -> Iterator[bool]:
        """Hold it; whether it was got. The descriptor is closed in the end.

        Args:
            descriptor: What `open` gave.
            wait_s: How long to wait for a holder that shows no sign of getting on; 0 for not at all.
            progress: Is told what the holder tells.
        """
        try:
            got = locked(descriptor, LOCK_EX, wait_s, lambda: self._signs(descriptor, progress))
            if got:
                self._held, self._told_s = descriptor, time.monotonic()
                with suppress(OSError):
                    if os.fstat(descriptor).st_size:  # closing what was truncated may wait for the disk
                        os.ftruncate(descriptor, 0)
            yield got
        finally:
            self._held = -1
            os.close(descriptor)

    def tell(self, what: str, done: int, total: int) -> None:
        """So much of it is done: for those who wait."""
        now_s = time.monotonic()
        if self._held >= 0 and now_s - self._told_s >= TELL_S:
            self._told_s = now_s
            with suppress(OSError):  # a full disk
                os.pwrite(self._held, f"{what} {done} {total}".ljust(_WIDTH_BYTES).encode(), 0)

    def _signs(self, descriptor: int, progress: Progress | None) -> object:
        """What changes while the holder gets on: what it tells, and the sizes of what it writes."""
        said = os.pread(descriptor, _WIDTH_BYTES, 0)
        words = said.decode(errors="replace").split()
        if progress is not None and len(words) == 3 and words[1].isdecimal() and words[2].isdecimal():
            progress(words[0], int(words[1]), int(words[2]))
        return said, [_size(one) for one in os.scandir(self._folder) if one.name.startswith("sidecar.sqlite")]


@contextmanager
def name_stays(folder: str, kind: int) -> Iterator[None]:
    """Hold the folder's lock: shared while a transaction begins, alone while the name changes hands.

    Raises:
        BlockingIOError: Somebody else holds it all the time.
    """
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        if not locked(descriptor, kind, BUSY_S):
            raise BlockingIOError
        yield
    finally:
        os.close(descriptor)


def locked(descriptor: int, kind: int, wait_s: float, signs: Callable[[], object] | None = None) -> bool:
    """Whether the lock was got in that time.

    Args:
        descriptor: Of what is locked.
        kind: `LOCK_SH` or `LOCK_EX`.
        wait_s: How long to wait; anew whenever `signs` says something else.
        signs: Of life.
    """
    until_s = time.monotonic() + wait_s
    seen: object = None
    while True:
        try:
            flock(descriptor, kind | LOCK_NB)
        except BlockingIOError:
            found = signs() if signs is not None and wait_s else None
            if found != seen:
                seen, until_s = found, time.monotonic() + wait_s
            if time.monotonic() >= until_s:
                return False
            time.sleep(POLL_S)
        else:
            return True


def _size(entry: os.DirEntry[str]) -> int:
    try:
        return entry.stat().st_size
    except FileNotFoundError:
        return -1
