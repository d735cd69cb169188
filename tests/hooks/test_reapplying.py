"""Commits that run no pre-commit hook: revert, cherry-pick, merge, rebase, am, pull; and what is pushed."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest
from hooks.gated import (
    AS_AGENT,
    IN_AGENTS_SHELL,
    count_starts,
    drop_b,
    git_dir,
    install_hooks,
    journal,
    mark,
    refused,
    tree,
)
from memory import Memory
from pages import archived, board, card, id_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

THREE = board(card("A"), card("B"), card("C"))
TWO = board(card("A"), card("B"))
EDITOR = {"GIT_EDITOR": "true"}


def commit(memory: Memory, text: str, message: str = "x", env: dict[str, str] | None = None) -> str:
    memory.write("PLAN.md", text)
    memory.git("commit", "-qam", message, env=env)
    return memory.git("rev-parse", "HEAD")


def past_the_gate(memory: Memory, text: str, env: dict[str, str] | None = None) -> str:
    memory.write("PLAN.md", text)
    memory.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", "past the gate", env=env)
    return memory.git("rev-parse", "HEAD")


# --- revert -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("options", [("--no-edit",), ("-e",)])
@pytest.mark.parametrize("env", [{}, AS_AGENT, IN_AGENTS_SHELL])
def test_a_revert_that_takes_a_card_away_is_refused_and_stays_staged(
    options: Sequence[str], env: dict[str, str], gated: Memory
) -> None:
    commit(gated, THREE)
    head = gated.git("rev-parse", "HEAD")
    done = gated.try_git("revert", *options, "HEAD", env={**EDITOR, **env})
    said = refused(done, "C2")
    assert "wbmem archive --missing" in said
    assert gated.git("rev-parse", "HEAD") == head
    assert gated.git("status", "--porcelain") == "M  PLAN.md"
    if not env:  # a person may go on knowingly
        assert gated.try_git("commit", "-qn", "-m", "knowingly").returncode == 0
        assert journal(gated)[-1]["rules"] == ["C2"]
    else:
        refused(gated.try_git("commit", "-qn", "-m", "knowingly", env=env), "C2")


@pytest.mark.parametrize(
    ("options", "env", "trailers"),
    [
        ("--no-edit", {}, ""),
        ("-e", {}, ""),
        ("--no-edit", AS_AGENT, ""),
        ("-e", AS_AGENT, ""),
        ("--no-edit", IN_AGENTS_SHELL, "Wbmem-Actor: agent"),
    ],
)
def test_a_revert_of_a_legal_change_passes_and_says_who_made_it(
    options: str, env: dict[str, str], trailers: str, gated: Memory
) -> None:
    commit(gated, board(card("A", "Next: another step than before"), card("B")))
    done = gated.try_git("revert", options, "HEAD", env={**EDITOR, **env})
    assert done.returncode == 0, done.stderr
    assert "wbmem" not in done.stderr
    assert gated.git("log", "-1", "--format=%(trailers)") == trailers
    assert mark(gated) == gated.git("rev-parse", "HEAD")


def test_a_revert_that_would_lose_its_trailer_in_an_editor_is_refused_and_says_how(gated: Memory) -> None:
    commit(gated, board(card("A", "Next: another step than before"), card("B")))
    done = gated.try_git("revert", "-e", "HEAD", env={**EDITOR, **IN_AGENTS_SHELL})
    assert "git revert --no-edit" in refused(done, "Wbmem-Actor: agent")
    assert gated.git("status", "--porcelain") == "M  PLAN.md"
    gated.git("commit", "-qm", "as it was", env=IN_AGENTS_SHELL)
    assert gated.git("log", "-1", "--format=%(trailers)") == "Wbmem-Actor: agent"


def test_reverting_an_archive_commit_restores_the_card(gated: Memory) -> None:
    path, text = archived("B", card("B"))
    gated.write(path, text)
    gated.write("PLAN.md", board(card("A")))
    gated.git("add", "-A")
    gated.git("commit", "-qm", "archive B")
    done = gated.try_git("revert", "--no-edit", "HEAD")
    assert done.returncode == 0, done.stderr
    assert "### B" in gated.read("PLAN.md")


# --- cherry-pick ------------------------------------------------------------------------------------


def test_a_cherry_pick_that_takes_a_card_away_is_refused(gated: Memory) -> None:
    gated.git("checkout", "-q", "-b", "side")
    bad = past_the_gate(gated, board(card("A")))
    gated.git("checkout", "-q", "main")
    for env in ({}, AS_AGENT):
        said = refused(gated.try_git("cherry-pick", bad, env=env), "C2")
        assert "stays staged" in said
        gated.git("cherry-pick", "--abort")
    assert "### B" in gated.read("PLAN.md")


def test_a_picked_commit_is_its_authors_and_gets_no_trailer(gated: Memory) -> None:
    """A person's edit of a user zone, re-applied by an agent, is still the person's."""
    commit(gated, board(card("A", user="old"), card("B")))
    gated.git("checkout", "-q", "-b", "side")
    mine = commit(gated, board(card("A", user="new"), card("B")), "my remark")
    gated.git("checkout", "-q", "main")
    done = gated.try_git("cherry-pick", mine, env=IN_AGENTS_SHELL)
    assert done.returncode == 0, done.stderr
    assert gated.git("log", "-1", "--format=%B%an") == "my remark\nAda"


def test_an_agents_commit_stays_an_agents_when_a_person_picks_it(gated: Memory) -> None:
    commit(gated, board(card("A", user="old"), card("B")))
    gated.git("checkout", "-q", "-b", "side")
    bad = past_the_gate(gated, board(card("A", user="new"), card("B")), AS_AGENT)
    gated.git("checkout", "-q", "main")
    refused(gated.try_git("cherry-pick", bad), "U1")


@pytest.mark.parametrize("kind", ["tag", "branch"])
def test_a_ref_that_is_called_like_a_pick_makes_no_commit_a_persons(kind: str, gated: Memory) -> None:
    mine = commit(gated, board(card("A", user="mine"), card("B")))
    gated.git(kind, "CHERRY_PICK_HEAD", mine)
    gated.write("PLAN.md", board(card("A", user="an agent's"), card("B")))
    refused(gated.try_git("commit", "-qam", "x", env=IN_AGENTS_SHELL), "U1")
    refused(gated.try_git("commit", "-qam", "x", env=AS_AGENT), "U1")


def test_a_conflict_of_a_pick_is_concluded_through_the_gate(gated: Memory) -> None:
    gated.git("checkout", "-q", "-b", "side")
    side = commit(gated, board(card("A", "Next: theirs, whatever it is"), card("B")))
    gated.git("checkout", "-q", "main")
    commit(gated, board(card("A", "Next: ours, whatever it is"), card("B")))
    assert gated.try_git("cherry-pick", side).returncode == 1
    drop_b(gated)
    gated.git("add", "PLAN.md")
    refused(gated.try_git("commit", "-qm", "resolved badly"), "C2")
    gated.write("PLAN.md", board(card("A", "Next: both of them, one by one"), card("B")))
    gated.git("add", "PLAN.md")
    assert gated.try_git("commit", "-qm", "resolved").returncode == 0


# --- merge ------------------------------------------------------------------------------------------


def sides(memory: Memory) -> None:
    memory.git("checkout", "-q", "-b", "side")
    commit(memory, board(card("A"), card("B"), card("C")))
    memory.git("checkout", "-q", "main")
    memory.write("notes.md", "x\n")
    memory.git("add", "-A")
    memory.git("commit", "-qm", "notes")


@pytest.mark.parametrize("env", [{}, AS_AGENT])
def test_a_merge_that_takes_ours_drops_their_card_and_is_refused(env: dict[str, str], gated: Memory) -> None:
    sides(gated)
    said = refused(gated.try_git("merge", "-q", "--no-edit", "-s", "ours", "side", env=env), "C2")
    assert '"C"' in said


def test_a_merge_past_its_hook_is_refused_too_and_can_be_concluded(gated: Memory) -> None:
    sides(gated)
    refused(gated.try_git("merge", "-q", "--no-edit", "--no-verify", "-s", "ours", "side"), "C2")
    assert (git_dir(gated) / "MERGE_HEAD").exists()
    assert gated.try_git("commit", "-qn", "--no-edit").returncode == 0
    assert journal(gated)[-1]["ids"] == [id_of("C")]


def test_a_clean_merge_passes_and_is_audited_once(gated: Memory) -> None:
    sides(gated)
    done = gated.try_git("merge", "-q", "--no-edit", "side")
    assert (done.returncode, done.stderr) == (0, "")
    assert mark(gated) == gated.git("rev-parse", "HEAD")


def test_what_a_fast_forward_brings_is_told_and_not_refused(gated: Memory, tmp_path: Path) -> None:
    commit(gated, THREE)
    other = clone(gated, tmp_path / "other")
    bad = past_the_gate(other, TWO, AS_AGENT)
    done = gated.try_git("pull", "-q", "--ff-only", str(other.top), "main")
    assert done.returncode == 0
    assert bad[:12] in done.stderr
    assert journal(gated)[-1]["commit"] == bad


def test_a_squash_is_gated_when_it_is_committed(gated: Memory) -> None:
    gated.git("checkout", "-q", "-b", "side")
    past_the_gate(gated, board(card("A")))
    gated.git("checkout", "-q", "main")
    gated.git("merge", "-q", "--squash", "side")
    refused(gated.try_git("commit", "-qm", "squashed"), "C2")


# --- rebase and am ----------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
def test_a_clean_rebase_passes_without_a_word_and_moves_the_mark(backend: str, gated: Memory) -> None:
    sides(gated)
    done = gated.try_git("rebase", "-q", backend, "main", "side")
    assert done.returncode == 0, done.stderr
    assert "wbmem" not in done.stderr
    gated.write("notes.md", "y\n")
    assert gated.try_git("commit", "-qam", "after").stderr == ""
    assert mark(gated, "side") == gated.git("rev-parse", "HEAD")
    assert journal(gated) == []


@pytest.mark.parametrize("backend", ["--merge", "--apply"])
@pytest.mark.parametrize("env", [{}, IN_AGENTS_SHELL])
def test_a_rebase_that_loses_a_card_passes_and_is_recorded(
    backend: str, env: dict[str, str], gated: Memory
) -> None:
    gated.git("checkout", "-q", "-b", "side")
    bad = past_the_gate(gated, board(card("A")))
    gated.git("checkout", "-q", "main")
    gated.write("notes.md", "x\n")
    gated.git("add", "-A")
    gated.git("commit", "-qm", "notes")
    done = gated.try_git("rebase", "-q", backend, "main", "side", env=env)
    assert done.returncode == 0
    new = gated.git("rev-parse", "side")
    assert new != bad
    assert new[:12] in done.stderr
    assert journal(gated)[-1]["commit"] == new


def test_a_conflict_of_a_rebase_never_traps_the_person(gated: Memory) -> None:
    gated.git("checkout", "-q", "-b", "side")
    commit(gated, board(card("A", "Next: theirs, whatever it is"), card("B")))
    commit(gated, board(card("A", "Next: theirs, whatever it is"), card("B"), card("C")))
    gated.git("checkout", "-q", "main")
    commit(gated, board(card("A", "Next: ours, whatever it is"), card("B")))
    assert gated.try_git("rebase", "-q", "main", "side").returncode == 1
    drop_b(gated)
    gated.git("add", "PLAN.md")
    done = gated.try_git("rebase", "--continue", env=EDITOR)
    while (git_dir(gated) / "rebase-merge").exists():  # the second pick conflicts as well
        assert "hook" not in done.stderr
        drop_b(gated)
        gated.git("add", "PLAN.md")
        done = gated.try_git("rebase", "--continue", env=EDITOR)
    assert journal(gated) != []
    assert "C2" in done.stderr


def test_a_commit_by_hand_in_a_rebase_is_told_and_not_refused(gated: Memory) -> None:
    commit(gated, THREE)
    commit(gated, board(card("A"), card("B"), card("C"), card("D")))
    edit = {"GIT_SEQUENCE_EDITOR": "sed -i.bak 's/^pick/edit/'"}
    gated.git("rebase", "-q", "-i", "HEAD~1", env=edit)
    gated.write("PLAN.md", TWO)
    done = gated.try_git("commit", "-qam", "in between", env=IN_AGENTS_SHELL)
    assert done.returncode == 0
    assert "C2" in done.stderr
    assert "a rebase or an am is going on" in done.stderr
    assert gated.git("log", "-1", "--format=%B") == "in between"
    assert gated.try_git("rebase", "--continue").returncode == 0
    assert journal(gated)[-1]["rules"] == ["C2"]


def test_a_rebase_starts_python_once_however_many_commits_it_has(  # BUGS A8
    gated: Memory, tmp_path: Path
) -> None:
    gated.git("checkout", "-q", "-b", "side")
    for n in range(12):
        gated.commit({f"log/2026-01-{n + 1:02}.md": "- x\n"})
    gated.git("checkout", "-q", "main")
    commit(gated, THREE)
    starts = count_starts(gated, tmp_path)
    gated.git("rebase", "-q", "main", "side")
    # post-checkout of the branch that is left to be rebased, and post-rewrite
    assert [line for line in starts() if line != "post-checkout"] == ["post-rewrite"]


@pytest.mark.parametrize("bad", [False, True])
def test_what_an_am_brings_is_told_at_its_last_patch(bad: bool, gated: Memory, tmp_path: Path) -> None:
    gated.git("checkout", "-q", "-b", "side")
    commit(gated, THREE, "one")
    if bad:
        past_the_gate(gated, board(card("A"), card("C")))
    commit(gated, gated.read("PLAN.md") + "\n" + card("D"), "last")
    gated.git("format-patch", "-q", "-o", str(tmp_path / "patches"), "main")
    gated.git("checkout", "-q", "main")
    patches = sorted(map(str, (tmp_path / "patches").iterdir()))
    done = gated.try_git("am", "-q", *patches)
    assert done.returncode == 0
    assert ("C2" in done.stderr) == bad
    brought = gated.git("rev-list", "main").split()
    assert [event["rules"] for event in journal(gated) if event["commit"] in brought] == [["C2"]] * bad


# --- push -------------------------------------------------------------------------------------------


@pytest.fixture
def remote(gated: Memory, tmp_path: Path) -> str:
    gated.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    gated.git("remote", "add", "origin", str(tmp_path / "remote.git"))
    return str(tmp_path / "remote.git")


def heads(remote: str) -> list[str]:
    done = subprocess.run(
        ["git", "-C", remote, "for-each-ref", "--format=%(refname:short)"],
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.split()


def test_a_push_is_refused_for_any_of_its_refs(gated: Memory, remote: str) -> None:
    gated.git("push", "-q", "origin", "main")
    gated.git("checkout", "-q", "-b", "good")
    commit(gated, THREE)
    gated.git("checkout", "-q", "-b", "bad", "main")
    bad = past_the_gate(gated, board(card("A")))
    said = refused(gated.try_git("push", "-q", "origin", "good", "bad"), "C2")
    assert bad[:12] in said
    assert heads(remote) == ["main"]
    gated.git("push", "-q", "origin", "good")


def test_a_push_of_what_was_mended_since_passes(gated: Memory, remote: str) -> None:
    past_the_gate(gated, board(card("A")))
    commit(gated, TWO)
    done = gated.try_git("push", "-q", "origin", "main")
    assert done.returncode == 0, done.stderr
    assert "mended by a later commit" in done.stderr
    assert heads(remote) == ["main"]


def test_a_push_judges_only_what_the_remote_lacks(gated: Memory, remote: str) -> None:
    assert heads(remote) == []
    past_the_gate(gated, board(card("A")))
    gated.git("push", "-q", "--no-verify", "origin", "main")
    gated.write("notes.md", "x\n")
    gated.git("add", "-A")
    gated.git("commit", "-qm", "innocent")
    gated.git("checkout", "-q", "-b", "new")
    assert gated.try_git("push", "-q", "origin", "main", "new").returncode == 0


def test_deleting_a_ref_and_pushing_tags_pass(gated: Memory, remote: str) -> None:
    gated.git("tag", "light")
    gated.git("tag", "-a", "heavy", "-m", "x")
    gated.git("tag", "blob", gated.git("rev-parse", "HEAD:PLAN.md"))
    gated.git("push", "-q", "origin", "main", "light", "heavy", "blob", "main:refs/heads/old")
    gated.git("push", "-q", "origin", ":old")
    assert "old" not in heads(remote)


def test_a_push_by_address_and_into_a_shallow_past(gated: Memory, remote: str, tmp_path: Path) -> None:
    assert gated.try_git("push", "-q", remote, "main").returncode == 0
    commit(gated, THREE)
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{gated.top}", str(shallow)], check=True)
    clone = Memory(shallow)
    install_hooks(clone)
    done = clone.try_git("push", "-q", str(tmp_path / "remote.git"), "HEAD:refs/heads/elsewhere")
    assert done.returncode != 0
    assert "fetch more history" in done.stderr


# --- worktrees --------------------------------------------------------------------------------------


def test_each_branch_has_its_own_mark_in_any_worktree(gated: Memory, tmp_path: Path) -> None:  # BUGS A9
    commit(gated, THREE)
    gated.git("worktree", "add", "-q", "-b", "deep/er", str(tmp_path / "linked"))
    linked = Memory(tmp_path / "linked")
    drop_b(linked)
    refused(linked.try_git("commit", "-qam", "x"), "C2")
    commit(linked, THREE + "\n" + card("D"))
    commit(gated, THREE + "\n" + card("E"))
    assert mark(gated, "deep/er") == linked.git("rev-parse", "HEAD")
    assert mark(gated, "main") == gated.git("rev-parse", "HEAD")


def test_a_branch_that_was_fetched_is_told_of_when_one_switches_to_it(gated: Memory, tmp_path: Path) -> None:
    commit(gated, THREE)
    other = clone(gated, tmp_path / "other")
    bad = past_the_gate(other, TWO, AS_AGENT)
    gated.git("fetch", "-q", str(other.top), "main:theirs")
    done = gated.try_git("checkout", "-q", "theirs")
    assert done.returncode == 0
    assert bad[:12] in done.stderr
    gated.git("checkout", "-q", "main")
    assert gated.try_git("checkout", "-q", "theirs").stderr == ""
    assert tree(gated) == tree(other)


def clone(memory: Memory, place: Path) -> Memory:
    subprocess.run(["git", "clone", "-q", str(memory.top), str(place)], check=True)
    made = Memory(place)
    made.git("config", "user.name", "Ada")
    made.git("config", "user.email", "ada@example.org")
    return made
