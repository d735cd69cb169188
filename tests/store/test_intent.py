"""What a writer is about to do, as the next one reads it."""

from __future__ import annotations

import fcntl
import json
import os
from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.intent import LOCK, Intent, IntentDamaged, IntentFile, Touched, is_within
from wbmem_git.store.repository import Repository
from wbmem_git.variables import WITHIN

if TYPE_CHECKING:
    from pathlib import Path

    from memory import Memory

BEGUN = Intent(
    token="wbmem 1 ab\n",
    index_file="/x/计划/index",
    folder="/x/tmp",
    refs=("/x/HEAD.lock",),
    base="1" * 40,
    commit="2" * 40,
    touched=(Touched("PLAN.md", "100644 3", "100644 4", "", True, "before", ""),),
)


def test_what_was_noted_is_read_until_it_is_cleared(tmp_path: Path) -> None:
    intent_file = IntentFile(str(tmp_path))
    assert intent_file.read() is None
    intent_file.note(BEGUN)
    assert IntentFile(str(tmp_path)).read() == BEGUN
    intent_file.clear()
    intent_file.clear()
    assert intent_file.read() is None
    assert [path.name for path in (tmp_path / "wbmem").iterdir()] == []


def test_what_is_half_of_one_is_told(tmp_path: Path) -> None:
    intent_file = IntentFile(str(tmp_path))
    intent_file.note(BEGUN)
    file = tmp_path / "wbmem/writing.json"
    whole = file.read_text()
    for text in (
        "",
        whole[:-9],
        "[]",
        "null",
        '{"version": 1}',
    ):
        file.write_text(text)
        with pytest.raises(IntentDamaged, match="nothing was changed"):
            intent_file.read()


def test_what_another_version_noted_is_read_as_far_as_it_is_known(tmp_path: Path) -> None:
    intent_file = IntentFile(str(tmp_path))
    intent_file.note(BEGUN)
    file = tmp_path / "wbmem/writing.json"
    newer = json.loads(file.read_text()) | {"version": 2, "further": 1}
    newer["touched"][0].append("further")
    file.write_text(json.dumps(newer))
    assert intent_file.read() == BEGUN
    older = {name: newer[name] for name in Intent._fields[:7]} | {"touched": [list(BEGUN.touched[0][:7])]}
    file.write_text(json.dumps(older))
    assert intent_file.read() == BEGUN


def test_only_a_hook_of_a_write_that_goes_on_is_within_it(memory: Memory) -> None:
    memory.commit({"a.txt": "a"})
    intent_file = IntentFile(str(memory.top / ".git"))

    def within(token: str) -> bool:
        with Repository.open(str(memory.top), {**os.environ, WITHIN: token}) as repository:
            return is_within(repository)

    intent_file.note(BEGUN)
    assert not within("wbmem 1 ab")
    with (memory.top / ".git/wbmem" / LOCK).open("wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        assert within("wbmem 1 ab")
        assert not within("wbmem 1 cd")
        assert not within("")
        intent_file.clear()
        assert not within("wbmem 1 ab")
