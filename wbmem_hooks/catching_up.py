"""Commits that came into this branch past the hooks: judged now, told, written into the journal.

A pull, an am, plumbing, another machine's commit, a person's `--no-verify`: nobody is refused for them any
more. The branch's mark says up to which commit history is known; where it is HEAD there is nothing to do.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.errors import MissingObject
from wbmem_git.store.state import append_journal, marked_branches, read_journal, read_mark, read_text
from wbmem_hooks.report import in_a_line
from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.history import Found

MOST_COMMITS = 500
MOST_TOLD = 5
EVENT = "criteria.failed"
BRANCH = "ref: refs/heads/"
REFTABLE = ".invalid"


def catch_up(repository: Repository, told: str = "", *, is_before: bool = False) -> None:
    """Look at what lies between this branch's mark and HEAD. It never fails and never refuses.

    Args:
        repository: Whose branch.
        told: A commit whose findings this very commit's hooks have told already.
        is_before: Whether a commit is about to be made, which may bring back what isn't in HEAD.
    """
    try:
        _catch_up(repository, told, is_before=is_before)
    except MissingObject:
        return  # a shallow clone: `wbmem audit` and `wbmem doctor` say so, not every commit
    except Exception as error:  # noqa: BLE001  # an old commit must never stop a new one
        tell(f"wbmem: earlier commits couldn't be audited ({type(error).__name__}); wbmem audit says more")


def _catch_up(repository: Repository, told: str, *, is_before: bool) -> None:
    head = repository.head()
    mark = read_mark(repository.common_dir, _branch(repository))
    if head in {"", mark}:
        return
    known = _known(repository, mark)
    new = set(repository.rev_list(head, *(f"^{commit}" for commit in known)))
    if len(new) > MOST_COMMITS:
        tell(f"wbmem: {len(new)} commits of this branch were never audited here; wbmem audit does it once")
        return
    from wbmem_git.verbs.audit import audit, audit_since

    result = audit_since(repository, known) if known else audit(repository)
    fresh = [found for found in (*result.open, *result.mended) if found.commit in new]
    if fresh:
        _record(repository, sorted(fresh, key=lambda found: found.order))
    _tell_open([found for found in result.open if found.commit in new - {told}])
    if result.lost and mark and not repository.is_ancestor(mark, head):
        unless = ", unless this commit brings them back" if is_before else ""
        tell(
            f"wbmem: rewriting this branch lost {len(result.lost)} cards or ledgers{unless}; "
            "wbmem audit lists them"
        )


def _branch(repository: Repository) -> str:
    """The branch that HEAD is on; a file says it in all but reftable repositories."""
    said = read_text(os.path.join(repository.git_dir, "HEAD")).rstrip("\n")
    if not said or said == BRANCH + REFTABLE:
        return repository.branch()
    return said.removeprefix(BRANCH) if said.startswith(BRANCH) else ""


def _known(repository: Repository, mark: str) -> list[str]:
    """What was looked at: up to this branch's mark; on a branch that has none, up to those of the others."""
    common_dir = repository.common_dir
    marks = [mark] if mark else [read_mark(common_dir, name) for name in marked_branches(common_dir)]
    return [commit for commit in marks if repository.objects.find(commit) is not None]


def _record(repository: Repository, found: Iterable[Found]) -> None:
    """One event for each page of each commit (CONTRACTS §2); a commit of two branches has it once."""
    events = (event for event in read_journal(repository.common_dir) if event.get("event") == EVENT)
    known = {(event.get("commit"), event.get("page")) for event in events}
    pages: dict[tuple[str, str], list[Found]] = {}
    for each in found:
        pages.setdefault((each.commit, each.finding.path), []).append(each)
    for (commit, page), each_of in pages.items():
        if (commit, page) in known:
            continue
        event = {
            "ts": _utc(each_of[0].time),
            "commit": commit,
            "actor": each_of[0].actor,
            "event": EVENT,
            "page": page,
            "ids": sorted({each.finding.card for each in each_of} - {""}),
            "rules": sorted({each.finding.rule for each in each_of}),
        }
        append_journal(repository.common_dir, event)


def _tell_open(found: Iterable[Found]) -> None:
    """A line each, and how many more there are."""
    from wbmem_git.rules.wording import shown  # most commits have nothing to catch up with

    listed = list(found)
    for each in listed[:MOST_TOLD]:
        author = shown(each.author)
        tell(f"wbmem: earlier commit {each.commit[:12]} ({author}): {in_a_line([each.finding])}")
    if len(listed) > MOST_TOLD:
        tell(f"wbmem: and {len(listed) - MOST_TOLD} more findings in earlier commits")
    if listed:
        tell("  next: wbmem audit lists what is open and how to mend it; this commit isn't refused for it")


def _utc(time_s: int) -> str:
    from time import gmtime, strftime  # only where something is recorded

    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime(time_s))
