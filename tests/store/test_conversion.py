"""New files come as git would check them out, also by a program that has written many of them before."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from memory import Memory

from wbmem_git.store.conversion import as_checked_out
from wbmem_git.store.git import Git
from wbmem_git.store.repository import Repository

PATH, TEXT = "log/2026-10-01.md", b"one\n$Id$\n"


@pytest.fixture
def repository(memory: Memory) -> Iterator[Repository]:
    memory.commit({"PLAN.md": "# Plan\n"})
    with Repository.open(str(memory.top), os.environ) as opened:
        yield opened


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What git is asked to check out."""
    found: list[str] = []
    run = Git.run

    def told(self: Git, *args: str, stdin: bytes = b"") -> bytes:
        found.extend(args[:1] if "--filters" in args else ())
        return run(self, *args, stdin=stdin)

    monkeypatch.setattr(Git, "run", told)
    return found


def out(repository: Repository, path: str = PATH, staged: tuple[str, ...] = ()) -> bytes:
    """The file, where the repository was opened anew for this write."""
    with repository:
        return as_checked_out(repository, staged, path, TEXT)


def test_git_is_asked_once_for_each_kind_of_file(repository: Repository, asked: list[str]) -> None:
    repository.is_held = True
    assert [out(repository), out(repository, "log/2026-10-02.md")] == [TEXT, TEXT]
    assert asked == ["cat-file"]
    assert [out(repository, "a.md"), out(repository, "log/b.txt")] == [TEXT, TEXT]
    assert asked == ["cat-file"] * 3
    repository.close()


def written(*place: str, said: str) -> Callable[[Memory], None]:
    def write(memory: Memory) -> None:
        file = Path(memory.top, *place)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(said)

    return write


def linked(memory: Memory) -> None:
    Path(memory.top, "elsewhere").write_text("*.md eol=crlf\n")
    Path(memory.top, ".git/info").mkdir(exist_ok=True)
    Path(memory.top, ".git/info/attributes").symlink_to("../../elsewhere")


def configured(key: str, value: str) -> Callable[[Memory], None]:
    return lambda memory: (memory.git("config", key, value), None)[1]


def global_attributes(memory: Memory) -> None:
    Path(memory.top, "mine").write_text("*.md eol=crlf\n")
    memory.git("config", "core.attributesFile", str(memory.top / "mine"))


CRLF, IDENT = TEXT.replace(b"\n", b"\r\n"), None
CHANGES: dict[str, tuple[Callable[[Memory], None], bytes | None]] = {
    "autocrlf": (configured("core.autocrlf", "true"), CRLF),
    "at the top": (written(".gitattributes", said="*.md text eol=crlf\n"), CRLF),
    "in the folder": (written("log", ".gitattributes", said="*.md eol=crlf\n"), CRLF),
    "a macro": (written(".gitattributes", said="[attr]odd crlf eol=crlf\n*.md odd\n"), CRLF),
    "ident": (written(".gitattributes", said="*.md ident\n"), IDENT),
    "of this repository": (written(".git", "info", "attributes", said="*.md eol=crlf\n"), CRLF),
    "a link": (linked, CRLF),
    "the user's": (global_attributes, CRLF),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_has_git_change_it_counts_from_the_next_write_on(
    memory: Memory, repository: Repository, change: str
) -> None:
    repository.is_held = True
    assert out(repository) == out(repository) == TEXT
    have, expected = CHANGES[change]
    have(memory)
    said = out(repository)
    assert said == (expected or said) != TEXT
    repository.close()


def test_attributes_that_are_only_staged_are_left_to_git(
    memory: Memory, repository: Repository, asked: list[str]
) -> None:
    repository.is_held = True
    memory.git("config", "core.eol", "crlf")
    assert out(repository) == TEXT
    memory.write(".gitattributes", "*.md eol=crlf\n")
    memory.git("add", ".gitattributes")
    Path(memory.top, ".gitattributes").unlink()
    out(repository, staged=(".gitattributes",))
    assert asked == ["cat-file"] * 2
    repository.close()


def test_other_attributes_have_nobody_asked(memory: Memory, repository: Repository, asked: list[str]) -> None:
    repository.is_held = True
    written(".gitattributes", said="/PLAN.md merge=wbmem\n*.md diff=markdown\n")(memory)
    assert [out(repository), out(repository)] == [TEXT, TEXT]
    memory.git("config", "core.autocrlf", "input")
    assert out(repository) == TEXT
    assert asked == ["cat-file"]
    repository.close()
