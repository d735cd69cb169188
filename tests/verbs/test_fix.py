"""`fix` on real repositories: anchors, renames and copies; exactly its own edits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import mdformat
import pytest
from desk import LAYOUTS, NOW, Desk, conflict, desk, end_of
from pages import KEY, card, id_of

from wbmem_git.text.archive import parse_archive
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.index import Unmerged, way_out

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.verbs.fix import FixReport

DELTA = "\n### Delta\ntyped by hand\n"
BETA_FILE = f"archive/{id_of('Beta')}.md"


def fix(it: Desk, *, retitle: bool = False, commit: bool = False) -> FixReport:
    return it.workspace.fix(now=NOW, retitle=retitle, commit=commit)


def told(report: FixReport) -> list[tuple[str, str, bool]]:
    return [(one.what, one.title, one.staged) for one in report.done]


def append(it: Desk, text: str) -> None:
    """Type at the end of the board, with its own line ends."""
    data = it.file()
    end = end_of(data.decode()).encode()
    gap = b"" if data.endswith(end) else end
    (it.memory.top / "PLAN.md").write_bytes(data + gap + text.encode().replace(b"\n", end))


def without_anchor(data: bytes, title: str) -> bytes:
    lines = [line for line in data.splitlines(keepends=True) if id_of(title).encode() not in line]
    return b"".join(lines)


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_board_in_order_is_left_alone(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    before = it.file(), it.memory.git("rev-parse", "HEAD")
    assert fix(it, commit=True) == ((), "", ())
    assert (it.file(), it.memory.git("rev-parse", "HEAD")) == before
    assert it.clean()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_staged_card_gets_its_anchor_in_index_and_file(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    append(it, DELTA)
    it.memory.git("add", "PLAN.md")
    staged, file = it.staged_text(), it.file()
    it.edit("Next: sharpen the saw", "Next: sharpen the axe")
    edited = it.file()
    assert told(fix(it)) == [("anchored", "Delta", True)]
    for now, before in ((it.staged_text(), staged), (it.file(), edited)):
        assert without_anchor(now, "Delta") == before
        end = end_of(before.decode()).encode()
        assert end.join((b"### Delta", f"<!-- memory:{id_of('Delta')} -->".encode(), b"typed by hand")) in now
    assert b"the axe" not in it.staged_text()
    assert file != edited
    it.memory.git("commit", "-q", "-m", "delta")
    assert it.verdict() == []


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_card_that_is_not_staged_gets_its_anchor_in_the_file_alone(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    append(it, DELTA)
    before = it.staged_text(), it.file()
    assert told(fix(it)) == [("anchored", "Delta", False)]
    assert it.staged_text() == before[0]
    assert without_anchor(it.file(), "Delta") == before[1]
    assert told(fix(it)) == []


def test_heads_own_cards_are_anchored_in_a_commit_beside_all_other_work(tmp_path: Path) -> None:
    it = desk(tmp_path, text="# Plan\n\n## Doing\n\n### One\nfirst\n\n### Two\nsecond\n")
    append(it, "\n### Three\nthird\n")
    it.memory.git("add", "PLAN.md")
    append(it, "\n### Four\nfourth\n")
    report = fix(it, commit=True)
    assert told(report) == [
        ("anchored", "One", True),
        ("anchored", "Two", True),
        ("anchored", "Three", True),
        ("anchored", "Four", False),
    ]
    assert report.commit == it.memory.git("rev-parse", "HEAD")
    assert it.memory.git("log", "-1", "--format=%s") == "fix: an anchor for 2 cards"
    for data, titles in ((it.head(), 2), (it.staged_text(), 3), (it.file(), 4)):
        assert data.count(b"<!-- memory:") == titles
    assert b"Three" not in it.head()
    assert b"Four" not in it.staged_text()
    assert it.verdict() == []


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("stage", [False, True])
def test_a_title_edited_by_hand_is_a_rename(tmp_path: Path, layout: str, stage: bool) -> None:
    it = desk(tmp_path, layout)
    it.edit("### Beta", "### Beta, better")
    it.edit("work on Beta", "work on it")
    if stage:
        it.memory.git("add", "PLAN.md")
    assert told(fix(it)) == [("renamed", "Beta, better", stage)]
    assert f"<!-- memory:{id_of('Beta, better')} -->" in it.file().decode()
    file = parse_archive(it.staged_text(BETA_FILE).decode(), "")
    assert (file.reason, file.superseded_by) == ("renamed", id_of("Beta, better"))
    assert file.body == card("Beta")
    assert b"work on it" in it.staged_text() if stage else b"work on it" not in it.staged_text()
    it.memory.git("commit", "-q", "-a", "-m", "renamed")
    assert it.verdict() == []
    assert it.clean()
    assert told(fix(it)) == []


def test_a_rename_in_the_file_needs_only_the_page_to_be_added(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("### Beta", "### Beta, better")
    fix(it)
    assert it.staged() == [f"A {BETA_FILE}"]
    it.memory.git("add", "PLAN.md")
    it.memory.git("commit", "-q", "-m", "renamed")
    assert it.verdict() == []


def test_a_title_edited_back_is_a_restore(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("### Beta", "### Better")
    fix(it)
    it.memory.git("commit", "-q", "-a", "-m", "renamed")
    it.edit("### Better", "### Beta")
    assert told(fix(it)) == [("restored", "Beta", False)]
    assert it.staged() == [f"D {BETA_FILE}", f"A archive/{id_of('Better')}.md"] or it.staged() == [
        f"A archive/{id_of('Better')}.md",
        f"D {BETA_FILE}",
    ]
    it.memory.git("commit", "-q", "-a", "-m", "renamed back")
    assert it.verdict() == []
    assert it.clean()
    assert id_of("Beta").encode() in it.head()


def test_a_copy_gets_an_anchor_of_its_own_and_archives_nothing(tmp_path: Path) -> None:
    it = desk(tmp_path)
    append(it, "\n" + card("Copy", anchor=id_of("Beta")))
    it.memory.git("add", "PLAN.md")
    assert told(fix(it)) == [("copied", "Copy", True)]
    it.memory.git("commit", "-q", "-m", "copy")
    assert it.verdict() == []
    assert not (it.memory.top / "archive").exists()


def test_an_id_that_stands_on_two_pages_stays_where_head_has_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write("MEMORY.md", f"# Memory\n\n## Beta\n<!-- memory:{id_of('Beta')} -->\nheld\n")
    it.memory.git("add", "-A")
    assert told(fix(it)) == [("copied", "Beta", True)]
    assert card_id(KEY, "MEMORY.md", "Beta").encode() in it.staged_text("MEMORY.md")
    assert it.staged_text() == it.head()


def test_a_new_card_of_an_archived_title_is_left_and_named(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True)
    append(it, "\n### Beta\nonce more\n")
    before = it.file()
    (one,) = fix(it).done
    assert (one.what, one.title, one.card) == ("left", "Beta", id_of("Beta"))
    assert it.file() == before


def test_an_untracked_page_is_anchored_too(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write("PINNED.md", "# Pinned\n\n## Use tabs\nalways\n")
    assert told(fix(it)) == [("anchored", "Use tabs", False)]
    assert b"<!-- memory:" in it.file("PINNED.md")
    assert it.staged() == [""]


def test_headings_in_code_get_no_anchor(tmp_path: Path) -> None:
    it = desk(
        tmp_path, text="# Plan\n\n## Doing\n\n### A\n\n````md\n### Not a card\n```\n### Nor this\n````\n"
    )
    assert told(fix(it)) == [("anchored", "A", True)]


def test_anchored_pages_survive_a_formatter(tmp_path: Path) -> None:  # BUGS C5
    it = desk(tmp_path, text="# Plan\n\nDoing\n---\n\n### Write `__init__` *now*\n* [ ] one\n2. two\n***\n")
    fix(it, commit=True)
    it.memory.write("PLAN.md", mdformat.text(it.file().decode()))
    it.memory.git("commit", "-q", "-a", "-m", "formatted")
    assert it.verdict() == []
    assert told(fix(it)) == []


def test_an_unborn_branch_has_its_staged_cards_anchored(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.git("checkout", "-q", "--orphan", "fresh")
    append(it, DELTA)
    it.memory.git("add", "-A")
    assert told(fix(it, commit=True)) == [("anchored", "Delta", True)]
    it.memory.git("commit", "-q", "-m", "first")
    assert it.verdict() == []


def test_a_namesake_has_one_id_in_index_and_file_whatever_is_typed_above_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    append(it, "\n### Beta\nmine\n")
    it.memory.git("add", "PLAN.md")
    it.edit("### Alpha\n", "### Beta\nfresh\n\n### Alpha\n")
    fix(it)
    second, third = (card_id(KEY, "PLAN.md", "Beta", n).encode() for n in (2, 3))
    for data in (it.staged_text(), it.file()):
        assert second + b" -->\nmine" in data
    assert third + b" -->\nfresh" in it.file()


def merging(it: Desk, resolved: str) -> None:
    """A merge with another side that has a card of its own, resolved as this text; not committed."""
    it.memory.git("checkout", "-q", "-b", "side")
    it.memory.commit({"PLAN.md": it.head().decode() + "\n" + card("Theirs", "their work")})
    it.memory.git("checkout", "-q", "main")
    it.memory.commit({"PLAN.md": it.head().decode() + "\n" + card("Ours", "our work")})
    assert it.memory.try_git("merge", "side").returncode
    it.memory.write("PLAN.md", resolved)
    it.memory.git("add", "PLAN.md")


def test_in_a_merge_a_title_of_the_other_side_edited_by_hand_is_a_rename(tmp_path: Path) -> None:
    it = desk(tmp_path)
    whole = it.head().decode() + "\n" + card("Ours", "our work") + "\n" + card("Theirs", "their work")
    merging(it, whole.replace("### Theirs", "### Everybody's"))
    assert told(fix(it)) == [("renamed", "Everybody's", True)]
    it.memory.git("commit", "-q", "--no-edit")
    assert it.verdict() == []
    assert it.workspace.audit().open == ()


def test_a_merge_that_took_ours_archives_what_the_other_side_had(tmp_path: Path) -> None:
    it = desk(tmp_path)
    merging(it, it.head().decode() + "\n" + card("Ours", "our work"))
    assert [one.title for one in it.workspace.archive_missing("ours", now=NOW).archived] == ["Theirs"]
    it.memory.git("commit", "-q", "--no-edit")
    assert it.verdict() == []
    assert b"their work" in it.head(f"archive/{id_of('Theirs')}.md")


def test_a_conflict_stops_it_and_changes_nothing(tmp_path: Path) -> None:
    it = conflict(desk(tmp_path))
    before = it.file()
    with pytest.raises(Unmerged, match=r"PLAN\.md has an unresolved merge") as stopped:
        fix(it)
    assert stopped.value.hint == way_out(["PLAN.md"])
    assert it.file() == before


# --- retitle ------------------------------------------------------------------------------------------

NAMESAKES = "# Plan\n\n## One\n\n### Tasks\na\n\n### Tasks\nb\n\n## Two\n\n### Tasks\nc\n\n### Tasks\nd\n"


def titles(data: bytes) -> list[str]:
    return [line[4:] for line in data.decode().splitlines() if line.startswith("### ")]


def test_namesakes_keep_their_titles_unless_asked(tmp_path: Path) -> None:
    it = desk(tmp_path, text=NAMESAKES)
    fix(it, commit=True)
    assert titles(it.head()) == ["Tasks"] * 4
    assert [line[16:52] for line in it.head().decode().splitlines() if "memory:" in line] == [
        card_id(KEY, "PLAN.md", "Tasks", n)[4:] + " -->" for n in range(1, 5)
    ]
    assert it.verdict() == []


@pytest.mark.parametrize("anchored_before", [False, True])
@pytest.mark.parametrize("commit", [False, True])
def test_retitled_namesakes_are_told_apart_by_column_or_number(
    tmp_path: Path, anchored_before: bool, commit: bool
) -> None:
    it = desk(tmp_path, text=NAMESAKES)
    if anchored_before:
        fix(it, commit=True)
    fix(it, retitle=True, commit=commit)
    wanted = ["Tasks", "Tasks · One", "Tasks · Two", "Tasks (2)"]
    assert (titles(it.staged_text()), titles(it.file())) == (wanted, wanted)
    if not commit:
        it.memory.git("commit", "-q", "-m", "retitled")
    assert titles(it.head()) == wanted
    assert it.clean()
    assert it.verdict() == []
