"""Texts merged by lines, by git itself."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from wbmem_git.errors import GitError
from wbmem_git.store.repository import Repository

if TYPE_CHECKING:
    from memory import Memory

BASE = "a\nb\nc\nd\ne\n"
OURS, THEIRS = BASE.replace("b", "ours"), BASE.replace("b", "theirs")


def test_changes_in_different_lines_are_merged(memory: Memory) -> None:
    with Repository.open(str(memory.top), os.environ) as repository:
        found = repository.merge_texts(BASE, OURS, BASE.replace("d", "D"))
    assert found == ("a\nours\nc\nD\ne\n", 0)


def test_a_conflict_has_two_parts_whatever_style_is_configured(memory: Memory) -> None:
    memory.git("config", "merge.conflictStyle", "diff3")
    with Repository.open(str(memory.top), os.environ) as repository:
        text, conflicts = repository.merge_texts(BASE, OURS, THEIRS, labels=("HEAD", "b", "origin"), marker=9)
        assert repository.merge_texts(BASE, OURS, THEIRS, union=True) == ("a\nours\ntheirs\nc\nd\ne\n", 0)
    assert conflicts == 1
    assert text == f"a\n{'<' * 9} HEAD\nours\n{'=' * 9}\ntheirs\n{'>' * 9} origin\nc\nd\ne\n"


def test_what_is_no_text_is_refused_with_a_sentence(memory: Memory) -> None:
    with (
        Repository.open(str(memory.top), os.environ) as repository,
        pytest.raises(GitError, match="isn't text"),
    ):
        repository.merge_texts("a\0", "b\0", "c")
