"""The index as bytes: its entries read, some of them exchanged, without a process (gitformat-index).

Only what is usual is taken on: versions 2 and 3, and the extensions `TREE` and `REUC`. Where anything else
stands in the file (a split or sparse index, version 4, an untracked cache, a file system monitor) git has to
do it.
"""

from __future__ import annotations

import hashlib
import os
from bisect import bisect_left
from struct import Struct
from struct import error as StructError  # noqa: N812  # it is a class
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.trees import Entry

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    NewEntries = Mapping[str, Entry | None]
    Cut = tuple[int, int, bytes, bytes]
    """Where an entry begins and ends, its path, and what takes its place."""

_HEADER = Struct(">4sII")
_WORD = Struct(">I")
_STAT = Struct(">10I")  # ctime, mtime (each with nanoseconds), device, inode, mode, user, group, size
_STAT_BYTES, _SECONDS_AT, _MODE_AT, _SIZE_AT = 40, 8, 24, 36
_ASSUMED, _EXTENDED, _STAGE, _LENGTH = 0x8000, 0x4000, 0x3000, 0x0FFF
_SKIP_WORKTREE, _INTENT_TO_ADD = 0x4000, 0x2000
_USUAL = (b"TREE", b"REUC")
_VERSIONS = (2, 3)
_MASK = 0xFFFFFFFF
_LAST: list[IndexFile] = []
"""The one that was read last."""


class Folder(NamedTuple):
    """A folder in the index's cache of trees: how many entries it has (-1: it isn't known), and its oid."""

    entries: int
    oid: str


class IndexFile:
    """One index, read whole.

    Attributes:
        data: The file.
        paths: Where each path's entry begins; of paths that aren't merged yet, that of the last stage.
        is_merged: Whether no path has several stages.
    """

    def __init__(self, data: bytes, oid_bytes: int) -> None:
        """Read it; `is_usual` has to hold.

        Args:
            data: The file.
            oid_bytes: 20 for SHA-1, 32 for SHA-256.
        """
        self.data = data
        self._oid_bytes = oid_bytes
        self.paths: dict[bytes, int] = {}
        self._ends: dict[int, int] = {}
        self.is_merged = True
        self._entries_end = self._scan(_HEADER.unpack_from(data)[2])
        self._trees = _read_trees(self._extension(b"TREE"), oid_bytes)

    def _scan(self, count: int) -> int:
        """Note where each entry begins and ends; where the last one does."""
        data, fixed = self.data, _STAT_BYTES + self._oid_bytes + 2
        at = _HEADER.size
        for _ in range(count):
            flags = data[at + fixed - 2] << 8 | data[at + fixed - 1]
            begin = at + fixed + (2 if flags & _EXTENDED else 0)
            length = flags & _LENGTH
            end = begin + length if length < _LENGTH else data.index(b"\0", begin)
            if flags & _STAGE:
                self.is_merged = False
            self.paths[data[begin:end]] = at
            self._ends[at] = at + (end - at + 8 & ~7)
            at = self._ends[at]
        return at

    @classmethod
    def is_usual(cls, data: bytes, oid_bytes: int) -> bool:
        """Whether we may read and write such a file."""
        if len(data) < _HEADER.size + oid_bytes:
            return False
        signature, version, _ = _HEADER.unpack_from(data)
        return signature == b"DIRC" and version in _VERSIONS

    @property
    def has_only_usual(self) -> bool:
        """Whether all that follows the entries is known to us, and nothing is missing."""
        at, end = self._entries_end, len(self.data) - self._oid_bytes
        while at < end:
            if self.data[at : at + 4] not in _USUAL:
                return False
            at += 8 + _WORD.unpack_from(self.data, at + 4)[0]
        return at == end

    @property
    def tree(self) -> str:
        """The tree that git would commit, where the index says it; "" where git has to compute it."""
        root = self._trees.get("")
        return root.oid if root is not None and root.entries >= 0 and self.is_merged else ""

    def entry(self, path: str) -> Entry | None:
        """What stands at a path; what `git add -N` notes is nothing."""
        at = self.paths.get(_raw(path))
        if at is None or self._flags(at)[1] & _INTENT_TO_ADD:
            return None
        begin = at + _STAT_BYTES
        mode = _WORD.unpack_from(self.data, at + _MODE_AT)[0]
        return Entry(f"{mode:06o}", self.data[begin : begin + self._oid_bytes].hex())

    def _flags(self, at: int) -> tuple[int, int]:
        """The flags of an entry, and the further ones of version 3."""
        place = at + _STAT_BYTES + self._oid_bytes
        flags = int.from_bytes(self.data[place : place + 2], "big")
        return flags, int.from_bytes(self.data[place + 2 : place + 4], "big") if flags & _EXTENDED else 0

    def recent(self, written_s: int) -> list[str]:
        """The paths whose files changed in the second in which the index was written, or later.

        Their times alone don't tell whether they are what is staged (git: technical/racy-git).
        """
        data, second = self.data, _WORD.pack(written_s & _MASK)
        begin, end = _SECONDS_AT, _SECONDS_AT + _WORD.size
        found = [path for path, at in self.paths.items() if data[at + begin : at + end] >= second]
        return [path.decode("utf-8", "surrogateescape") for path in found]

    def with_entries(
        self,
        new: NewEntries,
        seen: Mapping[str, os.stat_result],
        unsure: Iterable[str],
        trees: Mapping[str, str],
    ) -> bytes:
        """The file with these entries.

        Args:
            new: Path → entry, None: gone.
            seen: Working files that are known to hold what is staged; git needn't look at them again.
            unsure: Working files at which git has to look again.
            trees: Folder → oid of its tree, for every folder above these entries, where the index is known to
                be that tree then, as it was one before; else none.
        """
        names = list(self.paths)
        exchanged = {_raw(path) for path in new}
        cuts: list[Cut] = [
            (at, self._ends[at], path, _unsettled(self.data[at : self._ends[at]]))
            for path in {_raw(path) for path in unsure} - exchanged
            if (at := self.paths.get(path)) is not None
        ]
        count = len(names)
        for path, entry in new.items():
            raw = _raw(path)
            at = self.paths.get(raw)
            begin = self._place(names, raw) if at is None else at
            end = begin if at is None else self._ends[at]
            count += (entry is not None) - (at is not None)
            piece = b"" if entry is None else self._entry(raw, entry, self.data[begin:end], seen.get(path))
            cuts.append((begin, end, raw, piece))
        names = (
            sorted((set(names) - exchanged) | {_raw(path) for path, entry in new.items() if entry})
            if trees
            else []
        )
        body = b"".join(
            (
                _HEADER.pack(b"DIRC", 3 if self._is_extended(cuts) else 2, count),
                *self._joined(cuts),
                _write_trees(self._folders(new, names, trees)),
                self._kept_extension(b"REUC"),
            )
        )
        return body + self._checksum(body)

    def _place(self, names: list[bytes], path: bytes) -> int:
        """Where a new path's entry belongs."""
        after = bisect_left(names, path)
        return self.paths[names[after]] if after < len(names) else self._entries_end

    def _joined(self, cuts: list[Cut]) -> Iterator[bytes]:
        """The entries, with some of them exchanged."""
        at = _HEADER.size
        for begin, end, _, piece in sorted(cuts):
            yield self.data[at:begin]
            yield piece
            at = end
        yield self.data[at : self._entries_end]

    def _is_extended(self, cuts: list[Cut]) -> bool:
        """Whether an entry has the further flags of version 3."""
        at = _STAT_BYTES + self._oid_bytes
        return _HEADER.unpack_from(self.data)[1] == 3 or any(
            piece and piece[at] << 8 & _EXTENDED for *_, piece in cuts
        )

    def _entry(self, path: bytes, entry: Entry, old: bytes, seen: os.stat_result | None) -> bytes:
        mode = int(entry.mode, 8)
        flags = min(len(path), _LENGTH)
        further = b""
        place = _STAT_BYTES + self._oid_bytes
        if old:
            kept = int.from_bytes(old[place : place + 2], "big")
            flags |= kept & _ASSUMED
            skipped = int.from_bytes(old[place + 2 : place + 4], "big") & _SKIP_WORKTREE
            if kept & _EXTENDED and skipped:
                flags |= _EXTENDED
                further = skipped.to_bytes(2, "big")
        stat = _stat(seen, mode) if seen is not None else _STAT.pack(0, 0, 0, 0, 0, 0, mode, 0, 0, 0)
        data = stat + bytes.fromhex(entry.oid) + flags.to_bytes(2, "big") + further + path
        return data + b"\0" * ((len(data) + 8 & ~7) - len(data))

    def _folders(self, new: NewEntries, names: list[bytes], trees: Mapping[str, str]) -> dict[str, Folder]:
        """The cache of trees afterwards; what isn't known git computes again."""
        touched = {folder for path in new for folder in _folders_of(path)}
        found = {
            folder: Folder(-1, "") if folder in touched else known for folder, known in self._trees.items()
        }
        counts = {folder: _count(names, folder) for folder in (*touched, *trees)} if trees else {}
        if not trees or any(counts[folder] and folder not in trees for folder in touched):
            return found
        known = {folder: Folder(counts[folder], oid) for folder, oid in trees.items()}
        found = {folder: entry for folder, entry in found.items() if folder not in touched} | known
        return {folder: entry for folder, entry in found.items() if entry.entries}

    def clash(self, new: NewEntries) -> str:
        """A path that would be a file and a folder at once after these edits; "" where none would."""
        names = sorted(self.paths)
        for path, entry in new.items():
            if entry is None or _raw(path) in self.paths:
                continue
            above = [one for one in _folders_of(path)[1:] if _raw(one) in self.paths or new.get(one)]
            below = names[bisect_left(names, _raw(path) + b"/") : bisect_left(names, _raw(path) + b"0")]
            stays = [one for one in below if new.get(one.decode("utf-8", "surrogateescape"), entry)]
            if stays or any(new.get(one, entry) for one in above):
                return path
        return ""

    def _checksum(self, body: bytes) -> bytes:
        """Its hash, or none where `index.skipHash` wrote none."""
        if not any(self.data[-self._oid_bytes :]):
            return b"\0" * self._oid_bytes
        return hashlib.new("sha1" if self._oid_bytes == 20 else "sha256", body).digest()

    def _extension(self, name: bytes) -> bytes:
        return self._kept_extension(name)[8:]

    def _kept_extension(self, name: bytes) -> bytes:
        """An extension with its head, b"" where there is none."""
        at, end = self._entries_end, len(self.data) - self._oid_bytes
        while at + 8 <= end:
            size = 8 + _WORD.unpack_from(self.data, at + 4)[0]
            if self.data[at : at + 4] == name:
                return self.data[at : at + size]
            at += size
        return b""


def read_index(path: str, oid_bytes: int) -> tuple[IndexFile | None, int]:
    """An index, None where it is missing or unusual, and the second in which it was written."""
    try:
        with open(path, "rb") as file:
            written_s = int(os.fstat(file.fileno()).st_mtime)
            data = file.read()
        found = _known(data, oid_bytes) if IndexFile.is_usual(data, oid_bytes) else None
    except (FileNotFoundError, IndexError, ValueError, StructError):
        return None, 0  # where it is damaged git says how
    is_usual = found is not None and found.has_only_usual and found.is_merged
    return (found if is_usual else None), written_s


def _known(data: bytes, oid_bytes: int) -> IndexFile:
    """An index, taken apart once: a write reads it before it has the lock, and again under it."""
    if not _LAST or _LAST[-1].data != data:
        _LAST[:] = [IndexFile(data, oid_bytes)]
    return _LAST[-1]


def _raw(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")


def _unsettled(piece: bytes) -> bytes:
    """An entry at whose file git looks again: as if it were empty."""
    return piece[:_SIZE_AT] + b"\0\0\0\0" + piece[_STAT_BYTES:]


def _stat(seen: os.stat_result, mode: int) -> bytes:
    """What git remembers of a working file."""
    return _STAT.pack(
        *divmod(seen.st_ctime_ns, 10**9),
        *divmod(seen.st_mtime_ns, 10**9),
        seen.st_dev & _MASK,
        seen.st_ino & _MASK,
        mode,
        seen.st_uid & _MASK,
        seen.st_gid & _MASK,
        seen.st_size & _MASK,
    )


def _count(names: list[bytes], folder: str) -> int:
    """How many of these names, in order, lie in a folder or below it."""
    raw = _raw(folder)
    return bisect_left(names, raw + b"0") - bisect_left(names, raw + b"/") if folder else len(names)


def _folders_of(path: str) -> list[str]:
    """Every folder above a path, the top's being ""."""
    folders = [""]
    at = path.find("/")
    while at >= 0:
        folders.append(path[:at])
        at = path.find("/", at + 1)
    return folders


# --- the cache of trees -------------------------------------------------------------------------------


def _read_trees(data: bytes, oid_bytes: int) -> dict[str, Folder]:
    """Folder → what is known of its tree, in the file's order."""
    found: dict[str, Folder] = {}
    above: list[tuple[str, int]] = []
    at = 0
    while at < len(data):
        gap = data.index(b"\0", at)
        name = data[at:gap].decode("utf-8", "surrogateescape")
        end = data.index(b"\n", gap)
        count, below = map(int, data[gap + 1 : end].split(b" "))
        at = end + 1
        oid = data[at : at + oid_bytes].hex() if count >= 0 else ""
        at += oid_bytes if count >= 0 else 0
        while above and not above[-1][1]:
            above.pop()
        folder = f"{above[-1][0]}/{name}".lstrip("/") if above else ""
        if above:
            above[-1] = (above[-1][0], above[-1][1] - 1)
        found[folder] = Folder(count, oid)
        above.append((folder, below))
    return found


def _write_trees(folders: Mapping[str, Folder]) -> bytes:
    """The extension; nothing where nothing is known."""
    if "" not in folders:
        return b""
    below: dict[str, list[str]] = {}
    for folder in folders:
        if folder:
            below.setdefault(folder.rpartition("/")[0], []).append(folder)
    data = b""
    waiting = [""]
    while waiting:
        folder = waiting.pop()
        inside = sorted(below.get(folder, ()), key=lambda one: (len(one), one))  # as git's subtree_name_cmp
        known = folders[folder]
        name = folder.rpartition("/")[2].encode("utf-8", "surrogateescape")
        data += b"%b\0%d %d\n%b" % (name, known.entries, len(inside), bytes.fromhex(known.oid))
        waiting += reversed(inside)
    return b"TREE" + _WORD.pack(len(data)) + data
