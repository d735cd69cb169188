"""The gate on real repositories: what is read, what judges, and what a finding depends on."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import pytest
from memory import Memory
from pages import AGENT, KEY, SETTINGS, archived, board, card, id_of, ledger

from wbmem_git.errors import MissingObject, SettingsUnreadable
from wbmem_git.model import Finding, Verdict
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.gate import Gate

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path

    from wbmem_git.model import Actor

TWO = board(card("Alpha"), card("Beta"))
ONE = board(card("Alpha"))
Files = dict[str, str | bytes | None]


def opened(folder: Path) -> Repository:
    return Repository.open(str(folder), os.environ)


def refused(verdict: Verdict) -> list[tuple[str, str]]:
    """(rule, title or path) of everything that refuses."""
    return [(finding.rule, finding.title or finding.path) for finding in verdict.findings if finding.refuses]


def staged(
    memory: Memory, actor: Actor = "human", parents: Iterable[str] = (), *, look_at_worktree: bool = False
) -> Verdict:
    """The verdict on what is staged now, as a hook would ask for it."""
    memory.git("add", "-A")
    with opened(memory.top) as repository:
        old = [repository.head(), *parents]
        new = repository.write_tree()
        return Gate(repository).check(old, new, actor=actor, look_at_worktree=look_at_worktree)


def past(memory: Memory, oid: str) -> Verdict:
    with opened(memory.top) as repository:
        return Gate(repository).judge_commit(repository.commit(oid)).verdict


def only(verdict: Verdict, rule: str) -> Finding:
    (finding,) = (finding for finding in verdict.findings if finding.rule == rule)
    return finding


# --- one change -------------------------------------------------------------------------------------


def test_a_card_that_vanishes_is_refused_and_one_that_is_archived_passes(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    memory.write("PLAN.md", ONE)
    assert refused(staged(memory)) == [("C2", "Beta")]
    memory.write(*archived("Beta", card("Beta")))
    assert refused(staged(memory)) == []


def test_the_tree_that_is_handed_in_is_judged_and_not_the_working_tree(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    memory.write("PLAN.md", ONE)
    with opened(memory.top) as repository:
        same = Gate(repository).check([repository.head()], repository.write_tree(), actor="human")
        assert refused(same) == []


def test_on_an_unborn_branch_and_at_a_root_commit_nothing_can_vanish(memory: Memory) -> None:
    memory.write("wbmem.yaml", SETTINGS)
    memory.write("PLAN.md", TWO)
    assert refused(staged(memory)) == []
    root = memory.commit({})
    assert refused(past(memory, root)) == []
    with opened(memory.top) as repository:
        gate = Gate(repository)
        tree = repository.tree_of(root)
        assert gate.check([], tree, actor="human") == gate.check([""], tree, actor="human")


def test_trees_may_stand_for_commits(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    memory.commit({"PLAN.md": ONE})
    old, new = (memory.git("rev-parse", f"{rev}^{{tree}}") for rev in ("HEAD~1", "HEAD"))
    with opened(memory.top) as repository:
        assert refused(Gate(repository).check([old], new, actor="human")) == [("C2", "Beta")]


def test_a_repository_that_is_no_memory_has_nothing_to_judge(memory: Memory) -> None:
    memory.commit({"PLAN.md": TWO})
    memory.write("PLAN.md", ONE)
    assert staged(memory) == Verdict("", (), ())


def test_the_commit_that_brings_the_settings_is_judged_by_three_rules_alone(memory: Memory) -> None:
    memory.commit({"PLAN.md": TWO})
    memory.write("PLAN.md", board("### Gamma\n\nno anchor\n"))
    memory.write("wbmem.yaml", SETTINGS)
    verdict = staged(memory, actor="agent")
    assert verdict.passed
    assert {rule for _, _, rule in verdict.ran} == {"W2", "E1", "G5"}


def test_settings_that_come_back_after_a_deletion_adopt_nothing(memory: Memory) -> None:
    """Otherwise: delete wbmem.yaml past the gate, bring it back, and anything goes."""
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    memory.commit({"wbmem.yaml": None})
    memory.write("wbmem.yaml", SETTINGS)
    assert refused(staged(memory)) == []
    memory.write("PLAN.md", ONE)
    assert refused(staged(memory)) == [("C2", "Beta")]


# --- where ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["sha256", "split", "sparse", "worktree"])
def test_the_same_verdict_in_every_kind_of_repository(tmp_path: Path, kind: str) -> None:
    memory = Memory.create(tmp_path / "m", *(["--object-format=sha256"] if kind == "sha256" else []))
    memory.commit(
        {"wbmem.yaml": SETTINGS, "PLAN.md": TWO, "log/2026-09-14.md": "x\n", "deep/er/page.md": "y\n"}
    )
    if kind == "split":
        memory.git("update-index", "--split-index")
    if kind == "sparse":
        memory.git("sparse-checkout", "init", "--cone", "--sparse-index")
        memory.git("sparse-checkout", "set", "log")
    if kind == "worktree":
        memory.git("worktree", "add", "-q", "-b", "side", str(tmp_path / "wt"))
        memory = Memory(tmp_path / "wt")
    memory.write("PLAN.md", ONE)
    assert refused(staged(memory)) == [("C2", "Beta")]
    assert refused(past(memory, memory.commit({}))) == [("C2", "Beta")]


def test_in_a_shallow_clone_more_history_is_asked_for(memory: Memory, tmp_path: Path) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    head = memory.commit({"PLAN.md": ONE})
    memory.git("clone", "-q", "--depth=1", f"file://{memory.top}", str(tmp_path / "cut"))
    with pytest.raises(MissingObject) as raised:
        past(Memory(tmp_path / "cut"), head)
    assert "fetch more history" in raised.value.hint


@pytest.mark.parametrize("what", ["link", "module"])
def test_a_link_or_a_submodule_in_place_of_a_board_is_no_board(memory: Memory, what: str) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, "other": ONE})
    (memory.top / "PLAN.md").unlink()
    if what == "link":
        (memory.top / "PLAN.md").symlink_to("other")
        verdict = staged(memory)
    else:
        head = memory.git("rev-parse", "HEAD")
        memory.git("update-index", "--cacheinfo", f"160000,{head},PLAN.md")
        with opened(memory.top) as repository:
            verdict = Gate(repository).check([head], repository.write_tree(), actor="human")
    assert ("C2", "Alpha") in refused(verdict)
    assert not [rule for _, path, rule in verdict.ran if (path, rule) == ("PLAN.md", "P-H1")]


@pytest.mark.parametrize("name", ["计划 一.md", 'a "b".md', "line\nbreak.md", "-dash.md", "😀.md", "[x].md"])
def test_a_board_of_any_name_is_gated_alike(memory: Memory, name: str) -> None:
    settings = SETTINGS + "boards: ['plans/*']\n"
    page = f"plans/{name}"
    memory.commit({"wbmem.yaml": settings, page: board(card("Alpha", page=page), card("Beta", page=page))})
    memory.write(page, board(card("Alpha", page=page)))
    verdict = staged(memory)
    assert refused(verdict) == [("C2", "Beta")]
    assert only(verdict, "C2").path == page


@pytest.mark.parametrize(
    ("glob", "page", "is_board"),
    [
        ("plans/**", "plans/a/b.md", True),
        ("*.md", "other.md", True),
        ("*.md", "deep/other.md", False),
        ("**/x.md", "a/b/x.md", True),
        ("a?.md", "ab.md", True),
        ("exact.md", "exact.md", True),
        ("*.md", "handoff-20260914-101500.md", False),
        ("archive/**", "archive/x.md", False),
    ],
)
def test_boards_are_found_by_their_globs(memory: Memory, glob: str, page: str, *, is_board: bool) -> None:
    memory.commit({"wbmem.yaml": f"{SETTINGS}boards: ['{glob}']\n", page: board(card("Alpha", page=page))})
    with opened(memory.top) as repository:
        gate = Gate(repository)
        tree = repository.tree_of(repository.head())
        settings = gate.settings([tree], tree)
        assert settings is not None
        assert (page in gate.sides.pages(tree, settings)) == is_board


# --- settings ---------------------------------------------------------------------------------------


def test_no_commit_loosens_the_rule_that_judges_it(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    memory.write("wbmem.yaml", SETTINGS + "criteria: warn\n")
    memory.write("handoff-20260914-101500.md", "# Handoff\n\n## Goals\n\nTODO\n")
    assert ("H1", "handoff-20260914-101500.md") in refused(staged(memory))
    memory.git("commit", "-q", "-n", "-m", "loosened")
    memory.write("handoff-20260914-101501.md", "# Handoff\n\n## Goals\n\nTODO\n")
    assert refused(staged(memory)) == []


def test_deleting_the_settings_is_refused(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    (memory.top / "wbmem.yaml").unlink()
    assert refused(staged(memory)) == [("W1", "wbmem.yaml")]


@pytest.mark.parametrize(
    "broken", ["format: 1\nworkspace: [\n", "format: 1\nworkspace: x\nagnets: []\n", None]
)
def test_while_the_settings_cannot_be_read_the_last_good_ones_judge(
    memory: Memory, broken: str | None
) -> None:
    good = memory.commit({"wbmem.yaml": SETTINGS + "agents: ['*@bots.example']\n", "PLAN.md": TWO})
    memory.commit({"wbmem.yaml": broken}, "broken")
    memory.commit({"log/2026-09-14.md": "x\n"}, "still broken")
    memory.write("PLAN.md", board(card("Alpha", user="my own words"), card("Beta")))
    with opened(memory.top) as repository:
        settings = Gate(repository).settings([repository.head()], repository.write_tree())
    assert settings is not None
    assert (settings.workspace, settings.agents) == (KEY, ("*@bots.example",))
    verdict = staged(memory, actor="agent")
    told = only(verdict, "W2")
    assert (told.severity, good[:12] in told.message) == ("soft", True)
    assert ("U1", "Alpha") in refused(verdict)


def test_settings_that_were_never_readable_can_be_mended(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": "format: [", "PLAN.md": TWO})
    memory.write("wbmem.yaml", SETTINGS)
    assert refused(staged(memory)) == []


def test_unreadable_settings_of_a_bare_tree_are_an_error(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": "format: [", "PLAN.md": TWO})
    tree = memory.git("rev-parse", "HEAD^{tree}")
    with opened(memory.top) as repository, pytest.raises(SettingsUnreadable):
        Gate(repository).check([tree], tree, actor="human")


def test_settings_are_read_once_and_then_come_from_the_cache(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    memory.write("PLAN.md", ONE)
    staged(memory)
    cache = memory.top / ".git/wbmem/settings"
    changed = KEY[:-1] + "x"  # of the same length
    assert KEY.encode() in cache.read_bytes()
    cache.write_bytes(cache.read_bytes().replace(KEY.encode(), changed.encode()))  # it is what is read
    with opened(memory.top) as repository:
        cached, own = (Gate(repository, cached=how) for how in (True, False))
        parents, new = [repository.head()], repository.write_tree()
        keys = [gate.settings(parents, new) for gate in (cached, own)]
    assert [key and key.workspace for key in keys] == [changed, KEY]


# --- merges -----------------------------------------------------------------------------------------


def merged(memory: Memory, ours: str, theirs: str, result: str) -> Verdict:
    """A merge of two boards, recorded past any hook, judged against both parents."""
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    memory.git("checkout", "-q", "-b", "side")
    memory.commit({"PLAN.md": theirs}, "theirs")
    memory.git("checkout", "-q", "main")
    memory.commit({"PLAN.md": ours}, "ours")
    memory.try_git("merge", "-q", "--no-commit", "--no-ff", "side")
    return past(memory, memory.commit({"PLAN.md": result}, "merge"))


def test_a_merge_that_keeps_the_cards_of_both_sides_passes(memory: Memory) -> None:
    ours, theirs = board(card("Alpha"), card("Ours")), board(card("Alpha"), card("Theirs"))
    assert refused(merged(memory, ours, theirs, board(card("Alpha"), card("Ours"), card("Theirs")))) == []


def test_a_merge_is_compared_with_every_parent(memory: Memory) -> None:
    ours, theirs = board(card("Alpha"), card("Ours")), board(card("Alpha"), card("Theirs"))
    assert refused(merged(memory, ours, theirs, ours)) == [("C2", "Theirs")]


def test_what_a_merge_is_about_to_commit_is_judged_by_the_other_heads_too(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    memory.git("checkout", "-q", "-b", "side")
    memory.commit({"PLAN.md": TWO})
    memory.git("checkout", "-q", "main")
    memory.git("merge", "-q", "--no-commit", "--no-ff", "-s", "ours", "side")
    with opened(memory.top) as repository:
        heads = repository.other_heads()
    assert refused(staged(memory, parents=heads)) == [("C2", "Beta")]


def test_an_octopus_is_judged_against_each_of_its_parents(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    names = ("one", "two", "three")
    for name in names:
        memory.git("checkout", "-q", "-b", name, "main")
        memory.commit({"MEMORY.md": f"# Memory\n\n## Of {name}\n\nwhat {name} knows\n"})
    tips = [memory.git("rev-parse", name) for name in ("main", *names)]
    tree = memory.git("rev-parse", "one^{tree}")
    oid = memory.git("commit-tree", "-m", "octopus", *(part for tip in tips for part in ("-p", tip)), tree)
    assert refused(past(memory, oid)) == [("C2", "Of two"), ("C2", "Of three")]


def test_the_person_that_changed_a_zone_alone_since_the_merge_base_wins(memory: Memory) -> None:
    """The base decides which side changed it: without one this merge would be refused."""
    before, after = (board(card("Alpha", user=text)) for text in ("old words", "new words"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": before})
    memory.git("checkout", "-q", "-b", "side")
    memory.commit({"PLAN.md": after}, "by hand")
    memory.git("checkout", "-q", "main")
    memory.commit({"MEMORY.md": "# Memory\n"}, "meanwhile")
    memory.git("merge", "-q", "--no-commit", "--no-ff", "side")
    assert refused(past(memory, memory.commit({}, "merge", f"--author={AGENT}"))) == []


def test_unrelated_histories_are_merged_without_a_base(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    memory.git("checkout", "-q", "--orphan", "alone")
    memory.commit({"PLAN.md": None, "MEMORY.md": "# Memory\n\n## Kept\n\ntext\n"})
    memory.git("checkout", "-q", "main")
    memory.git("merge", "-q", "--no-commit", "--allow-unrelated-histories", "alone")
    assert refused(past(memory, memory.commit({}, "merge"))) == []


# --- what a finding depends on ----------------------------------------------------------------------


SECRET = "password: correct-Horse-7battery!"


def test_a_line_that_stands_anywhere_in_the_old_tree_is_not_added(memory: Memory) -> None:
    long = "aB3d" * 60
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, "notes/old.txt": f"x\r\n{long}\r\n"})
    memory.write("PLAN.md", board(card("Alpha", f"Next: read\n{long}")))
    assert refused(staged(memory, actor="agent")) == []
    memory.write("PLAN.md", board(card("Alpha", f"Next: read\n{long}\n{long}aB3d")))
    assert [rule for rule, _ in refused(staged(memory, actor="agent"))] == ["G4"]


def test_a_secret_in_the_message_is_found_without_a_page(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    with opened(memory.top) as repository:
        head = repository.head()
        message = f"fix\n\n{SECRET}\n"
        verdict = Gate(repository).check([head], repository.tree_of(head), actor="human", message=message)
    assert [(f.rule, f.path) for f in verdict.findings if f.refuses] == [("G5", "")]


def test_what_a_person_wrote_in_the_working_tree_is_told_and_only_when_asked(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("Alpha", user="mine"))})
    memory.write("PLAN.md", board(card("Alpha", user="changed while the agent worked")))
    told, untold = (staged(memory, "agent", look_at_worktree=how) for how in (True, False))
    assert refused(told) == refused(untold) == [("U1", "Alpha")]
    assert only(told, "U1") != only(untold, "U1")
    assert "a person may have written" in only(told, "U1").message + only(told, "U1").fix


def test_a_card_that_moved_keeps_an_anchor_that_the_archive_knows(memory: Memory) -> None:
    """C1 takes an id that the old archive has for that title."""
    path, text = archived("Beta", card("Beta"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, path: text})
    (memory.top / path).unlink()
    entry = card("Beta", page="PLAN.md").replace("### ", "## ")
    memory.write("MEMORY.md", f"# Memory\n\n{entry}")
    assert refused(staged(memory, actor="agent")) == []


def test_a_card_that_leaves_its_page_may_have_been_archived_before(memory: Memory) -> None:
    """The archive file is read although nothing touches it: C2 asks for the card's text."""
    path, text = archived("Beta", card("Beta"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO, path: text})
    memory.write("PLAN.md", ONE)
    assert refused(staged(memory)) == []
    memory.commit({"PLAN.md": board(card("Alpha"), card("Beta", "Next: another text"))})
    memory.write("PLAN.md", ONE)
    assert refused(staged(memory)) == [("C2", "Beta")]


def test_a_line_of_supersedes_is_followed_into_the_archive(memory: Memory) -> None:
    first, second = "One", "Two"
    old = archived(second, card(second, more=f" / supersedes: {id_of(first)}"))
    older = archived(first, card(first, more=f" / supersedes: {id_of('Three')}"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, old[0]: old[1], older[0]: older[1]})
    memory.write("PLAN.md", board(card("Alpha"), card("Three", more=f" / supersedes: {id_of(second)}")))
    verdict = staged(memory)
    assert [f.rule for f in verdict.findings if f.refuses] == ["M1"]
    assert only(verdict, "M1").key == "circle"


@pytest.mark.parametrize("listed", ["{Gone}, {Two}", "{Gone}、{Two}", "{Gone} {Two}"])
def test_every_id_of_a_list_is_followed_into_the_archive(memory: Memory, listed: str) -> None:
    names = listed.replace("{Gone}", id_of("Gone")).replace("{Two}", id_of("Two"))
    gone = archived("Gone", card("Gone"))
    two = archived("Two", card("Two", more=f" / supersedes: {id_of('Three')}"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, gone[0]: gone[1], two[0]: two[1]})
    memory.write("PLAN.md", board(card("Alpha"), card("Three", more=f" / supersedes: {names}")))
    assert only(staged(memory), "M1").key == "circle"


# --- what lies in the working tree ------------------------------------------------------------------


def test_an_archive_file_that_lies_there_unstaged_is_named(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    path, text = archived("Beta", card("Beta"))
    memory.write("PLAN.md", ONE)
    memory.git("add", "PLAN.md")
    memory.write(path, text)

    def told(*, look: bool = True) -> str:
        with opened(memory.top) as repository:
            new = repository.write_tree()
            verdict = Gate(repository).check([repository.head()], new, actor="agent", look_at_worktree=look)
        return only(verdict, "C2").fix

    assert told() == f"{path} lies there and fits: git add {path}, and commit it too"
    assert path not in told(look=False)
    for unfit in (text.replace("Next: work", "Next: play"), text.replace("reason: done\n", ""), "x"):
        memory.write(path, unfit)
        assert path not in told()
    memory.write(path, text)
    memory.git("add", path)
    assert refused(staged(memory)) == []


# --- links --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["ledger", "archive file"])
def test_a_link_of_the_same_blob_is_not_the_file(memory: Memory, kind: str) -> None:
    path, text = (LEDGER, ledger()) if kind == "ledger" else archived("Beta", card("Beta"))
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, path: text})
    oid = memory.git("rev-parse", f"HEAD:{path}")
    memory.git("update-index", "--cacheinfo", f"120000,{oid},{path}")
    with opened(memory.top) as repository:
        verdict = Gate(repository).check([repository.head()], repository.write_tree(), actor="human")
    assert refused(verdict) == [("L1" if kind == "ledger" else "A1", path if kind == "ledger" else "Beta")]


# --- mends ------------------------------------------------------------------------------------------

LEDGER = "handoff-20260914-101500.md"


def test_a_ledger_that_was_changed_past_the_gate_may_be_put_back(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, LEDGER: ledger()})
    memory.commit({LEDGER: ledger("Something else, and that at length, as nobody will notice it")})
    memory.write(LEDGER, ledger("A third thing, and that at length too, as nobody will notice"))
    assert refused(staged(memory)) == [("L1", LEDGER)]
    memory.write(LEDGER, ledger())
    verdict = staged(memory)
    assert refused(verdict) == []
    assert (only(verdict, "L1").severity, "mended" in only(verdict, "L1").message) == ("note", True)


def test_a_ledger_that_was_written_anew_after_its_deletion_is_not_the_first_one(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, LEDGER: ledger()})
    other = ledger("Something else, and that at length, as nobody will notice it")
    memory.commit({LEDGER: None})
    memory.commit({LEDGER: other})
    memory.commit({LEDGER: ledger()})
    memory.write(LEDGER, other)
    assert refused(staged(memory)) == [("L1", LEDGER)]


def test_an_archive_file_may_be_put_back_to_what_was_archived_last(memory: Memory) -> None:
    path, text = archived("Beta", card("Beta"))
    later = text.replace("reason: done", "reason: again")
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE, path: text})
    memory.commit({path: None, "PLAN.md": TWO}, "restored")
    memory.commit({path: later, "PLAN.md": ONE}, "archived again")
    memory.commit({path: text + "edited\n"}, "past the gate")
    memory.write(path, text)
    assert [rule for rule, _ in refused(staged(memory))] == ["A1"]
    memory.write(path, later)
    assert refused(staged(memory)) == []


def test_the_workspace_key_may_be_put_back(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    memory.commit({"wbmem.yaml": SETTINGS.replace(KEY, "other-12345678")}, "past the gate")
    memory.write("wbmem.yaml", SETTINGS.replace(KEY, "third-12345678"))
    assert ("W1", "wbmem.yaml") in refused(staged(memory))
    memory.write("wbmem.yaml", SETTINGS)
    assert ("W1", "wbmem.yaml") not in refused(staged(memory))


def sided(memory: Memory, first: Files, side: Files, main: Files) -> None:
    """Begin, and part into `side` and `main`; HEAD is main."""
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO, **first})
    memory.git("branch", "side")
    memory.commit(main, "on main")
    memory.git("checkout", "-q", "side")
    memory.commit(side, "on the side")
    memory.git("checkout", "-q", "main")


def test_the_other_sides_ledger_of_that_second_mends_nothing(memory: Memory) -> None:
    ours, theirs = ledger(), ledger("Quite another text, and that at length, of the other side's work")
    sided(memory, {}, {LEDGER: theirs}, {LEDGER: ours})
    memory.try_git("merge", "-q", "--no-commit", "side")
    moved = LEDGER.replace(".md", "-b.md")
    merge = memory.commit({LEDGER: ours, moved: theirs}, "merge")
    assert refused(past(memory, merge)) == []
    memory.write(LEDGER, theirs)
    assert refused(staged(memory, "agent")) == [("L1", LEDGER)]
    memory.commit({}, "past the gate")
    memory.write(LEDGER, ours)
    assert refused(staged(memory, "agent")) == []


def test_the_archive_file_that_a_merge_did_not_take_mends_nothing(memory: Memory) -> None:
    body = card("Beta", "Tried: one way\n\nTried: another way")
    shorter = body.replace("Tried: another way", "")
    (path, whole), (_, trimmed) = (archived("Beta", text) for text in (body, shorter))
    sided(
        memory,
        {"PLAN.md": board(card("Alpha"), body)},
        {"PLAN.md": ONE, path: whole},
        {"PLAN.md": ONE, path: trimmed},
    )
    memory.try_git("merge", "-q", "--no-commit", "side")
    merge = memory.commit({path: whole}, "merge")
    assert [rule for rule, _ in refused(past(memory, merge))] == []
    memory.write(path, trimmed)
    assert [rule for rule, _ in refused(staged(memory, "agent"))] == ["A1"]
    memory.commit({}, "past the gate")
    memory.write(path, whole)
    assert refused(staged(memory, "agent")) == []


def test_a_merge_that_takes_the_side_which_was_not_tampered_with_passes(memory: Memory) -> None:
    other = ledger("Something else, and that at length, as nobody will notice it")
    sided(memory, {LEDGER: ledger()}, {"MEMORY.md": "# Memory\n"}, {LEDGER: other})
    memory.git("merge", "-q", "--no-commit", "side")
    assert refused(past(memory, memory.commit({LEDGER: ledger()}, "takes the side's"))) == []


# --- settings in a merge ----------------------------------------------------------------------------

LOOSE = SETTINGS + "agents: [nobody@example.org]\n"


def evil(memory: Memory, text: str, files: Files | None = None) -> None:
    """A history of an agent's own, with settings of its own, on the branch `evil`; HEAD is main."""
    memory.git("checkout", "-q", "--orphan", "evil")
    memory.commit({"wbmem.yaml": text, **(files or {})}, "adopts", f"--author={AGENT}")
    memory.git("checkout", "-q", "main")


@pytest.mark.parametrize("key", [KEY, "other-12345678"])
@pytest.mark.parametrize("first", ["main", "evil"])
def test_an_agent_brings_in_no_settings_of_a_history_of_its_own(memory: Memory, key: str, first: str) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    evil(memory, LOOSE.replace(KEY, key))
    memory.git("checkout", "-q", first)
    theirs = ("-X", "theirs" if first == "main" else "ours", "evil" if first == "main" else "main")
    memory.git("merge", "-q", "--no-commit", "--no-ff", "--allow-unrelated-histories", *theirs)
    assert memory.read("wbmem.yaml") == LOOSE.replace(KEY, key)
    rules = {"W3"} if key == KEY or first == "evil" else {"W1", "W3"}
    verdict = past(memory, memory.commit({}, "merge", f"--author={AGENT}"))
    assert {rule for rule, _ in refused(verdict)} == rules


def test_the_key_of_an_unrelated_history_is_no_mend(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    evil(memory, SETTINGS.replace(KEY, "other-12345678"))
    memory.git("merge", "-q", "--no-commit", "--allow-unrelated-histories", "-X", "theirs", "evil")
    assert refused(past(memory, memory.commit({}, "merge, by hand"))) == [("W1", "wbmem.yaml")]
    memory.write("wbmem.yaml", SETTINGS)
    assert refused(staged(memory)) == []


def test_an_agent_merges_what_a_person_did_to_the_settings_and_undoes_none_of_it(memory: Memory) -> None:
    changed: Files = {"wbmem.yaml": SETTINGS + "criteria: warn\n", ".gitattributes": "*.md text\n"}
    sided(memory, {}, changed, {"MEMORY.md": "# Memory\n"})
    memory.git("merge", "-q", "--no-commit", "side")
    taken = memory.git("write-tree")
    assert refused(past(memory, memory.commit({}, "merge", f"--author={AGENT}"))) == []
    left = memory.git("rev-parse", "main~1^{tree}")
    parents = ("-p", "main~1", "-p", "side")
    by_agent = {"GIT_AUTHOR_NAME": "Bot", "GIT_AUTHOR_EMAIL": "bot@agent.local"}
    for tree, rules in ((taken, []), (left, ["W3", "W3"])):
        merge = memory.git("commit-tree", "-m", "m", *parents, tree, env=by_agent)
        assert [rule for rule, _ in refused(past(memory, merge))] == rules


def test_settings_that_were_deleted_come_back_with_their_key(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    memory.commit({"wbmem.yaml": None}, "past the gate")
    memory.write("wbmem.yaml", SETTINGS.replace(KEY, "other-12345678"))
    assert refused(staged(memory)) == [("W1", "wbmem.yaml")]
    memory.write("wbmem.yaml", SETTINGS)
    assert refused(staged(memory)) == []


# --- the past ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "message", "rules"),
    [
        ([], "by hand", []),
        ([f"--author={AGENT}"], "by an agent", ["W3"]),
        ([], "by an agent\n\nWbmem-Actor: agent", ["W3"]),
        ([f"--author={AGENT}"], "by hand\n\nWbmem-Actor: human", []),
    ],
)
def test_the_past_is_judged_by_author_and_trailer(
    memory: Memory, options: list[str], message: str, rules: list[str]
) -> None:
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    oid = memory.commit({".gitattributes": "* -text\n"}, message, *options)
    verdict = past(memory, oid)
    assert [rule for rule, _ in refused(verdict)] == rules
    assert verdict.commit == oid


def test_shell_variables_of_today_say_nothing_of_the_past(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CLAUDECODE", "1")
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": ONE})
    assert refused(past(memory, memory.commit({".gitattributes": "* -text\n"}))) == []


# --- what is read -----------------------------------------------------------------------------------


def test_thousands_of_ledgers_and_archived_cards_are_not_read(memory: Memory) -> None:
    many = {
        f"handoff-20260101-{n // 60 % 24:02d}{n % 60:02d}{n // 1440:02d}.md": ledger() for n in range(1500)
    }
    names = [f"archive/mem_{n:032x}.md" for n in range(1500)]
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO, **many, **dict.fromkeys(names, "---\n---\n")})
    staged(memory)  # the settings are in the cache now
    memory.write("PLAN.md", board(card("Alpha"), card("Beta", "Next: edited")))
    memory.write("handoff-20260914-101500.md", ledger())
    memory.git("add", "-A")
    with opened(memory.top) as repository:
        verdict = Gate(repository).check([repository.head()], repository.write_tree(), actor="agent")
        assert refused(verdict) == []
        # HEAD, its commit, two roots, the archive's names, two boards, one ledger
        assert repository.objects.reads <= 9


def test_a_folder_deeper_than_python_recurses_stops_no_later_commit(memory: Memory) -> None:
    first = memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": TWO})
    deep = "d/" * (sys.getrecursionlimit() + 200) + "z.md"
    made = (
        f"committer A <a@example.org> 0 +0000\ndata 1\nx\nfrom {first}\nM 100644 inline {deep}\ndata 1\nz\n"
    )
    memory.git("fast-import", "--quiet", stdin=f"commit refs/heads/main\n{made}")
    memory.git("read-tree", "main")
    memory.write("PLAN.md", ONE)
    memory.git("add", "PLAN.md")
    with opened(memory.top) as repository:
        gate = Gate(repository)
        head, without_beta = repository.head(), repository.write_tree()
        assert refused(gate.judge_commit(repository.commit(head)).verdict) == []
        assert refused(gate.check([head], without_beta, actor="human")) == [("C2", "Beta")]
