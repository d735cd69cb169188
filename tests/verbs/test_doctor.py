"""`wbmem doctor`: what isn't active here and why, each with a next step, and nothing is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from doctored import NOW_S, THROWN_AWAY, look, worse
from hooks.gated import gate
from memory import Memory
from pages import SETTINGS, board, card

from wbmem_git.resources import template
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.doctor.doctor import doctor
from wbmem_git.verbs.hooks.install import install
from wbmem_git.verbs.hooks.scripts import Origin, this_installation
from wbmem_git.workspace import Workspace


@pytest.fixture
def gated(memory: Memory) -> Memory:
    with (memory.top / ".git/info/exclude").open("a") as file:
        file.write("/index.json\n/events.jsonl\n")
    return gate(memory)


def test_a_sound_memory_has_nothing_to_mend(gated: Memory) -> None:
    facts = look(gated)
    assert [fact for fact in facts if fact.level != "ok"] == []
    told = {"git", "memory", "identity", "history", "sidecar", "hooks", "merge"}
    assert {fact.about for fact in facts} == told


@pytest.mark.parametrize(
    ("config", "level", "said"),
    [
        ("--remove-section", "bad", "git merges pages by lines here"),
        ("--unset", "bad", "merge.wbmem has no driver: git stops at every merge that needs one"),
        ("my-merge %A %O %B", "warn", "merge.wbmem.driver is my-merge %A %O %B, which wbmem didn't write"),
    ],
)
def test_a_merge_driver_that_isnt_ours_is_told(config: str, level: str, said: str, gated: Memory) -> None:
    section, key = "merge.wbmem", "merge.wbmem.driver"
    words = {"--unset": ("--unset", key), "--remove-section": ("--remove-section", section)}
    gated.git("config", *words.get(config, (key, config)))
    (fact,) = worse(look(gated), "merge")
    assert fact.level == level
    assert said in fact.message
    if level == "bad":
        with Repository.open(str(gated.top), os.environ) as repository:
            install(repository, {})
        assert worse(look(gated), "merge") == []


def test_a_driver_that_is_given_no_file_is_told(gated: Memory) -> None:
    (gated.top / ".git/info/attributes").write_text("PLAN.md merge=union\n")
    (fact,) = worse(look(gated), "merge")
    assert fact.message.startswith("PLAN.md, MEMORY.md")


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        ("removed", "pre-commit, pre-merge-commit"),
        ("one removed", "commit-msg: not installed"),
        ("foreign", "pre-push: another tool's hook stands there alone"),
        ("not executable", "pre-commit: not executable"),
        ("another release", "post-merge: written by another release"),
    ],
)
def test_a_hook_that_isnt_active_is_named(happens: str, said: str, gated: Memory) -> None:
    hooks = gated.top / ".git/hooks"
    if happens == "removed":
        for hook in hooks.iterdir():
            hook.unlink()
    elif happens == "one removed":
        (hooks / "commit-msg").unlink()
    elif happens == "foreign":
        (hooks / "pre-push").write_text("#!/bin/sh\n")
    elif happens == "not executable":
        (hooks / "pre-commit").chmod(0o644)
    else:
        (hooks / "post-merge").write_text((hooks / "post-merge").read_text() + "#\n")
    (fact,) = worse(look(gated), "hooks")
    assert said in fact.message
    assert fact.next == "wbmem hooks install"
    assert fact.level == ("warn" if happens == "another release" else "bad")


def test_an_interpreter_that_is_gone_is_told(gated: Memory, tmp_path: Path) -> None:
    gone = Origin(str(tmp_path / "gone/python"), this_installation().main)
    with Repository.open(str(gated.top), os.environ) as repository:
        install(repository, {}, gone)
    (fact,) = worse(look(gated), "hooks")
    assert fact.level == "bad"
    assert f"{gone.python} is gone" in fact.message


def test_an_environment_that_is_thrown_away_is_told(gated: Memory) -> None:
    environment = str(Path(sys.executable).parent.parent)
    (fact,) = worse(look(gated, {"UV_CACHE_DIR": environment}), "hooks")
    assert fact.level == "warn"
    assert THROWN_AWAY in fact.message


def test_a_hooks_folder_that_others_share_is_told(
    gated: Memory, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "gitconfig"
    config.write_text("[core]\n\thooksPath = /somewhere/shared\n")
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(config))
    (fact,) = worse(look(gated), "hooks")
    assert "core.hooksPath is /somewhere/shared" in fact.message
    assert "git config --local core.hooksPath" in fact.next


# --- the memory itself ------------------------------------------------------------------------------


def test_a_repository_that_is_no_memory_is_told(memory: Memory) -> None:
    memory.commit({"PLAN.md": "# Plan\n"})
    (fact,) = worse(look(memory), "memory")
    assert fact.next == "wbmem init"


def test_a_folder_without_a_repository_is_told(tmp_path: Path) -> None:
    (git, repository) = doctor(str(tmp_path), os.environ, NOW_S)
    assert (git.level, repository.level) == ("ok", "bad")


@pytest.mark.parametrize("committed", [True, False])
def test_settings_that_cant_be_read_are_told_with_their_line(committed: bool, gated: Memory) -> None:
    broken = f"{SETTINGS}agnets: []\n"
    if committed:
        gated.commit({"wbmem.yaml": broken})
    else:
        gated.write("wbmem.yaml", broken)
    (fact,) = worse(look(gated), "settings")
    assert "wbmem.yaml:3" in fact.message
    assert "agents" in fact.message + fact.next


def test_an_identity_that_git_lacks_is_told(gated: Memory) -> None:
    gated.git("config", "--unset", "user.email")
    gated.git("config", "user.useConfigOnly", "true")
    (fact,) = worse(look(gated), "identity")
    assert "user.email" in fact.next


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({}, "as human: "),
        ({"CLAUDECODE": "1"}, "as agent: the shell of Claude Code"),
        ({"WBMEM_ACTOR": "human", "CLAUDECODE": "1"}, "as human: WBMEM_ACTOR=human"),
    ],
)
def test_as_whom_one_commits_here_is_told(variables: dict[str, str], said: str, gated: Memory) -> None:
    (fact,) = [fact for fact in look(gated, variables) if fact.about == "identity"]
    assert said in fact.message


def test_an_actor_that_nobody_knows_is_told(gated: Memory) -> None:
    (fact,) = worse(look(gated, {"WBMEM_ACTOR": "robot"}), "identity")
    assert "WBMEM_ACTOR" in fact.message


def test_a_shallow_clone_is_told(gated: Memory, tmp_path: Path) -> None:
    gated.commit({"notes.md": "x\n"})
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth=1", f"file://{gated.top}", str(shallow)], check=True)
    (fact,) = worse(look(Memory(shallow)), "history")
    assert "fetch more history" in fact.next


# --- around it --------------------------------------------------------------------------------------


@pytest.fixture
def around(gated: Memory) -> Memory:
    return Memory.create(gated.top.parent)


def test_an_outer_repository_that_would_pick_it_up_is_told(gated: Memory, around: Memory) -> None:
    (fact,) = worse(look(gated), "outer")  # BUGS A16
    assert fact.level == "warn"
    (around.top / ".git/info/exclude").write_text("/handoff/\n")
    assert worse(look(gated), "outer") == []


def test_a_gitlink_is_told_and_the_way_out_keeps_the_files(gated: Memory, around: Memory) -> None:
    around.git("-c", "advice.addEmbeddedRepo=false", "add", "-A")  # BUGS A16
    around.git("commit", "-qm", "swept in")
    (fact,) = worse(look(gated), "outer")
    assert "gitlink" in fact.message
    subprocess.run(["sh", "-c", fact.next.partition(", then")[0]], check=True)
    around.git("commit", "-qm", "let go")
    assert gated.read("PLAN.md") == board(card("A"), card("B"))
    assert [fact.level for fact in worse(look(gated), "outer")] == ["warn"]


def test_files_that_an_outer_repository_tracks_are_told_and_kept(memory: Memory) -> None:
    memory.write("PLAN.md", board(card("A"), card("B")))
    around = Memory.create(memory.top.parent)
    git_folder = memory.top / ".git"
    git_folder.rename(memory.top.parent.parent / "aside")
    around.git("add", "-A")
    around.git("commit", "-qm", "tracks them")
    (memory.top.parent.parent / "aside").rename(git_folder)
    gated = gate(memory)
    (fact,) = worse(look(gated), "outer")
    assert "tracks 1 file of handoff" in fact.message
    subprocess.run(["sh", "-c", fact.next.partition(", then")[0]], check=True)
    assert around.git("ls-files") == ""
    assert gated.read("PLAN.md") == board(card("A"), card("B"))


# --- the framework ----------------------------------------------------------------------------------


def frame(memory: Memory, *types: str) -> None:
    memory.commit({".pre-commit-config.yaml": template("pre-commit-config.yaml")})
    command = [sys.executable, "-m", "pre_commit", "install"]
    options = [word for name in types for word in ("-t", name)]
    subprocess.run([*command, *options], cwd=memory.top, check=True, stdout=subprocess.DEVNULL)


def test_the_framework_without_its_types_is_told(memory: Memory) -> None:  # BUGS E2
    memory.commit({"wbmem.yaml": SETTINGS})
    frame(memory, "pre-commit")
    (fact,) = worse(look(memory), "framework")
    assert "post-commit" in fact.message
    assert "-t pre-merge-commit" in fact.next


def test_the_whole_framework_stands_in_for_the_native_hooks(memory: Memory) -> None:
    memory.commit({"wbmem.yaml": SETTINGS})
    frame(memory)
    facts = look(memory)
    assert worse(facts, "framework") == []
    stood_in = next(fact.message for fact in facts if "stands in for" in fact.message)
    assert "post-rewrite" in stood_in
    assert "post-applypatch" not in stood_in
    (fact,) = worse(facts, "hooks")
    assert (fact.level, fact.next) == ("warn", "wbmem hooks install")
    assert fact.message.startswith("post-applypatch isn't there, and the framework has none")


def test_our_own_hooks_are_not_taken_for_the_frameworks(gated: Memory) -> None:
    gated.commit({".pre-commit-config.yaml": template("pre-commit-config.yaml")})
    hooks = (gated.top / ".git/hooks").iterdir()
    assert any(b"generated by pre-commit" in hook.read_bytes() for hook in hooks)
    assert [fact for fact in look(gated) if "framework is installed" in fact.message] == []


def test_a_hook_that_skip_leaves_out_is_told(gated: Memory) -> None:
    frame(gated)
    (fact,) = worse(look(gated, {"SKIP": "flake8,wbmem-gate"}), "framework")
    assert "wbmem-gate" in fact.message


@pytest.mark.parametrize(
    ("happens", "level", "said"),
    [
        ("nothing", "ok", "sidecar.sqlite isn't there"),
        ("asked", "ok", "sidecar.sqlite is at HEAD"),
        ("committed", "ok", ": the next question brings it to HEAD"),
        ("a file for its folder", "bad", "wbmem is no folder"),
        ("a folder for it", "bad", "sidecar.sqlite is a folder"),
        ("shut", "bad", "couldn't be written several times"),
    ],
)
def test_the_sidecar_is_told_of(happens: str, level: str, said: str, gated: Memory) -> None:
    folder = gated.top / ".git/wbmem"
    with Workspace(str(gated.top), {}) as space:
        if happens in {"asked", "committed"}:
            space.index_state()
    if happens == "committed":
        gated.commit({"PLAN.md": board(card("Later"))})
    elif happens == "a file for its folder":
        shutil.rmtree(folder, ignore_errors=True)
        folder.write_text("")
    elif happens == "a folder for it":
        (folder / "sidecar.sqlite/in the way").mkdir(parents=True)
    elif happens == "shut":
        head = gated.git("rev-parse", "HEAD")
        folder.mkdir(exist_ok=True)
        (folder / "sidecar.failures").write_text("".join(f"{at}.0 {head}\n" for at in range(3)))
    (fact,) = (fact for fact in look(gated) if fact.about == "sidecar")
    assert fact.level == level
    assert str(folder) in fact.message
    assert said in fact.message


def test_a_tracked_view_is_told_of(gated: Memory) -> None:
    gated.write("index.json", "{}\n")
    gated.git("add", "-f", "index.json")
    gated.commit({}, "frozen")
    (fact,) = worse(look(gated), "views")
    assert fact.message.startswith("index.json is tracked by git")


def test_a_folder_in_a_views_place_is_told_of(gated: Memory) -> None:
    (gated.top / "index.json").unlink(missing_ok=True)
    (gated.top / "index.json").mkdir()
    (fact,) = worse(look(gated), "views")
    assert fact.message.startswith("index.json is no plain file")
