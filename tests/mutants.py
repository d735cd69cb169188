"""One-line mutants of what the product stands on: each must turn the suite red. `make mutants` runs them.

A mutant is the project in a temporary folder with one line changed. Its part of the suite runs first
unchanged (it must be green, or red would prove nothing), then mutated.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[1]
COPIED = ("wbmem_git", "wbmem_hooks", "tests", "templates", "pyproject.toml")


class Mutant(NamedTuple):
    """A line of the code, what stands there instead, and the tests that have to notice."""

    name: str
    path: str
    line: str
    instead: str
    tests: tuple[str, ...]


def cases(*tables: str) -> tuple[str, ...]:
    """The case tables of those rules, as arguments for pytest."""
    return ("tests/rules/test_cases.py", "-k", " or ".join(tables))


MUTANTS = (
    Mutant(
        "C2 overlooks every card",
        "wbmem_git/rules/heirs.py",
        "    gone = parent.holders.keys() - new.holders.keys()",
        "    gone = set[str]()",
        cases("C2"),
    ),
    Mutant(
        "C2 takes any archive file for the card",
        "wbmem_git/rules/closing.py",
        "    if line is not None and not _settled_by_other_side(change, card, file):",
        "    if line is not None and change.adopting:",
        cases("C2"),
    ),
    Mutant(
        "U1 lets agents write what people wrote",
        "wbmem_git/rules/remarks.py",
        '    if change.actor != "agent":',
        '    if change.actor != "human":',
        cases("U1"),
    ),
    Mutant(
        "H3 takes placeholders for text",
        "wbmem_git/rules/criteria.py",
        "    for ledger in added_ledgers(change):",
        "    for ledger in ():",
        cases("H3"),
    ),
    Mutant(
        "L1 lets the past be rewritten",
        "wbmem_git/rules/ledgers.py",
        "            if not is_ledger(path) or path in told or same_text(file, change.new.files.get(path)):",
        "            if not is_ledger(path) or path in told or path in change.new.files:",
        cases("L1"),
    ),
    Mutant(
        "the id forgets the page",
        "wbmem_git/text/ids.py",
        "    parts = (key, page, title) if n == 1 else (key, page, title, str(n))",
        "    parts = (key, title) if n == 1 else (key, title, str(n))",
        ("tests/text",),
    ),
    Mutant(
        "the id counts namesakes from three",  # to forget them would look for a free number for ever
        "wbmem_git/text/ids.py",
        "    parts = (key, page, title) if n == 1 else (key, page, title, str(n))",
        "    parts = (key, page, title) if n == 1 else (key, page, title, str(n + 1))",
        ("tests/text",),
    ),
)


def main() -> int:
    """0 where every mutant was noticed."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            (shutil.copytree if source.is_dir() else shutil.copy2)(source, copy / name)
        for tests in sorted({mutant.tests for mutant in MUTANTS}):
            if _run(copy, tests):
                print(f"red before any mutation: {' '.join(tests)}")
                return 1
        for mutant in MUTANTS:
            noticed = _noticed(copy, mutant)
            print(f"{'killed  ' if noticed else 'SURVIVED'}  {mutant.name}")
            wrong += not noticed
    print(f"{len(MUTANTS) - wrong} of {len(MUTANTS)} mutants killed")
    return 1 if wrong else 0


def _noticed(copy: Path, mutant: Mutant) -> bool:
    path = copy / mutant.path
    text = path.read_text(encoding="utf-8")
    place = _place(mutant, text)
    path.write_text(text[:place] + mutant.instead + text[place + len(mutant.line) :], encoding="utf-8")
    try:
        return _run(copy, mutant.tests) == 1
    finally:
        path.write_text(text, encoding="utf-8")


def _place(mutant: Mutant, text: str) -> int:
    """Where the line stands; of several equal ones the first inside the rule that the mutant names."""
    start = text.find(f"def {mutant.name.split()[0].lower()}(")
    place = text.find(f"{mutant.line}\n", max(start, 0))
    if place < 0:
        raise SystemExit(f"{mutant.path} has no line {mutant.line!r}: this mutant has to follow the code")
    return place


def _run(copy: Path, tests: tuple[str, ...]) -> int:
    """pytest's exit status: 0 green, 1 red, anything else means that it didn't run."""
    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "-n", "0", *tests],
        cwd=copy,
        env={
            **os.environ,
            "PYTHONPATH": f"{copy}{os.pathsep}{copy / 'tests'}",
            "PYTHONDONTWRITEBYTECODE": "1",
        },
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode not in {0, 1}:
        raise SystemExit(done.stdout + done.stderr)
    return done.returncode


if __name__ == "__main__":
    sys.exit(main())
