"""What `status` and `audit` say, as the objects of `--json` and the API."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wbmem_git.text.moments import moment
from wbmem_git.verbs.discretion import masked
from wbmem_git.verbs.lint.lint import finding_json

if TYPE_CHECKING:
    from wbmem_git.store.changes import LastChange
    from wbmem_git.verbs.audit import Audit, Declared
    from wbmem_git.verbs.history import Found
    from wbmem_git.verbs.lint.lint import LintReport
    from wbmem_git.verbs.status import Status

FIRST = 3
"""How many findings of lint `status` tells."""


def status_json(
    top: str, found: Status, audited: Audit, linted: LintReport, not_audited: str = ""
) -> dict[str, Any]:
    """The cards by page, what isn't committed, what is open, and the first findings of lint."""
    said = {
        "workspace": found.key,
        "branch": found.branch,
        "to_branch": found.to_branch or None,
        "newer_format": found.newer or None,
        "commit": found.commit,
        "pages": [
            {
                "path": page.path,
                "kind": page.kind,
                "columns": list(page.columns),
                "cards": [{**card._asdict(), "last": card.last and _dated(card.last)} for card in page.cards],
            }
            for page in found.pages
        ],
        "unreadable": list(found.unreadable),
        "archived": found.archived,
        **{name: list(paths) for name, paths in found.files._asdict().items()},
        "degraded": "; ".join(filter(None, (found.degraded, not_audited))) or None,
        "top": top,
        "open": _open_json((*audited.open, *audited.lost)),
        "lint": {
            "findings": len(linted.findings),
            "first": [finding_json(finding) for finding in linted.urgent[:FIRST]],
        },
    }
    return masked(said)


def audit_json(found: Audit) -> dict[str, Any]:
    """What is open, what a rewrite lost, and which commits say of themselves that a person made them."""
    said = {
        "branch": found.branch,
        "head": found.head,
        "open": _open_json(found.open),
        "lost": _open_json(found.lost),
        "mended": len(found.mended),
        "declared": [_dated(one) for one in found.declared],
    }
    return masked(said)


def _open_json(some: tuple[Found, ...]) -> list[dict[str, Any]]:
    return [{**_dated(one), "finding": _finding(one)} for one in some]


def _finding(one: Found) -> dict[str, Any]:
    said = one.finding._asdict()
    return {**said, "missing": list(one.finding.missing)}


def _dated(one: LastChange | Found | Declared) -> dict[str, Any]:
    """What it says, with its time as whatever is derived writes times."""
    return {**one._asdict(), "time": moment(one.time)}
