"""What a mode forbids is forbidden to root too, for a while: tests of it needn't be skipped."""

from __future__ import annotations

import ctypes
import os
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterator

VERSION_3 = 0x20080522


@contextmanager
def bound_by_modes() -> Iterator[None]:
    """Without root's capabilities, in this thread; who isn't root has none."""
    if os.geteuid() != 0:
        yield
        return
    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "capset"):
        pytest.skip("root may do anything here")
    header = (ctypes.c_uint32 * 2)(VERSION_3, 0)
    sets = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice
    assert libc.capget(header, sets) == 0
    effective = sets[0], sets[3]
    sets[0] = sets[3] = 0
    assert libc.capset(header, sets) == 0
    try:
        yield
    finally:
        sets[0], sets[3] = effective
        assert libc.capset(header, sets) == 0
