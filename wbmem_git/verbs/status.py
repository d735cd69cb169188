"""`wbmem status`: the cards by column, who changed each last, what is open, what isn't committed."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.store.git import text_of
from wbmem_git.verbs.actor import of_commit
from wbmem_git.verbs.blame import commits_of_lines
from wbmem_git.verbs.remarks import TRAILER, UNCONFIRMED
from wbmem_git.verbs.three_trees import load

if TYPE_CHECKING:
    from collections.abc import Container, Mapping, Sequence

    from wbmem_git.model import Actor, Card, Page, Settings
    from wbmem_git.store.commits import Commit
    from wbmem_git.store.repository import Repository


class Last(NamedTuple):
    """The newest commit that a card's lines come from.

    Attributes:
        commit: Its oid. time: When it was committed.
        author: Its author's name. actor: Whether an agent or a person made it.
    """

    commit: str
    time: int
    author: str
    actor: Actor


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
    last: Last | None
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
    """How a memory stands."""

    key: str
    branch: str
    commit: str
    pages: tuple[PageStatus, ...]
    unreadable: tuple[str, ...]
    archived: int
    files: Files


def status(repository: Repository) -> Status:
    """Read it; nothing is changed, and an unresolved merge is no obstacle."""
    versions = load(repository, to_read=True)
    newest_first = repository.rev_list("--date-order", versions.commit) if versions.commit else []
    age = {oid: number for number, oid in enumerate(newest_first)}
    lasts: dict[str, Last] = {}
    unconfirmed: set[str] = set()
    for page in versions.head.side.pages.values():
        blamed = _blame(repository, versions.commit, page)
        lasts |= {card.id: _last(card, blamed, age, versions.settings) for card in page.cards}
        unconfirmed.update(card.id for card in page.cards if _is_unconfirmed(card, blamed))
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
    return Status(
        versions.key,
        repository.branch(),
        versions.commit,
        pages,
        tuple(sorted(versions.file.unreadable)),
        len(versions.staged.side.archive),
        _files(repository, versions.unmerged),
    )


def _card(card: Card, head: Card | None, last: Last | None, unconfirmed: Container[str]) -> CardStatus:
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


def _blame(repository: Repository, commit: str, page: Page) -> tuple[Commit, ...]:
    """The commit that each line of a page comes from."""
    return tuple(commits_of_lines(repository, commit, page.path, page.document.lines).values())


def _last(card: Card, blamed: Sequence[Commit], age: Mapping[str, int], settings: Settings) -> Last:
    """The newest commit of the card's non-blank lines; `age` is 0 for HEAD's."""
    lines = (number for number, text in enumerate(card.lines, card.line) if text.strip())
    newest = min((blamed[number - 1] for number in lines), key=lambda commit: age[commit.oid])
    actor = of_commit(newest.author_email, newest.trailers, settings.agents)
    return Last(newest.oid, newest.committer_time, newest.author_name, actor)


def _is_unconfirmed(card: Card, blamed: Sequence[Commit]) -> bool:
    """Whether a line between the marks of its user zone comes from an agent's `wbmem remarks`."""
    zone = card.zone("user")
    lines = range(zone.line + 1, zone.end) if zone is not None else ()
    return any((TRAILER, UNCONFIRMED) in blamed[number - 1].trailers for number in lines)


def _files(repository: Repository, unmerged: tuple[str, ...]) -> Files:
    """What `git status` says, path by path."""
    said = repository.git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    rows = [(line[:2], line[3:]) for line in text_of(said).split("\0") if line]
    rows = [(state, path) for state, path in rows if path not in unmerged]
    return Files(
        tuple(path for state, path in rows if state[0] not in " ?"),
        tuple(path for state, path in rows if state[1] not in " ?"),
        tuple(path for state, path in rows if state == "??"),
        unmerged,
    )
