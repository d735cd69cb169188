"""Whoever changes what a text's rows are raises the one number that makes older sidecars be built anew."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from stored import stored_pages

from wbmem_git.store.schema import FORMAT
from wbmem_git.store.tables import rows
from wbmem_git.text import terms

if TYPE_CHECKING:
    from collections.abc import Iterator

GOLDEN = (9, "c90af92da961de9d")
"""The number, and under it the digest of all rows of these pages."""


@pytest.fixture
def stemmer(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """One of our own: another release of the real one is told apart by itself (`text.vocabulary`)."""
    caches = (terms._stem, terms._of_word, terms.date_terms)
    monkeypatch.setattr(terms, "_stemmer", lambda: lambda word: word.removesuffix("s"))
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


@pytest.mark.usefixtures("stemmer")
def test_other_rows_have_another_number() -> None:
    digest = sha256(repr(rows(stored_pages(Path(__file__).parent / "pages"))).encode()).hexdigest()[:16]
    assert (FORMAT, digest) == GOLDEN, "store.schema.FORMAT is to be raised, then this written down"
