"""What is to be done: an edit on each of the three versions, HEAD's, the index's and the working files'."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.text.archive import parse_archive
from wbmem_git.verbs.cards import holds_in_order
from wbmem_git.verbs.commit.working_files import CannotTakeEdit
from wbmem_git.verbs.three_trees import edited

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.verbs.cards import Edits
    from wbmem_git.verbs.three_trees import Version, Versions


class Plan(NamedTuple):
    """An edit, made on each version for itself: path → whole text, None: gone.

    Attributes:
        head: On HEAD's version: what a commit of this edit alone holds. Empty where it can't stand alone.
        staged: On the index's version.
        file: On the working files.
    """

    head: Edits
    staged: Edits
    file: Edits


def with_archive_files(versions: Versions, plan: Plan, files: Edits) -> Plan:
    """The plan with these archive files (None: it goes) in the index and in the working tree.

    One that lies in the working tree already is taken as it is where it fits.

    Raises:
        CannotTakeEdit: A file lies there that doesn't hold the card.
    """
    head, staged, file = dict(plan.head), dict(plan.staged), dict(plan.file)
    for path, text in files.items():
        lying = versions.file.read(path)
        if text is None:
            staged |= {path: None} if path in versions.staged.entries else {}
            file |= {path: None} if lying is not None else {}
        elif lying is None:
            staged[path] = file[path] = text
        elif _fits(lying, text, versions.key):
            staged[path] = lying
            head |= {path: lying} if path in head else {}
        else:
            raise CannotTakeEdit(
                path, "a file lies there that doesn't hold the card's text", "read it, then move it"
            )
    return Plan(head, staged, file)


def _fits(lying: str, wanted: str, key: str) -> bool:
    """Whether an archive file holds the same card, with every line."""
    one, other = parse_archive(lying, key), parse_archive(wanted, key)
    return one.id == other.id and holds_in_order(one.body.splitlines(), other.body.splitlines())


def see_ids(
    version: Version, edits: Edits, versions: Versions, *, gone: Iterable[str] = (), come: Iterable[str] = ()
) -> None:
    """See that the edits change the ids on the pages as they should, and no others.

    An open fence or comment above the place could swallow a card that is put in there.

    Raises:
        UsageError: They don't; nothing was changed.
    """
    expected = version.ids.difference(gone).union(come)
    ids = edited(version, edits, versions.settings).ids
    if ids != expected:
        odd = ", ".join(sorted(ids ^ expected))
        raise UsageError(
            f"the edit would change more in {version.name} than it should ({odd}): "
            "an open code fence or comment may swallow cards; nothing was changed",
            "wbmem check --all names the place",
        )
