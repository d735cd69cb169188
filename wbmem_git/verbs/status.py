"""`wbmem status`: the cards by column, who changed each last, what is open, what isn't committed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.changes import last_changes, touched
from wbmem_git.variables import REMARKS_TRAILER
from wbmem_git.verbs.blame import commits_of_lines
from wbmem_git.verbs.edited import STATUS, rows
from wbmem_git.verbs.governing import newer_format_of
from wbmem_git.verbs.on_branch import way_to_a_branch
from wbmem_git.verbs.remarks import UNCONFIRMED
from wbmem_git.verbs.three_trees import load

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Iterator

    from wbmem_git.model import Card, Page
    from wbmem_git.store.changes import LastChange
    from wbmem_git.store.connection import Connection
    from wbmem_git.store.repository import Repository


class CardStatus(NamedTuple):
    """A card as the working file has it.

    Attributes:
        id, title, column, line, date: The card's. status: `current` where it says none.
        last: Who changed it last; None where it isn't committed yet.
        changed: Whether the working file's card is another one than HEAD's.
        unconfirmed: Whether an agent committed remarks of its user zone.
    """

    id: str
    title: str
    column: str
    line: int
    status: str
    date: str
    last: LastChange | None
    changed: bool
    unconfirmed: bool


class PageStatus(NamedTuple):
    """A board or entry page, its columns in order and its cards."""

    path: str
    kind: str
    columns: tuple[str, ...]
    cards: tuple[CardStatus, ...]


class Files(NamedTuple):
    """What isn't committed, by path: staged, changed in the working tree, unknown to git, not merged yet."""

    staged: tuple[str, ...]
    unstaged: tuple[str, ...]
    untracked: tuple[str, ...]
    unmerged: tuple[str, ...] = ()


class Status(NamedTuple):
    """How a memory stands.

    Attributes:
        key, branch, commit, pages, files: Its workspace key, what is checked out, and what stands there.
        unreadable: Pages that are no text. archived: How many cards are in the archive.
        degraded: Why the sidecar's file wasn't asked, "" where it was.
        to_branch: Where HEAD is detached, so that nothing is committed: what brings it to a branch.
        newer: The format of HEAD's settings where only a newer wbmem writes here, else "".
    """

    key: str
    branch: str
    commit: str
    pages: tuple[PageStatus, ...]
    unreadable: tuple[str, ...]
    archived: int
    files: Files
    degraded: str = ""
    to_branch: str = ""
    newer: str = ""


def status(repository: Repository, db: Connection) -> Status:
    """Read it; nothing is changed, and an unresolved merge is no obstacle.

    Args:
        repository: The memory's repository.
        db: The sidecar at HEAD.
    """
    versions = load(repository, to_read=True)
    lasts = last_changes(db, (card.id for card in versions.head.side.cards))
    unconfirmed = set(_unconfirmed(repository, db, versions.commit, versions.head.side.pages.values()))
    head = {card.id: card for card in versions.head.side.cards}
    pages = tuple(
        PageStatus(
            path,
            page.kind,
            tuple(column.title for column in page.columns),
            tuple(_card(card, head.get(card.id), lasts.get(card.id), unconfirmed) for card in page.cards),
        )
        for path, page in sorted(versions.file.side.pages.items())
    )
    branch = repository.branch()
    return Status(
        versions.key,
        branch,
        versions.commit,
        pages,
        tuple(sorted(versions.file.unreadable)),
        len(versions.staged.side.archive),
        _files(repository, versions.unmerged),
        to_branch="" if branch else way_to_a_branch(repository),
        newer=newer_format_of(repository, versions.commit),
    )


def _card(card: Card, head: Card | None, last: LastChange | None, unconfirmed: Container[str]) -> CardStatus:
    return CardStatus(
        card.id,
        card.title,
        card.column,
        card.line,
        card.metadata.get("status") or "current",
        card.metadata.get("date"),
        last,
        head is None or head.text.rstrip() != card.text.rstrip(),
        card.id in unconfirmed,
    )


def _unconfirmed(repository: Repository, db: Connection, commit: str, pages: Iterable[Page]) -> Iterator[str]:
    """Cards that have a line between the marks of their user zone from an agent's `wbmem remarks`.

    git is asked for the lines of a page only where such a commit changed the page, or a card that is on it.
    """
    said = f"--grep=^{REMARKS_TRAILER} *: *{UNCONFIRMED}"
    commits = repository.rev_list(said, "--regexp-ignore-case", commit) if commit else []
    ids, paths = touched(db, commits) if commits else (set(), set())
    for page in pages:
        if page.path in paths or any(card.id in ids for card in page.cards):
            blamed = commits_of_lines(repository, commit, page.path, page.document.lines)
            for card in page.cards:
                zone = card.zone("user")
                lines = range(zone.line + 1, zone.end) if zone is not None else ()
                if any((REMARKS_TRAILER, UNCONFIRMED) in blamed[number].trailers for number in lines):
                    yield card.id


def _files(repository: Repository, unmerged: tuple[str, ...]) -> Files:
    """What `git status` says, path by path."""
    found = [(state, path) for state, path in rows(repository.git.run(*STATUS)) if path not in unmerged]
    return Files(
        tuple(path for state, path in found if state[0] not in " ?"),
        tuple(path for state, path in found if state[1] not in " ?"),
        tuple(path for state, path in found if state == "??"),
        unmerged,
    )
