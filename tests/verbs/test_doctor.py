"""`wbmem doctor`: what isn't active here and why, each with a next step, and nothing is changed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from doctored import NOW_S, THROWN_AWAY, look, told, worse
from hooks.gated import gate
from memory import Memory
from pages import SETTINGS, board, card
from privileges import bound_by_modes

from wbmem_git.resources import template
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.doctor.around import swallowed
from wbmem_git.verbs.doctor.doctor import doctor
from wbmem_git.verbs.hooks.install import install
from wbmem_git.verbs.hooks.scripts import Origin, this_installation
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from wbmem_git.verbs.doctor.facts import Fact


@pytest.fixture
def gated(memory: Memory) -> Memory:
    with (memory.top / ".git/info/exclude").open("a") as file:
        file.write("/index.json\n/events.jsonl\n")
    return gate(memory)


def test_a_sound_memory_has_nothing_to_mend(gated: Memory) -> None:
    facts = look(gated)
    assert [fact for fact in facts if fact.level != "ok"] == []
    looked_at = {"git", "memory", "identity", "history", "sidecar", "hooks", "merge"}
    assert {fact.about for fact in facts} == looked_at


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
    assert "no memory here" in repository.message


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
    let_go(fact)
    assert around.git("ls-files") == ""
    assert gated.read("PLAN.md") == board(card("A"), card("B"))


def let_go(fact: Fact) -> None:
    subprocess.run(["sh", "-c", fact.next.partition(", then")[0]], check=True)


def test_a_memory_whose_git_folder_is_gone_is_told_with_the_repository_that_answers(
    gated: Memory, around: Memory
) -> None:
    (gated.top / ".git").rename(gated.top.parent.parent / "aside")
    (fact,) = worse(look(gated), "outer")
    assert fact.level == "bad"
    assert f"what is committed there goes into {around.top}, ungated" in fact.message
    assert f"put that one's .git back as {gated.top / '.git'}" in fact.next
    around.git("add", "-A")
    (fact,) = worse(look(gated), "outer")
    assert fact.message.endswith("it tracks 2 files of handoff")
    let_go(fact)
    assert around.git("ls-files") == ""
    (gated.top.parent.parent / "aside").rename(gated.top / ".git")
    assert [fact.level for fact in worse(look(gated), "outer")] == ["warn"]


def test_a_memory_whose_git_folder_is_gone_where_no_repository_is_around(gated: Memory) -> None:
    (gated.top / ".git").rename(gated.top.parent.parent / "aside")
    (fact,) = worse(look(gated), "repository")
    assert "no repository" in fact.message
    assert "wbmem init begins a new one with these files" in fact.next


@pytest.mark.parametrize(
    ("happens", "said"),
    [
        ("empty", ".git is there, and git takes it for no repository"),
        ("no head", ".git is there, and git takes it for no repository"),
        ("names a folder", "/nowhere/at/all, and nothing is there"),
        ("config", "bad config line"),
    ],
)
@pytest.mark.parametrize("has_outer", [True, False])
def test_a_repository_that_git_cant_open_is_told(
    happens: str, said: str, has_outer: bool, gated: Memory
) -> None:
    if has_outer:
        Memory.create(gated.top.parent)
    git_dir = gated.top / ".git"
    if happens == "config":
        (git_dir / "config").write_text("[broken\n")
    elif happens == "no head":
        (git_dir / "HEAD").unlink()
    else:
        git_dir.rename(gated.top.parent.parent / "aside")
        git_dir.mkdir() if happens == "empty" else git_dir.write_text("gitdir: /nowhere/at/all\n")
    (fact,) = worse(look(gated), "repository")
    assert fact.level == "bad"
    assert said in fact.message


def as_submodule(around: Memory, url: str, *options: str) -> None:
    around.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", *options, url, "handoff")
    around.git("commit", "-qm", "as a submodule")


def test_a_submodule_is_none_of_doctors_faults_while_a_branch_is_checked_out(tmp_path: Path) -> None:
    origin = gate(Memory.create(tmp_path / "origin"))
    around = Memory.create(tmp_path / "project")
    as_submodule(around, str(origin.top))
    memory = Memory(around.top / "handoff")
    (fact,) = told(look(memory), "outer")
    assert (fact.level, fact.message) == ("ok", f"{around.top} has handoff as a submodule")
    memory.git("checkout", "-q", "--detach")
    (fact,) = worse(look(memory), "head")
    assert (fact.level, "HEAD is detached" in fact.message) == ("bad", True)
    assert "on none" not in fact.message
    subprocess.run(["sh", "-c", fact.next.partition(" (")[0]], check=True)
    assert worse(look(memory), "head") == []


def test_a_commit_on_no_branch_is_told_and_the_way_out_keeps_it(gated: Memory) -> None:
    gated.git("checkout", "-q", "--detach")
    loose = gated.commit({"x.txt": "x"})
    (fact,) = worse(look(gated), "head")
    assert fact.level == "bad"
    assert f"{loose[:12]} is on none" in fact.message
    subprocess.run(["sh", "-c", fact.next.partition(" goes")[0].replace("NAME", "mine")], check=True)
    assert worse(look(gated), "head") == []
    assert gated.git("rev-parse", "mine") == loose


def test_a_rebase_that_goes_on_is_no_detached_head(gated: Memory) -> None:
    gated.commit({"x.txt": "x"})
    gated.git("-c", "sequence.editor=sed -i s/^pick/edit/", "rebase", "-q", "-i", "HEAD~1")
    (fact,) = worse(look(gated), "head")
    assert (fact.level, "a rebase" in fact.message) == ("warn", True)


def test_a_gitlink_beside_another_submodule_is_still_told(gated: Memory, around: Memory) -> None:
    (around.top / ".gitmodules").write_text('[submodule "lib"]\n\tpath = lib\n\turl = ../lib\n')
    around.git("-c", "advice.addEmbeddedRepo=false", "add", "-A")
    (fact,) = worse(look(gated), "outer")
    assert "as a gitlink without a submodule" in fact.message


@pytest.mark.parametrize("is_submodule", [True, False])
def test_a_clone_that_got_no_memory_is_told(is_submodule: bool, tmp_path: Path) -> None:
    origin = gate(Memory.create(tmp_path / "origin"))
    around = Memory.create(tmp_path / "project")
    if is_submodule:
        as_submodule(around, str(origin.top))
    else:
        subprocess.run(["git", "clone", "-q", str(origin.top), str(around.top / "handoff")], check=True)
        around.git("-c", "advice.addEmbeddedRepo=false", "add", "handoff")
        around.git("commit", "-qm", "swept in")
    clone = Memory(tmp_path / "clone")
    subprocess.run(["git", "clone", "-q", str(around.top), str(clone.top)], check=True)
    assert [*(clone.top / "handoff").iterdir()] == []
    (clone.top / "src").mkdir()
    for place in (clone.top, clone.top / "src", clone.top / "handoff"):
        (fact,) = swallowed(str(place), os.environ)
        assert fact.level == "bad"
    way = fact.next if is_submodule else fact.next.partition(" brings")[0].replace("URL", str(origin.top))
    allowed = {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "protocol.file.allow",
        "GIT_CONFIG_VALUE_0": "always",
    }
    subprocess.run(["sh", "-c", way], check=True, env={**os.environ, **allowed}, capture_output=True)
    assert (clone.top / "handoff/PLAN.md").exists()


def test_a_folder_that_nobody_swallowed_is_none_of_doctors(tmp_path: Path) -> None:
    around = Memory.create(tmp_path / "project")
    around.commit({"handoff/notes.md": "x\n"})
    assert list(swallowed(str(around.top), os.environ)) == []
    assert list(swallowed(str(tmp_path), os.environ)) == []


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


def asked(memory: Memory) -> Path:
    """Have the sidecar built and its views written; its file."""
    with Workspace(str(memory.top), {}) as space:
        space.index_state()
    return memory.top / ".git/wbmem/sidecar.sqlite"


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no database", "is no sidecar"),
        (
            b"SQLite format 3\0" + bytes(44) + (3).to_bytes(4) + bytes(40),
            ".sqlite was written by another version of wbmem",
        ),
        (None, "is damaged, or was written by another version"),
    ],
)
def test_a_sidecar_that_cant_be_read_is_told_and_built_anew(
    data: bytes | None, said: str, gated: Memory
) -> None:
    path = asked(gated)
    path.write_bytes(data if data is not None else path.read_bytes())  # whatever writes leaves another time
    (fact,) = worse(look(gated), "sidecar")
    assert said in fact.message
    assert fact.next == "wbmem index --rebuild"
    asked(gated)
    assert worse(look(gated), "sidecar") == []


def test_a_sidecar_of_another_repository_is_told_and_built_anew(gated: Memory, tmp_path: Path) -> None:
    other = gate(Memory.create(tmp_path / "other"))
    other.commit({"PLAN.md": board(card("Elsewhere"))})
    path = asked(gated)
    shutil.copy2(asked(other), path)
    (fact,) = worse(look(gated), "sidecar")
    assert f"is of commit {other.head()[:12]}, which isn't in this repository" in fact.message
    asked(gated)
    assert worse(look(gated), "sidecar") == []


def test_a_sidecar_behind_a_reset_is_told(gated: Memory) -> None:
    before = gated.head()
    gated.commit({"PLAN.md": board(card("Later"))})
    asked(gated)
    gated.git("update-ref", "HEAD", before)
    (fact,) = told(look(gated), "sidecar")
    assert (fact.level, "isn't in HEAD's history any more" in fact.message) == ("ok", True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("place", ["sidecar.sqlite", "sidecar.lock", "."])
def test_what_belongs_to_another_user_is_told_where_it_is_in_the_way(place: str, gated: Memory) -> None:
    folder = asked(gated).parent
    os.chown(folder / place, 12345, 12345)
    (folder / place).chmod(0o755 if place == "." else 0o644)
    os.chown(folder / "sidecar.sqlite", 12345, 12345)
    with bound_by_modes():
        found = worse(look(gated), "sidecar")
        if place == "sidecar.sqlite":  # who may write the folder puts another one in its place
            assert found == []
            gated.commit({"notes.md": "x\n"})
            asked(gated)
            assert (folder / place).stat().st_uid == os.geteuid()
            return
    (fact,) = found
    assert fact.level == "bad"
    assert "can't be written (it belongs to user 12345)" in fact.message


@pytest.mark.parametrize(("name", "text"), [("index.json", "{}\n"), ("events.jsonl", None)])
def test_a_stale_view_is_told_and_wbmem_index_mends_it(name: str, text: str | None, gated: Memory) -> None:
    asked(gated)
    assert worse(look(gated), "views") == []
    if text is None:
        (gated.top / name).unlink()
    else:
        gated.write(name, text)
    (fact,) = worse(look(gated), "views")
    assert fact.message.startswith(f"{name} isn't {'there' if text is None else 'what HEAD says'}")
    assert fact.next == "wbmem index"
    asked(gated)
    assert worse(look(gated), "views") == []


def test_a_view_that_git_would_commit_is_told(memory: Memory) -> None:
    names = {fact.message.partition(" ")[0] for fact in worse(look(gate(memory)), "views")}
    assert names == {"index.json", "events.jsonl"}


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
