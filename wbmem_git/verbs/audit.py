"""What history let through: every commit since the first `wbmem.yaml`, until it is mended.

The result is a function of HEAD's history alone. What an audit leaves (one file a branch) only spares work:
it holds what was found up to the commit that it names, and every commit after that one is judged. The mark
beside it, which a shell moves, vouches for nothing; it tells what a rewrite lost, and that is the exception:
no commit brings that list back.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from wbmem_git.model import Finding
from wbmem_git.rules.version import RULES_VERSION
from wbmem_git.store.state import (
    marked_branches,
    read_kept,
    read_mark,
    read_written,
    write_kept,
    write_mark,
    write_written,
)
from wbmem_git.verbs.actor import TRAILER
from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.governing import Side
from wbmem_git.verbs.history import Found, History
from wbmem_git.verbs.lost import marks_to_see, once, still_lost, stood_at, was_rewritten
from wbmem_git.verbs.way_out import way_out

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from wbmem_git.store.commits import Commit
    from wbmem_git.store.repository import Repository


EACH = 1000
"""After how many commits an audit leaves what it has found so far."""


class Declared(NamedTuple):
    """A commit that says of itself that a person made it (`Wbmem-Actor: human`)."""

    commit: str
    time: int
    author: str


class Audit(NamedTuple):
    """What an audit says of a branch, everything in order: oldest commit first.

    Attributes:
        branch: Its name, "" for a detached HEAD.
        head: The commit that it was made at, "" on an unborn branch.
        open: Findings that nothing has mended.
        mended: Findings that something has.
        lost: Cards and ledgers that a rewrite of history lost; `finding.rule` is `lost`.
        declared: Commits under `Wbmem-Actor: human`.
    """

    branch: str
    head: str
    open: tuple[Found, ...] = ()
    mended: tuple[Found, ...] = ()
    lost: tuple[Found, ...] = ()
    declared: tuple[Declared, ...] = ()

    @property
    def exit_status(self) -> int:
        """1 while something is open or lost, else 0."""
        return 1 if self.open or self.lost else 0


class Kept(NamedTuple):
    """What an audit leaves for the next one, at the commit that it was made at."""

    commit: str = ""
    found: tuple[Found, ...] = ()
    declared: tuple[Declared, ...] = ()
    lost: tuple[Found, ...] = ()


def audit(repository: Repository, *, use_mark: bool = True) -> Audit:
    """Audit the history of HEAD, and leave what was found for the next audit of this branch.

    Args:
        repository: Whose.
        use_mark: Whether to begin where the last audit ended; the result is the same.

    Raises:
        MissingObject: The clone is shallow: history before its first commit isn't there.
    """
    head = repository.head()
    branch = repository.branch()
    if not head:
        return Audit(branch, "")
    gate = Gate(repository, cached=False, only_hard=True)
    stored = _load(read_kept(repository.common_dir, branch))
    kept = _begin_with(repository, stored, head) if use_mark else Kept()
    history = History(gate, kept.found, kept.commit)
    declared = set(kept.declared)
    for commit in _visit(history, kept.commit, head, declared):
        part = Kept(commit, tuple(history.found), _in_order(declared), stored.lost)
        write_kept(repository.common_dir, branch, _dump(part))
    said = _settled(gate, history, head, stored)
    said = said._replace(declared=_in_order(declared))
    known = Kept(head, tuple(history.found), said.declared, said.lost)
    _leave(repository, branch, head, _dump(known))
    return said


def _visit(history: History, known: str, head: str, declared: set[Declared]) -> Iterator[str]:
    """Visit what `head` has and `known` ("": nothing) hasn't; yield commits that have all that was visited.

    An audit that is stopped begins there again.
    """
    repository = history.gate.repository
    tips = {known} - {""}
    since = 0
    for passed, _ in history.walk([head, *(f"^{tip}" for tip in tips)]):
        facts = passed.facts
        if TRAILER.casefold() in facts.message.casefold():
            declared |= _declared(repository.commit(facts.oid))
        tips = tips.difference(facts.parents) | {facts.oid}
        since += 1
        if since >= EACH and len(tips) == 1:
            since = 0
            yield facts.oid


def _in_order(declared: Iterable[Declared]) -> tuple[Declared, ...]:
    return tuple(sorted(declared, key=lambda each: (each.time, each.commit)))


def audit_since(repository: Repository, known: Sequence[str]) -> Audit:
    """What the commits broke that HEAD has and none of `known`, and what a rewrite lost; HEAD is marked.

    A hook's question: it costs no more than these commits. No audit goes by its answer.

    Raises:
        MissingObject: The clone is shallow: history before its first commit isn't there.
    """
    head = repository.head()
    branch = repository.branch()
    gate = Gate(repository, only_hard=True)
    history = History(gate)
    for _ in history.walk([head, *(f"^{commit}" for commit in known)]):
        pass
    stored = _load(read_kept(repository.common_dir, branch))
    said = _settled(gate, history, head, stored)
    still = _still_valid(repository, stored, head)._replace(lost=said.lost)
    _leave(repository, branch, head, _dump(still) if still != stored else {})
    return said


def _leave(repository: Repository, branch: str, head: str, found: Mapping[str, object]) -> None:
    """Leave what was found (nothing: it is there), then the marks of what was looked for."""
    common_dir = repository.common_dir
    is_kept = not found or write_kept(common_dir, branch, found)
    write_mark(common_dir, branch, head)
    if is_kept and read_written(common_dir, branch):
        write_written(common_dir, branch, ())


def _settled(gate: Gate, history: History, head: str, stored: Kept) -> Audit:
    """What of the findings is open at HEAD, and what a rewrite lost."""
    repository = gate.repository
    branch = repository.branch()
    tip = Side(head, repository.tree_of(head))
    settings = gate.settings([head], tip.tree)
    open_, mended = history.settle(tip, settings.allow if settings is not None else ())
    told = tuple(found._replace(finding=_advised(repository, found)) for found in open_)
    written = read_written(repository.common_dir, branch)
    own = (read_mark(repository.common_dir, branch), stored.commit, *written)
    seen = [each for each in marks_to_see(repository, branch, own) if was_rewritten(repository, each, head)]
    lost = once((*stored.lost, *(found for commit in seen for found in stood_at(gate, commit))))
    return Audit(branch, head, told, mended, tuple(still_lost(gate, lost, tip, settings)))


def _advised(repository: Repository, found: Found) -> Finding:
    return found.finding._replace(fix=way_out(repository, found))


# --- what is known already ---------------------------------------------------------------------------


def _begin_with(repository: Repository, own: Kept, head: str) -> Kept:
    """What is known already: by the branch's own audit, or, on a new branch, by one that it grew from."""
    kept = _still_valid(repository, own, head)
    if kept.commit:
        return kept
    known = (_load(read_kept(repository.common_dir, name)) for name in marked_branches(repository.common_dir))
    for other in known:
        if other.commit and repository.is_ancestor(other.commit, head):
            return other._replace(lost=())
    return Kept()


def _still_valid(repository: Repository, kept: Kept, head: str) -> Kept:
    """What of an earlier audit still holds: all of it, or, after a rewrite, that of the common history.

    Where a commit that is gone had closed something, nothing holds: another may have closed it too.
    """
    if not kept.commit or repository.is_ancestor(kept.commit, head):
        return kept
    if repository.git.ask("cat-file", "-e", kept.commit).status:
        return Kept()
    base = repository.merge_base(kept.commit, head)
    if not base:
        return Kept()
    common = set(repository.rev_list(base))
    found = tuple(found for found in kept.found if found.commit in common)
    if any(found.closed and found.closed not in common for found in found):
        return Kept()
    return Kept(base, found, tuple(each for each in kept.declared if each.commit in common))


def _declared(commit: Commit) -> set[Declared]:
    """The commit, where it says of itself that a person made it."""
    said = [value for key, value in commit.trailers if key.casefold() == TRAILER.casefold()]
    if not said or said[-1].casefold() != "human":
        return set()
    return {Declared(commit.oid, commit.committer_time, commit.author.who)}


# --- keeping ------------------------------------------------------------------------------------------


def _dump(kept: Kept) -> dict[str, object]:
    return {
        "commit": kept.commit,
        "rules": RULES_VERSION,
        "found": [_plain(found) for found in kept.found],
        "declared": [list(each) for each in kept.declared],
        "lost": [_plain(found) for found in kept.lost],
    }


def _plain(found: Found) -> dict[str, object]:
    return {**found._asdict(), "finding": found.finding._asdict()}


def _load(stored: Mapping[str, Any]) -> Kept:
    """What was kept; of another version of the rules only what a rewrite lost. Damaged means nothing."""
    try:
        lost = tuple(map(_found, stored.get("lost", ())))
        if stored.get("rules") != RULES_VERSION:
            return Kept(lost=lost)
        declared = tuple(Declared(*each) for each in stored["declared"])
        return Kept(str(stored["commit"]), tuple(map(_found, stored["found"])), declared, lost)
    except (KeyError, TypeError, ValueError):
        return Kept()


def _found(plain: Mapping[str, Any]) -> Found:
    finding = Finding(**{**plain["finding"], "missing": tuple(plain["finding"]["missing"])})
    return Found(**{**plain, "finding": finding})
