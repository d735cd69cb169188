"""What the terms of a text depend on beside the text: our own rules for them, and a stemmer of others."""

from __future__ import annotations

from functools import cache
from importlib.machinery import PathFinder
from zlib import crc32

FORMAT = "4"
"""Raised with every change of what a text's terms, tags, cues, previews are."""


@cache
def vocabulary() -> str:
    """Where that is another one, full text is built anew.

    Every question asks for it, so the stemmer is read and not loaded: that would take 20 ms.
    """
    stemmer = PathFinder.find_spec("snowballstemmer")
    folders = None if stemmer is None else stemmer.submodule_search_locations
    if not folders:
        return FORMAT
    with open(f"{folders[0]}/english_stemmer.py", "rb") as file:  # noqa: PTH123  # pathlib takes longer
        return f"{FORMAT}.{crc32(file.read()):08x}"
