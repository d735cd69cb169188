"""What is read without click is what click reads, and a question loads nothing of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click
import pytest
import snowballstemmer  # type: ignore[import-untyped]
from desk import desk
from hypothesis import given, settings
from hypothesis import strategies as st
from pages import board, card, id_of

from wbmem_git.cli.clicked import as_click
from wbmem_git.cli.declared import COMMANDS, DECLARED, Argument, Choice, Day, IntRange, Option
from wbmem_git.cli.plain import declared, plain_call, values_of

if TYPE_CHECKING:
    from collections.abc import Sequence

CHECKOUT = Path(__file__).resolve().parents[2]
NAMES = [name for name, module in COMMANDS.items() if module in DECLARED]
WORDS = ("login", "PLAN.md", "", "-", "--", "-x", "--nothing", "5", "0", "21", "-1", "٣", "all", "memory")
DAYS = ("2026-09-14", "2026-9-4", "2026-02-30", "20260914", "")
HEAVY = {
    "click",
    "json",
    "inspect",
    "pathlib",
    "re",
    "shutil",
    "subprocess",
    "threading",
    "hashlib",
    "typing",
    "datetime",
    "sqlite3",
}


def spellings(name: str) -> list[str]:
    """Whatever may stand on the command's line: each option by each of its names, right and wrong values."""
    options = [one for one in declared(name).parameters if isinstance(one, Option)]
    found = [spelling for one in options for spelling in (*one.spellings, one.off) if spelling]
    values = [value for one in options for value in values_for(one)]
    return [*found, *(f"{one}={value}" for one in found for value in ("x", "5", "", "2026-09-14")), *values]


def values_for(option: Option) -> Sequence[str]:
    if isinstance(option.kind, Choice):
        return (*option.kind.words, option.kind.words[0].upper())
    if isinstance(option.kind, IntRange):
        return (str(option.kind.least), str(option.kind.least - 1), str((option.kind.most or 98) + 1), "1.5")
    return DAYS if isinstance(option.kind, Day) else ("HEAD~1",)


def by_click(name: str, words: Sequence[str]) -> dict[str, object] | None:
    try:
        return as_click(name, declared(name)).make_context(name, list(words)).params
    except (click.ClickException, click.exceptions.Exit):
        return None


@settings(deadline=None)
@given(st.data())
def test_what_is_plain_click_reads_the_same_way(data: st.DataObject) -> None:
    name = data.draw(st.sampled_from(NAMES))
    words = data.draw(st.lists(st.sampled_from([*WORDS, *spellings(name)]), max_size=6))
    values = values_of(declared(name).parameters, words)
    if values is not None:
        assert values == by_click(name, words)


@pytest.mark.parametrize("name", NAMES)
def test_every_option_can_be_given_plainly(name: str) -> None:
    given_words = ["login"] * any(isinstance(one, Argument) for one in declared(name).parameters)
    assert values_of(declared(name).parameters, given_words) == by_click(name, given_words) != None  # noqa: E711
    for option in declared(name).parameters:
        if isinstance(option, Argument):
            continue
        for spelling in option.spellings:
            value = [] if option.is_flag else [values_for(option)[0]]
            words = [*given_words, spelling, *value]
            assert values_of(declared(name).parameters, words) == by_click(name, words) != None  # noqa: E711


def test_which_command_and_which_workspace() -> None:
    for start, workspace in (([], ""), (["-w", "desk"], "desk"), (["--workspace", "desk"], "desk")):
        call = plain_call([*start, "expand", "--limit", "3", "type:dead-end", "topic:*"])
        assert call is not None
        assert (call.workspace, call.command) == (workspace, declared("expand"))
        assert (call.values["tag"], call.values["limit"]) == (("type:dead-end", "topic:*"), 3)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "--version",
        "-h",
        "versions",
        "versions -h",
        "versions a b",
        "versions a --json --json",
        "-w -w versions a",
        "-w",
        "-w desk",
        "status",
        "nothing a",
        "expand a --limit 21",
        "trace a --neighbor-limit",
        "trace a --as-of --json",
    ],
)
def test_whatever_is_not_plain_is_for_click_to_read(line: str) -> None:
    assert plain_call(line.split()) is None


def loaded(*words: str, cwd: Path) -> set[str]:
    """The modules that a process loads: site-packages are in reach, nothing of theirs starts by itself."""
    folders = [str(CHECKOUT), str(Path(snowballstemmer.__file__).parents[1])]
    code = f"import sys; sys.path += {folders!r}; from wbmem_git.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-X", "importtime", "-c", code, *words],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines()}


def test_a_question_loads_nothing_heavy(tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.workspace.index_state()
    modules = loaded("versions", id_of("Beta"), cwd=it.memory.top)
    assert "_sqlite3" in modules
    assert sorted({name.partition(".")[0] for name in modules} & HEAVY) == []
    assert not modules & {"wbmem_git.store.repository", "wbmem_git.model", "wbmem_git.rules.registry"}
    assert not modules & {
        "wbmem_git.rules.credentials",
        "wbmem_git.text.languages",
        "wbmem_git.store.objects",
    }
    assert "click" not in loaded("trace", id_of("Beta"), cwd=it.memory.top)


def test_a_question_whose_words_are_not_plain_is_told_by_click(tmp_path: Path) -> None:
    code = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); from wbmem_git.cli import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code, "show", "PLAN.md", "HEAD", "--rev", "HEAD"],
        cwd=desk(tmp_path).memory.top,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Usage: wbmem show [OPTIONS] ID [REV]\n")
    assert "Error: REV and --rev are the same: give one of them" in done.stderr


def test_where_names_would_be_read_as_ascii_they_are_read_as_utf8(tmp_path: Path) -> None:
    it = desk(tmp_path / "项目")
    it.memory.commit({"PLAN.md": board(card("登录超时"))})
    code = f"import sys; sys.path.insert(0, {str(CHECKOUT)!r}); from wbmem_git.cli import main; main()"
    ascii_only = {"LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    for args, said in (
        (("recall", "登录"), "登录超时"),
        (("status",), "项目"),
        (("new", "card", "超时"), "超时"),
    ):
        done = subprocess.run(
            [sys.executable, "-c", code, *args],
            cwd=it.memory.top,
            env={**os.environ, **ascii_only},
            capture_output=True,
            encoding="utf-8",
            check=False,
        )
        assert done.returncode in {0, 1}, done.stderr  # 1: something is open
        assert said in done.stdout + done.stderr
