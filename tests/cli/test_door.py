"""The door: exit statuses, one sentence for every failure, no traceback, no unseen colours."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pytest
from desk import Desk, desk
from pages import card

from wbmem_git.cli import main
from wbmem_git.cli.door import data_folder

if TYPE_CHECKING:
    from pathlib import Path

PYTHON = (sys.executable, "-m", "wbmem_git.cli")


def wbmem(*args: str, cwd: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, **variables}
    return subprocess.run((*PYTHON, *args), cwd=cwd, env=env, capture_output=True, text=True, check=False)


def dropped(it: Desk) -> Desk:
    it.edit(f"{card('Beta')}\n", "")
    it.memory.git("add", "PLAN.md")
    return it


def test_the_exit_status_tells_what_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    it = desk(tmp_path)
    monkeypatch.chdir(it.memory.top)
    assert main(["status"]) == 0
    assert main(["check"]) == 0
    dropped(it)
    assert main(["check"]) == 1
    assert main(["check", "--from", "x"]) == 2
    assert main(["frobnicate"]) == 2
    assert main(["archive", "12345678", "--reason", "x"]) == 2
    assert main(["--help"]) == 0
    assert main(["--version"]) == 0
    assert main([]) == 2
    monkeypatch.chdir(tmp_path)
    assert main(["status"]) == 2


def test_a_failure_is_a_sentence_and_the_next_step(tmp_path: Path) -> None:
    done = wbmem("status", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"wbmem: {tmp_path}: no memory here (no handoff/wbmem.yaml)\n  next: wbmem init\n"


def test_a_refusal_is_the_report(tmp_path: Path) -> None:
    it = desk(tmp_path)
    done = wbmem("new", "ledger", "--commit", cwd=it.memory.top)
    assert done.returncode == 1
    assert "H3" in done.stderr
    assert "Traceback" not in done.stderr
    assert it.clean()


def test_a_mistyped_command_is_answered_with_the_nearest(tmp_path: Path) -> None:
    done = wbmem("staus", cwd=tmp_path)
    assert done.returncode == 2
    assert "Did you mean status?" in done.stderr


def test_an_internal_error_is_one_line_and_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    it = desk(tmp_path)
    monkeypatch.chdir(it.memory.top)
    monkeypatch.setattr("wbmem_git.workspace.Workspace.status", lambda _: 1 / 0)
    assert main(["status"]) == 3
    said = capsys.readouterr()
    log = it.memory.top / ".git/wbmem/error.log"
    assert (said.out, said.err.splitlines()) == (
        "",
        [f"wbmem: internal error (ZeroDivisionError); the details are in {log}", "  next: wbmem doctor"],
    )
    assert "Traceback" in log.read_text()
    assert log.stat().st_mode & 0o777 == 0o600


def test_an_internal_error_outside_any_memory_is_logged_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    monkeypatch.setattr("wbmem_git.workspace.Workspace.find", lambda *_, **__: os.environ["GONE"])
    assert main(["status"]) == 3
    (path,) = tmp_path.glob("wbmem-error-*.log")
    assert str(path) in capsys.readouterr().err
    assert "KeyError" in path.read_text()


def test_a_pipe_that_closes_is_no_complaint(tmp_path: Path) -> None:
    many = "".join(f"### Card {n}\n{'x' * 100}\n\n" for n in range(2000))
    it = desk(tmp_path, text=f"# Plan\n\n## Doing\n\n{many}")
    for command in ("status", "--help"):
        line = f"{sys.executable} -m wbmem_git.cli {command} | head -c 1"
        done = subprocess.run(
            ["sh", "-c", line], cwd=it.memory.top, capture_output=True, text=True, check=False
        )
        assert (len(done.stdout), done.stderr) == (1, "")
    read, write = os.pipe()
    os.close(read)
    process = subprocess.run(
        (*PYTHON, "status"), cwd=it.memory.top, stdout=write, stderr=subprocess.PIPE, check=False
    )
    os.close(write)
    assert (process.returncode, process.stderr) == (141, b"")


def test_ctrl_c_is_no_complaint(tmp_path: Path) -> None:
    it = desk(tmp_path)
    hook = it.memory.top / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ntouch here\nsleep 20\n")
    hook.chmod(0o755)
    process = subprocess.Popen(
        (*PYTHON, "new", "card", "Delta", "--commit"),
        cwd=it.memory.top, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
    )  # fmt: skip
    until = time.monotonic() + 20
    while not (it.memory.top / "here").exists() and time.monotonic() < until:
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=20)
    assert process.returncode == 130
    assert b"Traceback" not in said
    assert it.memory.git("log", "-1", "--format=%s") == "a commit"


def test_colours_only_on_a_terminal_and_not_against_ones_will(tmp_path: Path) -> None:
    it = dropped(desk(tmp_path))
    assert "\x1b[" not in wbmem("check", cwd=it.memory.top).stdout
    assert b"\x1b[" in on_a_terminal("check", cwd=it.memory.top)
    assert b"\x1b[" not in on_a_terminal("check", cwd=it.memory.top, NO_COLOR="1")


def on_a_terminal(*args: str, cwd: Path, **variables: str) -> bytes:
    ours, theirs = pty.openpty()
    env = {**os.environ, "TERM": "xterm", **variables}
    subprocess.run((*PYTHON, *args), cwd=cwd, env=env, stdout=theirs, stderr=theirs, check=False)
    os.close(theirs)
    said = b""
    try:
        while chunk := os.read(ours, 65536):
            said += chunk
    except OSError:
        pass  # Linux says so when the other end is closed
    os.close(ours)
    return said


def test_what_the_locale_cannot_write_is_escaped(tmp_path: Path) -> None:
    it = desk(tmp_path, text="# Plan\n\n## Doing\n\n### 登录\n")
    done = wbmem("status", cwd=it.memory.top, PYTHONIOENCODING="latin-1", PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, "")
    assert "\\u767b\\u5f55" in done.stdout


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from wbmem_git.cli import main; main(['--help']);"
        "heavy = {'rich', 'markdown_it', 'ruamel', 'sqlite3', 'pygit2', 'asyncio'} & set(sys.modules);"
        "sys.exit(repr(heavy) if heavy else 0)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert all(name in done.stdout for name in ("init", "archive", "completion"))


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_each_shell_gets_its_completion(tmp_path: Path, shell: str) -> None:
    done = wbmem("completion", shell, cwd=tmp_path)
    assert done.returncode == 0
    assert "_WBMEM_COMPLETE" in done.stdout
    words = {"COMP_WORDS": "wbmem arch", "COMP_CWORD": "1", "_WBMEM_COMPLETE": "bash_complete"}
    assert "archive" in wbmem(cwd=tmp_path, **words).stdout


def test_the_workspace_may_be_named_by_option_or_variable(tmp_path: Path) -> None:
    it = desk(tmp_path)
    one = wbmem("-w", str(it.memory.top.parent), "status", cwd=tmp_path)
    two = wbmem("status", cwd=tmp_path, WBMEM_WORKSPACE=str(it.memory.top))
    assert (one.returncode, one.stdout) == (0, two.stdout)
    assert wbmem("-w", "nowhere", "status", cwd=it.memory.top).returncode == 2


def test_the_variables_of_a_hook_of_another_repository_are_not_followed(tmp_path: Path) -> None:
    it = desk(tmp_path)
    other = desk(tmp_path / "other")
    before = (other.memory.top / ".git/index").read_bytes()
    variables = {
        "GIT_DIR": str(other.memory.top / ".git"),
        "GIT_INDEX_FILE": str(other.memory.top / ".git/index"),
    }
    assert wbmem("new", "card", "Delta", "--commit", cwd=it.memory.top, **variables).returncode == 0
    assert b"Delta" in it.head()
    assert (other.memory.top / ".git/index").read_bytes() == before
    assert other.clean()


@pytest.mark.parametrize(
    ("environment", "platform", "expected"),
    [
        ({"XDG_DATA_HOME": "/d", "HOME": "/h"}, "linux", "/d/wbmem"),
        ({"HOME": "/h"}, "linux", "/h/.local/share/wbmem"),
        ({"HOME": "/h"}, "darwin", "/h/Library/Application Support/wbmem"),
        ({}, "linux", ""),
    ],
)
def test_the_data_folder_is_the_platforms(environment: dict[str, str], platform: str, expected: str) -> None:
    assert data_folder(environment, platform) == expected
