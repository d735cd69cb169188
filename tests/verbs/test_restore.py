"""`restore` on real repositories."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, NOW, Desk, desk, end_of
from pages import card, id_of

from wbmem_git.errors import UnknownId, UsageError
from wbmem_git.verbs.headings import ArchivedTitle
from wbmem_git.verbs.write.order import Order

if TYPE_CHECKING:
    from pathlib import Path

    from wbmem_git.verbs.restore import RestoreReport

DAY = date(2026, 9, 14)
BETA_FILE = f"archive/{id_of('Beta')}.md"


def archived(it: Desk, title: str = "Beta") -> Desk:
    it.workspace.archive([id_of(title)], "done", now=NOW, commit=True)
    return it


def restore(it: Desk, title: str = "Beta", *, commit: bool = False, **more: str) -> RestoreReport:
    return it.workspace.restore(id_of(title)[:14], commit=commit, **more)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("commit", [False, True])
def test_the_card_is_back_in_its_column_with_every_line(tmp_path: Path, layout: str, commit: bool) -> None:
    it = archived(desk(tmp_path, layout))
    it.edit("sharpen the saw", "sharpen the axe")
    before = it.file()
    report = restore(it, commit=commit)
    assert (report.title, report.page, report.column) == ("Beta", "PLAN.md", "Doing")
    end = end_of(before.decode())
    back = card("Beta").replace("\n", end)
    text = it.file().decode()
    assert text.replace(f"{back}{end}", "") == before.decode()
    assert text.index("### Alpha") < text.index("### Beta") < text.index("## Later")
    assert b"the axe" not in it.staged_text()
    assert not (it.memory.top / BETA_FILE).exists()
    if commit:
        assert report.commit == it.memory.git("rev-parse", "HEAD")
        assert it.staged() == [""]
    else:
        assert it.staged() == ["M PLAN.md", f"D {BETA_FILE}"]
        it.memory.git("commit", "-q", "-m", "back")
    assert it.verdict() == []


def test_after_an_archive_that_is_only_staged_all_is_as_it_was(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.archive([id_of("Gamma")], "done", now=NOW)
    assert restore(it, "Gamma").column == "Later"
    assert it.clean()


def test_another_page_or_column_is_taken_where_it_is_named(tmp_path: Path) -> None:
    it = archived(desk(tmp_path))
    assert restore(it, column="Later").column == "Later"
    assert it.staged_text().decode().endswith(f"{card('Gamma')}\n{card('Beta')}")
    it = archived(desk(tmp_path / "two"))
    report = restore(it, page="MEMORY.md", commit=True)
    assert (report.page, report.column) == ("MEMORY.md", "")
    assert it.head("MEMORY.md").decode() == "# Memory\n\n" + card("Beta").removeprefix("#")
    assert it.verdict() == []


def test_a_column_that_is_gone_gives_way_to_the_first_one(tmp_path: Path) -> None:
    it = archived(desk(tmp_path))
    it.edit("## Doing", "## Now")
    it.memory.git("commit", "-q", "-a", "-m", "now")
    assert restore(it).column == "Now"


def test_what_is_not_there_is_named(tmp_path: Path) -> None:
    it = archived(desk(tmp_path))
    with pytest.raises(UsageError, match="has no column 'Never'"):
        restore(it, column="Never")
    with pytest.raises(UsageError, match=r"there is no page NOWHERE\.md") as caught:
        restore(it, page="NOWHERE.md")
    assert caught.value.hint.startswith("the pages here: MEMORY.md, PLAN.md; `boards:` in wbmem.yaml names")
    it.memory.commit({"BOARD.md": "# Board\n\n## Doing\n"})
    with pytest.raises(UsageError, match=r"BOARD\.md is no board and no entry page") as caught:
        restore(it, page="BOARD.md")
    assert "list it under `boards:` in wbmem.yaml" in caught.value.hint
    with pytest.raises(UsageError, match=r"'Alpha' is on a page: PLAN.md:5"):
        restore(it, "Alpha")
    with pytest.raises(UnknownId):
        restore(it, "Omega")


def test_a_page_that_lost_its_columns_in_the_file_alone_stops_it(tmp_path: Path) -> None:
    it = archived(desk(tmp_path))
    it.edit("## Doing", "Doing")
    before = it.file()
    with pytest.raises(UsageError, match="the working tree doesn't have the column 'Doing'"):
        restore(it)
    assert (it.file(), it.staged()) == (before, [""])


def test_what_head_lacks_does_not_matter_until_it_is_committed(tmp_path: Path) -> None:
    it = archived(desk(tmp_path))
    it.edit("## Doing", "## Now")
    it.memory.git("add", "PLAN.md")
    assert restore(it, column="Now", commit=True).commit == ""
    assert it.staged() == ["M PLAN.md", f"D {BETA_FILE}"]
    it.memory.git("commit", "-q", "-m", "now")
    assert it.verdict() == []


def test_an_open_fence_does_not_swallow_the_card(tmp_path: Path) -> None:
    it = archived(desk(tmp_path, text="# Plan\n\n## Doing\n\n" + card("Beta")))
    it.memory.commit({"PLAN.md": "# Plan\n\n## Doing\n\n```\nnever closed\n"})
    with pytest.raises(UsageError, match="may swallow cards"):
        restore(it)
    assert it.clean()


def test_a_card_that_never_had_an_anchor_comes_back_with_one(tmp_path: Path) -> None:
    it = archived(desk(tmp_path, text="# Plan\n\n## Doing\n\n### Beta\nplain\n\n### Gamma\n"))
    restore(it, commit=True)
    assert f"### Beta\n<!-- memory:{id_of('Beta')} -->\nplain\n" in it.head().decode()
    assert it.verdict() == []


def test_the_metadata_line_above_comes_back_above(tmp_path: Path) -> None:
    older = "# Plan\n\n## Doing\n\n<!-- date: 2026-01-01 / status: current -->\n### Beta\ntext\n\n### Next\n"
    it = archived(desk(tmp_path, text=older))
    restore(it, commit=True)
    assert (
        it.head()
        .decode()
        .endswith(
            "### Next\n\n<!-- date: 2026-01-01 / status: current -->\n"
            f"### Beta\n<!-- memory:{id_of('Beta')} -->\ntext\n"
        )
    )
    assert it.verdict() == []


def test_of_a_renamed_card_every_command_names_it_as_it_is_called_now(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.rename(id_of("Beta"), "共享", now=NOW, commit=True)
    before = it.memory.head()
    now = "'共享' now, PLAN.md:"
    with pytest.raises(UsageError) as caught:
        restore(it, commit=True)
    assert now in str(caught.value)
    assert caught.value.hint == f"wbmem rename {id_of('共享')[:12]} Beta"
    order = Order("card", "Next: `make`", datetime(2026, 9, 14, 10, tzinfo=UTC), title="Beta")
    for act in (lambda: it.workspace.write(order), lambda: it.workspace.new_card("Beta", today=DAY)):
        with pytest.raises(ArchivedTitle) as refused:
            act()
        assert now in str(refused.value)
        assert refused.value.hint == "write to that one, '共享'; or take another title: Beta (2)"
    it.edit("### 共享", f"### Beta\n<!-- memory:{id_of('Beta')} -->\nmore\n\n### 共享")
    it.memory.git("add", "-A")
    finding = next(one for one in it.workspace.check_staged().verdicts[0].findings if one.rule == "C5")
    assert f"{id_of('Beta')}; it is" in finding.message
    assert f"write to that one, {id_of('共享')}" in finding.fix
    assert it.memory.head() == before


def test_the_offer_to_bring_a_card_back_leads_to_the_same_write(tmp_path: Path) -> None:
    it = archived(desk(tmp_path))
    order = Order("card", "Next: `make`", datetime(2026, 9, 14, 10, tzinfo=UTC), title="Beta")
    with pytest.raises(ArchivedTitle) as caught:
        it.workspace.write(order)
    assert caught.value.hint.startswith(f"bring it back: wbmem restore {id_of('Beta')[:12]} --commit; ")
    restore(it, commit=True)
    assert it.workspace.write(order).id == id_of("Beta")
