"""`wbmem fix`: every card gets the anchor that it should have (FORMAT §3)."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.ids import card_id
from wbmem_git.text.names import archived_id
from wbmem_git.verbs.assign import claimed
from wbmem_git.verbs.audit import audit
from wbmem_git.verbs.cards import fixed
from wbmem_git.verbs.commit.plan import Plan, with_archive_files
from wbmem_git.verbs.commit.retried import retrying
from wbmem_git.verbs.commit.writing import Asked, carry_out, writing
from wbmem_git.verbs.retitle import retitled_namesakes
from wbmem_git.verbs.three_trees import edited, load

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.assign import Side
    from wbmem_git.verbs.cards import Edits, Fixed
    from wbmem_git.verbs.commit.commit import Judge
    from wbmem_git.verbs.three_trees import Version, Versions


NAMESAKES = 50
"""How many namesakes are looked at to see whether an id is one of its title."""


class Done(NamedTuple):
    """One thing that `fix` did, or that it left to a person.

    Attributes:
        what: `anchored`, `renamed`, `copied`, `restored` or `left`.
        path: The page. line: The heading's, in the version named by `staged`. title: The card's.
        card: Its id now; where it was left, the archived id of its title.
        before: The id that it claimed until now, "" where it had none.
        staged: Whether the edit stands in the index; False: in the working file only, as the card does.
    """

    what: str
    path: str
    line: int
    title: str
    card: str
    before: str
    staged: bool


class FixReport(NamedTuple):
    """What `fix` did, the commit that it made ("" for none), and the paths that it touched."""

    done: tuple[Done, ...]
    commit: str
    paths: tuple[str, ...]


NOTHING_FIXED = FixReport((), "", ())


@retrying
def fix(
    repository: Repository,
    *,
    now: str,
    retitle: bool = False,
    judge: Judge | None = None,
    tracked_only: bool = False,
) -> FixReport:
    """Anchor the cards of the index and of the working files.

    Args:
        repository: The memory.
        now: `YYYY-MM-DDTHH:MM:SSZ`, for archive files.
        retitle: Give namesakes titles of their own first.
        judge: The gate: commit what HEAD's own cards lack. What belongs to cards that aren't committed yet
            is staged only.
        tracked_only: Whether files that git doesn't track stay as they are.

    Raises:
        CannotTakeEdit: A working file can't take its edit; nothing was changed.
        Refused: The gate refuses the commit; nothing was changed.
    """
    with writing(repository):
        versions = _tracked(load(repository)) if tracked_only else load(repository)
        disowned = frozenset[str]() if tracked_only else _disowned(repository, versions)
        head = _fixed(versions, versions.head, now, retitle, (), disowned)
        known = [edited(versions.head, head.edits, versions.settings).side] if judge is not None else []
        staged = _fixed(versions, versions.staged, now, retitle, known, disowned)
        known.insert(0, edited(versions.staged, staged.edits, versions.settings).side)
        file = _fixed(versions, versions.file, now, retitle, known, disowned)
        plan = _plan(versions, head.edits, staged.edits, file.edits)
        message = f"fix: an anchor for {_counted(len(head.assignment.ids))}\n"
        oid = carry_out(repository, versions, plan, None if judge is None else Asked(message, judge))
    done = {(one.path, one.card): one for one in (*_done(file, staged=False), *_done(staged, staged=True))}
    paths = tuple(sorted({*plan.staged, *plan.file}))
    return FixReport(tuple(sorted(done.values(), key=lambda one: (one.path, one.line))), oid, paths)


def _disowned(repository: Repository, versions: Versions) -> frozenset[str]:
    """The anchors of HEAD that came past the gate: C1 tells them of a commit of the past.

    Audit is asked only where a card has one that isn't made of its page and title: a card that moved, say.
    """
    places: dict[tuple[str, str], set[str]] = {}
    for card in versions.head.side.cards:
        place = (card.path, card.title)
        if card.anchor and place not in places:
            places[place] = {card_id(versions.key, *place, n) for n in range(1, NAMESAKES)}
    if all(card.anchor in places[card.path, card.title] for card in versions.head.side.cards if card.anchor):
        return frozenset()
    if repository.is_shallow():  # nobody knows
        return frozenset()
    return frozenset(one.finding.card for one in audit(repository).open if one.finding.rule == "C1")


def _fixed(  # noqa: PLR0913, PLR0917  # a version, and what its cards may be
    versions: Versions,
    version: Version,
    now: str,
    retitle: bool,
    known: Sequence[Side],
    disowned: Collection[str],
) -> Fixed:
    first = retitled_namesakes(version.side, versions.key) if retitle else {}
    side = edited(version, first, versions.settings).side if first else version.side
    found = fixed(side, versions.old, versions.key, now, known, disowned)
    return found._replace(edits={**first, **found.edits})


def _tracked(versions: Versions) -> Versions:
    """The versions with no page in the working tree that the index doesn't have."""
    side = versions.file.side
    pages = {path: page for path, page in side.pages.items() if path in versions.staged.entries}
    return versions._replace(file=versions.file._replace(side=side._replace(pages=pages)))


def _plan(versions: Versions, head: Edits, staged: Edits, file: Edits) -> Plan:
    """Each version's own edits; an archive file that one of the two needs is staged and written."""
    archive = {path: text for path, text in {**file, **staged}.items() if archived_id(path)}
    pages = Plan(
        head,
        {path: text for path, text in staged.items() if not archived_id(path)},
        {path: text for path, text in file.items() if not archived_id(path)},
    )
    return with_archive_files(versions, pages, archive)


def _done(found: Fixed, *, staged: bool) -> Iterator[Done]:
    renamed = {(one.new.path, one.new.line) for one in found.assignment.renamed}
    for card in found.side.cards:
        place = (card.path, card.line)
        name = found.assignment.ids.get(place, "")
        if not name:
            continue
        before = claimed(card)
        what = "copied" if before else "anchored"
        if place in renamed:
            what = "restored" if name in found.assignment.restored else "renamed"
        yield Done(what, *place, card.title, name, before, staged)
    for card, archived in found.assignment.left:
        yield Done("left", card.path, card.line, card.title, archived, claimed(card), staged)


def _counted(cards: int) -> str:
    return "1 card" if cards == 1 else f"{cards} cards"
