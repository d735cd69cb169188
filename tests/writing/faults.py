"""Writes to be stopped, and what must be true behind that."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

from desk import NOW, Desk
from pages import id_of
from writing.states import is_clean, is_sound, left_open, written
from writing.writers import write

from wbmem_git.store import steps

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


class Write(NamedTuple):
    """A write to stop: what does it (the commit's oid), and whether the memory's HEAD has it."""

    do: Callable[[Desk], str]
    times: Callable[[Desk], int]


def _archive(it: Desk) -> str:
    return it.workspace.archive([id_of("Beta")], "done", now=NOW, commit=True).commit


def _archived(it: Desk) -> int:
    return it.memory.git("ls-tree", "-r", "--name-only", "HEAD").count(id_of("Beta"))


WRITES = {
    "card": Write(lambda it: write(it.workspace, 0, "one"), lambda it: written(it.memory)["one"]),
    "ledger": Write(lambda it: write(it.workspace, 3, "one"), lambda it: written(it.memory)["one"]),
    "archive": Write(_archive, _archived),
}


def state(it: Desk) -> tuple[str, str, dict[str, bytes]]:
    """HEAD, index, and the working files."""
    files = {
        path.relative_to(it.memory.top).as_posix(): path.read_bytes()
        for path in sorted(it.memory.top.rglob("*"))
        if path.is_file() and ".git" not in path.parts
    }
    return it.memory.head(), it.memory.git("ls-files", "-s"), files


def goes_on(it: Desk, wanted: Write) -> None:
    """The next write works at once, and nothing of the stopped one stays but what is done."""
    assert write(it.workspace, 0, "next")
    if not wanted.times(it):
        assert wanted.do(it)
    assert wanted.times(it) == 1
    assert written(it.memory)["next"] == 1
    assert is_clean(it.memory) == ""
    assert left_open(it.memory) == []
    assert is_sound(it.memory) == ""


def behind_a_foreign_hook(it: Desk) -> Desk:
    """With a hook of somebody else's: wbmem has git commit then, so that it runs."""
    hook = it.memory.top / ".git/hooks/post-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho ran >>ran.txt\n")
    hook.chmod(0o755)
    (it.memory.top / ".git/info").mkdir(exist_ok=True)
    (it.memory.top / ".git/info/exclude").write_text("ran.txt\n")
    return it


@contextmanager
def listening(listener: Callable[[str], None]) -> Iterator[None]:
    steps.listener = listener
    try:
        yield
    finally:
        steps.listener = None


def at(name: str, turn: int, act: Callable[[], None]) -> Callable[[str], None]:
    """A listener that does something when that step is passed for the `turn`th time, counted from 0."""
    turns = 0

    def listener(passing: str) -> None:
        nonlocal turns
        if passing == name:
            turns += 1
            if turns == turn + 1:
                act()

    return listener
