"""Hooks where PATH holds git and sh and nothing else: they ask no less, and let nothing through."""

from __future__ import annotations

import re
import shutil
from typing import TYPE_CHECKING

import pytest
from hooks.gated import AS_AGENT, IN_AGENTS_SHELL, drop_b, hooks_folder, refused
from pages import board, card

from wbmem_git.verbs.hooks.scripts import PACKAGE, PIECES, Origin, script

if TYPE_CHECKING:
    from pathlib import Path

    from memory import Memory

SECRET = "the password is: Xk29-vB7q-Lm31-zz8"
SCISSORS = "# ------------------------ >8 ------------------------"
WITH_EDITOR = {"GIT_EDITOR": str(shutil.which("true"))}


@pytest.fixture
def bare(tmp_path: Path) -> dict[str, str]:
    """Variables under which only git and sh are found, behind what git itself puts before them."""
    folder = tmp_path / "bare path"
    folder.mkdir()
    for name in ("git", "sh"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return {"PATH": str(folder)}


def commit(memory: Memory, bare: dict[str, str], *options: str, **variables: str) -> str:
    """What HEAD's message is after a commit that passes."""
    done = memory.try_git("commit", "-q", *options, env={**bare, **variables})
    assert done.returncode == 0, done.stderr
    return memory.git("log", "-1", "--format=%B")


def test_a_push_of_a_dropped_card_is_refused(gated: Memory, bare: dict[str, str], tmp_path: Path) -> None:
    gated.git("init", "-q", "--bare", str(tmp_path / "remote"))
    gated.git("push", "-q", str(tmp_path / "remote"), "main", env=bare)
    drop_b(gated)
    gated.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-a", "-m", "drop")
    refused(gated.try_git("push", "-q", str(tmp_path / "remote"), "main", env=bare), "C2")


@pytest.mark.parametrize("options", [("-m", SECRET), ("-m", "fine", "-m", SECRET)])
def test_a_credential_in_the_message_is_refused(
    options: tuple[str, ...], gated: Memory, bare: dict[str, str]
) -> None:
    said = refused(gated.try_git("commit", "-q", "--allow-empty", *options, env=bare), "G5")
    assert "Xk29-vB7q" not in said


def test_a_message_that_names_passwords_passes(gated: Memory, bare: dict[str, str]) -> None:
    assert commit(gated, bare, "--allow-empty", "-m", "forget the password") == "forget the password"


def test_a_dropped_card_is_refused(gated: Memory, bare: dict[str, str]) -> None:
    drop_b(gated)
    refused(gated.try_git("commit", "-q", "-a", "-m", "drop", env=bare), "C2")
    past = gated.try_git("commit", "-q", "-n", "-a", "-m", "drop", env=bare)
    assert "C2" in past.stderr  # prepare-commit-msg, which runs under --no-verify too


def test_a_merge_that_drops_a_card_is_refused(gated: Memory, bare: dict[str, str]) -> None:
    gated.git("checkout", "-q", "-b", "side")
    gated.commit({"PLAN.md": board(card("A"))}, "drop")
    gated.git("checkout", "-q", "main")
    gated.commit({"MEMORY.md": "# Memory\n"}, "elsewhere")
    refused(gated.try_git("merge", "-q", "side", env=bare), "C2")


@pytest.mark.parametrize("editor", [{}, WITH_EDITOR])
def test_a_commit_in_an_agents_shell_gets_its_trailer(
    editor: dict[str, str], gated: Memory, bare: dict[str, str]
) -> None:
    gated.write("PLAN.md", board(card("A"), card("B"), card("C")))
    options = ("-a", "-e", "-m", "more") if editor else ("-a", "-m", "more")
    assert "Wbmem-Actor: agent" in commit(gated, bare, *options, **IN_AGENTS_SHELL, **editor)


def test_an_agent_by_its_author_stays_one_whatever_its_message_says(
    gated: Memory, bare: dict[str, str]
) -> None:
    message = "more\n\nWbmem-Actor: human"
    trailers = commit(gated, bare, "--allow-empty", "-m", message, **AS_AGENT).strip().splitlines()[2:]
    assert trailers[-1] == "Wbmem-Actor: agent"


@pytest.mark.parametrize("below", ["nothing\n", ""])
def test_a_message_without_text_above_the_scissors_still_aborts(
    below: str, gated: Memory, bare: dict[str, str], tmp_path: Path
) -> None:
    template = tmp_path / "template"
    template.write_text(f"\n{SCISSORS}\n{below}")
    options = ("--allow-empty", "--cleanup=scissors", "-e", "-F", str(template))
    done = gated.try_git("commit", "-q", *options, env={**bare, **IN_AGENTS_SHELL, **WITH_EDITOR})
    assert "empty commit message" in done.stderr, done.stderr
    assert gated.git("log", "-1", "--format=%s") == "begin"


def test_what_was_rewritten_is_told_and_handed_on(gated: Memory, bare: dict[str, str]) -> None:
    before = hooks_folder(gated) / "post-rewrite.before-wbmem"
    before.write_text('#!/bin/sh\nwhile read -r line; do echo "$1 $line" >>.git/handed-on; done\n')
    before.chmod(0o755)
    gated.git("checkout", "-q", "-b", "side")
    old = gated.commit({"MEMORY.md": "# Memory\n"}, "elsewhere")
    gated.git("checkout", "-q", "main")
    gated.commit({"PLAN.md": board(card("A"), card("B"), card("C"))}, "more")
    gated.git("rebase", "-q", "main", "side", env=bare)
    new = gated.git("rev-parse", "HEAD")
    assert gated.read(".git/handed-on") == f"rebase {old} {new}\n"


def test_the_framework_that_called_us_isnt_called_back(gated: Memory, bare: dict[str, str]) -> None:
    before = hooks_folder(gated) / "pre-commit.before-wbmem"
    before.write_text("#!/bin/sh\n# File generated by pre-commit: https://pre-commit.com\nexit 7\n")
    before.chmod(0o755)
    assert gated.try_git("commit", "-q", "--allow-empty", "-m", "x", env=bare).returncode != 0
    commit(gated, bare, "--allow-empty", "-m", "x", PRE_COMMIT_RUNNING_LEGACY="1")


# --- what a script starts ---------------------------------------------------------------------------

UTILITIES = (
    "awk|basename|cat|cmp|cp|cut|date|diff|dirname|env|expr|find|head|id|ln|ls|mkdir|mktemp|mv|od|paste|ps|"
    "rm|rmdir|sed|sleep|sort|stat|tail|tee|touch|tr|uname|uniq|wc|which|xargs"
)
COMMAND = re.compile(
    rf"(?:^|[;|&(!]|\b(?:if|then|else|elif|while|until|do)\b)\s*(?:\w+=\S*\s+)*({UTILITIES})(?=[\s)]|$)",
    re.MULTILINE,
)


@pytest.mark.parametrize("hook", PIECES)
def test_a_script_starts_no_utility(hook: str) -> None:
    """Whatever it wants, git or the shell itself can do; `grep` is asked so that its absence is no answer."""
    text = script(hook, Origin("/usr/bin/python3", "/main.py"))
    assert not COMMAND.findall(re.sub(r"(?m)^\s*#.*", "", text))


@pytest.mark.parametrize("line", ["refs=$(cat)", "a | sed s/x//", "x && LC_ALL=C awk 1", "if tr a b; then"])
def test_that_test_sees_a_utility(line: str) -> None:
    assert COMMAND.findall(line)


def test_grep_is_only_asked_where_its_absence_counts_as_a_match() -> None:
    texts = {path.name: path.read_text() for path in (PACKAGE / "scripts").iterdir()}
    assert [name for name, text in texts.items() if re.search(r"\bgrep -", text)] == ["message.sh"]
