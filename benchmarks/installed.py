"""`wbmem` as a user has it: the wheel in an environment that holds nothing else, and its console script.

A checkout's own environment is another thing: what developers install there takes part in every start.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]


class Installed(NamedTuple):
    """The console script, and the Python that it runs."""

    wbmem: str
    python: str


def installed(folder: Path) -> Installed:
    """The checkout, installed into a folder as `pip install` does, with its bytecode written."""
    venv.create(folder, symlinks=True)
    python = folder / "bin/python"
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--python", str(python)]
    subprocess.run([*pip, "install", "-q", str(ROOT)], check=True, stderr=subprocess.DEVNULL)
    return Installed(str(folder / "bin/wbmem"), str(python))
