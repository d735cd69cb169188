"""A command that was asked for JSON gives an object also where it fails: the program reads no sentences."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import click
import pytest
from pages import card

from wbmem_git.cli import main
from wbmem_git.cli.commands import wbmem

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from desk import Desk

UNKNOWN = "ffffffff"


@pytest.mark.parametrize(
    ("line", "error", "hint"),
    [
        (f"trace {UNKNOWN} --json", f"nothing answers to '{UNKNOWN}'", "wbmem status lists"),
        (f"versions {UNKNOWN} --json", f"nothing answers to '{UNKNOWN}'", "wbmem status lists"),
        (f"restore {UNKNOWN} --json", UNKNOWN, ""),
        ("check --from HEAD --json", "--from and --to belong together", "wbmem check --help"),
        ("check --from HEAD --format json", "--from and --to belong together", "wbmem check --help"),
        ("check --from HEAD --format=json", "--from and --to belong together", "wbmem check --help"),
        ("recall --json", "Missing argument", "wbmem recall --help"),
        ("recall x -k 0 --json", "0 is not in the range", "wbmem recall --help"),
        ("staus --json", "Did you mean status?", "wbmem --help"),
        ("status --json --workspace", "No such option", "wbmem status --help"),
        ("show PLAN.md HEAD --rev HEAD --json", "are the same: give one of them", ""),
    ],
)  # fmt: skip
def test_a_failure_is_an_object_where_json_was_asked_for(
    it: Desk, capsys: pytest.CaptureFixture[str], line: str, error: str, hint: str
) -> None:
    assert main(line.split()) == 2
    told = capsys.readouterr()
    said = json.loads(told.out)
    assert list(said) == ["ok", "error", "next"]
    assert said["ok"] is False
    assert error in said["error"]
    assert hint in said["next"]
    assert said["error"] in told.err
    assert it.clean()


def commands(group: click.Group, *path: str) -> Iterator[tuple[str, ...]]:
    """The names of every command that takes `--json`."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, *path, name)
        elif any("--json" in one.opts for one in found.params):
            yield (*path, name)


@pytest.mark.parametrize("words", list(commands(wbmem)), ids=" ".join)
def test_every_command_with_json_fails_with_an_object(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    words: tuple[str, ...],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([*words, "--json", "--nothing"]) == 2
    said = json.loads(capsys.readouterr().out)
    assert (said["ok"], said["next"]) == (False, f"wbmem {' '.join(words)} --help")
    assert "No such option" in said["error"]


def test_a_refusal_is_an_object_too(it: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    source = it.memory.top.parent / "ledger.md"
    source.write_text("# Handoff\n")
    assert main(["new", "ledger", "--commit", "--from", str(source), "--json"]) == 1
    said = json.loads(capsys.readouterr().out)
    assert said["ok"] is False
    assert "H1" in said["error"]


def test_without_a_memory_and_in_a_folder_that_is_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    assert main(["expand", "x", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["next"] == "wbmem init"
    gone.rmdir()
    assert main(["expand", "x", "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["error"] == "the current folder is gone"


def test_an_internal_error_is_an_object(
    it: Desk, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("wbmem_git.workspace.Workspace.doctor", fail)
    assert main(["doctor", "--json"]) == 3
    said = json.loads(capsys.readouterr().out)
    assert "ZeroDivisionError" in said["error"]
    assert said["next"] == "wbmem doctor"
    assert it.clean()


def test_who_asks_for_no_json_gets_none(it: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    for line in (f"trace {UNKNOWN}", "recall --nothing -- --json", "check --from HEAD --format github"):
        assert main(line.split()) == 2
        assert capsys.readouterr().out == ""
    assert it.clean()


def test_an_answer_is_the_only_object_where_something_is_open(
    it: Desk, capsys: pytest.CaptureFixture[str]
) -> None:
    it.edit(f"{card('Beta')}\n", "")
    it.memory.git("add", "PLAN.md")
    assert main(["check", "--json"]) == 1
    assert isinstance(json.loads(capsys.readouterr().out), list)


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("check --format sarif --json", "--json and --format sarif exclude each other"),
        ("check --json --format text", "--json and --format text exclude each other"),
        ("resolve PLAN.md --both --ours", "--ours, --theirs and --both exclude each other"),
        ("resolve PLAN.md --theirs --both --json", "--ours, --theirs and --both exclude each other"),
    ],
)
def test_options_that_contradict_each_other_are_refused(
    it: Desk, capsys: pytest.CaptureFixture[str], line: str, said: str
) -> None:
    assert main(line.split()) == 2
    assert said in capsys.readouterr().err
    assert it.clean()


def test_the_same_said_twice_is_no_contradiction(it: Desk, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", "--format", "json", "--json"]) == 0
    json.loads(capsys.readouterr().out)
    assert it.clean()
