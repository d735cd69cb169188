"""A case of the tables as a real repository: commits with its trees, its index, its working tree."""

from __future__ import annotations

import os
import subprocess
from typing import TYPE_CHECKING, NamedTuple

from memory import Memory

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from pathlib import Path

    from rules.loader import Actor, Case, Content

WHO = {"agent": ("Bot", "bot@agent.local"), "human": ("Ada", "ada@example.org")}
GITLINK = "160000"
NONE = "0" * 40
SETTINGS = "wbmem.yaml"


class Staged(NamedTuple):
    """A case in a repository.

    Attributes:
        memory: The repository; HEAD is the first parent, its index holds the new tree.
        parents: The parents' commits; empty on an unborn branch.
        commit: The new tree as a commit on its parents, which no branch has.
    """

    memory: Memory
    parents: tuple[str, ...]
    commit: str


def stage(folder: Path, case: Case, actor: Actor) -> Staged:
    """Make the repository; no hook is installed and none runs."""
    memory = Memory.create(folder)
    started = case.parents and all(SETTINGS in side for side in case.parents)
    marks = folder / ".git" / "case-marks"
    stream = b"".join(_stream(case, actor, [case.shared, case.base] if started else []))
    subprocess.run(
        ["git", "-c", "fastimport.unpackLimit=1", "fast-import", "--quiet", f"--export-marks={marks}"],
        cwd=folder,
        input=stream,
        check=True,
    )
    oids = [line.split()[1] for line in sorted(marks.read_text().splitlines(), key=_mark)]
    commit, parents = oids[-1], tuple(oids[-1 - len(case.parents) : -1])
    memory.git("read-tree", commit)
    for path, content in case.worktree.items():
        if content.mode == "100644":
            memory.write(path, content.data)
    return Staged(memory, parents, commit)


def author(actor: Actor) -> dict[str, str]:
    """The variables under which git records that author and committer."""
    name, email = WHO[actor]
    return {
        "GIT_AUTHOR_NAME": name,
        "GIT_AUTHOR_EMAIL": email,
        "GIT_COMMITTER_NAME": name,
        "GIT_COMMITTER_EMAIL": email,
    }


def _mark(line: str) -> int:
    return int(line[1:].split(maxsplit=1)[0])


def _stream(case: Case, actor: Actor, before: Sequence[Mapping[str, Content]]) -> Iterator[bytes]:
    """What `git fast-import` reads: commits before the parents, the parents, the new one."""
    number = 0
    for side in before:
        number += 1
        yield from _commit(number, side, [number - 1] if number > 1 else [], "before", "human")
    start, parents = number, []
    for side in case.parents:
        number += 1
        parents.append(number)
        yield from _commit(number, side, [start] if start else [], f"parent {number}", "human")
    yield from _commit(number + 1, case.new, parents, _message(case), actor)
    yield f"reset refs/case\nfrom {NONE}\n\n".encode()
    if parents:
        yield f"reset refs/heads/main\nfrom :{parents[0]}\n\n".encode()


def _commit(
    number: int, side: Mapping[str, Content], parents: Sequence[int], message: str, actor: Actor
) -> Iterator[bytes]:
    name, email = WHO[actor]
    yield b"reset refs/case\n\n" if not parents else b""
    yield f"commit refs/case\nmark :{number}\n".encode()
    yield f"committer {name} <{email}> {1_700_000_000 + number} +0000\n".encode()
    yield _data(message.encode())
    for word, parent in zip(("from", *["merge"] * len(parents)), parents, strict=False):
        yield f"{word} :{parent}\n".encode()
    yield b"deleteall\n"
    for path, content in side.items():
        quoted = b'"' + os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"') + b'"'
        quoted = quoted.replace(b"\n", b"\\n")
        if content.mode == GITLINK:
            yield b"M 160000 " + b"1" * 40 + b" " + quoted + b"\n"
        else:
            yield f"M {content.mode} inline ".encode() + quoted + b"\n" + _data(content.data)


def _data(data: bytes) -> bytes:
    return f"data {len(data)}\n".encode() + data + b"\n"


def _message(case: Case) -> str:
    trailers = "".join(f"{key}: {value}\n" for key, value in case.trailers)
    return f"{case.message or 'a commit'}\n" + (f"\n{trailers}" if trailers else "")
