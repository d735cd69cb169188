"""Standard streams that are closed or full: a command does its work, and one sentence says what got lost."""

from __future__ import annotations

import errno
import io
import os
import sys
from typing import TYPE_CHECKING

from wbmem_git.cli.door import PROGRAM

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from _typeshed import ReadableBuffer

NOT_TOLD = 2
"""The exit status where all went well and the answer couldn't be written."""


def with_safe_streams(run: Callable[[Sequence[str]], int], argv: Sequence[str]) -> int:
    """Run a command on streams whose failure is no failure of what it does; its exit status.

    That nobody reads any more (EPIPE) isn't meant: a command may end early then.
    """
    before = sys.stdout, sys.stderr
    _occupy()
    out = _Writer(1, is_closed=sys.__stdout__ is None) if before[0] is sys.__stdout__ else None
    err = _Writer(2, is_closed=sys.__stderr__ is None) if before[1] is sys.__stderr__ else None
    if out is not None:
        sys.stdout = _text(out, before[0])
    if err is not None:
        sys.stderr = _text(err, before[1])
    try:
        status = run(argv)
        sys.stdout.flush()
        if out is not None and out.lost is not None:
            sys.stderr.write(f"{PROGRAM}: the answer couldn't be written: {out.lost.strerror}\n")
            status = status or NOT_TOLD
        sys.stderr.flush()
    finally:
        sys.stdout, sys.stderr = before
    return status


class _Writer(io.FileIO):
    """A file descriptor; `lost` is the first error with which something couldn't be written."""

    def __init__(self, descriptor: int, *, is_closed: bool) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.lost: OSError | None = None
        self._fault = OSError(errno.EBADF, os.strerror(errno.EBADF)) if is_closed else None

    def write(self, data: ReadableBuffer, /) -> int:
        fault = self._fault
        if fault is None:
            try:
                return super().write(data)
            except BrokenPipeError:
                raise
            except OSError as error:
                fault = error
        self.lost = self.lost or fault
        return memoryview(data).nbytes


def _occupy() -> None:
    """Give each closed standard stream's number to a file that swallows all: no other file must get it."""
    descriptor = os.open(os.devnull, os.O_RDWR)
    while descriptor <= 2:
        os.set_inheritable(descriptor, True)
        descriptor = os.open(os.devnull, os.O_RDWR)
    os.close(descriptor)


def _text(writer: _Writer, like: object) -> io.TextIOWrapper:
    encoding = getattr(like, "encoding", None) or "utf-8"
    return io.TextIOWrapper(
        io.BufferedWriter(writer),
        encoding=encoding,
        errors="backslashreplace",
        line_buffering=writer.isatty(),
    )
