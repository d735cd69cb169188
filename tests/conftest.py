"""Hermetic ground for every test: no global git config, no inherited git or agent variables, own folders."""

from __future__ import annotations

import os
import subprocess
import tempfile
from pathlib import Path

import pytest
from memory import Memory

SHARED = Path(__file__).resolve().parents[2] / "shared"
AGENT_PREFIXES = (
    "GIT_",
    "PRE_COMMIT",
    "WBMEM_",
    "CLAUDE",
    "CODEX",
    "GEMINI",
    "CURSOR",
    "OPENCODE",
    "AGENT",
    "COPILOT",
    "AIDER",
)
IN_MEMORY = "/dev/shm"
ROOM_BYTES = 4 << 30


def pytest_configure(config: pytest.Config) -> None:
    """Repositories are made in memory where there is room and programs may run; not where a folder is named.

    With TMPDIR or --basetemp they lie there. Making files on a disk is half of what a test with git takes.
    """
    if not (os.environ.get("TMPDIR") or config.option.basetemp) and _is_fit(IN_MEMORY):
        tempfile.tempdir = IN_MEMORY


def _is_fit(folder: str) -> bool:
    if not os.access(folder, os.W_OK):
        return False
    about = os.statvfs(folder)
    return about.f_bavail * about.f_frsize >= ROOM_BYTES and not about.f_flag & os.ST_NOEXEC


@pytest.fixture(autouse=True)
def hermetic(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """Scrub what git and agents export, point git at an empty home and at no global configuration.

    A test that has no folder has no home either.
    """
    for name in list(os.environ):
        if name.startswith(AGENT_PREFIXES):
            monkeypatch.delenv(name)
    home = Path(os.devnull) / "home"
    if "tmp_path" in request.fixturenames:
        home = request.getfixturevalue("tmp_path") / "home"
        home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / ".config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / ".local/share"))
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("WBMEM_DETACH", "never")  # no process outlives a test, and most need no sidecar


@pytest.fixture
def memory(tmp_path: Path) -> Memory:
    """A plain git repository with an identity, and no commit yet."""
    return Memory.create(tmp_path / "workspace" / "handoff")


@pytest.fixture(scope="session")
def corpus() -> list[Path]:
    """Real pages, where the folder lies beside the checkout; an empty list elsewhere."""
    return sorted((SHARED / "corpus").glob("[0-9]*.md"))


def run(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command in a folder, output as text, never raising."""
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=False)
