"""What the terms of a text depend on beside the text and our own rules: a stemmer of others."""

from __future__ import annotations

import sys
from functools import cache
from zlib import crc32

UNKNOWN = "0"
"""Where none lies as a file."""


@cache
def vocabulary() -> str:
    """Where that is another one, full text is built anew.

    Every question asks for it, so the stemmer is read and not loaded: that would take 20 ms. `importlib`
    finds it as well, and takes longer than all the rest here.
    """
    for folder in sys.path:
        try:
            with open(f"{folder or '.'}/snowballstemmer/english_stemmer.py", "rb") as file:  # noqa: PTH123  # pathlib is slow
                return f"{crc32(file.read()):08x}"
        except OSError:
            continue
    return UNKNOWN
