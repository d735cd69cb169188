"""A picked commit that closed a card which HEAD has otherwise: `resolve` leaves what the gate takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import NOW, Desk, desk
from pages import card, id_of

from wbmem_git.text.archive import parse_archive

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

FILE = f"archive/{id_of('Beta')}.md"
TEXT = "Next: work on Beta as the ticket says"


def edited(old: str, new: str) -> Callable[[Desk], None]:
    def edit(it: Desk) -> None:
        assert it.file().decode().count(old) == 1
        it.edit(old, new)
        it.memory.commit({}, "an edit")

    return edit


def moved(it: Desk) -> None:
    rest = it.file().decode().replace(card("Beta") + "\n", "")
    it.memory.commit(
        {"PLAN.md": rest, "MEMORY.md": "# Memory\n\n" + card("Beta").replace("###", "##")}, "moved"
    )


EDITS = {
    "a line more": edited(TEXT, f"{TEXT}\nand more"),
    "another line": edited(TEXT, "Next: `make` it"),
    "a metadata line": edited(
        f"memory:{id_of('Beta')} -->\n<!-- status: current",
        f"memory:{id_of('Beta')} -->\n<!-- status: compressed",
    ),
    "another page": moved,
}


def by_cherry_pick(it: Desk) -> str:
    assert it.memory.try_git("cherry-pick", "side").returncode
    return "cherry-pick"


def by_rebase(it: Desk) -> str:
    it.memory.git("switch", "-q", "side")
    it.memory.try_git("rebase", "main")
    return "rebase"


@pytest.mark.parametrize("way", [by_cherry_pick, by_rebase])
@pytest.mark.parametrize("edit", EDITS)
def test_what_a_pick_renamed_closes_the_card_as_head_has_it(
    tmp_path: Path, edit: str, way: Callable[[Desk], str]
) -> None:
    it = desk(tmp_path, "hooks")
    it.memory.git("switch", "-qc", "side")
    it.workspace.rename(id_of("Beta"), "Omega", now=NOW, commit=True)
    it.memory.git("switch", "-q", "main")
    EDITS[edit](it)
    verb = way(it)
    report = it.workspace.resolve()
    if report.operation:  # a rebase of another page's card stops nowhere: no hook runs there
        assert report.left == ()
        it.memory.git("-c", "core.editor=true", verb, "--continue")
        file = parse_archive(it.head(FILE).decode(), "")
        assert (file.reason, file.superseded_by) == ("renamed", id_of("Omega"))
        assert it.verdict() == []
        assert it.workspace.audit().open == ()
    assert it.clean()


@pytest.mark.parametrize("edit", [name for name in EDITS if name != "another page"])
def test_what_a_pick_archived_and_head_edited_stays_and_the_pick_is_skipped(
    tmp_path: Path, edit: str
) -> None:
    it = desk(tmp_path, "hooks")
    it.memory.git("switch", "-qc", "side")
    it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True)
    it.memory.git("switch", "-q", "main")
    EDITS[edit](it)
    before = it.head()
    by_cherry_pick(it)
    report = it.workspace.resolve()
    assert (report.left, report.then) == ((), "git cherry-pick --skip")
    it.memory.git("cherry-pick", "--skip")
    assert it.clean()
    assert it.head() == before
    assert it.verdict() == []
