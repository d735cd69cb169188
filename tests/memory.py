"""A memory repository to test on: plain git underneath, nothing of wbmem's own."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pathlib import Path


class Memory(NamedTuple):
    """A git repository in a temporary folder and the git commands that tests need."""

    top: Path

    @classmethod
    def create(cls, top: Path, *options: str) -> Memory:
        """`git init` with an identity (`Ada <ada@example.org>`), branch main."""
        top.mkdir(parents=True, exist_ok=True)
        made = cls(top)
        made.git("init", "-q", "-b", "main", *options)
        made.git("config", "user.name", "Ada")
        made.git("config", "user.email", "ada@example.org")
        return made

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
        import os  # noqa: PLC0415  # the environment as the test set it, at the time of the call

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
        return self.git("rev-parse", "HEAD")
