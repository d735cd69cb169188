"""Objects of a repository, read through one long-lived `git cat-file --batch`.

What was written or read just now is read again by the gate, by the next write and by whoever follows: it is
kept for a while.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import GitError, MissingObject
from wbmem_git.store.git import CHUNK_BYTES, failure, is_oid

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from wbmem_git.store.git import Child, Git


AHEAD = 128  # oids that fit into a pipe whole, so that neither side waits for the other
KEPT_BYTES = 4 << 20
_PROMISOR = r"^(extensions\.partialclone|remote\..*\.promisor)$"
KEPT = {"blob", "commit"}
"""What is kept for who reads it next; of trees their entries are (`ObjectDatabase.remember`)."""


class Object(NamedTuple):
    """A git object: `kind` is `commit`, `tree`, `blob` or `tag`."""

    oid: str
    kind: str
    data: bytes


class Objects:
    """The objects of one repository. The child is started by the first read and ended by `close`.

    Attributes:
        reads: How many objects were asked for.
    """

    def __init__(self, git: Git) -> None:
        self._git = git
        self._child: Child | None = None
        self._buffer = bytearray()
        self._kept: dict[str, Object] = {}
        self._kept_bytes = 0
        self._asked: Sequence[str] = ()
        self._clone: str | None = None
        self.reads = 0

    def start(self) -> None:
        """Start the child now, so that it is ready when something is asked of it."""
        if self._child is None:
            self._child = self._git.start("cat-file", "--batch")

    def read(self, oid: str) -> Object:
        """The object of that oid.

        Raises:
            MissingObject: There is none.
            GitError: git gave up.
        """
        found = self._kept.get(oid) or self.find(oid)
        if found is None:
            raise self.missing(oid)
        if found.kind in KEPT:
            self.remember(found)
        return found

    def remember(self, new: Object) -> None:
        """Keep what is being stored, or was read; nobody has to read it. The oldest goes first."""
        if new.oid in self._kept or len(new.data) > KEPT_BYTES // 4:
            return
        self._kept[new.oid] = new
        self._kept_bytes += len(new.data)
        while self._kept_bytes > KEPT_BYTES:
            self.forget(next(iter(self._kept)))

    def forget(self, oid: str) -> None:
        """Don't keep it: it couldn't be stored."""
        gone = self._kept.pop(oid, None)
        self._kept_bytes -= len(gone.data) if gone is not None else 0

    def find(self, oid: str) -> Object | None:
        """The object of that oid, None where there is none: git is asked, whatever is kept.

        Nothing else is a name here: for a ref git would take whatever fits, a tag for `CHERRY_PICK_HEAD`.
        """
        if not is_oid(oid):
            return None
        return self._converse(oid)[0]

    def missing(self, oid: str) -> MissingObject:
        """What to raise where there is none of that oid: it may be that this clone hasn't everything."""
        if self._clone is None:
            is_shallow = self._git.ask("rev-parse", "--is-shallow-repository").out.strip() == b"true"
            has_promisor = self._git.ask("config", "--get-regexp", _PROMISOR).status == 0
            self._clone = "shallow" if is_shallow else "partial" if has_promisor else ""
        return MissingObject(oid, self._clone)

    def read_many(self, oids: Sequence[str]) -> Iterator[bytes]:
        """The contents of these objects, in order, asked for some at a time: twice as fast as one by one.

        Raises:
            MissingObject: One isn't here.
        """
        for start in range(0, len(oids), AHEAD):
            some = oids[start : start + AHEAD]
            there: dict[str, Object | None] = {oid: self._kept[oid] for oid in some if oid in self._kept}
            asked = [oid for oid in some if oid not in there]
            there |= zip(asked, self._converse(*asked), strict=True) if asked else ()
            for oid in some:
                found = there[oid]
                if found is None:
                    raise self.missing(oid)
                yield found.data

    def _converse(self, *oids: str) -> list[Object | None]:
        """Ask, and take every answer: what is left would be taken for the answer to the next question.

        Whatever stops us in between (an interrupt, too deep a call) ends the child; the next read starts one.
        """
        self._git.settle()
        try:
            self._ask(*oids)
            return [self._answer() for _ in oids]
        except BaseException:
            self.close()
            raise

    def _ask(self, *oids: str) -> None:
        self.reads += len(oids)
        self._asked = oids
        self.start()
        self._write("".join(f"{oid}\n" for oid in oids).encode())

    def _answer(self) -> Object | None:
        header = self._line().split(b" ")
        if len(header) != 3 or not header[2].isdigit():  # `OID missing`
            return None
        data = self._take(int(header[2]) + 1)[:-1]
        return Object(header[0].decode(), header[1].decode(), data)

    def close(self) -> None:
        """End the child, and keep nothing."""
        self._kept.clear()
        self._kept_bytes = 0
        if self._child is not None:
            self._child.close()
            self._child = None
            self._buffer.clear()

    def _write(self, data: bytes) -> None:
        assert self._child is not None  # noqa: S101  # find() has just started it
        try:
            while data:
                data = data[os.write(self._child.stdin, data) :]
        except BrokenPipeError:
            raise self._gone() from None

    def _line(self) -> bytes:
        while (end := self._buffer.find(b"\n")) < 0:
            self._fill(CHUNK_BYTES)
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    def _take(self, size: int) -> bytes:
        while len(self._buffer) < size:
            self._fill(max(size - len(self._buffer), CHUNK_BYTES))
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        return taken

    def _fill(self, size: int) -> None:
        assert self._child is not None  # noqa: S101  # find() has just started it
        chunk = os.read(self._child.stdout, size)
        if not chunk:
            raise self._gone()
        self._buffer += chunk

    def _gone(self) -> GitError:
        """Why it has ended: git is asked once more, and heard."""
        self.close()
        answer = self._git.ask(
            "cat-file", "--batch", stdin="".join(f"{oid}\n" for oid in self._asked).encode()
        )
        if not answer.status:
            return GitError("git cat-file ended before it answered", "try again")
        said = failure("cat-file", answer)
        if self._git.ask("cat-file", "--batch").status:  # also where nothing is asked of it
            return GitError(
                said.message, "mend what it says; git config --list --show-origin shows the settings"
            )
        return GitError(said.message, self.missing("").hint)
