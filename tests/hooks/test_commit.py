"""`git commit` through the native hooks: what passes, what is refused, what is told, what is left behind."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hooks.gated import (
    AS_AGENT,
    IN_AGENTS_SHELL,
    count_starts,
    drop_b,
    git_dir,
    hooks_folder,
    install_hooks,
    journal,
    mark,
    refused,
    stamp,
    tree,
)
from pages import SETTINGS, board, card, id_of

from wbmem_git.rules.credentials import credentials_in
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.audit import audit
from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.hooks.scripts import Origin, script, this_installation
from wbmem_hooks import environment
from wbmem_hooks.gating import gate_commit
from wbmem_hooks.here import here

if TYPE_CHECKING:
    from memory import Memory

    from wbmem_git.model import Verdict

THREE = board(card("A"), card("B"), card("C"))


def before_ours(memory: Memory, hook: str, command: str) -> None:
    """A hook that was there before ours."""
    path = hooks_folder(memory) / f"{hook}.before-wbmem"
    path.write_text(f"#!/bin/sh\n{command}\n")
    path.chmod(0o755)


def this_door(name: str) -> list[str]:
    origin = this_installation()
    return [origin.python, origin.main, name]


def verdict_of_head(memory: Memory) -> Verdict:
    """What history says of the last commit."""
    with Repository.open(str(memory.top), os.environ) as repository:
        return Gate(repository).judge_commit(repository.commit(repository.head())).verdict


def test_a_legal_commit_passes_without_a_word(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    done = gated.try_git("commit", "-qam", "a card")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert stamp(gated) is None


def test_a_card_that_vanishes_is_refused_and_named(gated: Memory) -> None:
    head = gated.git("rev-parse", "HEAD")
    drop_b(gated)
    said = refused(gated.try_git("commit", "-qam", "tidy"), "C2")
    assert '"B"' in said
    assert "PLAN.md" in said
    assert gated.git("rev-parse", "HEAD") == head


@pytest.mark.parametrize("how", ["delete", "rename", "empty"])
def test_the_board_itself_cant_go(how: str, gated: Memory) -> None:  # BUGS E1
    if how == "delete":
        gated.git("rm", "-q", "PLAN.md")
    elif how == "rename":
        gated.git("mv", "PLAN.md", "OLD.md")
    else:
        gated.write("PLAN.md", "")
        gated.git("add", "PLAN.md")
    refused(gated.try_git("commit", "-qm", "away"), "C2")


def test_a_path_commit_answers_for_its_own_path_only(gated: Memory) -> None:  # BUGS A1
    gated.write("notes.md", "good\n")
    drop_b(gated)
    gated.git("add", "-A")
    gated.write("notes.md", "better\n")
    gated.git("commit", "-qm", "notes", "--", "notes.md")
    assert "### B" in gated.git("show", "HEAD:PLAN.md")
    gated.git("checkout", "HEAD", "--", "PLAN.md")
    drop_b(gated)
    said = refused(gated.try_git("commit", "-qm", "plan", "--", "PLAN.md"), "C2")
    assert '"B"' in said


def test_only_some_paths_while_others_are_staged(gated: Memory) -> None:  # BUGS A3
    gated.commit({"log/2026-01-01.md": "- began\n"})
    gated.write("MEMORY.md", "# Memory\n")
    gated.write("log/2026-01-01.md", "- began\n- more\n")
    gated.git("add", "-A")
    gated.write("PLAN.md", THREE)
    done = gated.try_git("commit", "--only", "PLAN.md", "-qm", "x")
    assert (done.returncode, done.stderr) == (0, "")
    drop_b(gated)
    refused(gated.try_git("commit", "--only", "PLAN.md", "-qm", "x"), "C2")


@pytest.mark.parametrize("options", [("-qm", "outer"), ("-qam", "outer")])
def test_the_hook_of_an_outer_repository_commits_here(  # BUGS A4
    options: tuple[str, ...], gated: Memory
) -> None:
    outer = type(gated).create(gated.top.parent)
    outer.write(".gitignore", "/handoff/\n")
    outer.commit({"code.py": "print()\n"})
    hook = outer.top / ".git/hooks/pre-commit"
    hook.write_text(
        "#!/bin/sh\nunset $(git rev-parse --local-env-vars)\ncd handoff && echo '<!-- log -->' >>PLAN.md"
        " && git add PLAN.md && git commit -qm auto\n"
    )
    hook.chmod(0o755)
    outer.write("code.py", "print(1)\n")
    outer.git("add", "-A")
    outer.git("commit", *options)
    assert gated.git("log", "-1", "--format=%s") == "auto"
    assert gated.git("status", "--porcelain") == ""
    assert outer.git("show", "--name-only", "--format=%s") == "outer\n\ncode.py"


def test_the_first_commit_and_an_orphan_branch(memory: Memory) -> None:  # BUGS A6
    install_hooks(memory)
    memory.write("wbmem.yaml", SETTINGS)
    memory.write("PLAN.md", board(card("A")))
    memory.git("add", "-A")
    assert memory.try_git("commit", "-qm", "first").stderr == ""
    assert memory.try_git("commit", "-q", "--amend", "-m", "first again").stderr == ""
    memory.git("checkout", "-q", "--orphan", "other")
    memory.write("PLAN.md", board(card("X")))
    memory.git("add", "-A")
    assert memory.try_git("commit", "-qm", "nothing can vanish here").stderr == ""


def test_an_amend_is_compared_with_the_commit_that_it_replaces(gated: Memory) -> None:  # BUGS A7
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "three")
    assert gated.try_git("commit", "-q", "--amend", "-m", "another message").returncode == 0
    gated.write("PLAN.md", board(card("A"), card("B")))
    said = refused(gated.try_git("commit", "-qa", "--amend", "--no-edit"), "C2")
    assert "the commit that --amend replaces" in said
    gated.git("reset", "-q", "--soft", "HEAD~1")
    gated.git("add", "PLAN.md")
    assert gated.try_git("commit", "-q", "--allow-empty", "-m", "C was never in HEAD").returncode == 0


def test_names_that_git_quotes_are_judged_like_others(gated: Memory) -> None:  # BUGS A12
    pages = ("计划 一.md", 'a "quote".md', "line\nbreak.md", "-dash.md", "日志/2026-01-05 会议.md", "🚀.md")
    gated.commit({"wbmem.yaml": f"{SETTINGS}boards: ['PLAN.md', '**/*.md']\n"})
    text = {page: f"# P\n\n## Doing\n\n{card('A' + page[-6:-3], page=page)}" for page in pages}
    for page, content in text.items():
        gated.write(page, content)
        gated.git("add", "-A")
        done = gated.try_git("commit", "-qm", "page")
        assert done.returncode == 0, done.stderr
        gated.write(page, "# P\n\n## Doing\n")
        gated.git("add", "-A")
        refused(gated.try_git("commit", "-qm", "gone"), "C2")
        gated.git("reset", "-q", "--hard")


def test_many_agents_commit_ledgers_at_once_and_each_says_whether_it_did(gated: Memory) -> None:  # BUGS A14
    script = 'git add "$1" && git commit -qm "$1" -- "$1"'
    names = [f"log/2026-01-{n:02}.md" for n in range(1, 9)]
    for name in names:
        gated.write(name, f"- {name}\n")
    running = [
        subprocess.Popen(
            ["sh", "-c", script, "sh", name], cwd=gated.top, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
        )
        for name in names
    ]
    said_yes = [name for name, process in zip(names, running, strict=True) if process.wait() == 0]
    for process in running:
        assert process.stderr is not None
        process.stderr.close()
    landed = gated.git("ls-tree", "-r", "--name-only", "HEAD", "log/").split()
    assert sorted(landed) == said_yes
    assert gated.git("fsck", "--strict", "--no-dangling") == ""


def test_signing_that_fails_claims_no_commit(gated: Memory) -> None:  # BUGS A18
    gated.git("config", "commit.gpgsign", "true")
    gated.git("config", "gpg.program", "false")
    before, marked = gated.git("rev-parse", "HEAD"), mark(gated)
    gated.write("PLAN.md", THREE)
    assert gated.try_git("commit", "-qam", "signed").returncode == 128
    assert gated.git("rev-parse", "HEAD") == before
    assert mark(gated) in {marked, before}
    gated.git("config", "commit.gpgsign", "false")
    assert gated.try_git("commit", "-qam", "unsigned").returncode == 0
    assert mark(gated) == gated.git("rev-parse", "HEAD")


@pytest.mark.parametrize("index", ["split", "sparse", "version 4"])
def test_an_index_that_libraries_cant_read_is_gated(index: str, gated: Memory) -> None:  # BUGS B1
    if index == "split":
        gated.git("update-index", "--split-index")
    elif index == "sparse":
        gated.git("sparse-checkout", "set", "--cone", "--sparse-index", "log")
    else:
        gated.git("update-index", "--index-version", "4")
    drop_b(gated)
    refused(gated.try_git("commit", "-qam", "x"), "C2")


def test_another_tools_hooks_run_beside_the_gate(gated: Memory) -> None:  # BUGS B3
    kept = hooks_folder(gated) / "commit-msg.before-wbmem"
    kept.write_text('#!/bin/sh\ngrep -q "^plan:" "$1"\n')
    kept.chmod(0o755)
    gated.write("PLAN.md", THREE)
    assert gated.try_git("commit", "-qam", "x").returncode != 0
    assert gated.try_git("commit", "-qam", "plan: x").returncode == 0


def test_without_an_identity_git_says_so_and_nobody_tracebacks(  # BUGS B5
    gated: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    gated.git("config", "--unset", "user.name")
    gated.git("config", "--unset", "user.email")
    gated.git("config", "user.useConfigOnly", "true")
    gated.write("PLAN.md", THREE)
    done = gated.try_git("commit", "-qam", "x")
    assert done.returncode == 128
    assert "Traceback" not in done.stderr
    for who in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{who}_NAME", "Eve")
        monkeypatch.setenv(f"GIT_{who}_EMAIL", "eve@example.org")
    assert gated.try_git("commit", "-qam", "x").stderr == ""
    assert gated.git("log", "-1", "--format=%an") == "Eve"


def test_line_ends_that_git_converts_change_no_verdict(gated: Memory) -> None:  # BUGS B6
    gated.git("config", "core.autocrlf", "true")
    gated.write("PLAN.md", THREE.replace("\n", "\r\n"))
    assert gated.try_git("commit", "-qam", "crlf").returncode == 0
    gated.write("PLAN.md", board(card("A"), card("C")).replace("\n", "\r\n"))
    refused(gated.try_git("commit", "-qam", "crlf"), "C2")


def test_the_gate_edits_nothing_and_says_the_same_after_a_fixer(gated: Memory) -> None:  # BUGS E6
    body = "Next: do it  \n\tthen that   "
    gated.write("PLAN.md", board(card("A"), card("B"), card("C", body)).rstrip("\n"))
    before = gated.read("PLAN.md")
    assert gated.try_git("commit", "-qam", "as typed").stderr == ""
    assert gated.read("PLAN.md") == before
    gated.write("PLAN.md", "\n".join(line.rstrip() for line in before.split("\n")) + "\n")
    assert gated.try_git("commit", "-qam", "as a fixer leaves it").stderr == ""


def test_a_file_name_that_no_windows_takes_or_a_secret_in_it_never_crashes(gated: Memory) -> None:  # BUGS A17
    gated.write("2023-04-03T10:34:39.369Z.md", "x\n")
    gated.git("add", "-A")
    assert gated.try_git("commit", "-qm", "x").returncode == 0


def test_a_memory_of_a_shallow_clone_takes_commits(gated: Memory, tmp_path: Path) -> None:
    for text in (THREE, board(card("A"), card("B"), card("C"), card("D"))):
        gated.write("PLAN.md", text)
        gated.git("commit", "-qam", "more")
    subprocess.run(
        ["git", "clone", "-q", "--depth=1", f"file://{gated.top}", str(tmp_path / "shallow")], check=True
    )
    clone = type(gated)(tmp_path / "shallow")
    clone.git("config", "user.name", "Ada")
    clone.git("config", "user.email", "ada@example.org")
    install_hooks(clone)
    clone.write("notes.md", "x\n")
    clone.git("add", "-A")
    assert clone.try_git("commit", "-qm", "x").stderr == ""


def test_a_repository_that_is_no_memory_is_left_in_peace(memory: Memory) -> None:
    install_hooks(memory)
    memory.write("PLAN.md", "### A\n")
    memory.git("add", "-A")
    assert memory.try_git("commit", "-qm", "x").stderr == ""
    memory.git("rm", "-q", "PLAN.md")
    assert memory.try_git("commit", "-qm", "x").stderr == ""


# --- who commits ------------------------------------------------------------------------------------


def test_an_agents_shell_leaves_its_trailer(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "a card", env=IN_AGENTS_SHELL)
    assert gated.git("log", "-1", "--format=%B") == "a card\n\nWbmem-Actor: agent"
    gated.git("commit", "-q", "--amend", "--no-edit", env=IN_AGENTS_SHELL)
    assert gated.git("log", "-1", "--format=%B").count("Wbmem-Actor") == 1


def test_an_author_that_is_an_agent_needs_no_trailer(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "a card", env=AS_AGENT)
    assert gated.git("log", "-1", "--format=%B") == "a card"


def test_a_person_who_says_so_in_an_agents_shell_leaves_a_trailer(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "a card", env={**IN_AGENTS_SHELL, "WBMEM_ACTOR": "human"})
    assert gated.git("log", "-1", "--format=%(trailers)") == "Wbmem-Actor: human"


def test_an_actor_that_nobody_knows_is_refused(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    done = gated.try_git("commit", "-qam", "x", env={"WBMEM_ACTOR": "robot"})
    assert done.returncode != 0
    assert "WBMEM_ACTOR is 'robot'" in done.stderr


@pytest.mark.parametrize(
    ("editor", "cleanup", "committed"),
    [
        ("printf 'said\\n' >\"$1\"", "default", "said\n\nWbmem-Actor: agent"),
        (":", "default", ""),  # nothing but comments: aborted
        ("printf '\\n# only this\\n' >\"$1\"", "default", ""),
        ("sed -i.bak '1s/.*/said/' \"$1\"", "scissors", "said\n\nWbmem-Actor: agent"),
        (":", "scissors", ""),
    ],
)
def test_a_trailer_never_saves_an_empty_message(
    editor: str, cleanup: str, committed: str, gated: Memory, tmp_path: Path
) -> None:
    script = tmp_path / "editor"
    script.write_text(f"#!/bin/sh\n{editor}\n")
    script.chmod(0o755)
    gated.git("config", "commit.cleanup", cleanup)
    gated.write("PLAN.md", THREE)
    before = gated.git("rev-parse", "HEAD")
    done = gated.try_git("commit", "-qav", env={**IN_AGENTS_SHELL, "GIT_EDITOR": str(script)})
    if committed:
        assert gated.git("log", "-1", "--format=%B") == committed
    else:
        assert (done.returncode, gated.git("rev-parse", "HEAD")) == (1, before)


@pytest.mark.parametrize("char", [";", "auto"])
def test_another_comment_character_is_a_comment_too(char: str, gated: Memory, tmp_path: Path) -> None:
    gated.git("config", "core.commentChar", char)
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\n:\n")
    script.chmod(0o755)
    gated.write("PLAN.md", THREE)
    before = gated.git("rev-parse", "HEAD")
    done = gated.try_git("commit", "-qa", env={**IN_AGENTS_SHELL, "GIT_EDITOR": str(script)})
    assert (done.returncode, gated.git("rev-parse", "HEAD")) == (1, before)


def test_a_message_that_begins_with_the_comment_character_is_a_message(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "#12 mended", env=IN_AGENTS_SHELL)
    assert gated.git("log", "-1", "--format=%B") == "#12 mended\n\nWbmem-Actor: agent"


def test_a_trailer_stands_with_those_that_are_there(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "said\n\n---\nnot a patch\n\nSigned-off-by: Ada <a@b>", env=IN_AGENTS_SHELL)
    assert gated.git("log", "-1", "--format=%(trailers:only)") == (
        "Signed-off-by: Ada <a@b>\nWbmem-Actor: agent"
    )


# --- amending ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "env", [IN_AGENTS_SHELL, {"WBMEM_ACTOR": "agent"}, {"GIT_COMMITTER_EMAIL": "x@agent.local"}]
)
@pytest.mark.parametrize("options", [(), ("--reset-author",), ("--amen", "-m", "new"), ("--no-verify",)])
def test_an_agent_doesnt_amend_a_persons_commit(
    env: dict[str, str], options: tuple[str, ...], gated: Memory
) -> None:
    before = gated.git("rev-parse", "HEAD")
    done = gated.try_git("commit", "-q", "--amend", "--no-edit", *options, env=env)
    said = refused(done, "doesn't amend a person's commit")
    assert "git commit without --amend" in said
    assert gated.git("rev-parse", "HEAD") == before


def last_actor(memory: Memory) -> str:
    return memory.git("log", "-1", "--format=%(trailers:key=Wbmem-Actor,valueonly)").split()[-1]


@pytest.mark.parametrize("options", [("-m", "a person's words"), ("--no-edit",), ("-n", "-m", "words")])
def test_what_only_a_trailer_shows_stays_an_agents_when_a_person_amends_it(
    options: tuple[str, ...], gated: Memory
) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "an agent's", env=IN_AGENTS_SHELL)
    done = gated.try_git("commit", "-q", "--amend", *options)
    assert (done.returncode, "stays one when you amend it" in done.stderr) == (0, True)
    assert gated.git("log", "-1", "--format=%(trailers)") == "Wbmem-Actor: agent"


@pytest.mark.parametrize("env", [IN_AGENTS_SHELL, AS_AGENT])
@pytest.mark.parametrize("options", [("-m", "mine"), ("--no-edit",), ("--res", "-n", "--no-edit")])
def test_a_person_who_resets_the_author_takes_it_over_and_is_told_no_more(
    env: dict[str, str], options: tuple[str, ...], gated: Memory
) -> None:
    gated.commit({"PLAN.md": board(card("A", user=""), card("B"))})
    gated.write("PLAN.md", board(card("A", user=""), card("B"), card("C")))
    gated.git("commit", "-qam", "an agent's", env=env)
    gated.write("PLAN.md", board(card("A", user="mine"), card("B"), card("C")))
    done = gated.try_git("commit", "-qa", "--amend", "--reset-author", *options)
    assert (done.returncode, done.stderr) == (0, "")
    assert gated.git("log", "-1", "--format=%an") == "Ada"
    assert env is AS_AGENT or last_actor(gated) == "human"
    assert gated.try_git("commit", "-q", "--amend", "-m", "again").stderr == ""
    assert verdict_of_head(gated).passed


def test_an_agent_amends_its_own_commit(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "mine", env=IN_AGENTS_SHELL)
    assert gated.try_git("commit", "-q", "--amend", "-m", "mine again", env=IN_AGENTS_SHELL).returncode == 0


def test_a_person_who_amends_an_agents_commit_is_told_whose_it_stays(gated: Memory) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "an agent's", env=AS_AGENT)
    done = gated.try_git("commit", "-q", "--amend", "-m", "a person's words")
    assert done.returncode == 0
    assert "--reset-author" in done.stderr
    assert gated.try_git("commit", "-q", "--amend", "--no-edit", "--reset-author").returncode == 0
    assert gated.git("log", "-1", "--format=%an") == "Ada"


# --- past the gate ----------------------------------------------------------------------------------


def test_a_persons_no_verify_passes_with_one_loud_line_and_is_recorded(gated: Memory) -> None:
    drop_b(gated)
    done = gated.try_git("commit", "-qanm", "away with it")
    assert done.returncode == 0
    assert len(done.stderr.splitlines()) == 1
    assert "--no-verify" in done.stderr
    assert "C2" in done.stderr
    event = journal(gated)[-1]
    assert (event["event"], event["commit"]) == ("criteria.failed", gated.git("rev-parse", "HEAD"))
    assert (event["actor"], event["ids"], event["rules"]) == ("human", [id_of("B")], ["C2"])


@pytest.mark.parametrize("env", [AS_AGENT, IN_AGENTS_SHELL, {"WBMEM_ACTOR": "agent"}])
@pytest.mark.parametrize("how", [("--no-verify",), ("-n",), ("--no-veri",)])
def test_an_agents_no_verify_is_refused(env: dict[str, str], how: tuple[str, ...], gated: Memory) -> None:
    drop_b(gated)  # BUGS D15
    refused(gated.try_git("commit", "-qa", *how, "-m", "x", env=env), "C2")
    assert journal(gated) == []


@pytest.mark.parametrize(
    ("env", "trailers"),
    [
        ({}, ""),
        (AS_AGENT, ""),
        (IN_AGENTS_SHELL, "Wbmem-Actor: agent"),
        ({**IN_AGENTS_SHELL, "WBMEM_ACTOR": "human"}, "Wbmem-Actor: human"),
    ],
)
def test_what_passes_the_gate_passes_under_no_verify_and_says_who_made_it(
    env: dict[str, str], trailers: str, gated: Memory
) -> None:
    gated.write("PLAN.md", THREE)
    assert gated.try_git("commit", "-qanm", "x", env=env).stderr == ""
    assert gated.git("log", "-1", "--format=%(trailers)") == trailers
    gated.git("checkout", "-q", "-b", "side", "HEAD~1")
    gated.git("commit", "-q", "--allow-empty", "-m", "y")
    for options in ((), ("--no-verify",)):
        assert gated.try_git("merge", "-q", *options, "-m", "merge", "main", env=env).stderr == ""
        assert gated.git("log", "-1", "--format=%(trailers)") == trailers
        gated.git("reset", "-q", "--hard", "HEAD~1")


@pytest.mark.parametrize("env", [IN_AGENTS_SHELL, {**IN_AGENTS_SHELL, "WBMEM_ACTOR": "human"}])
def test_an_editor_and_no_commit_msg_would_lose_the_trailer(env: dict[str, str], gated: Memory) -> None:
    before = gated.git("rev-parse", "HEAD")
    gated.write("PLAN.md", THREE)
    editor = {"GIT_EDITOR": "echo words >"}
    said = refused(gated.try_git("commit", "-qan", env={**env, **editor}), "the message has to say")
    assert "with -m" in said
    assert gated.git("rev-parse", "HEAD") == before
    assert gated.try_git("commit", "-qan", env={**AS_AGENT, **editor}).returncode == 0
    assert gated.git("log", "-1", "--format=%B") == "words"


@pytest.mark.parametrize("env", [IN_AGENTS_SHELL, AS_AGENT])
@pytest.mark.parametrize("claim", ["Wbmem-Actor: human", "Wbmem-Actor: agent\nwbmem-actor : human"])
@pytest.mark.parametrize("options", [(), ("-n",)])
def test_an_agent_that_says_it_is_a_person_is_contradicted(
    env: dict[str, str], claim: str, options: tuple[str, ...], gated: Memory
) -> None:
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", f"x\n\n{claim}", *options, env=env)
    assert last_actor(gated) == "agent"


@pytest.mark.parametrize("options", [(), ("-n",)])
@pytest.mark.parametrize("env", [IN_AGENTS_SHELL, AS_AGENT])
def test_remarks_that_only_a_trailer_admits_get_it(
    options: tuple[str, ...], env: dict[str, str], gated: Memory
) -> None:
    gated.commit({"PLAN.md": board(card("A", user="mine"), card("B"))})
    gated.write("PLAN.md", board(card("A", user="mine\nand more"), card("B")))
    refused(gated.try_git("commit", "-qam", "x", *options, env=env), "U1")
    gated.git("commit", "-qam", "x", *options, env={**env, "WBMEM_REMARKS": "unconfirmed"})
    said = gated.git("log", "-1", "--format=%(trailers)").splitlines()
    assert said == ["Wbmem-Remarks: unconfirmed", *(["Wbmem-Actor: agent"] if env is IN_AGENTS_SHELL else [])]
    assert verdict_of_head(gated).passed
    gated.git("commit", "-q", "--amend", "--no-edit", env={**env, "WBMEM_REMARKS": "unconfirmed"})
    assert gated.git("log", "-1", "--format=%(trailers)").splitlines() == said


def test_a_credential_in_a_message_that_no_commit_msg_sees(gated: Memory) -> None:
    secret = "ghp_" + "x7Qm2Lr9Tz4Kw8Vb1Nc5Hd3Jf6Gs0PyAuEo"
    asked = ("commit", "-q", "--allow-empty", "--no-verify", "-m", f"use {secret}")
    assert secret not in refused(gated.try_git(*asked, env=IN_AGENTS_SHELL), "G5")
    done = gated.try_git(*asked)
    assert done.returncode == 0
    assert "--no-verify lets pass" in done.stderr
    assert secret not in done.stderr
    assert journal(gated)[-1]["rules"] == ["G5"]
    said = gated.try_git("revert", "--no-edit", "--allow-empty", "HEAD")
    assert secret not in said.stderr


def test_a_person_whose_pre_commit_hook_was_switched_off_is_refused_all_the_same(gated: Memory) -> None:
    (hooks_folder(gated) / "pre-commit").chmod(0o644)  # BUGS D15
    drop_b(gated)
    refused(gated.try_git("commit", "-qam", "x"), "C2")


def test_a_stamp_left_by_a_person_doesnt_let_an_agent_through(gated: Memory) -> None:
    """The same author, tree and parent; the change is one that only a person may make."""
    gated.commit({"PLAN.md": board(card("A", user="mine"), card("B"))})
    gated.write("PLAN.md", board(card("A", user="changed"), card("B")))
    gated.git("add", "-A")
    aborted = gated.try_git("commit", "-q", env={"GIT_EDITOR": "false"})
    assert aborted.returncode != 0
    left = stamp(gated)
    assert left is not None
    assert left.passed
    refused(gated.try_git("commit", "-qnm", "x", env=IN_AGENTS_SHELL), "U1")


@pytest.mark.parametrize("part", ["", "new", "heads", "author", "actor", "rules", "verdict"])
def test_every_part_of_a_stamp_counts(part: str, gated: Memory, tmp_path: Path) -> None:
    """Between pre-commit and the guard that reads it one part is changed; then Python is asked again."""
    gated.write("notes.md", "so that there is a mark\n")
    gated.git("add", "notes.md")
    gated.git("commit", "-qm", "notes")
    starts = count_starts(gated, tmp_path)
    wrong = {
        "new": tree(gated),
        "heads": gated.git("rev-parse", "HEAD~1"),
        "author": "Eve <eve@example.org>",
        "actor": "human",
        "rules": "0",
        "verdict": "refused",
    }
    before_ours(
        gated,
        "prepare-commit-msg",
        f'sed -i.bak "s/^{part} .*/{part} {wrong.get(part)}/" "${{GIT_DIR:-.git}}/wbmem/stamp"',
    )
    gated.write("PLAN.md", THREE)
    gated.git("commit", "-qam", "x", env=IN_AGENTS_SHELL)
    assert starts()[:2] == (["pre-commit", "prepare-commit-msg"] if part else ["pre-commit"])


@pytest.mark.parametrize("left_by", ["an editor", "nothing staged", "no message", "a chained hook"])
@pytest.mark.parametrize("options", [("--reset-author",), ("-n",), ("-n", "--reset-author")])
def test_a_stamp_that_an_aborted_commit_left_lets_nobody_amend(
    left_by: str, options: tuple[str, ...], gated: Memory
) -> None:
    if left_by != "nothing staged":
        gated.write("PLAN.md", THREE)
        gated.git("add", "PLAN.md")
    if left_by == "a chained hook":
        before_ours(gated, "pre-commit", ":")
    before = gated.git("rev-parse", "HEAD")
    message = ("-F", "nowhere") if left_by == "no message" else ()
    assert gated.try_git("commit", *message, env={**IN_AGENTS_SHELL, "GIT_EDITOR": "false"}).returncode != 0
    left = stamp(gated)
    assert left is not None
    assert left.passed
    done = gated.try_git("commit", "-q", "--amend", "-m", "x", *options, env=IN_AGENTS_SHELL)
    refused(done, "doesn't amend a person's commit")
    assert gated.git("rev-parse", "HEAD") == before


@pytest.mark.parametrize("how", ["hooksPath", "plumbing", "chmod"])
def test_a_bypass_is_told_at_the_next_commit_which_isnt_refused_for_it(how: str, gated: Memory) -> None:
    gated.write("notes.md", "x\n")  # BUGS D15
    gated.git("add", "notes.md")
    gated.git("commit", "-qm", "begin the mark")
    drop_b(gated)
    gated.git("add", "-A")
    if how == "hooksPath":
        gated.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", "x", env=AS_AGENT)
    elif how == "plumbing":
        commit = gated.git("commit-tree", gated.git("write-tree"), "-p", "HEAD", "-m", "x", env=AS_AGENT)
        gated.git("update-ref", "HEAD", commit)
    else:
        for hook in hooks_folder(gated).iterdir():
            hook.chmod(0o644)
        gated.git("commit", "-qm", "x", env=AS_AGENT)
        for hook in hooks_folder(gated).iterdir():
            hook.chmod(0o755)
    bad = gated.git("rev-parse", "HEAD")
    gated.write("notes.md", "innocent\n")
    done = gated.try_git("commit", "-qam", "innocent")
    assert done.returncode == 0
    assert bad[:12] in done.stderr
    assert "C2" in done.stderr
    assert "wbmem audit" in done.stderr
    assert [(event["commit"], event["actor"]) for event in journal(gated)] == [(bad, "agent")]
    gated.write("notes.md", "told once\n")
    assert gated.try_git("commit", "-qam", "told once").stderr == ""


def audited(memory: Memory) -> list[tuple[str, str]]:
    """What is open in history, with any file that a hook or an audit left and without; the same."""
    with Repository.open(str(memory.top), os.environ) as repository:
        found = audit(repository)
        shutil.rmtree(git_dir(memory) / "wbmem/audit")
        assert audit(repository) == found
    return [(each.commit, each.finding.rule) for each in found.open]


@pytest.mark.parametrize("before", ["audited", "marked", "fresh"])
def test_an_audit_finds_what_a_hook_let_pass_or_never_saw(before: str, gated: Memory) -> None:
    gated.commit({"PLAN.md": board(card("A", user="mine"), card("B"))})
    if before == "audited":
        assert audited(gated) == []
    if before != "fresh":
        gated.write("notes.md", "x\n")
        gated.git("add", "notes.md")
        gated.git("commit", "-qm", "notes")
        assert mark(gated) == gated.git("rev-parse", "HEAD")
    (hooks_folder(gated) / "commit-msg").chmod(0o644)
    gated.write("PLAN.md", board(card("A", user="mine\nand more"), card("B")))
    gated.git("commit", "-qam", "no trailer admits it", env={**AS_AGENT, "WBMEM_REMARKS": "unconfirmed"})
    remarks = gated.git("rev-parse", "HEAD")
    secret = "ghp_" + "x7Qm2Lr9Tz4Kw8Vb1Nc5Hd3Jf6Gs0PyAuEo"
    gated.git("commit", "-q", "--allow-empty", "-m", f"use {secret}")
    spoken = gated.git("rev-parse", "HEAD")
    gated.write("PLAN.md", board(card("A", user="mine\nand more")))
    gated.git("add", "-A")
    dropped = gated.git("commit-tree", gated.git("write-tree"), "-p", "HEAD", "-m", "plumbing")
    gated.git("update-ref", "HEAD", dropped)
    place = git_dir(gated) / "wbmem/audit/main/.mark"
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text(f"{dropped}\n")
    assert sorted(audited(gated)) == sorted([(remarks, "U1"), (spoken, "G5"), (dropped, "C2")])


def test_a_credential_in_a_message_is_refused_and_not_shown(gated: Memory) -> None:
    secret = "ghp_" + "x7Qm2Lr9Tz4Kw8Vb1Nc5Hd3Jf6Gs0PyAuEo"
    gated.write("PLAN.md", THREE)
    done = gated.try_git("commit", "-qam", f"use {secret}")
    said = refused(done, "G5")
    assert secret not in said
    assert gated.try_git("commit", "-qam", "the token is rotated, the password too").returncode == 0


def test_nothing_of_a_strangers_commit_drives_a_terminal_or_gives_a_credential_away(
    gated: Memory, tmp_path: Path
) -> None:
    secret = "ghp_" + "x7Qm2Lr9Tz4Kw8Vb1Nc5Hd3Jf6Gs0PyAuEo"
    told = f"use {secret} \x1b[2J\x9b1m\u202e"
    stranger = {"GIT_AUTHOR_NAME": f"Eve \x1b[31m {secret}", "GIT_AUTHOR_EMAIL": "eve@agent.local"}
    gated.write(f"a \x1b[2J {secret}.md", "password: correct-Horse-7battery! \x1b[2J\n")
    gated.git("add", "-A")
    gated.git("-c", "core.hooksPath=/dev/null", "commit", "-qm", told, env=stranger)
    drop_b(gated)
    said = [
        refused(gated.try_git("commit", "-qam", "x"), "C2"),  # beside which commit; what came before
        gated.try_git("commit", "-qam", "x", f"--author=Eve \x1b[31m <{secret}@agent.local>").stderr,
    ]
    gated.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    said.append(gated.try_git("push", str(tmp_path / "remote.git"), "main").stderr)
    door = this_door("audit")
    said.append(subprocess.run(door, cwd=gated.top, capture_output=True, text=True, check=False).stderr)
    said.append(gated.try_git("commit", "-qm", "x", "--amend", "--only").stderr)  # whose it stays
    gated.git(
        "-c", "core.hooksPath=/dev/null", "commit", "-q", "--amend", "-m", "x", "--author=A \x1b[m <a@b>"
    )
    said.append(gated.try_git("commit", "-qm", "x", "--amend", "--only", env=IN_AGENTS_SHELL).stderr)
    assert all("wbmem" in text for text in said)
    everything = "".join(said)
    assert secret[8:] not in everything
    assert "Horse" not in everything
    assert not {"\x1b", "\x9b", "\u202e"} & set(everything)
    assert r"Eve \x1b[31m ghp_…" in everything


def test_the_shell_lets_no_message_by_in_which_python_finds_a_credential() -> None:
    table = (Path(__file__).parents[1] / "rules/credentials.txt").read_text(encoding="utf-8").replace("¦", "")
    messages = [line for line in table.splitlines() if credentials_in(line)]
    assert len(messages) > 50
    guard = script("commit-msg", Origin("/python", "/main"))
    functions = guard[guard.index("may_hold_credential()") : guard.index('chain "$@" || exit')]
    pattern = re.search("^suspicious=.*$", guard, re.MULTILINE)
    assert pattern is not None
    asked = f"""{pattern[0]}
    {functions}
    while IFS= read -r message; do
        printf 'subject\n\n%s' "$message" >"$1"
        shown=$message message=$1
        may_hold_credential && LC_ALL=C grep -Eq -e "$suspicious" -- "$1" || printf '%s\n' "$shown"
    done"""
    with tempfile.NamedTemporaryFile() as file:
        done = subprocess.run(
            ["sh", "-c", asked, "sh", file.name],
            input="\n".join(messages) + "\n",
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=True,
        )
    assert (done.stdout, done.stderr) == ("", "")


def test_what_stands_below_the_scissors_is_no_message(gated: Memory, tmp_path: Path) -> None:
    script = tmp_path / "editor"
    script.write_text("#!/bin/sh\nsed -i.bak '1s/.*/said/' \"$1\"\n")
    script.chmod(0o755)
    gated.commit({"notes.md": "ghp_" + "x7Qm2Lr9Tz4Kw8Vb1Nc5Hd3Jf6Gs0PyAuEo\n"})
    gated.write("notes.md", "gone\n")
    done = gated.try_git("commit", "-qav", "--cleanup=scissors", env={"GIT_EDITOR": str(script)})
    assert done.returncode == 0
    assert "of the commit message" not in done.stderr
    assert gated.git("log", "-1", "--format=%s") == "said"


def test_a_bare_path_is_enough(gated: Memory) -> None:  # BUGS A11
    drop_b(gated)
    done = subprocess.run(
        ["env", "-i", f"HOME={os.environ['HOME']}", "PATH=/usr/bin:/bin", "git", "commit", "-qam", "x"],
        cwd=gated.top,
        capture_output=True,
        text=True,
        check=False,
    )
    refused(done, "C2")


def test_what_lands_while_the_hook_reads_is_not_taken_for_lost(
    gated: Memory, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(gated.top)
    with here(os.environ) as place:
        assert select.select([place._writing.stdout], [], [], 60)[0]  # the index has been read
        gated.write("PLAN.md", THREE)
        gated.git("add", "PLAN.md")
        gated.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "meanwhile")
        assert gate_commit(place, environment.read()) == 0
    assert "C2" not in capsys.readouterr().err
    drop_b(gated)
    gated.git("add", "PLAN.md")
    with here(os.environ) as place:
        assert gate_commit(place, environment.read()) == 1
