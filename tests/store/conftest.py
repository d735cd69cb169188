"""What the tests of the store share."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.sidecar import memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from sqlite3 import Connection


@pytest.fixture
def db() -> Iterator[Connection]:
    """An empty sidecar that no file holds."""
    with memory() as found:
        yield found
    found.close()
