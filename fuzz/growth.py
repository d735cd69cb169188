"""No text makes a reader slow: a few characters over and over, between a beginning and an end."""

from __future__ import annotations

from time import process_time
from typing import TYPE_CHECKING

from benchmarks.growth import READERS
from fuzz.inputs import texts_of
from wbmem_git.rules.credentials import credentials_in, mask
from wbmem_git.text.escapes import unescaped
from wbmem_git.text.scan import blocks
from wbmem_git.text.settings import parse_settings
from wbmem_git.verbs.merge.logs import merge_log

if TYPE_CHECKING:
    from collections.abc import Callable

LENGTH = 12_000
MOST_S = 2.0
"""Processor time: with the square of its length a text takes longer, with its length a small part of it."""
ALL: dict[str, Callable[[str], object]] = {
    **READERS,
    "blocks": blocks,
    "credentials": credentials_in,
    "mask": mask,
    "escapes": unescaped,
    "settings": parse_settings,
    "logs": lambda text: merge_log("a\n", f"a\n{text}", f"a\nb\n{text}"),
}


def check(data: bytes) -> None:
    """The first byte says which reader it is for; then a beginning, what is repeated, and an end."""
    begin, piece, end = texts_of(data[1:], 3)
    if not piece:
        begin, piece = "", begin
    name = [*ALL][data[0] % len(ALL)] if data else ""
    if piece:
        text = begin + piece * (LENGTH // len(piece)) + end
        begun = process_time()
        ALL[name](text)
        took_s = process_time() - begun
        assert took_s < MOST_S, f"{name}: {took_s:.1f} s for {len(text)} characters"
