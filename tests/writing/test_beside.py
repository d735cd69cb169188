"""Whatever is written beside whatever a person has: nothing of either is lost, or nothing is written."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import pytest
from desk import BOARD, desk
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from pages import card

from wbmem_git.errors import UsageError
from wbmem_git.verbs.three_trees import edited, load
from wbmem_git.verbs.write.beside import EditsMeet, beside
from wbmem_git.verbs.write.card import card_proposal
from wbmem_git.verbs.write.order import Order
from wbmem_git.verbs.write.page import page_proposal

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.three_trees import Version, Versions

WHEN = datetime(2026, 9, 15, 12, 0, tzinfo=UTC)
PIECES = (
    "words", "- a", "  - b", "> c", "```", "~~~", "<!--", "-->", "#### deep", "## h", "---", "<div>", "",
    "<!-- user -->", "<!-- /model -->", "    code", "<!-- memory: x -->", "<!-- status: done -->",
)  # fmt: skip
LINES = BOARD.split("\n")


class Ground(NamedTuple):
    """A memory that is only looked at."""

    repository: Repository
    versions: Versions


@pytest.fixture(scope="module")
def ground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ground]:
    folder: Path = tmp_path_factory.mktemp("ground")
    with desk(folder).workspace.open() as repository:
        yield Ground(repository, load(repository))


@st.composite
def persons(draw: st.DrawFn) -> str:
    """The board as a person may have edited it: lines put in, taken out, cards added."""
    lines = list(LINES)
    for number in draw(st.lists(st.integers(4, len(lines) - 1), max_size=4)):
        lines[number] = draw(st.sampled_from([f"{lines[number]}\nhand {number}", "", f"hand {number}"]))
    more = draw(st.sampled_from(["", f"\n{card('Epsilon', 'by hand')}"]))
    return "\n".join(lines) + more


def names(version: Version) -> dict[str, list[str]]:
    """Id → its lines, for every card but one."""
    return {one.id: [line for line in one.lines if line.strip()] for one in version.side.cards}


@given(st.lists(st.sampled_from(PIECES), min_size=1, max_size=7), st.sampled_from(["Alpha", "Beta", "New"]))
@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_a_text_is_in_its_card_whole_and_nothing_else_is_another(
    ground: Ground, pieces: list[str], title: str
) -> None:
    versions = ground.versions
    before = names(versions.head)
    try:
        proposal = card_proposal(versions, Order("card", "\n".join(pieces), WHEN, title=title))
    except UsageError:
        return
    version = edited(versions.head, proposal.edits, versions.settings)
    after = names(version)
    del after[proposal.id]
    before.pop(proposal.id, None)
    assert after == before
    written = version.cards(proposal.id)[0]
    zone = written.zone("model")
    assert zone is not None
    said, wanted = zone.text.replace("&lt;!--", "<!--").strip("\n"), "\n".join(pieces).strip("\n")
    if said != wanted:  # it begins with the card's metadata line
        metadata = written.lines[written.metadata.line - written.line]
        assert "status: done" in metadata
        assert f"{metadata}\n{said}" == re.sub(r"\A([^\n]*\n)\n+", r"\1", wanted)


@given(persons(), st.sampled_from(["Alpha", "Gamma", "New", ""]))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_no_line_of_a_person_is_lost(ground: Ground, text: str, title: str) -> None:
    settled = ground.versions.settings
    file = edited(ground.versions.file, {"PLAN.md": text}, settled)
    versions = ground.versions._replace(file=file)
    if title:
        proposal = card_proposal(ground.versions, Order("card", "Next: `make`", WHEN, title=title))
    else:
        order = Order("plan", BOARD.replace("the saw", "the axe"), WHEN)
        proposal = page_proposal(ground.versions, order)
    try:
        plan = beside(versions, proposal.edits, ground.repository.merge_texts)
    except EditsMeet:
        return
    new = plan.file["PLAN.md"]
    assert new is not None
    lines = new.split("\n")
    assert [line for line in text.split("\n") if line.startswith("hand") and line not in lines] == []
    assert ("Epsilon" in text) == ("Epsilon" in new)
    assert plan.head == plan.staged == proposal.edits
