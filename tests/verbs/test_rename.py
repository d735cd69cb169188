"""`rename` on real repositories."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, NOW, Desk, desk
from pages import KEY, card, id_of

from wbmem_git.errors import UsageError
from wbmem_git.text.archive import parse_archive
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.commit.working_files import CannotTakeEdit
from wbmem_git.verbs.rename import TakenTitle

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.verbs.rename import RenameReport

BETA_FILE = f"archive/{id_of('Beta')}.md"


def rename(it: Desk, wanted: str, title: str, *, commit: bool = False) -> RenameReport:
    return it.workspace.rename(wanted, title, now=NOW, commit=commit)


def as_renamed(data: bytes, old: str, new: str) -> bytes:
    text = data.decode()
    for before, after in ((f"### {old}", f"### {new}"), (id_of(old), id_of(new))):
        assert text.count(before) == 1
        text = text.replace(before, after)
    return text.encode()


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("commit", [False, True])
def test_heading_and_anchor_change_and_nothing_else(tmp_path: Path, layout: str, commit: bool) -> None:
    it = desk(tmp_path, layout)
    it.edit("sharpen the saw", "sharpen the axe")
    before = it.staged_text(), it.file()
    report = rename(it, id_of("Beta"), "Better · 更好", commit=commit)
    assert (report.old_id, report.id, report.restored) == (id_of("Beta"), id_of("Better · 更好"), False)
    assert it.staged_text() == as_renamed(before[0], "Beta", "Better · 更好")
    assert it.file() == as_renamed(before[1], "Beta", "Better · 更好")
    file = parse_archive(it.staged_text(BETA_FILE).decode(), "")
    assert (file.reason, file.superseded_by, file.body) == ("renamed", report.id, card("Beta"))
    if not commit:
        it.memory.git("commit", "-q", "-m", "renamed")
    assert it.memory.git("diff", "--numstat").split() == ["1", "1", "PLAN.md"]
    assert it.verdict() == []


@pytest.mark.parametrize("commit", [False, True])
def test_back_to_an_earlier_title_its_id_is_back(tmp_path: Path, commit: bool) -> None:
    it = desk(tmp_path)
    it.memory.git("config", "user.email", "bot@agent.local")
    first = it.head()
    rename(it, id_of("Alpha"), "Alpha 2", commit=True)
    rename(it, id_of("Alpha 2"), "Alpha 3", commit=True)
    report = rename(it, id_of("Alpha 3"), "Alpha", commit=commit)
    assert (report.id, report.restored) == (id_of("Alpha"), True)
    if not commit:
        it.memory.git("commit", "-q", "-m", "back")
    assert it.head() == first
    assert it.clean()
    assert it.verdict() == []
    assert not (it.memory.top / f"archive/{id_of('Alpha')}.md").exists()


def test_a_namesake_goes_back_to_its_own_number(tmp_path: Path) -> None:
    it = desk(tmp_path, text="# Plan\n\n## Doing\n\n### Tasks\none\n\n### Tasks\ntwo\n")
    it.workspace.fix(now=NOW, commit=True)
    second = card_id(KEY, "PLAN.md", "Tasks", 2)
    rename(it, second, "Other", commit=True)
    assert rename(it, id_of("Other"), "Tasks", commit=True).id == second
    assert it.verdict() == []


def test_the_title_of_another_card_is_refused_with_one_that_is_free(tmp_path: Path) -> None:
    it = desk(tmp_path)
    rename(it, id_of("Alpha"), "Gamma (2)", commit=True)
    with pytest.raises(TakenTitle, match=r"'Gamma' is the title of another card, PLAN\.md:24;") as caught:
        rename(it, id_of("Beta"), "Gamma", commit=True)
    assert caught.value.hint.endswith("Gamma (3)")
    assert it.clean()


def test_the_old_id_leads_to_the_card_under_its_new_title(tmp_path: Path) -> None:
    it = desk(tmp_path)
    rename(it, id_of("Beta"), "Better", commit=True)
    rename(it, id_of("Better"), "Best", commit=True)
    for wanted in (id_of("Beta")[:12], id_of("Better")):
        with pytest.raises(UsageError, match=r"is archived; the card is 'Best' now, PLAN\.md:15") as caught:
            rename(it, wanted, "Worst")
        assert caught.value.hint == f"wbmem rename {id_of('Best')[:12]} TITLE"
        with pytest.raises(UsageError, match="the card is 'Best' now") as caught:
            it.workspace.archive([wanted], "done", now=NOW)
        assert caught.value.hint == f"wbmem archive {id_of('Best')[:12]} --reason TEXT"


def test_a_card_that_is_in_the_file_only_is_to_be_staged_first(tmp_path: Path) -> None:
    it = desk(tmp_path)
    (it.memory.top / "PLAN.md").write_bytes(it.file() + b"\n" + card("Delta").encode())
    with pytest.raises(UsageError, match="is on no page of the index") as caught:
        rename(it, id_of("Delta"), "Omega")
    assert caught.value.hint == "stage its page first: git add PLAN.md"


def test_the_title_of_another_archived_card_is_refused_with_both_ways_out(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True)
    with pytest.raises(UsageError, match="is the title of an archived card") as caught:
        rename(it, id_of("Gamma"), "Beta")
    assert "wbmem restore" in caught.value.hint
    assert "Beta (2)" in caught.value.hint
    assert it.clean()


@pytest.mark.parametrize("title", ["", "  ", "a\nb", "a\x00b", "a\u2028b", "#", "<!-- x -->"])
def test_what_makes_no_title_is_refused(tmp_path: Path, title: str) -> None:
    it = desk(tmp_path)
    with pytest.raises(UsageError):
        rename(it, id_of("Beta"), title)
    assert it.clean()


def test_a_title_is_read_as_markdown_reads_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    report = rename(it, id_of("Beta"), "Use *this*   `now` &amp; C#", commit=True)
    assert report.title == "Use this now & C#"
    assert b"### Use *this*   `now` &amp; C#\n" in it.head()
    assert it.verdict() == []
    with pytest.raises(UsageError, match="title already"):
        rename(it, report.id, "Use this now & C#")


def test_a_heading_that_was_edited_and_not_staged_stops_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("### Beta", "### Better")
    before = it.file()
    with pytest.raises(CannotTakeEdit, match="the heading has an edit that isn't staged"):
        rename(it, id_of("Beta"), "Best")
    assert (it.file(), it.staged()) == (before, [""])


def test_a_card_that_is_gone_from_the_file_stops_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit(card("Beta"), "")
    with pytest.raises(CannotTakeEdit, match="'Beta' isn't in the working file"):
        rename(it, id_of("Beta"), "Best")
    assert it.staged() == [""]


def test_a_card_that_no_commit_has_is_renamed_without_an_archive_file(tmp_path: Path) -> None:
    it = desk(tmp_path)
    (it.memory.top / "PLAN.md").write_bytes(it.file() + b"\n" + card("Delta").encode())
    it.memory.git("add", "PLAN.md")
    rename(it, id_of("Delta"), "Omega", commit=True)
    assert it.staged() == ["M PLAN.md"]
    assert id_of("Omega").encode() in it.staged_text()
    it.memory.git("commit", "-q", "-m", "omega")
    assert it.verdict() == []


def test_the_persons_zone_goes_along_and_an_agent_may_rename(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.git("config", "user.email", "bot@agent.local")
    rename(it, id_of("Alpha"), "Alpha, again", commit=True)
    assert b"<!-- user -->\nmine\n<!-- /user -->" in it.head()
    assert it.verdict() == []
