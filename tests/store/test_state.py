"""Files that are derived: whole or not there, and never a reason to fail."""

from __future__ import annotations

import marshal
import os
import socket
from pathlib import Path

import pytest

from wbmem_git.store.state import (
    append_journal,
    marked_branches,
    open_plain,
    read_journal,
    read_kept,
    read_mark,
    read_text,
    recall_settings,
    remember_settings,
    write_atomically,
    write_kept,
    write_mark,
)
from wbmem_git.text.settings import default_settings

SETTINGS = default_settings("desk-12345678")


def test_settings_are_recalled_by_their_blob(tmp_path: Path) -> None:
    remember_settings(str(tmp_path), "a" * 40, SETTINGS, 1)
    other = SETTINGS._replace(boards=("PLAN.md", "计划/*.md"), handoff=False, water_threshold=0.5)
    remember_settings(str(tmp_path), "b" * 40, other, 1)
    assert recall_settings(str(tmp_path), "a" * 40, 1) == SETTINGS
    assert recall_settings(str(tmp_path), "b" * 40, 1) == other
    assert recall_settings(str(tmp_path), "c" * 40, 1) is None


def test_other_rules_may_have_other_defaults(tmp_path: Path) -> None:
    remember_settings(str(tmp_path), "a" * 40, SETTINGS, 1)
    assert recall_settings(str(tmp_path), "a" * 40, 2) is None


def test_only_the_newest_settings_are_kept(tmp_path: Path) -> None:
    for number in range(20):
        remember_settings(str(tmp_path), f"{number:040d}", SETTINGS, 1)
    assert recall_settings(str(tmp_path), f"{19:040d}", 1) == SETTINGS
    assert recall_settings(str(tmp_path), f"{0:040d}", 1) is None
    kept = marshal.loads((tmp_path / "wbmem/settings").read_bytes())  # noqa: S302  # our own
    assert len(kept["settings"]) == 8


@pytest.mark.parametrize(
    "damage",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        marshal.dumps({"rules": 1}),
        marshal.dumps({"rules": 1, "settings": []}),
        marshal.dumps({"rules": 1, "settings": {"a" * 40: {"workspace": "x"}}}),
        marshal.dumps({"rules": 1, "settings": {"a" * 40: 3}}),
        marshal.dumps({"rules": 1, "settings": {}})[:-3],
    ],
)
def test_a_damaged_cache_is_no_cache_and_heals(tmp_path: Path, damage: bytes) -> None:
    remember_settings(str(tmp_path), "a" * 40, SETTINGS, 1)
    (tmp_path / "wbmem/settings").write_bytes(damage)
    assert recall_settings(str(tmp_path), "a" * 40, 1) is None
    remember_settings(str(tmp_path), "a" * 40, SETTINGS, 1)
    assert recall_settings(str(tmp_path), "a" * 40, 1) == SETTINGS


def test_a_reader_never_sees_half_a_file_and_no_litter_stays(tmp_path: Path) -> None:
    path = tmp_path / "deep/er/file"
    assert write_atomically(str(path), "one")
    assert write_atomically(str(path), "two é")
    assert path.read_text(encoding="utf-8") == "two é"
    path.unlink()
    path.mkdir()  # a folder in the way can't be replaced by a file
    (path / "x").touch()
    assert not write_atomically(str(path), "three")
    assert [entry.name for entry in path.parent.iterdir()] == ["file"]


BRANCHES = ("main", "a", "a/b", "feature/日志", "")


@pytest.mark.parametrize("branch", BRANCHES)
def test_each_branch_has_a_mark_of_its_own(tmp_path: Path, branch: str) -> None:
    for number, each in enumerate(BRANCHES):
        assert write_mark(str(tmp_path), each, f"{number}" * 40)
        assert write_kept(str(tmp_path), each, {"found": [each]})
    assert read_mark(str(tmp_path), branch) == f"{BRANCHES.index(branch)}" * 40
    assert read_kept(str(tmp_path), branch) == {"found": [branch]}
    assert marked_branches(str(tmp_path)) == ["", "a", "a/b", "feature/日志", "main"]


def test_a_mark_is_a_line_that_a_shell_may_write(tmp_path: Path) -> None:
    write_mark(str(tmp_path), "main", "1" * 40)
    file = tmp_path / "wbmem/audit/main/.mark"
    assert file.read_text() == "1" * 40 + "\n"
    file.write_text("2" * 40 + "\nmore\n")
    assert read_mark(str(tmp_path), "main") == "2" * 40
    for nonsense in ("main\n", "--all\n", "2" * 39 + "\n", ""):
        file.write_text(nonsense)
        assert read_mark(str(tmp_path), "main") == ""


def test_without_a_mark_nothing_is_known(tmp_path: Path) -> None:
    assert read_mark(str(tmp_path), "main") == ""
    assert read_kept(str(tmp_path), "main") == {}
    assert marked_branches(str(tmp_path)) == []
    write_kept(str(tmp_path), "main", {})
    (tmp_path / "wbmem/audit/main/.open.json").write_text("[1]")
    assert read_kept(str(tmp_path), "main") == {}


def test_the_journal_grows_by_whole_lines_and_survives_a_damaged_one(tmp_path: Path) -> None:
    assert append_journal(str(tmp_path), {"event": "criteria.failed", "page": "日志\n"})
    with (tmp_path / "wbmem/journal.jsonl").open("a") as file:
        file.write("{half\n[1]\n")
    assert append_journal(str(tmp_path), {"event": "written"})
    assert read_journal(str(tmp_path)) == [
        {"event": "criteria.failed", "page": "日志\n"},
        {"event": "written"},
    ]


def test_where_nothing_can_be_written_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / "wbmem").write_text("a file in the way")
    remember_settings(str(tmp_path), "a" * 40, SETTINGS, 1)
    assert not write_mark(str(tmp_path), "main", "1" * 40)
    assert not write_kept(str(tmp_path), "main", {})
    assert not append_journal(str(tmp_path), {})
    assert read_journal(str(tmp_path)) == []


@pytest.mark.parametrize("what", ["a folder", "a pipe", "a socket", "a device"])
@pytest.mark.parametrize("flags", [os.O_RDONLY, os.O_RDWR, os.O_WRONLY | os.O_APPEND | os.O_CREAT])
def test_only_a_plain_file_is_opened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str, flags: int
) -> None:
    monkeypatch.chdir(tmp_path)  # the name of a socket has to be short
    place = Path("it")
    if what == "a folder":
        place.mkdir()
    elif what == "a pipe":
        os.mkfifo(place)
    elif what == "a socket":
        with socket.socket(socket.AF_UNIX) as one:
            one.bind(str(place))
    else:
        place.symlink_to("/dev/zero")
    with pytest.raises(OSError):  # noqa: PT011  # whichever it is
        open_plain(str(place), flags)
    assert read_text(str(place)) == ""


def test_a_link_to_a_plain_file_is_one(tmp_path: Path) -> None:
    (tmp_path / "real").write_text("said")
    (tmp_path / "it").symlink_to("real")
    assert read_text(str(tmp_path / "it")) == "said"
