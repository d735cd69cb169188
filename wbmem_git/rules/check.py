"""Run every rule on a change: two trees in, a verdict out.

Three marks are put on what the rules find, and nothing else decides whether a commit is refused:

- *already*: an old tree has the same finding (same rule, same card or page), so it isn't this commit's doing;
- *allowed*: a person's `wbmem allow` names it, which lets nothing but G5 through a gate;
- under `criteria: warn` a finding of H* or P-H* comes out as soft although its rule is hard: it is recorded
  (`criteria.warned`) and doesn't refuse.

A rule that raises an exception counts as failed and names itself.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from wbmem_git.model import Finding, Verdict
from wbmem_git.rules.change import all_lines
from wbmem_git.rules.fingerprint import fingerprint, identity
from wbmem_git.rules.registry import RULES
from wbmem_git.text.names import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from wbmem_git.model import Change, Target
    from wbmem_git.rules.registry import Rule

ADOPTING = ("W2", "E1", "G5")
WITH_HISTORY = ("E1", "C1", "C3", "C4", "C6", "C7", "M1", "P-H1", "P-H2", "P-S1", "P-S2", "P-S3")
WITH_HISTORY_FAMILY = "G"
REKEYED = ("W1", "C1", "C2", "C5", "A1")
"""What the rules that don't judge a commit by which each id becomes that of another key would find in it."""
ALLOWABLE = ("G5",)
CRITERIA = ("H", "P-H")


def check(change: Change, *, only_hard: bool = False) -> Verdict:
    """Every rule that this change has to answer to, in order.

    Args:
        change: What is judged.
        only_hard: Whether only rules are asked that can refuse: of the past nothing else is told.
    """
    findings: list[Finding] = []
    ran: list[tuple[Target, str, str]] = []
    for row in RULES:
        if (change.adopting and row.id not in ADOPTING) or (only_hard and row.severity != "hard"):
            continue
        if change.rekeyed and row.id in REKEYED:
            continue
        paths = row.where(change)
        ran.extend((row.target, path, row.id) for path in paths)
        if row.may_find(change) if row.may_find else paths:
            findings.extend(_judge(row, change))
    return Verdict(change.new.commit, tuple(findings), tuple(ran))


def _judge(row: Rule, change: Change) -> list[Finding]:
    try:
        found = sorted(_masked(row.function(change)), key=_place)
        if change.rekeyed:
            found = [_mark_rekeyed(finding) for finding in found]
        elif found and _has_history(row):
            found = list(_mark_already(row, change, found))
    except Exception as error:  # noqa: BLE001  # FORMAT, last line: fail closed, whatever a rule trips over
        return [_failed(row, error)]
    if row.id in ALLOWABLE:
        found = [_mark_allowed(finding, change) for finding in found]
    if change.settings.criteria == "warn" and row.id.startswith(CRITERIA):
        found = [f._replace(severity="soft") if f.severity == "hard" else f for f in found]
    return found


def _masked(findings: Iterable[Finding]) -> list[Finding]:
    """No credential that stands on a page gets out through what a rule says of it."""
    found = list(findings)
    if not found:
        return found
    from wbmem_git.rules.credentials import credentials_in, mask  # only where something was found

    # All texts at once: a board may have hundreds of findings, and hardly ever a credential in one.
    if not credentials_in("\n\n".join(text for finding in found for text in _texts(finding))):
        return found
    return [
        finding._replace(
            message=mask(finding.message),
            fix=mask(finding.fix),
            title=mask(finding.title),
            last_line=mask(finding.last_line),
            missing=tuple(map(mask, finding.missing)),
        )
        for finding in found
    ]


def _texts(finding: Finding) -> tuple[str, ...]:
    return finding.message, finding.fix, finding.title, finding.last_line, *finding.missing


def _failed(row: Rule, error: Exception) -> Finding:
    name = type(error).__name__
    return Finding(
        row.id,
        "hard",
        "",
        0,
        f"rule {row.id} failed: {name}",
        f"nothing was judged by {row.id}, so nothing passes; report this with the page that causes it",
        key=name,
    )


def _has_history(row: Rule) -> bool:
    return row.id in WITH_HISTORY or row.id.startswith(WITH_HISTORY_FAMILY)


def _mark_already(row: Rule, change: Change, found: list[Finding]) -> Iterator[Finding]:
    """Mark as many findings of one identity as that old tree had which had most of them.

    What one parent of a merge has isn't the merge's doing, so one parent is enough.
    """
    had: Counter[tuple[str, str]] = Counter()
    for parent in change.parents:
        # In brief nothing would be said of an old tree: each of its cards stood there.
        old = change._replace(new=parent, added=all_lines(parent, change.judged), message="", brief=False)
        found_before = list(row.function(old))
        by_text = [finding for finding in found_before if not (finding.card or finding.key)]
        others = (finding for finding in found_before if finding.card or finding.key)
        had |= Counter(map(_identity, (*_masked(by_text), *others)))
    for finding in found:
        identity = _identity(finding)
        yield finding._replace(already=had[identity] > 0)
        had[identity] -= 1


def _mark_rekeyed(finding: Finding) -> Finding:
    """Whatever stands on a page stood there under other ids; settings and message are this commit's."""
    return finding._replace(already=finding.path not in {"", SETTINGS})


def _mark_allowed(finding: Finding, change: Change) -> Finding:
    """A hash in `wbmem.yaml` holds from the commit that adds it; an agent can't add one (W3)."""
    hashes = set(change.settings.allow)
    if change.new.settings is not None:
        hashes |= set(change.new.settings.allow)
    return finding._replace(allowed=fingerprint(finding, change.settings.workspace) in hashes)


def _identity(finding: Finding) -> tuple[str, str]:
    """Same card, wherever it stands now, or same page and same thing on it."""
    if finding.card:
        return "", f"{finding.card} {finding.key}"
    return finding.path, identity(finding)


def _place(finding: Finding) -> tuple[str, int]:
    return finding.path, finding.line
