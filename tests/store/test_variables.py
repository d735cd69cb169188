"""What git says of itself, and that it is strict about who commits."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

import pytest

from wbmem_git.errors import NoIdentity, UsageError
from wbmem_git.store.git import Git
from wbmem_git.store.variables import AUTHOR, COMMITTER, Variables

if TYPE_CHECKING:
    from memory import Memory


def said(memory: Memory, **more: str) -> Variables:
    return Variables(Git(str(memory.top), {**os.environ, **more}))


def test_the_configuration_and_who_commits_in_one_go(memory: Memory) -> None:
    memory.git("config", "Commit.GpgSign", "yes")
    memory.git("config", "core.hooksPath", "a=b c")
    memory.git("config", "--add", "hook.x.event", "pre-commit")
    memory.git("config", "--add", "hook.x.event", "post-commit")
    memory.git("config", "wbmem.lines", "one\ntwo=3\n")
    config = memory.top / ".git/config"
    config.write_text(f"{config.read_text()}[wbmem]\n\tbare\n")
    found = said(memory, GIT_AUTHOR_NAME="Eve")
    assert found.ident(AUTHOR).startswith("Eve <ada@example.org> ")
    assert found.ident(COMMITTER).startswith("Ada <ada@example.org> ")
    assert found.is_true("commit.gpgsign")
    assert not found.is_true("maintenance.auto", default=True)
    assert not found.is_true("i18n.none")
    assert found.last("core.hookspath") == "a=b c"
    assert found.values["hook.x.event"] == ("pre-commit", "post-commit")
    assert found.is_true("wbmem.bare")


@pytest.mark.parametrize("name", ["", "...", " "])
def test_where_git_would_refuse_so_do_we(memory: Memory, name: str) -> None:
    memory.git("config", "user.name", name)
    with pytest.raises(NoIdentity):
        said(memory).ident(AUTHOR)
    assert memory.try_git("commit", "--allow-empty", "-m", "x").returncode


def test_a_name_that_is_only_guessed_is_no_name_where_git_may_not_guess(memory: Memory) -> None:
    memory.git("config", "--unset", "user.email")
    memory.git("config", "user.useConfigOnly", "true")
    with pytest.raises(NoIdentity):
        said(memory).ident(COMMITTER)
    assert said(memory, GIT_COMMITTER_EMAIL="eve@example.org").ident(COMMITTER).startswith("Ada <eve@")


def test_a_date_that_git_cannot_read_is_told_as_that(memory: Memory) -> None:
    with pytest.raises(UsageError, match="GIT_AUTHOR_DATE is no date that git reads: 'garbage'"):
        said(memory, GIT_AUTHOR_DATE="garbage").ident(AUTHOR)
