"""U2, U3: the person's profile, and what agents propose for it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.model import Finding
from wbmem_git.rules.lines import first_new, lines_lost, lines_of
from wbmem_git.rules.wording import quote, shown_by
from wbmem_git.text.names import CANDIDATES, PROFILE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.model import Change, Tree

KEPT_SHARE = 0.3


def u2(change: Change) -> Iterator[Finding]:
    """An agent doesn't change USER.md, and only appends to USER-CANDIDATES.md.

    Why: the profile says who the person is. Agents propose, the person decides.

    In a merge every line that a side has stays, unless the other side took it out.

    How to mend: leave USER.md out of the commit and append what you learned to USER-CANDIDATES.md.
    """
    if change.actor != "agent":
        return
    if PROFILE in change.judged and not _merged_only(change, PROFILE):
        yield Finding(
            "U2",
            "hard",
            PROFILE,
            0,
            "an agent's commit changes USER.md: it says who the person is, and only the person changes it",
            f"leave USER.md out of the commit (git commit -- PATH…) and append to {CANDIDATES}",
            key="profile",
        )
    if CANDIDATES in change.judged:
        yield from _candidates(change)


def _candidates(change: Change) -> Iterator[Finding]:
    """What an agent did to the candidates beside appending."""
    before = [text for parent in change.parents if (text := _text(parent, CANDIDATES)) is not None]
    now = _text(change.new, CANDIDATES)
    if not before:
        return
    if now is None:
        told, line = f"{CANDIDATES} is gone", 0
    elif len(change.parents) > 1:
        lost = lines_lost(_text(change.base, CANDIDATES) if change.base else None, before, now)
        if not lost:
            return
        told, line = f"the merge lost a line of {CANDIDATES}: {quote(lost[0])}", 0
    else:
        old, new = lines_of(before[0]), lines_of(now)
        at = next((n for n, line in enumerate(old) if new[n : n + 1] != [line]), None)
        if at is None:
            return
        told, line = f"a line of {CANDIDATES} was changed or lost: {quote(old[at])}", min(at + 1, len(new))
    fix = f"keep every line and add yours at the end; {shown_by(change.old, CANDIDATES)}"
    yield Finding("U2", "hard", CANDIDATES, line, told, fix, key="candidates")


def _merged_only(change: Change, path: str) -> bool:
    """Whether a merge made the file from its sides' lines alone, losing none that no side took out."""
    now = _text(change.new, path)
    sides = [text for parent in change.parents if (text := _text(parent, path)) is not None]
    if len(change.parents) == 1 or now is None or not sides:
        return False
    base = _text(change.base, path) if change.base else None
    return not lines_lost(base, sides, now) and first_new(lines_of(now), list(map(lines_of, sides))) is None


def _text(tree: Tree, path: str) -> str | None:
    file = tree.files.get(path)
    return file.text if file is not None else None


def u3(change: Change) -> Iterator[Finding]:
    """A commit that works candidates into USER.md keeps a profile: two headings and 30 % of its length.

    Why: when candidates are folded into the profile, the whole page is written anew, and easily ends as a
    summary of a summary. So where a commit changes USER.md and takes lines out of USER-CANDIDATES.md, one
    level-1 and at least one level-2 heading and 30 % of the old length stay.

    How to mend: put back what was lost, or take the lines out of USER-CANDIDATES.md in a commit of its own.
    """
    faults = list(_profile_faults(change)) if _folds_candidates(change) else []
    if faults:
        yield Finding(
            "U3",
            "hard",
            PROFILE,
            0,
            f"candidates were worked into {PROFILE}, and {'; '.join(faults)}",
            f"put back what was lost; {shown_by(change.old, PROFILE)}",
            key="profile",
        )


def _folds_candidates(change: Change) -> bool:
    """Whether the commit changes the profile and takes lines out of the candidates."""
    if not {PROFILE, CANDIDATES} <= change.judged:
        return False
    before = [text for parent in change.parents if (text := _text(parent, CANDIDATES)) is not None]
    base = _text(change.base, CANDIDATES) if change.base else None
    return bool(lines_lost(base, before, _text(change.new, CANDIDATES) or ""))


def _profile_faults(change: Change) -> Iterator[str]:
    """What shows that the profile isn't whole any more."""
    page = change.new.pages.get(PROFILE)
    levels = [b.level for b in page.document.blocks if b.kind == "heading"] if page is not None else []
    longest = max((len(_text(parent, PROFILE) or "") for parent in change.parents), default=0)
    left = len(_text(change.new, PROFILE) or "")
    if levels.count(1) != 1:
        yield f"it has {levels.count(1)} level-1 headings, not one"
    if 2 not in levels:
        yield "it has no level-2 heading"
    if left < KEPT_SHARE * longest:
        yield f"{left} of {longest} characters are left, less than 30 %"
