"""`wbmem write plan` with anchors that its cards had once: under another title, under another key."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

import pytest
from desk import LAYOUTS, NOW, Desk, desk
from pages import card, id_of

from wbmem_git.verbs.write.order import Order

if TYPE_CHECKING:
    from pathlib import Path

WHEN = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)


def written(it: Desk, text: str) -> bool:
    """Whether it made a commit; afterwards all is committed, and the gate passes it."""
    head = it.memory.git("rev-parse", "HEAD")
    changed = it.workspace.write(Order("plan", text, WHEN)).changed
    assert changed == (it.memory.git("rev-parse", "HEAD") != head)
    assert it.clean()
    assert "&lt;!--" not in it.head().decode()
    return changed


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_text_that_renames_a_card_makes_one_commit_however_often_it_is_written(
    tmp_path: Path, layout: str
) -> None:
    it = desk(tmp_path, layout)
    text = it.head().decode().replace("### Beta", "### Better")
    assert written(it, text)
    head = it.head()
    assert not written(it, text)
    assert it.head() == head
    again = text.replace("### Better", "### Best")  # with Beta's anchor still
    it.workspace.rename(id_of("Better"), "Best", now=NOW, commit=True)
    assert not written(it, again)
    assert f"memory:{id_of('Best')}".encode() in it.head()


def test_a_text_from_before_another_key_is_written_under_the_present_one(tmp_path: Path) -> None:
    it = desk(tmp_path)
    text = it.head().decode()
    it.workspace.rekey("other-87654321")
    head = it.head()
    assert not written(it, text)
    assert it.head() == head
    assert written(it, text.replace("sharpen the saw", "sharpen the axe"))
    assert it.head() == head.replace(b"sharpen the saw", b"sharpen the axe")


def test_an_anchor_of_another_card_stays_plain_words(tmp_path: Path) -> None:
    """It says whose text this was, and the page has that card elsewhere, or archived for good."""
    it = desk(tmp_path)
    it.workspace.archive([id_of("Gamma")], "done", now=NOW, commit=True)
    it.memory.commit({"MEMORY.md": f"# Memory\n\n{card('Fact', page='MEMORY.md').replace('###', '##')}"})
    for foreign in (id_of("Gamma"), id_of("Fact", "MEMORY.md")):
        text = it.head().decode().replace(f"memory:{id_of('Beta')}", f"memory:{foreign}")
        it.workspace.write(Order("plan", text, WHEN))
        plain = f"### Beta\n<!-- memory:{id_of('Beta')} -->\n&lt;!-- memory:{foreign} -->\n"
        assert plain in it.head().decode()
