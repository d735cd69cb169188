"""What must be true of a memory, whoever wrote to it and however that ended."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memory import Memory

FLOCK = "write.lock"
"""The file that writers hold a lock on; it stays."""


def written(memory: Memory, tree: str = "HEAD") -> Counter[str]:
    """How often each write stands in that tree."""
    lines = memory.git("grep", "-h", "^token: ", tree, "--", check=False).split("\n")
    return Counter(line.removeprefix("token: ") for line in lines if line)


def left_open(memory: Memory) -> list[str]:
    """Every lock file that lies in the git folder."""
    locks = (memory.top / ".git").rglob("*.lock")
    return sorted(path.relative_to(memory.top).as_posix() for path in locks if path.name != FLOCK)


def is_clean(memory: Memory) -> str:
    """What index and working files have that HEAD hasn't, or the other way round; "" where they are alike."""
    return memory.git("status", "--porcelain", "--untracked-files=all")


def is_sound(memory: Memory) -> str:
    """What `git fsck` has to say of the whole repository, apart from objects that nobody needs."""
    done = memory.try_git("fsck", "--strict", "--no-dangling", "--no-progress")
    return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}"


def taken_out(memory: Memory) -> list[str]:
    """The writes that some commit of history takes out again; one that comes back later is told too."""
    lines = memory.git("log", "--format=", "-p", "--no-renames", "--no-ext-diff", "-U0").split("\n")
    return [line.removeprefix("-token: ") for line in lines if line.startswith("-token: ")]
