"""`new card|entry|ledger` on real repositories."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, NOW, desk, end_of
from pages import KEY, card, id_of, ledger

from wbmem_git.errors import UsageError
from wbmem_git.resources import template
from wbmem_git.text.ids import card_id

if TYPE_CHECKING:
    from pathlib import Path

TODAY = date(2026, 9, 14)
WHEN = datetime(2026, 9, 14, 10, 15, 0, tzinfo=UTC)
FIRST = "handoff-20260914-101500.md"


def lines(title: str, name: str, text: str = "") -> str:
    return (
        f"### {title}\n<!-- memory:{name} -->\n<!-- status: current / date: 2026-09-14 -->\n"
        f"<!-- model -->\n{text}<!-- /model -->\n<!-- user -->\n<!-- /user -->\n"
    )


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("commit", [False, True])
def test_a_card_is_put_at_the_end_of_its_column(tmp_path: Path, layout: str, commit: bool) -> None:
    it = desk(tmp_path, layout)
    it.edit("sharpen the saw", "sharpen the axe")
    before = it.file()
    report = it.workspace.new_card("Delta", today=TODAY, text="Next: `make`", commit=commit)
    assert (report.id, report.path, report.column) == (id_of("Delta"), "PLAN.md", "Doing")
    end = end_of(before.decode())
    new = lines("Delta", id_of("Delta"), "Next: `make`\n").replace("\n", end)
    assert it.file().decode().replace(f"{new}{end}", "") == before.decode()
    assert it.file().decode().index("Delta") < it.file().decode().index("## Later")
    assert b"the axe" not in it.staged_text()
    if not commit:
        assert it.staged() == ["M PLAN.md"]
        it.memory.git("commit", "-q", "-m", "delta")
    assert it.staged() == [""]
    assert it.verdict() == []
    assert b"Delta" in it.head()


def test_a_card_at_the_end_of_the_page_ends_as_the_page_did(tmp_path: Path) -> None:
    it = desk(tmp_path, "no final newline")
    it.workspace.new_card("Delta", today=TODAY, column="Later")
    assert it.file().endswith(b"<!-- /user -->")
    assert it.staged_text() == it.file()


def test_a_namesake_gets_a_number(tmp_path: Path) -> None:
    it = desk(tmp_path)
    assert it.workspace.new_card("Beta", today=TODAY, commit=True).id == card_id(KEY, "PLAN.md", "Beta", 2)
    assert it.verdict() == []


def test_the_title_of_an_archived_card_is_refused_with_both_ways_out(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True)
    with pytest.raises(UsageError, match="is the title of an archived card") as caught:
        it.workspace.new_card("Beta", today=TODAY)
    assert "wbmem restore" in caught.value.hint
    assert it.workspace.new_card("Beta (2)", today=TODAY, commit=True).id == id_of("Beta (2)")
    assert it.verdict() == []


def test_pages_and_columns_that_are_not_there_are_named(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with pytest.raises(UsageError, match="has no column 'Never'") as caught:
        it.workspace.new_card("Delta", today=TODAY, column="Never")
    assert caught.value.hint == "its columns: Doing, Later"
    with pytest.raises(UsageError, match=r"there is no page OTHER\.md"):
        it.workspace.new_card("Delta", today=TODAY, page="OTHER.md")
    it.edit("## Later", "## Sooner")
    with pytest.raises(UsageError, match="the working tree doesn't have the column 'Later'"):
        it.workspace.new_card("Delta", today=TODAY, column="Later")
    assert it.staged() == [""]


def test_a_column_that_is_only_staged_keeps_the_card_out_of_the_commit(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("## Later", "## Sooner")
    it.memory.git("add", "PLAN.md")
    report = it.workspace.new_card("Delta", today=TODAY, column="Sooner", commit=True)
    assert report.commit == ""
    assert b"Delta" in it.staged_text()


@pytest.mark.parametrize(
    "text", ["### Another\n", "<!-- /model -->\n", "```\nopen\n", "<!-- open\n", "## Column"]
)
def test_a_text_with_structure_of_its_own_is_refused(tmp_path: Path, text: str) -> None:
    it = desk(tmp_path)
    with pytest.raises(UsageError, match="nothing was changed"):
        it.workspace.new_card("Delta", today=TODAY, text=text)
    assert it.clean()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_an_entry_is_put_at_the_end_of_its_page(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    report = it.workspace.new_entry("Use tabs", today=TODAY, text="Always.", commit=True)
    assert (report.path, report.id) == ("MEMORY.md", card_id(KEY, "MEMORY.md", "Use tabs"))
    assert it.head("MEMORY.md").decode() == "# Memory\n\n" + lines(
        "Use tabs", report.id, "Always.\n"
    ).removeprefix("#")
    assert it.clean()
    assert it.verdict() == []


# --- ledgers ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("commit", [False, True])
def test_a_ledger_gets_the_next_free_name(tmp_path: Path, layout: str, commit: bool) -> None:
    it = desk(tmp_path, layout)
    names = [it.workspace.new_ledger(now=WHEN, text=ledger(), commit=commit).path for _ in range(3)]
    assert names == [FIRST, "handoff-20260914-101500-b.md", "handoff-20260914-101500-c.md"]
    assert it.staged_text(FIRST).decode() == ledger()
    assert it.file(FIRST).replace(b"\r\n", b"\n").decode() == ledger()
    assert it.staged() == ([""] if commit else [f"A {name}" for name in sorted(names)])
    assert it.verdict() == []


def test_no_ledger_is_overwritten_whether_git_knows_it_or_not(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write(FIRST, "somebody writes it now\n")
    assert it.workspace.new_ledger(now=WHEN, text=ledger()).path == "handoff-20260914-101500-b.md"
    assert it.file(FIRST) == b"somebody writes it now\n"
    it.memory.git("rm", "-q", "--cached", "handoff-20260914-101500-b.md")
    assert it.workspace.new_ledger(now=WHEN, text=ledger()).path == "handoff-20260914-101500-c.md"


@pytest.mark.parametrize(("locale", "first"), [("en", "# Handoff"), ("zh", "# 交接")])
def test_the_template_is_written_and_neither_staged_nor_committed_before_it_is_filled_in(
    tmp_path: Path, locale: str, first: str
) -> None:
    it = desk(tmp_path)
    it.memory.commit({"wbmem.yaml": it.head("wbmem.yaml").decode() + f"locale: {locale}\n"})
    with pytest.raises(UsageError, match="can't be committed before it is filled in"):
        it.workspace.new_ledger(now=WHEN, commit=True)
    assert it.clean()
    report = it.workspace.new_ledger(now=WHEN)
    assert not report.staged
    assert it.file(report.path).decode().startswith(f"{first} 2026-09-14 10:15 UTC\n")
    assert it.staged() == [""]
    assert it.memory.git("status", "--porcelain") == f"?? {report.path}"
    assert not it.workspace.check_files([report.path]).passed
    it.memory.write(report.path, ledger())
    it.memory.git("add", report.path)
    assert it.workspace.check_staged().passed


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("commit", [False, True])
def test_an_entry_page_that_is_not_there_is_made(tmp_path: Path, layout: str, commit: bool) -> None:
    it = desk(tmp_path, layout)
    report = it.workspace.new_entry("Ada", today=TODAY, page="USER.md", text="Likes tabs.", commit=commit)
    assert it.staged() == ([""] if commit else ["A USER.md"])
    text = it.staged_text("USER.md").decode()
    assert text == template("USER.md", "en") + "\n" + lines("Ada", report.id, "Likes tabs.\n").removeprefix(
        "#"
    )
    assert it.file("USER.md").replace(b"\r\n", b"\n").decode() == text
    assert not it.memory.git("diff", "--name-only")
    it.memory.git("commit", "-q", "--allow-empty", "-m", "it")
    assert it.verdict("HEAD") == []
    assert it.clean()


def test_an_entry_page_that_lies_there_is_not_overwritten(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write("USER.md", "# Ada\n")
    with pytest.raises(UsageError, match=r"USER\.md isn't staged yet") as caught:
        it.workspace.new_entry("Ada", today=TODAY, page="USER.md")
    assert caught.value.hint == "git add USER.md"
    assert it.file("USER.md") == b"# Ada\n"


def test_a_ledger_with_crlf_is_stored_with_lf(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.new_ledger(now=WHEN, text=ledger().replace("\n", "\r\n"), commit=True)
    assert it.head(FIRST).decode() == ledger()
    assert it.clean()


def test_every_name_can_be_checked_out_on_windows(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.new_ledger(now=WHEN, text=ledger(), commit=True)
    it.workspace.archive([id_of("Beta")], "done: a/b?", now=NOW, commit=True)
    names = it.memory.git("ls-tree", "-r", "--name-only", "HEAD").split("\n")
    assert not [name for name in names if set(name) & set(':<>"|?*\\') or name.endswith((".", " "))]
    assert len({name.casefold() for name in names}) == len(names)
    assert card("Beta") in it.head(f"archive/{id_of('Beta')}.md").decode()
