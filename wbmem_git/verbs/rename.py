"""`wbmem rename`: another title, another id; the old one is archived and names its successor (FORMAT §3)."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import command, pathspec
from wbmem_git.text.names import archive_path
from wbmem_git.verbs.assign import earlier_id
from wbmem_git.verbs.cards import archive_text, with_title
from wbmem_git.verbs.commit.plan import Plan, see_ids, with_archive_files
from wbmem_git.verbs.commit.retried import retrying
from wbmem_git.verbs.commit.working_files import CannotTakeEdit
from wbmem_git.verbs.commit.writing import Asked, carry_out, writing
from wbmem_git.verbs.find import find_card, live_successor, only_card
from wbmem_git.verbs.headings import free_id, heading_of
from wbmem_git.verbs.three_trees import load

if TYPE_CHECKING:
    from wbmem_git.model import Card
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit.commit import Judge
    from wbmem_git.verbs.headings import Heading
    from wbmem_git.verbs.three_trees import Version, Versions


class TakenTitle(UsageError):
    """A card is to have the title of another one of its page."""

    def __init__(self, title: str, other: Card, free: str) -> None:
        super().__init__(
            f"{title!r} is the title of another card, {other.path}:{other.line}; nothing was changed",
            f"take another title, for example: {free}",
        )


class New(NamedTuple):
    """What the card is to be: its heading and its id."""

    heading: Heading
    id: str


class RenameReport(NamedTuple):
    """The card before and after; whether an earlier id came back; the commit that was made ("" for none)."""

    old_id: str
    old_title: str
    id: str
    title: str
    restored: bool
    commit: str


@retrying
def rename(
    repository: Repository, wanted: str, title: str, *, now: str, judge: Judge | None = None
) -> RenameReport:
    """Give a card another title.

    Renaming it back to an earlier title restores that id and archives the present one.

    Args:
        repository: The memory.
        wanted: The card's id, or a unique beginning of it.
        title: The new heading, as it is typed behind the `#`s.
        now: `YYYY-MM-DDTHH:MM:SSZ`, for the archive file.
        judge: The gate: commit too.

    Raises:
        UnknownId, AmbiguousId: It names no card, or several.
        ArchivedTitle: The title is that of another, archived card. TakenTitle: of another card of its page.
        Refused: The gate refuses the commit; nothing was changed.
    """
    with writing(repository):
        versions = load(repository)
        old = _standing(versions, find_card(versions, wanted))
        heading = heading_of(title, versions.staged.page_of(old).kind)
        if heading.title == old.title:
            raise UsageError(f"{old.title!r} is the card's title already")
        earlier = earlier_id(versions.staged.side.archive, old.id, heading.title)
        if not earlier:
            _see_free(versions, old, heading.title)
        new_id = earlier or free_id(versions, old.path, heading.title)
        new = New(heading, new_id)
        head = _retitled(versions, versions.head, old, new) if judge is not None else {}
        plan = _plan(versions, old, new, now, head)
        if earlier:
            plan = with_archive_files(versions, plan, {archive_path(earlier): None})
        asked = None if judge is None else Asked(f"rename: {old.title} → {heading.title}\n", judge)
        oid = carry_out(repository, versions, plan, asked)
    return RenameReport(old.id, old.title, new_id, heading.title, bool(earlier), oid)


def _standing(versions: Versions, name: str) -> Card:
    card = only_card(versions.staged, name)
    if card is not None:
        return card
    later = live_successor(versions, name)
    if later is not None:
        raise UsageError(
            f"{name} is archived; the card is {later.title!r} now, {later.path}:{later.line}",
            f"wbmem rename {later.id[:12]} TITLE",
        )
    if name in versions.staged.side.archive:
        raise UsageError(f"{name} is archived", f"wbmem restore {name[:12]}")
    pages = sorted({card.path for card in versions.file.cards(name)})
    raise UsageError(
        f"{name} is on no page of the index",
        f"stage its page first: {command('git', 'add', *map(pathspec, pages))}" if pages else "",
    )


def _see_free(versions: Versions, old: Card, title: str) -> None:
    """See that no other card of the page, in index or file, has that title."""
    others = [
        card
        for version in (versions.staged, versions.file)
        for card in version.side.cards
        if card.path == old.path and card.id != old.id
    ]
    titles = {card.title for card in others}
    archived = {file.title for file in versions.staged.side.archive.values()}
    other = next((card for card in others if card.title == title), None)
    if other is not None:
        free = next(one for n in count(2) if (one := f"{title} ({n})") not in titles | archived)
        raise TakenTitle(title, other, free)


def _plan(versions: Versions, old: Card, new: New, now: str, head: dict[str, str | None]) -> Plan:
    if head and archive_path(new.id) in versions.head.entries:
        head[archive_path(new.id)] = None
    staged = _retitled(versions, versions.staged, old, new)
    plan = Plan(head, staged, _retitled(versions, versions.file, old, new))
    for card in versions.head.cards(old.id):
        text = archive_text(
            versions.head.page_of(card), card, now=now, reason="renamed", superseded_by=new.id
        )
        files = {archive_path(old.id): text}
        plan = plan._replace(head={**head, **files}) if head else plan
        plan = with_archive_files(versions, plan, files)
    return plan


def _retitled(versions: Versions, version: Version, old: Card, new: New) -> dict[str, str | None]:
    """The version's page with the new heading and anchor; nothing where it doesn't have the card."""
    card = only_card(version, old.id)
    if card is None:
        if version is versions.file and old.path in version.side.pages:
            raise CannotTakeEdit(
                old.path,
                f"{old.title!r} isn't in the working file",
                command("git", "add", pathspec(old.path)),
            )
        return {}
    if card.title != old.title and version is versions.file:
        place = f"{card.path}:{card.line}"
        raise CannotTakeEdit(
            place, "the heading has an edit that isn't staged", command("git", "add", pathspec(card.path))
        )
    edits: dict[str, str | None] = {
        card.path: with_title(version.page_of(card), card, new.heading.raw, new.id)
    }
    see_ids(version, edits, versions, gone=(old.id,), come=(new.id,))
    return edits
