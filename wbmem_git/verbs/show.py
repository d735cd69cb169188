"""`wbmem show`: a card, an entry or a page as it stood at a commit, wherever, and under whatever title."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import SettingsUnreadable, UnknownId
from wbmem_git.store import entries
from wbmem_git.store.git import text_of
from wbmem_git.store.sidecar import get_meta
from wbmem_git.store.versions import versions
from wbmem_git.text.document import decode, split_lines
from wbmem_git.text.ids import card_id
from wbmem_git.text.moments import moment
from wbmem_git.text.names import archive_path, kind_of
from wbmem_git.verbs.ask.resolve import absent, goes_on, resolve
from wbmem_git.verbs.discretion import alone, hold_secrets, masked

if TYPE_CHECKING:
    from collections.abc import Container, Iterator

    from wbmem_git.model import Settings
    from wbmem_git.store.repository import Repository
    from wbmem_git.store.versions import Version
    from wbmem_git.text.content import Content
    from wbmem_git.verbs.ask.resolve import Resolved
    from wbmem_git.verbs.reader import Ground

PAGES = ("board", "entries")


class NotYet(UnknownId):
    """It was created later."""

    def __init__(self, wanted: str, commit: str, created: Version) -> None:
        by = created.commit[:12]
        super().__init__(
            wanted,
            f"{wanted!r} wasn't there yet in {commit[:12]}: {by} created it on {moment(created.time)[:10]}",
        )
        self.hint = f"wbmem show {created.id[4:12]} {by}"


class Shown(NamedTuple):
    """A text as it stood.

    Attributes:
        id: The id that it had then.
        commit: The commit.
        path: The page it stood on. line, end: Its lines there, inclusive.
        text: As it stood, LF ends; a page as a whole byte for byte.
        successor: The id under which it goes on, where it was renamed; else "".
    """

    id: str
    commit: str
    path: str
    line: int
    end: int
    text: str
    successor: str = ""


def show(repository: Repository, ground: Ground, wanted: str, rev: str = "") -> Shown:
    """What is meant, as it stood at a commit.

    Args:
        repository: The memory's repository.
        ground: A sidecar that knows what is meant.
        wanted: An id or its beginning, a page's path, a ledger's stem.
        rev: A revision; "" for the commit that the sidecar was built from.

    Raises:
        UnknownId: Nothing answers to it, or it didn't stand anywhere at that commit.
        GitError: The revision names no commit.
    """
    commit = repository.resolve(rev) if rev else ground.head
    meant = resolve(ground.db, wanted)
    found = _at_head(ground, meant) if commit == ground.head else None
    found = found or Texts(repository, ground).at(meant, commit)
    if found is not None:
        return found._replace(successor=goes_on(ground.db, meant.id))
    if commit == ground.head:
        raise absent(ground.db, wanted, meant.id)
    raise _nowhere(repository, ground, wanted, meant, commit)


def _nowhere(repository: Repository, ground: Ground, wanted: str, meant: Resolved, commit: str) -> UnknownId:
    """Why it didn't stand anywhere at a commit."""
    first = None
    for version in versions(ground.db, meant.history):
        first = version
    if first is not None and first.kind == "created" and repository.is_ancestor(commit, first.commit):
        return NotYet(wanted, commit, first)
    return UnknownId(wanted, f"{wanted!r} stands nowhere in {commit[:12]}: wbmem versions {meant.id[4:12]}")


def _at_head(ground: Ground, meant: Resolved) -> Shown | None:
    """What is no page as a whole stands in the sidecar, text and all."""
    for entry in entries.with_id(ground.db, meant.id):
        if entry.id != entry.page_id:
            text = entries.text_of(ground.db, entry.number)
            return Shown(entry.id, ground.head, entry.path, entry.line, entry.end, text)
    return None


def as_json(found: Shown, degraded: str = "") -> dict[str, Any]:
    """The object of `--json` and the API."""
    said: dict[str, Any] = {
        "ok": True,
        "id": found.id,
        "commit": found.commit,
        "page": found.path,
        "line": found.line,
        "end": found.end,
        "text": found.text,
    }
    if found.successor:
        said["successor"] = found.successor
    return masked(said | ({"degraded": degraded} if degraded else {}))


class Texts:
    """What stood where, at any commit."""

    def __init__(self, repository: Repository, ground: Ground) -> None:
        self._repository = repository
        self._ground = ground
        self._key = get_meta(ground.db, "key")
        self._read: Settings | None = None
        self._parsed: dict[tuple[str, str], tuple[Content, ...]] = {}

    def at(self, meant: Resolved, commit: str) -> Shown | None:
        """What is meant as it stood at a commit; None where it stood nowhere.

        First it is looked for where its versions say that it was, then on every page that may hold it.
        """
        tree = self._repository.tree_of(commit)
        names = {meant.id: None}
        tried = set()
        for name, path in self._places(meant):
            names[name] = None
            entry = self._repository.entry(tree, path) if (name, path) not in tried else None
            tried.add((name, path))
            found = self._as(name, names, path, entry.oid) if entry is not None and entry.is_file else None
            if found is not None:
                return found._replace(commit=commit)
        for path, entry in self._repository.entries(tree).items():
            archived = path in map(archive_path, names)
            if entry.is_file and (archived or kind_of(path, self._settings) in PAGES):
                for name in names:
                    found = self._as(name, names, path, entry.oid)
                    if found is not None:
                        return found._replace(commit=commit)
        return None

    def _as(self, name: str, names: Container[str], path: str, blob: str) -> Shown | None:
        """The thing under one of its names; in the archive file that a rename left it doesn't stand."""
        if path == archive_path(name):
            for content in self._contents(path, blob):
                if content.id == name and content.successor in names:
                    return None
        return self.on_page(name, path, blob)

    def on_page(self, name: str, path: str, blob: str) -> Shown | None:
        """The thing of that id in a blob that stands (or stood) at a path; None where it isn't in it."""
        if name == card_id(self._key, path, ""):
            text = text_of(self._repository.blob(blob))
            return Shown(name, "", path, 1, len(split_lines(text)), text)
        for content in self._contents(path, blob):
            if content.id == name:
                return Shown(name, "", path, content.line, content.end, content.text)
        return None

    def _contents(self, path: str, blob: str) -> tuple[Content, ...]:
        """What a page holds; nothing, where it isn't text."""
        if (path, blob) not in self._parsed:
            from wbmem_git.text.contents import contents_of  # a page as a whole needs none

            text = decode(self._repository.blob(blob))
            kind = kind_of(path, self._settings)
            found = contents_of(path, kind, text, self._key) if text is not None else ()
            if text is not None and hold_secrets((text,)):
                found = tuple(one._replace(text=alone(text, one.text)) for one in found)
            self._parsed[path, blob] = found
        return self._parsed[path, blob]

    def _places(self, meant: Resolved) -> Iterator[tuple[str, str]]:
        """Under which id, and on which page, it stood: the newest first."""
        if meant.path:
            yield meant.id, meant.path
        own = meant.id == meant.history
        for version in versions(self._ground.db, meant.history):
            yield version.id if own else meant.id, version.path

    @property
    def _settings(self) -> Settings:
        if self._read is None:
            from wbmem_git.verbs.refresh import settings_of  # only where a page is parsed

            self._read = settings_of(self._repository, self._ground.db)
            if self._read is None:
                raise SettingsUnreadable("none in the history of HEAD")
        return self._read
