"""Derived files at the top of the working tree, as files."""

from __future__ import annotations

import errno
import os
from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.views import put_view, read_view

if TYPE_CHECKING:
    from pathlib import Path

NAME = "index.json"


def refusing(monkeypatch: pytest.MonkeyPatch, code: int) -> list[str]:
    """A git folder on another file system, or a disk that refuses: from where a file was to be moved."""
    real, tried = os.replace, []

    def replace(old: str, new: str) -> None:
        tried.append(old)
        if "/git/" in old:
            raise OSError(code, os.strerror(code))
        real(old, new)

    monkeypatch.setattr(os, "replace", replace)
    return tried


@pytest.fixture
def places(tmp_path: Path) -> tuple[str, str]:
    (tmp_path / "top").mkdir()
    (tmp_path / "git" / "wbmem").mkdir(parents=True)
    return str(tmp_path / "top"), str(tmp_path / "git")


def left(*places: str) -> list[str]:
    return sorted(name for place in places for _, _, names in os.walk(place) for name in names)


def test_where_the_git_folder_is_another_file_system_it_is_written_beside_its_place(
    places: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    top, git_dir = places
    tried = refusing(monkeypatch, errno.EXDEV)
    assert put_view(top, git_dir, NAME, b"said\n")
    assert read_view(top, NAME) == b"said\n"
    assert [path.rpartition("/")[0] for path in tried] == [f"{git_dir}/wbmem", top]
    assert left(*places) == [NAME]


def test_where_the_disk_refuses_nothing_is_left_and_nothing_else_is_tried(
    places: tuple[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = refusing(monkeypatch, errno.ENOSPC)
    assert not put_view(*places, NAME, b"said\n")
    assert len(tried) == 1
    assert left(*places) == []
