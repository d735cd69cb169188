"""Whole trees merged in memory: each kind of file by its own rule, and what is left to a person."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

import pytest
from pages import SETTINGS, archived, board, card, id_of, ledger

from wbmem_git.store.repository import Repository
from wbmem_git.text.settings import parse_settings
from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.merge.trees import merge_trees, tree_with

if TYPE_CHECKING:
    from collections.abc import Mapping

    from memory import Memory

    from wbmem_git.verbs.merge.trees import MergedTrees

    Files = Mapping[str, str | bytes | None]

A, B = card("Alpha"), card("Beta")
BASE: Files = {"wbmem.yaml": SETTINGS, "PLAN.md": board(A, B)}
SECOND = "handoff-20260914-101500"


class Outcome(NamedTuple):
    """A merge: what it says, the merged files, and what the gate refuses of it."""

    merged: MergedTrees
    files: dict[str, bytes]
    modes: dict[str, str]
    refused: list[str]

    @property
    def conflicts(self) -> list[tuple[str, str]]:
        return [(one.path, one.id) for one in self.merged.conflicts]


def fork(memory: Memory, base: Files, ours: Files, theirs: Files) -> tuple[str, str]:
    """Two commits on one base: each side's files are its changes."""
    memory.commit(dict(base))
    memory.git("branch", "-f", "theirs")
    mine = memory.commit(dict(ours), "ours")
    memory.git("checkout", "-q", "theirs")
    other = memory.commit(dict(theirs), "theirs")
    memory.git("checkout", "-q", "main")
    return mine, other


def merged(memory: Memory, ours: str, theirs: str) -> Outcome:
    settings, _ = parse_settings(SETTINGS)
    assert settings is not None
    with Repository.open(str(memory.top), os.environ) as repository:
        bases = repository.merge_bases(ours, theirs)
        found = merge_trees(repository, bases, ours, theirs, settings)
        tree = tree_with(repository, repository.tree_of(ours), found.edits)
        entries = repository.entries(tree)
        files = {path: repository.blob(entry.oid) for path, entry in entries.items()}
        modes = {path: entry.mode for path, entry in entries.items()}
        verdict = Gate(repository).check((ours, theirs), tree, actor="agent", message="merge")
    refused = [f"{one.rule} {one.path}" for one in verdict.findings if one.refuses]
    return Outcome(found, files, modes, refused)


def settled(memory: Memory, base: Files, ours: Files, theirs: Files) -> dict[str, str]:
    """The files of a merge that leaves nothing to anybody and that the gate lets pass for an agent."""
    outcome = merged(memory, *fork(memory, base, ours, theirs))
    assert outcome.conflicts == []
    assert outcome.refused == []
    return {path: data.decode() for path, data in outcome.files.items()}


def test_a_ledger_of_theirs_that_moves_to_another_letter_is_judged_where_it_was_written(
    memory: Memory,
) -> None:
    """It came past the gate there (H1), and audit tells it of that commit; the merge only names it anew."""
    sides = fork(memory, BASE, {f"{SECOND}.md": ledger()}, {f"{SECOND}.md": "# Handoff\n\nno sections\n"})
    outcome = merged(memory, *sides)
    assert b"no sections" in outcome.files[f"{SECOND}-b.md"]
    assert outcome.refused == []


def test_a_ledger_that_the_merge_itself_adds_is_judged(memory: Memory) -> None:
    _, other = fork(memory, BASE, {f"{SECOND}.md": ledger()}, {"log/2026-09-14.md": "# Day\n"})
    later = f"{SECOND[:-1]}1-b.md"
    memory.git("merge", "-q", "--no-commit", "--no-ff", other)
    memory.commit({later: "# Handoff\n\nno sections\n"}, "merge")
    with Repository.open(str(memory.top), os.environ) as repository:
        found = Gate(repository).judge_commit(repository.commit(memory.head())).verdict.findings
    assert {one.rule for one in found if one.refuses} == {"H1"}


def test_cards_of_both_sides_and_a_file_of_each(memory: Memory) -> None:
    ours = {"PLAN.md": board(A, B, card("Mine")), "notes/mine.txt": "mine\n"}
    theirs = {"PLAN.md": board(A, B, card("Other")), "notes/other.txt": "other\n"}
    files = settled(memory, BASE, ours, theirs)
    assert files["PLAN.md"] == board(A, B, card("Mine"), card("Other"))
    assert (files["notes/mine.txt"], files["notes/other.txt"]) == ("mine\n", "other\n")


def test_a_card_archived_there_and_edited_here_stays_without_its_archive_file(memory: Memory) -> None:
    path, text = archived("Beta", B)
    edited = card("Beta", "Edited here")
    files = settled(memory, BASE, {"PLAN.md": board(A, edited)}, {"PLAN.md": board(A), path: text})
    assert "Edited here" in files["PLAN.md"]
    assert path not in files


def test_a_card_archived_there_and_edited_here_comes_back_when_we_are_theirs(memory: Memory) -> None:
    path, text = archived("Beta", B)
    edited = card("Beta", "Edited here")
    files = settled(memory, BASE, {"PLAN.md": board(A), path: text}, {"PLAN.md": board(A, edited)})
    assert "Edited here" in files["PLAN.md"]
    assert path not in files


def test_a_card_archived_there_and_untouched_here_goes_with_its_file(memory: Memory) -> None:
    path, text = archived("Beta", B)
    files = settled(memory, BASE, {"x.txt": "x"}, {"PLAN.md": board(A), path: text})
    assert files["PLAN.md"] == board(A)
    assert files[path] == text


def test_two_archive_files_of_one_id_where_none_holds_the_other_are_a_conflict(memory: Memory) -> None:
    here, there = (archived("Beta", card("Beta", word)) for word in ("Ours", "Theirs"))
    base = {**BASE, "PLAN.md": board(A, B)}
    ours, theirs = ({"PLAN.md": board(A), path: text} for path, text in (here, there))
    outcome = merged(memory, *fork(memory, base, ours, theirs))
    assert outcome.conflicts == [(here[0], id_of("Beta"))]
    assert b"Ours" in outcome.files[here[0]]
    assert b"Theirs" in outcome.files[here[0]]


def test_ledgers_of_one_second_get_the_next_free_letter(memory: Memory) -> None:
    ours = {
        f"{SECOND}.md": ledger("Ours; next: `make test`"),
        f"{SECOND}-b.md": ledger("Ours b; next: `make`"),
    }
    theirs = {f"{SECOND}.md": ledger("Theirs; next: `make test`")}
    files = settled(memory, BASE, ours, theirs)
    assert "Ours;" in files[f"{SECOND}.md"]
    assert "Ours b;" in files[f"{SECOND}-b.md"]
    assert "Theirs;" in files[f"{SECOND}-c.md"]


def test_one_ledger_on_both_sides_stays_one(memory: Memory) -> None:
    same = {f"{SECOND}.md": ledger()}
    theirs = {f"{SECOND}.md": ledger().replace("\n", "\r\n")}
    files = settled(memory, BASE, same, theirs)
    assert [path for path in files if path.startswith("handoff-")] == [f"{SECOND}.md"]


def test_a_log_holds_the_blocks_of_both(memory: Memory) -> None:
    base = {**BASE, "log/2026-09-14.md": "# 2026-09-14\n\n- began\n"}
    ours = {"log/2026-09-14.md": "# 2026-09-14\n\n- began\n- ours\n"}
    theirs = {"log/2026-09-14.md": "# 2026-09-14\n\n- began\n- theirs\n"}
    files = settled(memory, base, ours, theirs)
    assert files["log/2026-09-14.md"] == "# 2026-09-14\n\n- began\n- ours\n- theirs\n"


@pytest.mark.parametrize("is_mine", [True, False])
def test_a_log_that_one_side_archived_and_the_other_wrote_on_is_in_the_archive_with_all(
    memory: Memory, *, is_mine: bool
) -> None:
    day, before = "log/2026-09-14.md", "# 2026-09-14\n\n- began\n"
    base = {**BASE, day: before}
    sides: list[Files] = [{day: None, f"archive/{day}": before}, {day: f"{before}- more\n"}]
    files = settled(memory, base, *(sides if is_mine else sides[::-1]))
    assert day not in files
    assert files[f"archive/{day}"] == f"{before}- more\n"


def test_of_two_summaries_the_later_day_stays(memory: Memory) -> None:
    base = {**BASE, "summary/today.md": "2026-09-13\n"}
    ours, theirs = {"summary/today.md": "2026-09-14\nnew\n"}, {"summary/today.md": "2026-09-13\nold\n"}
    assert settled(memory, base, ours, theirs)["summary/today.md"] == "2026-09-14\nnew\n"


def test_candidates_of_both_sides_are_kept(memory: Memory) -> None:
    base = {**BASE, "USER-CANDIDATES.md": "- first\n- second\n"}
    ours = {"USER-CANDIDATES.md": "- first\n- second\n- ours\n"}
    theirs = {"USER-CANDIDATES.md": "- first\n- second\n- theirs\n"}
    assert (
        settled(memory, base, ours, theirs)["USER-CANDIDATES.md"] == "- first\n- second\n- ours\n- theirs\n"
    )


def test_lines_of_another_file_that_both_changed_are_a_conflict_between_markers(memory: Memory) -> None:
    base = {**BASE, "notes.txt": "one\n"}
    outcome = merged(memory, *fork(memory, base, {"notes.txt": "ours\n"}, {"notes.txt": "theirs\n"}))
    (conflict,) = outcome.merged.conflicts
    assert (conflict.path, conflict.line) == ("notes.txt", 1)
    assert outcome.files["notes.txt"] == b"<<<<<<< ours\nours\n=======\ntheirs\n>>>>>>> theirs\n"


def test_a_file_that_is_no_text_and_that_both_changed_stays_ours_and_is_told(memory: Memory) -> None:
    base = {**BASE, "a.bin": b"\0base"}
    outcome = merged(memory, *fork(memory, base, {"a.bin": b"\0ours"}, {"a.bin": b"\0theirs"}))
    assert outcome.conflicts == [("a.bin", "")]
    assert outcome.files["a.bin"] == b"\0ours"


def test_a_file_gone_here_and_edited_there_is_kept_and_told(memory: Memory) -> None:
    base = {**BASE, "notes.txt": "one\n"}
    outcome = merged(memory, *fork(memory, base, {"notes.txt": None}, {"notes.txt": "two\n"}))
    assert outcome.conflicts == [("notes.txt", "")]
    assert outcome.files["notes.txt"] == b"two\n"


def test_what_only_theirs_has_comes_with_its_mode_and_bytes(memory: Memory) -> None:
    memory.commit(dict(BASE))
    memory.git("branch", "theirs")
    ours = memory.commit({"x.txt": "x"})
    memory.git("checkout", "-q", "theirs")
    memory.write("run.sh", "#!/bin/sh\n").chmod(0o755)
    (memory.top / "link").symlink_to("PLAN.md")
    theirs = memory.commit({"a.bin": b"\0\xff"})
    outcome = merged(memory, ours, theirs)
    assert outcome.conflicts == []
    assert (outcome.modes["run.sh"], outcome.modes["link"]) == ("100755", "120000")
    assert outcome.files["a.bin"] == b"\0\xff"


def test_a_file_here_and_a_folder_there_is_a_conflict_and_ours_stays(memory: Memory) -> None:
    outcome = merged(memory, *fork(memory, BASE, {"notes": "a file\n"}, {"notes/a.txt": "in a folder\n"}))
    assert outcome.conflicts == [("notes/a.txt", "")]
    assert outcome.files["notes"] == b"a file\n"


def test_several_merge_bases_are_merged_first(memory: Memory) -> None:
    """Criss-cross: each side merged the other's first commit, then wrote on in its own way."""
    ours, theirs = fork(
        memory,
        BASE,
        {"PLAN.md": board(card("Alpha", "Ours"), B)},
        {"PLAN.md": board(A, card("Beta", "Theirs"))},
    )
    both = board(card("Alpha", "Ours"), card("Beta", "Theirs"))
    memory.git("merge", "-q", "--no-commit", "-s", "ours", "theirs", check=False)
    mine = memory.commit({"PLAN.md": both}, "merged here")
    memory.git("checkout", "-q", "theirs")
    memory.git("merge", "-q", "--no-commit", "-s", "ours", ours, check=False)
    other = memory.commit({"PLAN.md": both}, "merged there")
    assert theirs != other
    memory.git("checkout", "-q", "main")
    mine = memory.commit({"PLAN.md": board(card("Alpha", "Again"), card("Beta", "Theirs"))})
    memory.git("checkout", "-q", "theirs")
    other = memory.commit({"PLAN.md": board(card("Alpha", "Ours"), card("Beta", "Later"))})
    with Repository.open(str(memory.top), os.environ) as repository:
        assert len(repository.merge_bases(mine, other)) == 2
    outcome = merged(memory, mine, other)
    assert outcome.conflicts == []
    assert outcome.files["PLAN.md"].decode() == board(card("Alpha", "Again"), card("Beta", "Later"))


def test_a_page_that_is_no_text_on_one_side_is_told(memory: Memory) -> None:
    outcome = merged(
        memory, *fork(memory, BASE, {"PLAN.md": b"\xff\xfe"}, {"PLAN.md": board(A, B, card("New"))})
    )
    assert ("PLAN.md", "") in outcome.conflicts


def test_a_letter_is_chosen_that_neither_side_has(memory: Memory) -> None:
    ours = {f"{SECOND}.md": ledger("Ours; next: `make test`")}
    theirs = {
        f"{SECOND}.md": ledger("Theirs; next: `make test`"),
        f"{SECOND}-b.md": ledger("Theirs b; next: `make test`"),
    }
    files = settled(memory, BASE, ours, theirs)
    assert "Theirs b;" in files[f"{SECOND}-b.md"]
    assert "Theirs;" in files[f"{SECOND}-c.md"]
