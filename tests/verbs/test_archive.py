"""`archive` on real repositories: exactly the card leaves, exactly the edit is staged."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import BOARD, LAYOUTS, NOW, Desk, desk, end_of
from memory import Memory
from pages import KEY, card, id_of

from wbmem_git.cli import main
from wbmem_git.errors import AmbiguousId, Refused, UnknownId, UsageError
from wbmem_git.text.archive import parse_archive
from wbmem_git.text.ids import card_id
from wbmem_git.verbs.commit.working_files import CannotTakeEdit

if TYPE_CHECKING:
    from pathlib import Path

BETA = card("Beta")
BETA_FILE = f"archive/{id_of('Beta')}.md"


def archive(it: Desk, *ids: str, commit: bool = False, **more: str) -> str:
    return it.workspace.archive(ids or (id_of("Beta"),), "done", now=NOW, commit=commit, **more).commit


def without_beta(data: bytes) -> bytes:
    """A version of the board without Beta's lines."""
    text = data.decode()
    end = end_of(text)
    cut = f"{BETA}\n".replace("\n", end)
    assert cut in text
    return text.replace(cut, "").encode()


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_card_leaves_and_every_other_byte_stays(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    before = it.staged_text(), it.file()
    mode = (it.memory.top / "PLAN.md").stat().st_mode
    assert archive(it) == ""
    assert it.staged_text() == without_beta(before[0])
    assert it.file() == without_beta(before[1])
    assert (it.memory.top / "PLAN.md").stat().st_mode == mode
    assert it.staged() == ["M PLAN.md", f"A {BETA_FILE}"]
    assert not it.memory.git("diff", "--name-only")
    end = b"\r\n" if layout == "autocrlf" else b"\n"
    assert it.file(BETA_FILE) == it.staged_text(BETA_FILE).replace(b"\n", end)
    file = parse_archive(it.staged_text(BETA_FILE).decode(), "")
    assert (file.id, file.title, file.page, file.archived_at, file.reason, file.superseded_by) == (
        id_of("Beta"), "Beta", "PLAN.md", NOW, "done", "",
    )  # fmt: skip
    assert file.body == BETA


@pytest.mark.parametrize("layout", LAYOUTS)
def test_committed_it_passes_the_gate_and_leaves_nothing_behind(tmp_path: Path, layout: str) -> None:
    it = desk(tmp_path, layout)
    before = it.head()
    commit = archive(it, commit=True)
    assert commit == it.memory.git("rev-parse", "HEAD")
    assert it.head() == without_beta(before)
    assert it.clean()
    assert it.verdict() == []
    assert it.memory.git("log", "-1", "--format=%an %s%n%b").split("\n")[:2] == ["Ada archive: Beta", "done"]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("commit", [False, True])
def test_unstaged_edits_of_a_person_stay_unstaged(tmp_path: Path, layout: str, commit: bool) -> None:
    it = desk(tmp_path, layout)
    it.edit("Next: sharpen the saw", "Next: sharpen the saw\nand the axe")
    before = it.file()
    archive(it, commit=commit)
    assert it.file() == without_beta(before)
    assert b"axe" not in it.staged_text()
    assert b"axe" not in it.head()
    removed = "1" if layout == "cr" else "0"  # to git such a page is one line
    assert it.memory.git("diff", "--numstat").split() == ["1", removed, "PLAN.md"]


@pytest.mark.parametrize("commit", [False, True])
def test_other_staged_work_stays_staged_and_is_not_committed(tmp_path: Path, commit: bool) -> None:
    it = desk(tmp_path)
    it.edit("Next: sharpen the saw", "Next: sharpen the axe")
    it.memory.write("MEMORY.md", "# Memory\n\nmore\n")
    it.memory.git("add", "-A")
    archive(it, commit=commit)
    assert b"the axe" in it.staged_text()
    assert b"the axe" not in it.head()
    assert it.staged_text("MEMORY.md") == b"# Memory\n\nmore\n"
    assert it.head("MEMORY.md") == b"# Memory\n"
    assert b"Beta" not in it.staged_text()
    assert (b"Beta" not in it.head()) == commit
    expected = ["M MEMORY.md", "M PLAN.md"]
    assert it.staged() == (expected if commit else [*expected, f"A {BETA_FILE}"])


def test_a_card_with_unstaged_edits_is_not_archived(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("work on Beta", "work on Beta, hard")
    before = it.file()
    with pytest.raises(CannotTakeEdit, match=r"PLAN.md:15: 'Beta' has edits that aren't staged"):
        archive(it)
    assert (it.file(), it.staged()) == (before, [""])
    it.memory.git("add", "PLAN.md")
    with pytest.raises(CannotTakeEdit, match="has lost lines since the last commit"):
        archive(it)


def test_lines_that_were_added_and_staged_go_into_the_archive(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("Next: work on Beta as the ticket says", "Next: work on Beta as the ticket says\nIt was easy")
    it.memory.git("add", "PLAN.md")
    archive(it, commit=True)
    assert b"It was easy" in it.head(BETA_FILE)
    assert it.clean()
    assert it.verdict() == []


def test_a_card_that_is_gone_from_the_file_already_is_archived_by_its_id(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit(f"{BETA}\n", "")
    archive(it)
    assert it.staged_text() == without_beta(it.head())
    assert not it.memory.git("diff", "--name-only")


def test_a_metadata_line_above_the_heading_goes_along(tmp_path: Path) -> None:
    older = "# Plan\n\n## Doing\n\n<!-- date: 2026-01-01 / status: current -->\n### Old\ntext\n\n### Next\n"
    it = desk(tmp_path, text=older)
    archive(it, id_of("Old"), commit=True)
    assert it.head() == b"# Plan\n\n## Doing\n\n### Next\n"
    body = parse_archive(it.head(f"archive/{id_of('Old')}.md").decode(), "").body
    assert body == "<!-- date: 2026-01-01 / status: current -->\n### Old\ntext\n"
    assert it.verdict() == []


def test_an_agent_archives_too_and_says_so(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.git("config", "user.email", "bot@agent.local")
    archive(it, id_of("Alpha"), commit=True)
    assert it.verdict() == []
    it.memory.git("config", "user.email", "ada@example.org")
    it.workspace.environment = {**it.workspace.environment, "WBMEM_ACTOR": "agent"}
    archive(it, commit=True)
    assert it.memory.git("log", "-1", "--format=%(trailers)") == "Wbmem-Actor: agent"
    assert it.verdict() == []


def test_a_successor_is_named(tmp_path: Path) -> None:
    it = desk(tmp_path)
    archive(it, superseded_by=id_of("Gamma")[:12], commit=True)
    assert parse_archive(it.head(BETA_FILE).decode(), "").superseded_by == id_of("Gamma")
    with pytest.raises(UsageError, match="succeed itself"):
        archive(it, id_of("Alpha"), superseded_by=id_of("Alpha"))


def test_several_at_once_by_the_beginnings_of_their_ids(tmp_path: Path) -> None:
    it = desk(tmp_path)
    archive(it, id_of("Beta")[4:12], id_of("Alpha")[:13], id_of("Beta"), commit=True)
    assert it.head() == b"# Plan\n\n## Doing\n\n## Later\n\n" + card("Gamma").encode()
    assert it.verdict() == []
    assert it.memory.git("log", "-1", "--format=%s") == "archive: 2 cards"


def test_what_answers_to_no_id_or_to_several_is_refused(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with pytest.raises(UnknownId):
        archive(it, "mem_" + "0" * 32)
    with pytest.raises(UnknownId):
        archive(it, "Beta")
    with pytest.raises(UsageError, match="is a page, not a card"):
        archive(it, "PLAN")
    ids = ["mem_deadbeef" + digit * 24 for digit in "01"]
    cards = "".join(f"### {name}\n<!-- memory:{name} -->\n" for name in ids)
    it = desk(tmp_path / "two", text="# Plan\n\n## Doing\n\n" + cards)
    with pytest.raises(AmbiguousId) as caught:
        archive(it, "deadbeef")
    assert all(name in caught.value.message for name in ids)


def test_an_archived_card_is_not_archived_again(tmp_path: Path) -> None:
    it = desk(tmp_path)
    archive(it, commit=True)
    with pytest.raises(UsageError, match="is archived already"):
        archive(it)


def test_namesakes_without_anchors_are_told_apart_first(tmp_path: Path) -> None:
    it = desk(tmp_path, text="# Plan\n\n## Doing\n\n### Tasks\none\n\n### Tasks\ntwo\n")
    with pytest.raises(UsageError, match=r"'Tasks' stands there 2 times \(lines 5, 8\)"):
        archive(it, id_of("Tasks"))
    it.workspace.fix(now=NOW, commit=True)
    archive(it, id_of("Tasks"), commit=True)
    assert b"two" in it.head()
    assert b"one" not in it.head()
    assert it.verdict() == []


def test_an_id_that_two_cards_have_names_neither(tmp_path: Path) -> None:
    it = desk(tmp_path, text=BOARD + "\n" + card("Beta"))
    with pytest.raises(UsageError, match=r"has the id .* 2 times: PLAN.md:\d+, PLAN.md:\d+"):
        archive(it)


def test_a_file_that_lies_there_and_does_not_fit_stops_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write(BETA_FILE, "something else\n")
    before = it.file()
    with pytest.raises(CannotTakeEdit, match="doesn't hold the card's text"):
        archive(it)
    assert (it.file(), it.staged()) == (before, [""])


def test_a_fitting_file_that_lies_there_is_staged_as_it_is(tmp_path: Path) -> None:
    it = desk(tmp_path)
    archive(it)
    lying = it.file(BETA_FILE).replace(b"reason: done", b"reason: settled")
    it.memory.git("reset", "-q", "--hard")
    it.memory.write(BETA_FILE, lying)
    archive(it, commit=True)
    assert it.head(BETA_FILE) == lying
    assert it.clean()
    assert it.verdict() == []


def test_an_archive_folder_behind_a_symbolic_link_is_not_written_through(tmp_path: Path) -> None:
    it = desk(tmp_path)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (it.memory.top / "archive").symlink_to(elsewhere)
    before = it.file()
    with pytest.raises(CannotTakeEdit, match="behind a symbolic link"):
        archive(it)
    assert (it.file(), it.staged(), list(elsewhere.iterdir())) == (before, [""], [])


def test_a_read_only_folder_leaves_index_and_file_as_they_were(tmp_path: Path) -> None:
    it = desk(tmp_path)
    before = it.file()
    (it.memory.top / "archive").write_text("in the way")
    with pytest.raises((CannotTakeEdit, OSError)):
        archive(it)
    assert (it.file(), it.staged()) == (before, [""])


# --- missing ------------------------------------------------------------------------------------------


def missing(it: Desk, *, commit: bool = False) -> list[str]:
    found = it.workspace.archive_missing("done", now=NOW, commit=commit).archived
    return [one.title for one in found]


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("way", ["commit -a", "add", "as is"])
def test_cards_dropped_in_the_file_are_archived_and_any_commit_passes(
    tmp_path: Path, layout: str, way: str
) -> None:
    it = desk(tmp_path, layout)
    it.edit(f"{BETA}\n", "")
    it.edit("Next: sharpen the saw", "Next: sharpen the axe")
    assert missing(it) == ["Beta"]
    if way == "add":
        it.memory.git("add", "PLAN.md")
    it.memory.git("commit", "-q", "-m", "it", *(["-a"] if way == "commit -a" else []))
    assert it.verdict() == []
    assert parse_archive(it.head(BETA_FILE).decode(), "").body == BETA
    assert (b"the axe" in it.head()) == (way != "as is")


@pytest.mark.parametrize("commit", [False, True])
def test_cards_dropped_from_the_index_are_archived_with_heads_text(tmp_path: Path, commit: bool) -> None:
    it = desk(tmp_path)
    it.memory.git("rm", "-q", "PLAN.md")
    assert missing(it, commit=commit) == ["Alpha", "Beta", "Gamma"]
    if commit:
        assert it.head() == b"# Plan\n\n## Doing\n\n## Later\n\n"
        assert it.verdict() == []
        assert it.staged() == ["D PLAN.md"]
    else:
        it.memory.git("commit", "-q", "-m", "it")
        assert it.verdict() == ["C2 PLAN.md PLAN.md is gone"]  # the cards are safe, and the board is missed


@pytest.mark.parametrize(("staged", "kept"), [("as the ticket says\nand more", True), ("quickly", False)])
def test_what_is_staged_is_archived_where_it_holds_all_that_head_has(
    tmp_path: Path, staged: str, kept: bool
) -> None:
    it = desk(tmp_path)
    it.edit("work on Beta as the ticket says", f"work on Beta {staged}")
    it.memory.git("add", "PLAN.md")
    it.memory.write("PLAN.md", without_beta(it.head()))
    assert missing(it) == ["Beta"]
    assert (staged.encode() in it.staged_text(BETA_FILE)) == kept
    it.memory.git("commit", "-q", "-m", "done")
    assert it.verdict() == []


def test_nothing_missing_is_said(tmp_path: Path) -> None:
    it = desk(tmp_path)
    with pytest.raises(UsageError, match="no card is missing here"):
        missing(it)


def test_cards_that_audit_has_open_are_archived_and_then_it_is_closed(tmp_path: Path) -> None:
    it = desk(tmp_path)
    gone = without_beta(it.head())
    it.memory.commit({"PLAN.md": gone}, "past every hook")
    assert [one.finding.rule for one in it.workspace.audit().open] == ["C2"]
    it.memory.commit({"MEMORY.md": "# Memory\n\nmore\n"}, "and another")
    assert missing(it, commit=True) == ["Beta"]
    assert parse_archive(it.head(BETA_FILE).decode(), "").body == BETA
    assert it.verdict() == []
    assert it.workspace.audit().open == ()


@pytest.mark.parametrize("name", [id_of("Beta"), id_of("Beta")[4:12]])
def test_a_card_that_audit_has_as_lost_is_archived_by_its_id(tmp_path: Path, name: str) -> None:
    it = desk(tmp_path)
    it.memory.commit({"PLAN.md": without_beta(it.head())}, "past every hook")
    archive(it, name, commit=True)
    assert parse_archive(it.head(BETA_FILE).decode(), "").body == BETA
    assert it.workspace.audit().open == ()
    with pytest.raises(UnknownId):
        archive(it, id_of("Nobody"))


def test_in_a_shallow_clone_heads_cards_are_archived_all_the_same(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.commit({"MEMORY.md": "# Memory\n\nmore\n"})
    clone = Memory.create(tmp_path / "clone" / "handoff")
    clone.git("pull", "-q", "--depth=1", f"file://{it.memory.top}", "main")
    shallow = Desk.of(clone)
    shallow.edit(f"{BETA}\n", "")
    assert missing(shallow) == ["Beta"]
    assert main(["-w", str(clone.top), "status"]) == 0


def test_a_file_in_another_encoding_stops_it(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.memory.write("PLAN.md", it.file().decode().encode("utf-16"))
    before = it.file()
    with pytest.raises(CannotTakeEdit, match="UTF-8"):
        archive(it)
    assert (it.file(), it.staged()) == (before, [""])


def test_of_two_namesakes_the_one_that_is_meant_goes(tmp_path: Path) -> None:
    text = "# Plan\n\n## Doing\n\n### Fix login\nfirst\n\n### Fix login\nsecond\n"
    it = desk(tmp_path, text=text)
    it.workspace.fix(now=NOW, commit=True)
    second = card_id(KEY, "PLAN.md", "Fix login", 2)
    archive(it, second, commit=True)
    assert b"second" not in it.head()
    assert b"first" in it.head()
    it.workspace.restore(second, commit=True)
    it.workspace.rename(id_of("Fix login"), "Fix logout", now=NOW, commit=True)
    assert it.head().decode().index("### Fix logout") < it.head().decode().index("first")
    assert it.verdict() == []
    it.edit(it.head().decode().partition("### Fix login")[2], "")
    it.edit("### Fix login", "")
    assert missing(it) == ["Fix login"]


def test_a_commit_that_the_gate_refuses_stages_nothing(tmp_path: Path) -> None:
    it = desk(tmp_path)
    key = "token = ghp_" + "Zk3" * 12
    it.memory.commit({"PLAN.md": it.head().decode() + f"\n### Delta\n{key}\n"}, "past every hook")
    it.workspace.fix(now=NOW)
    it.memory.git("reset", "-q", "--hard")
    with pytest.raises(Refused, match="nothing was committed"):
        it.workspace.archive([id_of("Beta")], f"done: {key}", now=NOW, commit=True)
    assert it.clean()


def test_a_card_that_was_moved_to_another_board_and_staged_is_archived_from_where_it_was_committed(
    tmp_path: Path,
) -> None:
    it = desk(tmp_path)
    it.memory.commit({"wbmem.yaml": f"{it.memory.read('wbmem.yaml')}boards: [later.md]\n"})
    it.edit(f"{BETA}\n", "")
    it.memory.write("later.md", f"## Later\n\n{BETA}")
    it.memory.git("add", "PLAN.md", "later.md")
    archive(it)
    assert parse_archive(it.staged_text(BETA_FILE).decode(), "").page == "PLAN.md"
    it.memory.git("commit", "-q", "-m", "archived")
    assert it.verdict() == []
