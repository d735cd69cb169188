"""A workspace on a desk: a memory with a board, the way each kind of user has it, and what to look at."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from memory import Memory
from pages import SETTINGS, board, card

from wbmem_git.store.repository import Repository
from wbmem_git.verbs.gate import Gate
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    Run = Callable[..., tuple[int, str, str]]

NOW = "2026-09-14T10:15:00Z"
LAYOUTS = (
    "plain",
    "crlf",
    "cr",
    "autocrlf",
    "bom",
    "no final newline",
    "linked worktree",
    "split index",
    "sha256",
    "executable",
    "hooks",
)


class Desk(NamedTuple):
    """A memory and the API on it. `commit_text` is what HEAD has of the board, byte for byte."""

    memory: Memory
    workspace: Workspace

    @classmethod
    def of(cls, memory: Memory) -> Desk:
        return cls(memory, Workspace(memory.top, dict(os.environ)))

    def head(self, path: str = "PLAN.md") -> bytes:
        return self._blob(f"HEAD:{path}")

    def staged_text(self, path: str = "PLAN.md") -> bytes:
        return self._blob(f":{path}")

    def file(self, path: str = "PLAN.md") -> bytes:
        return (self.memory.top / path).read_bytes()

    def staged(self) -> list[str]:
        """`A path`, `M path`, `D path`: what is staged."""
        return (
            self.memory.git("diff", "--cached", "--name-status", "--no-renames")
            .replace("\t", " ")
            .split("\n")
        )

    def edit(self, old: str, new: str, path: str = "PLAN.md") -> None:
        """What a person does in an editor: the file's own line ends stay."""
        target = self.memory.top / path
        text = target.read_bytes().decode()
        end = end_of(text)
        old, new = old.replace("\n", end), new.replace("\n", end)
        assert old in text, (old, text)
        target.write_bytes(text.replace(old, new).encode())

    def verdict(self, revision: str = "HEAD") -> list[str]:
        """What the gate refuses in a commit of history."""
        with Repository.open(str(self.memory.top), os.environ) as repository:
            commit = repository.commit(self.memory.git("rev-parse", revision))
            found = Gate(repository).judge_commit(commit).verdict
        return [f"{one.rule} {one.path} {one.message}" for one in found.findings if one.refuses]

    def clean(self) -> bool:
        """Whether index and working tree are HEAD's."""
        return not self.memory.git("status", "--porcelain", "--untracked-files=all")

    def _blob(self, name: str) -> bytes:
        import subprocess  # bytes, where Memory.git gives text

        return subprocess.run(
            ["git", "cat-file", "blob", name], cwd=self.memory.top, capture_output=True, check=True
        ).stdout


def end_of(text: str) -> str:
    """The line end of a text."""
    return next((end for end in ("\r\n", "\n", "\r") if end in text), "\n")


BOARD = (
    "# Plan\n\n"
    "## Doing\n\n"
    f"{card('Alpha', 'Next: sharpen the saw', user='mine')}\n"
    f"{card('Beta')}\n"
    "## Later\n\n"
    f"{card('Gamma')}"
)


def desk(folder: Path, layout: str = "plain", text: str = BOARD) -> Desk:
    """A desk of that layout with `text` as its committed board."""
    made = _MAKERS.get(layout, _plain)(folder / "workspace" / "handoff", text)
    if layout == "hooks":
        Desk.of(made).workspace.install_hooks()
    return Desk.of(made)


def _plain(top: Path, text: str) -> Memory:
    memory = Memory.create(top)
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": text, "MEMORY.md": "# Memory\n"})
    return memory


def _crlf(top: Path, text: str) -> Memory:
    return _plain(top, text.replace("\n", "\r\n"))


def _cr(top: Path, text: str) -> Memory:
    memory = _plain(top, text.replace("\n", "\r"))
    assert "\n" not in (top / "PLAN.md").read_bytes().decode()
    return memory


def _autocrlf(top: Path, text: str) -> Memory:
    memory = Memory.create(top)
    memory.git("config", "core.autocrlf", "true")
    memory.git("config", "core.safecrlf", "false")
    memory.commit(
        {"wbmem.yaml": SETTINGS, "PLAN.md": text.replace("\n", "\r\n"), "MEMORY.md": "# Memory\r\n"}
    )
    assert "\r" not in memory.git("cat-file", "blob", "HEAD:PLAN.md")
    return memory


def _worktree(top: Path, text: str) -> Memory:
    memory = _plain(top, text)
    memory.git("worktree", "add", "-q", "-b", "side", str(top.parent / "linked"))
    return Memory(top.parent / "linked")


def _split(top: Path, text: str) -> Memory:
    memory = _plain(top, text)
    memory.git("config", "core.splitIndex", "true")
    memory.git("update-index", "--split-index")
    return memory


def _sha256(top: Path, text: str) -> Memory:
    memory = Memory.create(top, "--object-format=sha256")
    memory.commit({"wbmem.yaml": SETTINGS, "PLAN.md": text, "MEMORY.md": "# Memory\n"})
    return memory


def _executable(top: Path, text: str) -> Memory:
    memory = _plain(top, text)
    (top / "PLAN.md").chmod(0o755)
    memory.git("commit", "-q", "-a", "-m", "executable")
    return memory


def conflict(it: Desk) -> Desk:
    """The desk in the middle of a merge that git can't resolve: Alpha is another one on both sides."""
    it.memory.git("checkout", "-q", "-b", "side")
    it.edit("sharpen the saw", "sharpen the axe")
    it.memory.git("commit", "-q", "-a", "-m", "axe")
    it.memory.git("checkout", "-q", "main")
    it.edit("sharpen the saw", "sharpen the knife")
    it.memory.git("commit", "-q", "-a", "-m", "knife")
    assert it.memory.try_git("merge", "side").returncode
    return it


_MAKERS: dict[str, Callable[[Path, str], Memory]] = {
    "crlf": _crlf,
    "cr": _cr,
    "autocrlf": _autocrlf,
    "bom": lambda top, text: _plain(top, "\ufeff" + text),
    "no final newline": lambda top, text: _plain(top, text.rstrip("\n")),
    "linked worktree": _worktree,
    "split index": _split,
    "sha256": _sha256,
    "executable": _executable,
}

__all__ = ["BOARD", "LAYOUTS", "NOW", "Desk", "board", "conflict", "desk", "end_of"]
