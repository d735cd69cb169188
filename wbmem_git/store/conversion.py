"""What git would make of a new file when it checks it out here: line ends, filters, another encoding.

In most memories it makes nothing of it. Then no git is asked: where no file of attributes says a word of it
and `core.autocrlf` is off, and where git has said once of such a file that it stays as it is. (Nobody but git
knows where all of its files of attributes are.)
"""

from __future__ import annotations

import os
import posixpath
import stat
from typing import TYPE_CHECKING

from wbmem_git.store.variables import FALSE
from wbmem_git.store.writer import store_blob

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from wbmem_git.store.repository import Repository

ATTRIBUTES = ".gitattributes"
_WORDS = (b"text", b"crlf", b"eol", b"ident", b"filter", b"working-tree-encoding")
"""Attributes by which git changes a file (gitattributes, git 2.39); a macro has to name one of them, too."""
_SETTINGS = ("core.attributesfile", "attr.tree")
_VARIABLES = ("GIT_ATTR_SOURCE",)
_MOST_BYTES = 1 << 16
_MOST_KINDS = 1000


def as_checked_out(repository: Repository, staged: Container[str], path: str, data: bytes) -> bytes:
    """A new file as git would check it out here.

    Args:
        repository: Where.
        staged: The paths in the index.
        path: The file's.
        data: What is stored of it.

    Raises:
        GitError: git can't say.
    """
    like = (posixpath.dirname(path), posixpath.splitext(path)[1])
    if like in repository.unconverted and not _may_differ(repository, staged, path):
        return data
    oid = store_blob(repository, data)
    said = repository.git.run("cat-file", "--filters", f"--path={path}", oid)
    if len(repository.unconverted) >= _MOST_KINDS:
        repository.unconverted.clear()
    if said == data:
        repository.unconverted.add(like)
    return said


def is_stored_as_it_is(repository: Repository, staged: Container[str], path: str, data: bytes) -> bool:
    """Whether git would store of a file what stands in it, line ends aside: no filter, no other encoding."""
    if not _may_differ(repository, staged, path):
        return True
    answers = repository.git.run("check-attr", "-z", "filter", "working-tree-encoding", "--", path)
    if all(said in {b"unspecified", b"unset"} for said in answers.split(b"\0")[2::3]):
        return True
    stored = repository.git.ask("hash-object", "--stdin", f"--path={path}", stdin=data)
    if stored.status or stored.err:  # what it can't convert it takes as it is, and says so
        return False
    return stored.out.decode().strip() in {
        _oid(repository, kept) for kept in (data, data.replace(b"\r\n", b"\n"))
    }


def _oid(repository: Repository, data: bytes) -> str:
    from hashlib import new  # OpenSSL takes 4 ms to load

    return new(repository.object_format, b"blob %d\0" % len(data) + data, usedforsecurity=False).hexdigest()


def _may_differ(repository: Repository, staged: Container[str], path: str) -> bool:
    """Whether anything that we know of could have git change it."""
    said = repository.variables()
    if said.last("core.autocrlf", "false").casefold() not in {*FALSE, "input"}:
        return True
    if any(map(said.last, _SETTINGS)) or any(map(repository.git.environment.get, _VARIABLES)):
        return True
    for folder in _folders(path):
        place = os.path.join(repository.top, folder, ATTRIBUTES)
        if not os.path.lexists(place) and posixpath.join(folder, ATTRIBUTES) in staged:
            return True  # git reads the one in the index then
        if _says(place):
            return True
    return any(map(_says, _elsewhere(repository)))


def _folders(path: str) -> Iterator[str]:
    """The folders above a path, the top's being ""."""
    while path:
        path = posixpath.dirname(path)
        yield path


def _elsewhere(repository: Repository) -> Iterator[str]:
    """Other files of attributes: this repository's, the user's, the system's."""
    environment = repository.git.environment
    for folder in (repository.git_dir, repository.common_dir):
        yield os.path.join(folder, "info", "attributes")
    home = environment.get("HOME", "")
    own = environment.get("XDG_CONFIG_HOME") or (os.path.join(home, ".config") if home else "")
    if own:
        yield os.path.join(own, "git", "attributes")
    yield "/etc/gitattributes"


def _says(place: str) -> bool:
    """Whether a file of attributes says something of it, or isn't one that we can read."""
    try:
        found = os.lstat(place)
        if not stat.S_ISREG(found.st_mode) or found.st_size > _MOST_BYTES:
            return True
        with open(place, "rb") as file:
            said = file.read()
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        return True
    return any(word in said for word in _WORDS)
