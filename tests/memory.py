"""A memory repository to test on: plain git underneath, nothing of wbmem's own."""

from __future__ import annotations

import os
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

UNHURRIED = {"core.fsync": "none", "maintenance.auto": "false"}
"""What costs each commit time and changes nothing that it leaves: the disk's confirmation, and asking
whether so few objects are to be packed."""
IDENTITY = {"user.name": "Ada", "user.email": "ada@example.org"}


class Memory(NamedTuple):
    """A git repository in a temporary folder and the git commands that tests need."""

    top: Path

    @classmethod
    def create(cls, top: Path, *options: str) -> Memory:
        """`git init` with an identity (`Ada <ada@example.org>`), branch main.

        A plain one git makes once a process; the others are written after it.
        """
        top.mkdir(parents=True, exist_ok=True)
        if (top / ".git").exists() or not all(option.startswith("--object-format") for option in options):
            _init(top, dict(os.environ), options)
        else:
            for path, made in _plain(options).items():
                made.write(top / path)
        return cls(top)

    def git(self, *args: str, check: bool = True, env: dict[str, str] | None = None, stdin: str = "") -> str:
        """What git prints, stripped of its last newline; where it fails an assertion with its words."""
        done = self.try_git(*args, env=env, stdin=stdin)
        if check and done.returncode:
            said = f"{done.stdout}{done.stderr}"
            raise AssertionError(f"git {' '.join(args)}: {done.returncode}\n{said}")
        return done.stdout.rstrip("\n")

    def try_git(
        self, *args: str, env: dict[str, str] | None = None, stdin: str = ""
    ) -> subprocess.CompletedProcess[str]:
        """The finished process, whatever its exit status."""
        return subprocess.run(
            ["git", *args],
            cwd=self.top,
            env={**os.environ, **(env or {})},
            input=stdin,
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )

    def write(self, path: str, text: str | bytes) -> Path:
        """A file of the working tree, byte for byte."""
        target = self.top / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return target

    def read(self, path: str) -> str:
        return (self.top / path).read_bytes().decode()

    def commit(self, files: dict[str, str | bytes | None], message: str = "a commit", *options: str) -> str:
        """Write (None deletes), add, commit past any hook; the new commit's oid."""
        for path, text in files.items():
            if text is None:
                (self.top / path).unlink()
            else:
                self.write(path, text)
        self.git("add", "-A")
        self.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "--allow-empty", "-m", message, *options)
        return self.head()

    def head(self) -> str:
        """The commit that HEAD names; read from git's files where they say it."""
        git_dir = self.top / ".git"
        if (git_dir / "HEAD").is_file():
            _, _, ref = (git_dir / "HEAD").read_text().rstrip().rpartition("ref: ")
            if ref and (git_dir / ref).is_file():
                return (git_dir / ref).read_text().rstrip()
        return self.git("rev-parse", "HEAD")


class _Made(NamedTuple):
    """A file that `git init` makes, or a folder (no data)."""

    data: bytes | None
    is_executable: bool

    def write(self, path: Path) -> None:
        if self.data is None:
            path.mkdir()
            return
        path.write_bytes(self.data)
        if self.is_executable:
            path.chmod(0o755)


@cache
def _plain(options: tuple[str, ...]) -> dict[str, _Made]:
    """What `git init` makes in a folder, by path, folders before what they hold."""
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        environment = {name: os.environ[name] for name in ("PATH", "GIT_EXEC_PATH") if name in os.environ}
        environment |= {"HOME": folder, "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
        _init(top, environment, options)
        return {
            path.relative_to(top).as_posix(): _Made(
                None if path.is_dir() else path.read_bytes(), os.access(path, os.X_OK)
            )
            for path in sorted(top.rglob("*"))
        }


def _init(top: Path, environment: dict[str, str], options: tuple[str, ...]) -> None:
    settings = [["config", name, value] for name, value in (IDENTITY | UNHURRIED).items()]
    for command in (["init", "-q", "-b", "main", *options], *settings):
        subprocess.run(["git", *command], cwd=top, env=environment, check=True)
