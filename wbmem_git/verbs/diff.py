"""`wbmem diff`: what changed between two versions of a card, an entry or a page.

By difflib, and not by `git diff`: a card is a piece of a page, so git has no object of it. It could compare
two texts that are none, but only as files (`--no-index`) or as objects that are written first
(`hash-object -w`), and a question writes nothing.
"""

from __future__ import annotations

import difflib
from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.errors import UnknownId
from wbmem_git.rules.credentials import mask
from wbmem_git.store.versions import versions
from wbmem_git.text.document import split_lines
from wbmem_git.verbs.ask.resolve import resolve
from wbmem_git.verbs.discretion import masked
from wbmem_git.verbs.show import Shown, Texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.store.connection import Connection
    from wbmem_git.store.repository import Repository
    from wbmem_git.store.versions import Version
    from wbmem_git.verbs.ask.resolve import Resolved
    from wbmem_git.verbs.reader import Ground

NO_FINAL_NEWLINE = "\\ No newline at end of file\n"


class Difference(NamedTuple):
    """Two versions of one thing; None: it stood nowhere then. `text` is the unified diff, "" for none."""

    id: str
    old: Shown | None
    new: Shown | None
    text: str


def diff(repository: Repository, ground: Ground, wanted: str, old: str = "", new: str = "") -> Difference:
    """What changed from one version to another.

    Args:
        repository: The memory's repository.
        ground: A sidecar that knows what is meant.
        wanted: An id or its beginning, a page's path, a ledger's stem.
        old: A revision; "" for the last version but one (then `new` is the last one).
        new: A revision; "" for the commit that the sidecar was built from.

    Raises:
        UnknownId: Nothing answers to it, or it stood nowhere in both. AmbiguousId: Several ids begin so.
        GitError: A revision names no commit.
    """
    meant = resolve(ground.db, wanted)
    texts = Texts(repository, ground)
    if old:
        commits = (repository.resolve(old), repository.resolve(new) if new else ground.head)
        sides = [texts.at(meant, commit) for commit in commits]
    else:
        sides = [_of_version(texts, meant, version) for version in _last_two(ground.db, meant)]
    before, after = sides
    if before is None and after is None:
        raise UnknownId(
            wanted, f"{wanted!r} stood nowhere then: wbmem versions {meant.id[4:12]} lists where it did"
        )
    return Difference(meant.id, before, after, "".join(_unified(before, after)))


def as_json(found: Difference, degraded: str = "") -> dict[str, Any]:
    """The object of `--json` and the API."""
    said = {"ok": True, "id": found.id, "old": _side(found.old), "new": _side(found.new), "diff": found.text}
    return masked(said | ({"degraded": degraded} if degraded else {}))


def _side(shown: Shown | None) -> dict[str, str] | None:
    return shown and {"commit": shown.commit, "id": shown.id, "page": shown.path}


def _last_two(db: Connection, meant: Resolved) -> tuple[Version | None, Version | None]:
    """The last version but one, and the last one."""
    newest = versions(db, meant.history)
    last = next(newest, None)
    return next(newest, None), last


def _of_version(texts: Texts, meant: Resolved, version: Version | None) -> Shown | None:
    if version is None or not version.blob:
        return None
    name = version.id if meant.id == meant.history else meant.id
    found = texts.on_page(name, version.path, version.blob)
    return found and found._replace(commit=version.commit)


def _unified(old: Shown | None, new: Shown | None) -> Iterator[str]:
    """Lines with their ends, as `diff -u` and `patch` know them; a CR of a line end stays where it is."""
    before, after = (_lines(shown) for shown in (old, new))
    for line in difflib.unified_diff(before, after, _label(old), _label(new)):
        yield line if line.endswith("\n") else f"{line}\n{NO_FINAL_NEWLINE}"


def _lines(shown: Shown | None) -> list[str]:
    """A credential may have several lines, and none of them shows alone what it is a part of."""
    return list(split_lines(mask(shown.text))) if shown is not None else []


def _label(shown: Shown | None) -> str:
    return f"{shown.path} {shown.commit[:12]}" if shown is not None else "/dev/null"
