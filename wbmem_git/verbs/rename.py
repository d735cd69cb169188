"""`wbmem rename`: another title, another id; the old one is archived and names its successor (FORMAT §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.text.names import archive_path
from wbmem_git.verbs.assign import earlier_id
from wbmem_git.verbs.cards import archive_text, with_title
from wbmem_git.verbs.find import find_card, only_card
from wbmem_git.verbs.headings import free_id, heading_of
from wbmem_git.verbs.staging import CannotTakeEdit
from wbmem_git.verbs.versions import load
from wbmem_git.verbs.writing import Asked, Plan, carry_out, see_ids, with_archive_files, writing

if TYPE_CHECKING:
    from wbmem_git.model import Card
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit import Judge
    from wbmem_git.verbs.headings import Heading
    from wbmem_git.verbs.versions import Version, Versions


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
        ArchivedTitle: The title is that of another, archived card.
        Refused: The gate refuses the commit; nothing was changed.
    """
    with writing(repository):
        versions = load(repository)
        old = _standing(versions, find_card(versions, wanted))
        heading = heading_of(title, versions.staged.page_of(old).kind)
        if heading.title == old.title:
            raise UsageError(f"{old.title!r} is the card's title already")
        earlier = earlier_id(versions.staged.side.archive, old.id, heading.title)
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
    if name in versions.staged.side.archive:
        raise UsageError(f"{name} is archived", f"wbmem restore {name[:12]}")
    raise UsageError(f"{name} is on no page of the index", "git add the page first")


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
            raise CannotTakeEdit(old.path, f"{old.title!r} isn't in the working file", f"git add {old.path}")
        return {}
    if card.title != old.title and version is versions.file:
        place = f"{card.path}:{card.line}"
        raise CannotTakeEdit(place, "the heading has an edit that isn't staged", f"git add {card.path}")
    edits: dict[str, str | None] = {
        card.path: with_title(version.page_of(card), card, new.heading.raw, new.id)
    }
    see_ids(version, edits, versions, gone=(old.id,), come=(new.id,))
    return edits
