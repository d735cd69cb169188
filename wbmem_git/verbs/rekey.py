"""`wbmem rekey`: another workspace key, and with it another id for every card, in one commit (FORMAT W1)."""

from __future__ import annotations

import secrets
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import PersonOnly, UsageError
from wbmem_git.rules.wording import shown
from wbmem_git.store.git import text_of
from wbmem_git.text.names import SETTINGS, archive_path, archived_id, kind_of
from wbmem_git.verbs.audit import audit
from wbmem_git.verbs.commit.plan import Plan
from wbmem_git.verbs.commit.retried import retrying
from wbmem_git.verbs.commit.writing import Asked, carry_out, writing
from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.listing import PAGE_KINDS
from wbmem_git.verbs.rekeyed import rekeyed
from wbmem_git.verbs.rekeys import memory_of
from wbmem_git.verbs.three_trees import load

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wbmem_git.model import Actor
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit.commit import Judge
    from wbmem_git.verbs.rekeyed import Rekeyed
    from wbmem_git.verbs.three_trees import Versions

MOST_TOLD = 5


class RekeyReport(NamedTuple):
    """The keys, how many cards have another id now, how many of them archived, and the commit."""

    before: str
    key: str
    cards: int
    archived: int
    commit: str


@retrying
def rekey(repository: Repository, wanted: str, actor: Actor, judge: Judge) -> RekeyReport:
    """Give the memory another key.

    Args:
        repository: The memory.
        wanted: The key; "": the present one's name with 8 other hex digits.
        actor: Who asks.
        judge: The gate.

    Raises:
        PersonOnly: An agent asks.
        UsageError: The key is no key, or the present one; pages aren't committed; something is lost or open.
        MissingObject: The clone is shallow: nobody knows what is open.
        Refused: The gate refuses; nothing was changed.
    """
    if actor == "agent":
        raise PersonOnly("wbmem rekey is a person's: an agent doesn't change the settings")
    with writing(repository):
        versions = load(repository)
        key = wanted or _another(versions.key)
        if key == versions.key:
            raise UsageError(f"{key} is its key already", "wbmem rekey without --key makes a new one")
        _see_committed(repository, versions)
        _see_nothing_open(repository)
        sides = Gate(repository).sides
        tree = repository.tree_of(versions.commit)
        made = _made(lambda: rekeyed(memory_of(sides, tree, versions.settings), key))
        plan = Plan(made.edits, made.edits, _in_files(versions, made))
        message = f"rekey: {key}\n\nThe workspace key was {versions.key}: every id is made anew.\n"
        oid = carry_out(repository, versions, plan, Asked(message, judge))
    archived = sum(bool(archived_id(path)) for path, text in made.edits.items() if text is not None)
    return RekeyReport(versions.key, key, len(made.ids) - archived, archived, oid)


def _another(key: str) -> str:
    """A key of the same name."""
    name, _, digits = key.rpartition("-")
    is_ours = len(digits) == 8 and not digits.strip("0123456789abcdef")
    return f"{(name if is_ours else key)[:55] or 'workspace'}-{secrets.token_hex(4)}"


def _made(make: Callable[[], Rekeyed]) -> Rekeyed:
    try:
        return make()
    except ValueError as error:
        raise UsageError(str(error), "wbmem explain W2") from error


def _see_committed(repository: Repository, versions: Versions) -> None:
    """See that what another key changes is committed, and everything else of it can be read.

    Raises:
        UsageError: A page, an archive file or the settings differ from HEAD, or HEAD has none of it.
    """
    if not versions.commit or versions.others or repository.in_rebase_or_am():
        raise UsageError("a merge or a rebase is going on, or nothing is committed yet", "git status")
    said = repository.git.run("status", "--porcelain", "-z", "--no-renames", "--untracked-files=all")
    paths = [text_of(entry[3:]) for entry in said.split(b"\0") if entry]
    open_ones = [path for path in paths if path == SETTINGS or _has_ids(path, versions)]
    if open_ones:
        raise UsageError(f"not committed yet: {_listed(open_ones)}", "commit it first, then: wbmem rekey")
    if versions.head.unreadable:
        raise UsageError(f"no text: {_listed(sorted(versions.head.unreadable))}", "wbmem explain E1")


def _has_ids(path: str, versions: Versions) -> bool:
    return bool(archived_id(path)) or kind_of(path, versions.settings) in PAGE_KINDS


def _see_nothing_open(repository: Repository) -> None:
    """See that nothing is open or lost: it is named by the ids of now."""
    found = audit(repository)
    count = len(found.open) + len(found.lost)
    if count:
        raise UsageError(
            f"{count} {'finding is' if count == 1 else 'findings are'} open, and told by the ids of now",
            "mend it first: wbmem audit, wbmem rescue",
        )


def _in_files(versions: Versions, made: Rekeyed) -> dict[str, str | None]:
    """The same edits with the line ends that the working files have."""
    sources = {archive_path(now): archive_path(was) for was, now in made.ids.items()}
    return {
        path: _as_there(versions.file.read(sources.get(path, path)), text)
        for path, text in made.edits.items()
    }


def _as_there(there: str | None, text: str | None) -> str | None:
    if text is None:
        return None
    if there is not None and "\r\n" in there and "\r\n" not in text:
        return text.replace("\n", "\r\n")
    return text


def _listed(paths: Iterable[str]) -> str:
    every = [shown(path) for path in paths]
    more = f" and {len(every) - MOST_TOLD} more" if len(every) > MOST_TOLD else ""
    return ", ".join(every[:MOST_TOLD]) + more
