"""What the tests of commands share: a command as a person types it, and a desk to type it at."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from desk import Desk, desk

from wbmem_git.cli import main

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Run


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run `wbmem ARGS`: exit status, standard output, standard error."""

    def run_it(*args: str) -> tuple[int, str, str]:
        capsys.readouterr()
        status = main(args)
        said = capsys.readouterr()
        return status, said.out, said.err

    return run_it


@pytest.fixture
def it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    """A desk, and its memory the current folder."""
    made = desk(tmp_path)
    monkeypatch.chdir(made.memory.top)
    return made
