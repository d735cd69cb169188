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
    from collections.abc import Iterable, Mapping

    NewEntries = Mapping[str, Entry | None]

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
"""The one that was read last, or made."""


class Folder(NamedTuple):
    """A folder in the index's cache of trees: how many entries it has (-1: it isn't known), and its oid."""

    entries: int
    oid: str


class IndexFile:
    """One index, read whole.

    Attributes:
        data: The file.
        names: The path of each entry, in the file's order, which is that of bytes.
        is_merged: Whether no path has several stages.
        is_sorted: Whether they stand in that order, each once.
    """

    def __init__(self, data: bytes, oid_bytes: int) -> None:
        """Read it; `is_usual` has to hold.

        Args:
            data: The file.
            oid_bytes: 20 for SHA-1, 32 for SHA-256.
        """
        self.data = data
        self._oid_bytes = oid_bytes
        self.names: list[bytes] = []
        self._pieces: list[bytes] = []
        self._seconds: list[bytes] = []
        self.is_merged = True
        self._entries_end = self._scan(_HEADER.unpack_from(data)[2])
        self.is_sorted = self.names == sorted(set(self.names))
        self._trees = _read_trees(self._extension(b"TREE"), oid_bytes)

    def _scan(self, count: int) -> int:
        """Note what each entry is called, its bytes, and when its file changed; where the last one ends."""
        data, fixed = self.data, _STAT_BYTES + self._oid_bytes + 2
        at = _HEADER.size
        for _ in range(count):
            flags = data[at + fixed - 2] << 8 | data[at + fixed - 1]
            begin = at + fixed + (2 if flags & _EXTENDED else 0)
            length = flags & _LENGTH
            end = begin + length if length < _LENGTH else data.index(b"\0", begin)
            if flags & _STAGE:
                self.is_merged = False
            self.names.append(data[begin:end])
            after = at + (end - at + 8 & ~7)
            self._pieces.append(data[at:after])
            self._seconds.append(data[at + _SECONDS_AT : at + _SECONDS_AT + _WORD.size])
            at = after
        return at

    def _place(self, path: bytes) -> int:
        """Where a path stands among the entries, or belongs."""
        return bisect_left(self.names, path)

    def _has(self, path: bytes) -> bool:
        at = self._place(path)
        return self.names[at : at + 1] == [path]

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
        raw = _raw(path)
        if not self._has(raw):
            return None
        piece = self._pieces[self._place(raw)]
        if self._flags(piece)[1] & _INTENT_TO_ADD:
            return None
        mode = _WORD.unpack_from(piece, _MODE_AT)[0]
        return Entry(f"{mode:06o}", piece[_STAT_BYTES : _STAT_BYTES + self._oid_bytes].hex())

    def _flags(self, piece: bytes) -> tuple[int, int]:
        """The flags of an entry, and the further ones of version 3."""
        place = _STAT_BYTES + self._oid_bytes
        flags = int.from_bytes(piece[place : place + 2], "big")
        return flags, int.from_bytes(piece[place + 2 : place + 4], "big") if flags & _EXTENDED else 0

    def recent(self, written_s: int) -> list[str]:
        """The paths whose files changed in the second in which the index was written, or later.

        Their times alone don't tell whether they are what is staged (git: technical/racy-git).
        """
        second = _WORD.pack(written_s & _MASK)
        found = [at for at, changed in enumerate(self._seconds) if changed >= second]
        return [self.names[at].decode("utf-8", "surrogateescape") for at in found]

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
        names, pieces, seconds = self.names[:], self._pieces[:], self._seconds[:]
        exchanged = {_raw(path): path for path in new}
        for raw in {_raw(path) for path in unsure} - exchanged.keys():
            if self._has(raw):
                pieces[self._place(raw)] = _unsettled(pieces[self._place(raw)])
        is_extended = _HEADER.unpack_from(self.data)[1] == 3
        for raw, path in exchanged.items():
            at, entry = bisect_left(names, raw), new[path]
            span = slice(at, at + 1 if names[at : at + 1] == [raw] else at)
            old = b"".join(pieces[span])
            some = [] if entry is None else [self._entry(raw, entry, old, seen.get(path))]
            is_extended |= any(self._flags(piece)[0] & _EXTENDED for piece in some)
            names[span] = [raw for _ in some]
            pieces[span] = some
            seconds[span] = [piece[_SECONDS_AT : _SECONDS_AT + _WORD.size] for piece in some]
        folders = self._folders(new, names, trees)
        head = _HEADER.pack(b"DIRC", 3 if is_extended else 2, len(names))
        entries = b"".join((head, *pieces))
        body = b"".join((entries, _write_trees(folders), self._kept_extension(b"REUC")))
        data = body + self._checksum(body)
        self._keep(data, (names, pieces, seconds), len(entries), folders)
        return data

    def _keep(
        self,
        data: bytes,
        rows: tuple[list[bytes], list[bytes], list[bytes]],
        entries_end: int,
        folders: dict[str, Folder],
    ) -> None:
        """Have that file known without being taken apart: it is what the next write finds."""
        made = object.__new__(IndexFile)
        made.data, made._oid_bytes = data, self._oid_bytes
        made.is_merged, made.is_sorted = self.is_merged, self.is_sorted
        made.names, made._pieces, made._seconds = rows
        made._entries_end = entries_end
        made._trees = folders if "" in folders else {}
        _LAST[:] = [made]

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
        names = self.names
        for path, entry in new.items():
            if entry is None or self._has(_raw(path)):
                continue
            above = [one for one in _folders_of(path)[1:] if self._has(_raw(one)) or new.get(one)]
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
    is_usual = found is not None and found.has_only_usual and found.is_merged and found.is_sorted
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
