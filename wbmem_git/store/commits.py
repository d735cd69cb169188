"""Commit objects: who, when, from what, and what the message's trailers say."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.patterns import pattern

if TYPE_CHECKING:
    from collections.abc import Sequence

_IDENT = pattern(r"(?P<name>[^<]*?)\s*<(?P<email>[^>]*)>(?:\s+(?P<time>-?\d+)(?:\s+(?P<zone>[-+]\d+))?)?")
_TRAILER = pattern(r"(?P<key>[A-Za-z0-9][A-Za-z0-9-]*)[ \t]*:(?P<value>.*)")
_BLANK_LINES = pattern(r"\n[ \t]*(?:\n[ \t]*)+")
_BY_GIT = pattern(r"Signed-off-by: |\(cherry picked from commit ")
_BLANKS = " \t\r"
"""What git calls blank within a line."""


class Ident(NamedTuple):
    """Who and when: `time` in seconds since the epoch (0 where none is given), `zone` as `+0200`."""

    name: str
    email: str
    time: int
    zone: str

    @property
    def who(self) -> str:
        """`Name <email>`, without the date."""
        return f"{self.name} <{self.email}>"


class Commit(NamedTuple):
    """A commit object.

    Attributes:
        oid: Its name.
        tree: Its tree's oid.
        parents: Oids, the first parent first.
        author: Who wrote the change, and when.
        committer: Who made the commit, and when.
        message: As it stands, with its last line end.
        trailers: (key as written, value) in order.
    """

    oid: str
    tree: str
    parents: tuple[str, ...]
    author: Ident
    committer: Ident
    message: str
    trailers: tuple[tuple[str, str], ...]

    @property
    def author_name(self) -> str:
        return self.author.name

    @property
    def author_email(self) -> str:
        return self.author.email

    @property
    def committer_time(self) -> int:
        return self.committer.time

    @property
    def subject(self) -> str:
        """As git's `%s`."""
        return subject_of(self.message)


def parse_commit(oid: str, data: bytes) -> Commit:
    """Take a commit object apart."""
    head, _, body = data.partition(b"\n\n")
    fields: dict[str, list[str]] = {}
    for line in head.decode("utf-8", "replace").split("\n"):
        key, _, value = line.partition(" ")
        fields.setdefault(key, []).append(value)  # continuation lines of a signature fall under the key ""
    message = _decode(body, fields.get("encoding", ["utf-8"])[0])
    return Commit(
        oid=oid,
        tree=fields["tree"][0],
        parents=tuple(fields.get("parent", ())),
        author=parse_ident(fields.get("author", [""])[0]),
        committer=parse_ident(fields.get("committer", [""])[0]),
        message=message,
        trailers=trailers_of(message),
    )


def parse_ident(text: str) -> Ident:
    """`Name <email> 1700000000 +0100` taken apart; whatever is missing is "" or 0."""
    found = _IDENT.match(text)
    if found is None:
        return Ident(text.strip(), "", 0, "")
    return Ident(found["name"].strip(), found["email"], int(found["time"] or 0), found["zone"] or "")


def subject_of(message: str) -> str:
    """The lines of the first paragraph in one, as git's `%s` joins them."""
    joined: list[str] = []
    for line in message.split("\n"):
        text = line.rstrip(_BLANKS)
        if text:
            joined.append(text)
        elif joined:
            break
    return " ".join(joined)


def trailers_of(message: str) -> tuple[tuple[str, str], ...]:
    """The trailers of a message, as `git interpret-trailers --parse` finds them, without starting it.

    They stand in the last paragraph, which isn't the first one, and nothing else does, unless a line of
    git's own (`Signed-off-by`, `(cherry picked from commit …)`) is there: then a quarter is enough.
    """
    paragraphs = _BLANK_LINES.split(message.replace("\r\n", "\n").strip("\n \t"))
    if len(paragraphs) < 2:
        return ()
    lines = _unfold(paragraphs[-1].split("\n"))
    found = [match for match in map(_TRAILER.fullmatch, lines) if match]
    by_git = [line for line in lines if _BY_GIT.match(line)]
    trailers = sum(1 for line in lines if _TRAILER.fullmatch(line) or _BY_GIT.match(line))
    if trailers < len(lines) and not (by_git and trailers * 4 >= len(lines)):
        return ()
    return tuple((match["key"], match["value"].strip()) for match in found)


def _unfold(lines: Sequence[str]) -> list[str]:
    """Join a line that begins with a blank to the one before it."""
    joined: list[str] = []
    for line in lines:
        if joined and line[:1] in {" ", "\t"}:
            joined[-1] += f" {line.strip()}"
        else:
            joined.append(line)
    return joined


def _decode(body: bytes, encoding: str) -> str:
    try:
        return body.decode(encoding, "replace")
    except LookupError:
        return body.decode("utf-8", "replace")
