"""What a writer is about to do, as the next one reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.journal import Journal, Touched, Writing

if TYPE_CHECKING:
    from pathlib import Path

BEGUN = Writing(
    token="wbmem 1 ab\n",
    index_file="/x/计划/index",
    folder="/x/tmp",
    refs=("/x/HEAD.lock",),
    base="1" * 40,
    commit="2" * 40,
    touched=(Touched("PLAN.md", "100644 3", "100644 4", "", True, "before", ""),),
)


def test_what_was_noted_is_read_until_it_is_cleared(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path))
    assert journal.read() is None
    journal.note(BEGUN)
    assert Journal(str(tmp_path)).read() == BEGUN
    journal.clear()
    journal.clear()
    assert journal.read() is None
    assert [path.name for path in (tmp_path / "wbmem").iterdir()] == []


def test_what_is_half_of_one_is_none(tmp_path: Path) -> None:
    journal = Journal(str(tmp_path))
    journal.note(BEGUN)
    file = tmp_path / "wbmem/writing.json"
    whole = file.read_text()
    for text in (
        "",
        whole[:-9],
        "[]",
        "null",
        '{"version": 1}',
        whole.replace('"version": 1', '"version": 2'),
    ):
        file.write_text(text)
        assert journal.read() is None, text
