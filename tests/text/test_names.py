"""What a path is."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from wbmem_git.text.names import (
    archive_path,
    archived_id,
    is_ledger,
    is_log,
    kind_of,
    ledger_order,
    next_ledger_name,
)
from wbmem_git.text.settings import default_settings

ID = "mem_" + "0123456789abcdef" * 2
SETTINGS = default_settings("ws-1")._replace(boards=("PLAN.md", "boards/*.md", "**/todo-?.md", "x[ab]/**"))


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("PLAN.md", "board"),
        ("sub/PLAN.md", "other"),
        ("boards/a.md", "board"),
        ("boards/日程 一.md", "board"),
        ("boards/deep/a.md", "other"),
        ("todo-1.md", "board"),
        ("a/b/todo-1.md", "board"),
        ("a/b/todo-12.md", "other"),
        ("xa/b/c", "board"),
        ("xc/b", "other"),
        ("plan.md", "other"),
        ("MEMORY.md", "entries"),
        ("PINNED.md", "entries"),
        ("USER.md", "entries"),
        ("sub/MEMORY.md", "other"),
        ("USER-CANDIDATES.md", "candidates"),
        ("handoff-20260914-101500.md", "ledger"),
        ("handoff-20260914-101500-b.md", "ledger"),
        ("old/handoff-20260914-101500.md", "other"),
        ("handoff.md", "other"),
        ("log/2026-09-14.md", "log"),
        ("log/2026-02-30.md", "other"),
        ("log/notes.md", "other"),
        (f"archive/{ID}.md", "archive"),
        (f"archive/{ID.upper()}.md", "other"),
        (f"archive/sub/{ID}.md", "other"),
        ("archive/log/2026-09-14.md", "archived-log"),
        ("archive/README.md", "other"),
        ("summary/today.md", "summary"),
        ("summary/history.md", "summary"),
        ("wbmem.yaml", "settings"),
        (".gitattributes", "other"),
        ("index.json", "other"),
    ],
)
def test_a_path_tells_what_a_file_is(path: str, kind: str) -> None:
    assert kind_of(path, SETTINGS) == kind


def test_no_glob_makes_a_board_of_what_has_a_name_of_its_own() -> None:
    greedy = SETTINGS._replace(boards=("**",))
    paths = ["MEMORY.md", "wbmem.yaml", "log/2026-09-14.md", f"archive/{ID}.md", "summary/today.md"]
    paths += ["handoff-20260914-101500.md", "archive/x.md", "log/x.md", ".github/x.md", "a/.hidden.md"]
    assert "board" not in {kind_of(path, greedy) for path in paths}
    assert kind_of("anything/else.md", greedy) == "board"


@pytest.mark.parametrize(
    "glob", ["[", "a[", "[z-a].md", "[]]", "a]b", "(x)", "a+b", "[!a]", "\\", "[\\]", "***"]
)
def test_an_odd_glob_is_no_error(glob: str) -> None:
    kind_of("PLAN.md", SETTINGS._replace(boards=(glob,)))


@pytest.mark.timeout(20)
def test_a_strangers_glob_hangs_nobody() -> None:
    stars = SETTINGS._replace(boards=("*a*a*a*a*a*a*a*a*a*b", "**a**a**a*a*a*a*a*b"))
    assert kind_of("a" * 60, stars) == "other"
    assert kind_of("a/" * 2_000 + "aaaaaab", stars) == "board"


def test_a_negated_class_stays_within_its_folder() -> None:
    only = SETTINGS._replace(boards=("a[!b]c",))
    assert kind_of("axc", only) == "board"
    assert kind_of("abc", only) == "other"
    assert kind_of("a/c", only) == "other"


@pytest.mark.parametrize(
    "path",
    [
        "handoff-20260914-101500-a.md",
        "handoff-20260914-101500-bb.md",
        "handoff-20260914-101500-B.md",
        "handoff-20261314-101500.md",
        "handoff-20260931-101500.md",
        "handoff-20260229-101500.md",
        "handoff-20260914-241500.md",
        "handoff-20260914-106000.md",
        "handoff-20260914-101560.md",
        "handoff-00000101-000000.md",
        "handoff-20260914.md",
        "handoff-20260914-101500.MD",
        "handoff-20260914-101500.md\n",
        "handoff-٢٠٢٦٠٩١٤-101500.md",
        "Handoff-20260914-101500.md",
    ],
)
def test_other_names_are_no_ledgers(path: str) -> None:
    assert not is_ledger(path)


def test_leap_days_are_days() -> None:
    assert is_ledger("handoff-20240229-235959-z.md")
    assert is_log("log/2000-02-29.md")
    assert not is_log("log/1900-02-29.md")


def test_ledgers_go_by_stem() -> None:
    second = "handoff-20260914-101500"
    names = [f"{second}.md", f"{second}-b.md", f"{second}-c.md", "handoff-20260914-101501.md"]
    assert [ledger_order(name) for name in names] == sorted(map(ledger_order, names))
    assert sorted(names) != names  # the plain order of names puts -b first


def test_the_next_ledger_takes_a_letter_then_the_next_second() -> None:
    when = datetime(2026, 12, 31, 23, 59, 59, tzinfo=UTC)
    taken: set[str] = set()
    for _ in range(27):
        name = next_ledger_name(taken, when)
        assert name not in taken
        assert is_ledger(name)
        taken.add(name)
    ordered = sorted(taken, key=ledger_order)
    assert ordered[:2] == ["handoff-20261231-235959.md", "handoff-20261231-235959-b.md"]
    assert ordered[25:] == ["handoff-20261231-235959-z.md", "handoff-20270101-000000.md"]


def test_an_archive_path_and_its_id_belong_together() -> None:
    assert archived_id(archive_path(ID)) == ID
    assert archived_id("archive/mem_1.md") == ""
    assert archived_id("PLAN.md") == ""
