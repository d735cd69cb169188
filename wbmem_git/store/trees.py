"""Tree objects: what a folder of a commit holds, and where two of them differ."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import GitError
from wbmem_git.store.git import text_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

TREE, SYMLINK, GITLINK = "040000", "120000", "160000"
_ENTRIES = {
    size: re.compile(rb"([0-7]+) ([^\0]+)\0(.{%d})" % size, re.DOTALL)  # 20 bytes for sha1, 32 for sha256
    for size in (20, 32)
}


class Entry(NamedTuple):
    """What stands under a name: `mode` as git writes it (octal, six digits), `oid` in hex."""

    mode: str
    oid: str

    @property
    def is_tree(self) -> bool:
        return self.mode == TREE

    @property
    def is_file(self) -> bool:
        """Whether it is a file proper: no symbolic link, no submodule, no folder."""
        return self.mode.startswith("100")


if TYPE_CHECKING:
    Entries = Mapping[str, Entry]
    Difference = tuple[Entry | None, Entry | None]


def parse_tree(data: bytes, oid_bytes: int) -> dict[str, Entry]:
    """The entries of one tree object, by name.

    Args:
        data: The object's content: `mode SP name NUL oid`, again and again.
        oid_bytes: How long an oid is: 20 or 32.

    Raises:
        GitError: The object isn't a tree.
    """
    found = _ENTRIES[oid_bytes].findall(data)
    if sum(len(mode) + len(name) for mode, name, _ in found) + len(found) * (oid_bytes + 2) != len(data):
        raise GitError("a tree object is damaged", "git fsck names it")
    return {text_of(name): Entry(mode.decode().zfill(6), oid.hex()) for mode, name, oid in found}


def walk(read: Callable[[str], Entries], tree: str, prefix: str = "") -> Iterator[tuple[str, Entry]]:
    """Every entry below a tree that is no tree itself, as (path, entry), in git's order."""
    for name, entry in read(tree).items():
        if entry.is_tree:
            yield from walk(read, entry.oid, f"{prefix}{name}/")
        else:
            yield prefix + name, entry


def compare(
    read: Callable[[str], Entries], old: str, new: str, prefix: str = ""
) -> Iterator[tuple[str, Difference]]:
    """Every path at which two trees differ; a folder with the same oid on both sides isn't opened.

    Args:
        read: Gives the entries of a tree by its oid.
        old: The old tree, "" for an empty one.
        new: The new tree, "" for an empty one.
        prefix: Put before every path.
    """
    if old == new:
        return
    before = read(old) if old else {}
    after = read(new) if new else {}
    for name in before.keys() | after.keys():
        one, other = before.get(name), after.get(name)
        if one == other:
            continue
        folders = (
            one.oid if one is not None and one.is_tree else "",
            other.oid if other is not None and other.is_tree else "",
        )
        yield from compare(read, *folders, f"{prefix}{name}/")
        leaves = (_leaf(one), _leaf(other))
        if leaves != (None, None):
            yield prefix + name, leaves


def _leaf(entry: Entry | None) -> Entry | None:
    return None if entry is None or entry.is_tree else entry
