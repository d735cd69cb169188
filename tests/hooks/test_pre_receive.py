"""A bare repository with the server's hook, and clones that push to it by git's own protocol."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest
from hooks.gated import AS_AGENT
from memory import Memory
from pages import SETTINGS, archived, board, card

from wbmem_git.store.repository import Repository
from wbmem_git.verbs.hooks.protect import Update, is_protected, protected, refusal, updates_of
from wbmem_git.verbs.hooks.server import install_server

CHECKOUT = Path(__file__).resolve().parents[2]
TOKEN = "ghp" + "_abcdefghijklmnopqrstuvwxyzABCDEF0123"
BOTH = board(card("A"), card("B"))
ONLY_A = board(card("A"))
FORMATS = ("sha1", "sha256")


@pytest.fixture
def server(tmp_path: Path) -> Memory:
    return serve(tmp_path / "notes.git")


def serve(folder: Path, *options: str) -> Memory:
    """A bare repository with the hook."""
    made = Memory.create(folder, "--bare", *options)
    assert install_server(str(folder), {}).complete
    return made


@pytest.fixture
def clone(memory: Memory, server: Memory) -> Memory:
    return connected(memory, server)


def connected(memory: Memory, server: Memory) -> Memory:
    """A memory with two cards that the server has too."""
    memory.git("remote", "add", "origin", server.top.as_uri())
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": BOTH}, "begin")
    memory.git("push", "-q", "origin", "main")
    return memory


def push(clone: Memory, *what: str, env: dict[str, str] | None = None) -> subprocess.CompletedProcess[str]:
    done = clone.try_git("push", "origin", *(what or ("main",)), env=env)
    assert "Traceback" not in done.stderr
    return done


def on_server(server: Memory, ref: str = "main") -> str:
    return server.git("rev-parse", "--verify", "--quiet", ref, check=False)


# --- what is judged -----------------------------------------------------------------------------------


@pytest.mark.parametrize("object_format", FORMATS)
def test_a_push_that_breaks_no_rule_is_taken_without_a_word(object_format: str, tmp_path: Path) -> None:
    option = f"--object-format={object_format}"
    server = serve(tmp_path / "notes.git", option)
    clone = connected(Memory.create(tmp_path / "workspace/handoff", option), server)
    new = clone.commit({"PLAN.md": board(card("A"), card("B"), card("C"))}, "one more")
    done = push(clone)
    assert done.returncode == 0
    assert "wbmem" not in done.stderr
    assert on_server(server) == new


@pytest.mark.parametrize("object_format", FORMATS)
def test_a_lost_card_is_told_with_rule_commit_and_line_and_nothing_is_taken(
    object_format: str, tmp_path: Path
) -> None:
    option = f"--object-format={object_format}"
    server = serve(tmp_path / "notes.git", option)
    clone = connected(Memory.create(tmp_path / "workspace/handoff", option), server)
    before = clone.head()
    bad = clone.commit({"PLAN.md": ONLY_A}, "tidy up")
    clone.commit({"notes.md": "x\n"}, "something else")
    done = push(clone)
    assert done.returncode == 1
    assert f"commit {bad[:12]} (Ada <ada@example.org>) tidy up" in done.stderr
    assert 'PLAN.md:12: C2 card "B"' in done.stderr
    assert on_server(server) == before
    assert server.try_git("cat-file", "-e", bad).returncode != 0  # its objects never left the quarantine


def test_an_inner_commit_that_the_tip_mends_is_told_and_taken(clone: Memory, server: Memory) -> None:
    clone.commit({"PLAN.md": ONLY_A}, "tidy up")
    new = clone.commit(dict([archived("B", card("B"))]), "archive it after all")
    done = push(clone)
    assert done.returncode == 0
    assert "mended by a later commit" in done.stderr
    assert on_server(server) == new


def test_a_credential_is_never_mended(clone: Memory, server: Memory) -> None:
    before = clone.head()
    clone.commit({"notes.md": f"token {TOKEN}\n"}, "notes")
    clone.commit({"notes.md": "no token\n"}, "take it out")
    done = push(clone)
    assert done.returncode == 1
    assert "G5" in done.stderr
    assert TOKEN not in done.stderr
    assert on_server(server) == before


def test_who_is_an_agent_the_commit_says_and_not_the_shell_of_the_server(
    clone: Memory, server: Memory
) -> None:
    before = clone.head()
    clone.write("wbmem.yaml", f"{SETTINGS}locale: en\n")
    clone.git("add", "-A")
    clone.git("commit", "-qm", "settings", env=AS_AGENT)
    done = push(clone, env={"WBMEM_ACTOR": "human"})
    assert done.returncode == 1
    assert "W3" in done.stderr
    assert on_server(server) == before
    clone.git("commit", "-q", "--amend", "--reset-author", "-m", "settings, looked at")
    assert push(clone, env={"CLAUDECODE": "1"}).returncode == 0


def test_every_ref_of_a_push_is_judged_and_one_that_refuses_stops_them_all(
    clone: Memory, server: Memory
) -> None:
    clone.git("switch", "-qc", "bad")
    clone.commit({"PLAN.md": ONLY_A}, "tidy up")
    clone.git("tag", "-am", "release", "v1")
    clone.git("switch", "-qc", "good", "main")
    clone.commit({"notes.md": "x\n"}, "notes")
    for refs in (("good", "bad"), ("v1",), ("good", "bad:refs/notes/wbmem")):
        done = push(clone, *refs)
        assert done.returncode == 1
        assert "C2" in done.stderr
        assert server.git("for-each-ref", "--format=%(refname)") == "refs/heads/main"
    assert push(clone, "good").returncode == 0


def test_what_two_branches_share_is_told_once(clone: Memory) -> None:
    clone.git("branch", "other")
    bad = clone.commit({"PLAN.md": ONLY_A}, "tidy up")
    done = push(clone, "HEAD:refs/heads/one", "HEAD:refs/heads/two")
    assert done.stderr.count(f"commit {bad[:12]}") == 1


def test_a_merge_is_judged_beside_every_parent(clone: Memory, server: Memory) -> None:
    clone.git("switch", "-qc", "side")
    clone.commit({"PLAN.md": board(card("A"), card("B"), card("C"))}, "C")
    clone.git("switch", "-q", "main")
    clone.commit({"notes.md": "x\n"}, "notes")
    clone.git("merge", "-q", "--no-commit", "side")
    clone.commit({"PLAN.md": BOTH}, "a merge that drops what the side wrote")
    done = push(clone)
    assert done.returncode == 1
    assert 'C2 card "C"' in done.stderr
    assert on_server(server) != clone.head()


def test_a_repository_that_is_no_memory_isn_t_judged(tmp_path: Path, server: Memory) -> None:
    clone = Memory.create(tmp_path / "code")
    clone.git("remote", "add", "origin", server.top.as_uri())
    clone.commit({"PLAN.md": BOTH})
    clone.commit({"PLAN.md": None})
    assert push(clone).returncode == 0


# --- protected branches -------------------------------------------------------------------------------


def test_the_branch_of_head_is_neither_deleted_nor_rewritten(clone: Memory, server: Memory) -> None:
    before = clone.head()
    server.git("config", "receive.denyDeleteCurrent", "false")
    done = push(clone, "--delete", "main")
    assert done.returncode == 1
    assert "main is protected here: nobody deletes it" in done.stderr
    assert "git pull" not in done.stderr
    assert "wbmem.protected" in done.stderr
    clone.git("commit", "-q", "--amend", "-m", "begin again")
    done = push(clone, "--force", "main")
    assert done.returncode == 1
    assert f"this push would take 1 commit out of it, {before[:12]} first" in done.stderr
    assert on_server(server) == before


def test_another_branch_may_be_rewritten_and_deleted(clone: Memory, server: Memory) -> None:
    clone.commit({"notes.md": "x\n"}, "notes")
    assert push(clone, "main:topic").returncode == 0
    clone.git("commit", "-q", "--amend", "-m", "notes, better")
    assert push(clone, "--force", "main:topic").returncode == 0
    assert on_server(server, "topic") == clone.head()
    assert push(clone, "--delete", "topic").returncode == 0


def test_the_repository_s_configuration_says_which_branches_are_protected(
    clone: Memory, server: Memory
) -> None:
    server.git("config", "--add", "wbmem.protected", "release/*")
    server.git("config", "--add", "wbmem.protected", "refs/heads/stable")
    assert push(clone, "main:release/1", "main:stable", "main:other").returncode == 0
    for branch in ("release/1", "stable"):
        done = push(clone, "--delete", branch)
        assert (done.returncode, f"{branch} is protected here" in done.stderr) == (1, True)
    clone.git("commit", "-q", "--amend", "-m", "begin again")
    assert push(clone, "--force", "main").returncode == 0  # main isn't among them any more


def test_a_protected_branch_answers_for_all_that_is_new_to_it(clone: Memory, server: Memory) -> None:
    """On the other branch a later commit mended it; without that one it's as broken as it was."""
    before = clone.head()
    bad = clone.commit({"PLAN.md": ONLY_A}, "tidy up")
    clone.commit(dict([archived("B", card("B"))]), "archive it after all")
    assert push(clone, "main:topic").returncode == 0
    done = push(clone, f"{bad}:refs/heads/main")
    assert done.returncode == 1
    assert "C2" in done.stderr
    assert on_server(server) == before
    assert push(clone).returncode == 0


@pytest.mark.parametrize("alias", ["refs/heads/master", "refs/mirror/main"])
def test_an_alias_of_a_protected_branch_is_neither_deleted_nor_rewritten(
    alias: str, clone: Memory, server: Memory
) -> None:
    """git follows a symbolic ref after the hook: the push would reach the branch behind it."""
    before = clone.head()
    server.git("config", "receive.denyDeleteCurrent", "false")
    server.git("symbolic-ref", "refs/heads/between", "refs/heads/main")
    server.git("symbolic-ref", alias, "refs/heads/between")
    done = push(clone, f":{alias}")
    assert done.returncode == 1
    assert "is protected here: nobody deletes it" in done.stderr
    assert on_server(server) == before
    clone.git("commit", "-q", "--amend", "-m", "begin again")
    done = push(clone, f"+main:{alias}")
    assert done.returncode == 1
    assert "this push would take 1 commit out of it" in done.stderr
    assert on_server(server) == before
    clone.git("reset", "-q", "--soft", before)
    new = clone.commit({"notes.md": "x\n"}, "notes")
    assert push(clone, f"main:{alias}").returncode == 0
    assert on_server(server) == new


def test_the_branch_behind_a_protected_alias_is_protected(clone: Memory, server: Memory) -> None:
    before = clone.head()
    server.git("config", "receive.denyDeleteCurrent", "false")
    server.git("config", "wbmem.protected", "stable")
    server.git("symbolic-ref", "refs/heads/stable", "refs/heads/main")
    assert "nobody deletes it" in push(clone, "--delete", "main").stderr
    assert on_server(server) == before


def test_a_deletion_is_refused_whatever_the_pusher_says_was_there(memory: Memory) -> None:
    with Repository.open(str(memory.top), os.environ) as repository:
        assert "nobody deletes it" in refusal(repository, Update("", "", "refs/heads/main"))


def test_globs_name_branches_by_their_short_or_full_name() -> None:
    assert is_protected("refs/heads/main", ["main"])
    assert is_protected("refs/heads/release/1", ["refs/heads/release/*"])
    assert not is_protected("refs/heads/release/1/x", ["release/*"])
    assert not is_protected("refs/tags/main", ["**"])
    assert not is_protected("refs/heads/main", [])


def test_without_a_setting_an_unborn_head_protects_its_branch_too(tmp_path: Path) -> None:
    made = Memory.create(tmp_path / "new.git", "--bare")
    with Repository.open(str(made.top), os.environ) as repository:
        assert protected(repository) == ("main",)
        made.git("config", "wbmem.protected", "")
        assert protected(repository) == ()


def test_updates_are_read_as_git_writes_them() -> None:
    zero, one = "0" * 40, "1" * 40
    assert updates_of(f"{zero} {one} refs/heads/a\n{one} {zero} refs/heads/b\n") == [
        Update("", one, "refs/heads/a"),
        Update(one, "", "refs/heads/b"),
    ]


# --- when something is gone ---------------------------------------------------------------------------


def test_a_hook_whose_python_is_gone_refuses_and_says_what_to_do(clone: Memory, server: Memory) -> None:
    hook = server.top / "hooks/pre-receive"
    lines = hook.read_text().split("\n")
    hook.write_text("\n".join("python=/gone/python" if x.startswith("python=") else x for x in lines))
    before = on_server(server)
    clone.commit({"notes.md": "x\n"}, "notes")
    done = push(clone)
    assert done.returncode == 1
    assert "wbmem hooks install --server" in done.stderr
    assert on_server(server) == before


def test_a_repository_that_can_t_be_read_refuses(clone: Memory, server: Memory) -> None:
    blob = server.git("rev-parse", "main:PLAN.md")
    path = server.top / "objects" / blob[:2] / blob[2:]
    path.unlink()
    clone.commit({"PLAN.md": board(card("A"), card("B", "Next: call the owner of the ticket"))}, "edit")
    done = push(clone, "--no-thin", "main")
    assert done.returncode == 1
    assert f"wbmem: object {blob}" in done.stderr


# --- Gerrit -------------------------------------------------------------------------------------------


def test_the_script_for_gerrit_asks_the_hook(clone: Memory, server: Memory, tmp_path: Path) -> None:
    """As its manual says: options with values, GIT_DIR the project's, the objects there already."""
    page = (CHECKOUT / "docs/server.md").read_text(encoding="utf-8")
    script = tmp_path / "ref-update"
    script.write_text("#!/bin/sh" + page.partition("#!/bin/sh")[2].partition("```")[0])
    old = clone.head()
    good = clone.commit({"notes.md": "x\n"}, "notes")
    bad = clone.commit({"PLAN.md": ONLY_A}, "tidy up")
    server.git("fetch", "-q", str(clone.top), "main")

    def ask(*options: str) -> int:
        done = subprocess.run(
            ["sh", str(script), *options],
            env={**os.environ, "GIT_DIR": str(server.top)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert "Traceback" not in done.stderr
        return done.returncode

    where = ("--project", "notes", "--refname", "refs/heads/main", "--uploader", "Ada")
    assert ask(*where, "--oldrev", old, "--newrev", good) == 0
    assert ask(*where, "--oldrev", old, "--newrev", bad) == 1
    assert ask(*where, "--oldrev", old, "--newrev", "0" * 40) == 1
    assert ask("--project", "notes", "--branch", "main", "--submitter", "Ada", "--commit", good) == 0
    assert ask("--project", "notes", "--branch", "main", "--submitter", "Ada", "--commit", bad) == 1
