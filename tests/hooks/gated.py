"""A memory whose hooks are the real ones, and what tests ask about it."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any

from pages import SETTINGS, board, card

from wbmem_git.store.repository import Repository
from wbmem_git.store.stamp import read_stamp
from wbmem_git.verbs.hooks.install import install
from wbmem_git.verbs.hooks.scripts import Origin, this_installation

if TYPE_CHECKING:
    import subprocess
    from collections.abc import Callable
    from pathlib import Path

    from memory import Memory

    from wbmem_git.store.stamp import Stamp

AS_AGENT = {"GIT_AUTHOR_NAME": "Bot", "GIT_AUTHOR_EMAIL": "bot@agent.local"}
IN_AGENTS_SHELL = {"CLAUDECODE": "1"}
REFRESHES = "refreshes"
KEEP_STAMP = (
    '#!/bin/sh\ng=${GIT_DIR:-.git}\n[ ! -f "$g/wbmem/stamp" ] || cp "$g/wbmem/stamp" "$g/kept-stamp"\n'
)


def gate(memory: Memory) -> Memory:
    """Commit a board with the cards A and B, and install the hooks."""
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": board(card("A"), card("B"))}, "begin")
    install_hooks(memory)
    return memory


def install_hooks(memory: Memory) -> None:
    with Repository.open(str(memory.top), os.environ) as repository:
        assert install(repository, {}).complete


def count_starts(memory: Memory, folder: Path) -> Callable[[], list[str]]:
    """Install hooks that write down each start of Python; the names of the hooks that started one.

    Those that nobody waits for aren't among them: `count_refreshes` has them.
    """
    real = this_installation()
    python, log, behind = folder / "counting python", folder / "starts", folder / REFRESHES
    python.write_text(
        "#!/bin/sh\n"
        f"case $3.$4 in -c.*) ;; *.refresh) echo x >>'{behind}' ;; *) echo \"$4\" >>'{log}' ;; esac\n"
        f"exec '{real.python}' \"$@\"\n"
    )
    python.chmod(0o755)
    with Repository.open(str(memory.top), os.environ) as repository:
        install(repository, {}, Origin(str(python), real.main))
    return lambda: log.read_text().split() if log.exists() else []


def count_refreshes(folder: Path) -> int:
    """How often a hook of `count_starts` had the sidecar follow HEAD."""
    log = folder / REFRESHES
    return len(log.read_text().split()) if log.exists() else 0


def keep_stamps(memory: Memory) -> None:
    """Have a copy made of each stamp that a pre-hook leaves, before post-commit takes it away."""
    path = hooks_folder(memory) / "prepare-commit-msg.before-wbmem"
    path.write_text(KEEP_STAMP)
    path.chmod(0o755)


def hooks_folder(memory: Memory) -> Path:
    return memory.top / memory.git("rev-parse", "--git-path", "hooks")


def git_dir(memory: Memory) -> Path:
    return memory.top / memory.git("rev-parse", "--git-dir")


def kept_stamp(memory: Memory) -> Stamp:
    """The stamp of the last commit, from its copy."""
    place = git_dir(memory)
    (place / "kept" / "wbmem").mkdir(parents=True, exist_ok=True)
    (place / "kept-stamp").rename(place / "kept/wbmem/stamp")
    stamp = read_stamp(str(place / "kept"))
    assert stamp is not None
    return stamp


def stamp(memory: Memory) -> Stamp | None:
    return read_stamp(str(git_dir(memory)))


def journal(memory: Memory) -> list[dict[str, Any]]:
    path = memory.top / memory.git("rev-parse", "--git-common-dir") / "wbmem/journal.jsonl"
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


def mark(memory: Memory, branch: str = "main") -> str:
    path = memory.top / memory.git("rev-parse", "--git-common-dir") / "wbmem/audit" / branch / ".mark"
    return path.read_text().strip() if path.exists() else ""


def tree(memory: Memory, rev: str = "HEAD") -> str:
    return memory.git("rev-parse", f"{rev}^{{tree}}")


def refused(done: subprocess.CompletedProcess[str], rule: str) -> str:
    """That the gate refused for that rule; what it said."""
    assert done.returncode != 0, done.stderr
    assert rule in done.stderr, done.stderr
    assert "Traceback" not in done.stderr
    return done.stderr


def drop_b(memory: Memory) -> None:
    memory.write("PLAN.md", board(card("A")))
