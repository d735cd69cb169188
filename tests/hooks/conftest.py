"""A memory with native hooks, on a real repository."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hooks.gated import gate

if TYPE_CHECKING:
    from memory import Memory


@pytest.fixture
def gated(memory: Memory) -> Memory:
    """A memory with two cards and every native hook."""
    return gate(memory)
