"""Closed and full standard streams: no command fails by them, and none says nothing of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from desk import desk

FULL = Path("/dev/full")
COMMANDS = (
    "explain C2",
    "--help",
    "--version",
    "status",
    "status --json",
    "check",
    "audit",
    "doctor",
    "completion bash",
    "hooks status",
)


def wbmem(command: str, folder: Path, streams: str) -> subprocess.CompletedProcess[str]:
    line = f'"$0" -m wbmem_git.cli {command} {streams}'
    return subprocess.run(
        ["sh", "-c", line, sys.executable], cwd=folder, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("command", COMMANDS)
def test_a_closed_output_is_told(command: str, tmp_path: Path) -> None:
    done = wbmem(command, desk(tmp_path).memory.top, ">&-")
    assert done.returncode in {1, 2}, done.stderr
    assert done.stderr.endswith("wbmem: the answer couldn't be written: Bad file descriptor\n")
    assert "internal" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.skipif(not FULL.exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("command", COMMANDS)
def test_a_full_output_is_told(command: str, tmp_path: Path) -> None:
    done = wbmem(command, desk(tmp_path).memory.top, f">{FULL}")
    assert done.returncode in {1, 2}, done.stderr
    assert done.stderr.endswith("wbmem: the answer couldn't be written: No space left on device\n")
    assert "internal" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("streams", [">&- 2>&-", "<&- >&- 2>&-", "2>&-"])
def test_with_no_stream_at_all_a_command_does_its_work(streams: str, tmp_path: Path) -> None:
    it = desk(tmp_path)
    it.edit("## Later\n", "## Later\n\n### New\nNext: begin\n")
    it.memory.git("add", "-A")
    assert wbmem("fix", it.memory.top, streams).returncode == (0 if streams == "2>&-" else 2)
    assert b"### New\n<!-- memory:" in it.staged_text()
    assert it.memory.git("fsck", "--no-dangling") == ""


@pytest.mark.parametrize("streams", ["2>&-", f"2>{FULL}" if FULL.exists() else "2>&-"])
def test_a_mistake_stays_one_where_it_cant_be_told(streams: str, tmp_path: Path) -> None:
    done = wbmem("nonsense", desk(tmp_path).memory.top, streams)
    assert done.returncode == 2
    assert not done.stdout


def test_a_reader_that_has_enough_ends_a_command_without_a_word(tmp_path: Path) -> None:
    done = wbmem("explain C2", desk(tmp_path).memory.top, "| true")
    assert not done.stderr


def test_the_streams_are_those_of_before_when_a_command_has_run(tmp_path: Path) -> None:
    code = (
        "import sys; before = sys.stdout, sys.stderr; from wbmem_git.cli import main; "
        "main(['--version']); assert (sys.stdout, sys.stderr) == before; print('after')"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=True
    )
    assert done.stdout.endswith("after\n")
