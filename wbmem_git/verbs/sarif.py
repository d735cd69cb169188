"""Verdicts as SARIF 2.1.0, the format in which code scanners tell a forge what they found (OASIS, 2023).

One run with every rule that judged; a result a finding. What refuses nothing any more (it was there before,
a person let it through, a later commit mended it) is a *suppressed* result, with the reason.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import quote as uri_quoted

from wbmem_git import __version__
from wbmem_git.rules.fingerprint import fingerprint
from wbmem_git.rules.registry import RULES
from wbmem_git.rules.wording import mask, shown
from wbmem_git.text.names import SETTINGS
from wbmem_git.verbs.explain import first_sentence, manual
from wbmem_git.verbs.report import ALLOWED, BEFORE, MENDED

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wbmem_git.model import Finding, Severity, Verdict
    from wbmem_git.rules.registry import Rule

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
BASE = "%SRCROOT%"
"""What paths are relative to: the memory's root, wherever it is checked out."""
LEVELS: dict[Severity, str] = {"hard": "error", "soft": "warning", "note": "note"}
DIGEST = "wbmemFinding/v1"
"""Under which name a finding's fingerprint stands: it stays the same when lines move."""


def as_sarif(verdicts: Iterable[Verdict], key: str = "") -> dict[str, Any]:
    """The report of one call of `wbmem check`.

    Args:
        verdicts: One, or one for each commit of a range.
        key: The workspace key: fingerprints are made with it.
    """
    order = {row.id: number for number, row in enumerate(RULES)}
    results = [
        _result(finding, verdict.commit, key, order[finding.rule])
        for verdict in verdicts
        for finding in sorted(verdict.findings, key=lambda one: (one.path, one.line))
    ]
    driver = {"name": "wbmem", "version": __version__, "rules": [_rule(row) for row in RULES]}
    run = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(row: Rule) -> dict[str, Any]:
    return {
        "id": row.id,
        "shortDescription": {"text": first_sentence(row)},
        "fullDescription": {"text": manual(row)},
        "help": {"text": f"wbmem explain {row.id}"},
        "defaultConfiguration": {"level": LEVELS[row.severity]},
    }


def _result(finding: Finding, commit: str, key: str, number: int) -> dict[str, Any]:
    """One finding. Keys that say nothing are left out."""
    closed = _closed(finding)
    level = "note" if finding.severity == "hard" and closed else LEVELS[finding.severity]
    said: dict[str, Any] = {
        "ruleId": finding.rule,
        "ruleIndex": number,
        "level": level,
        "message": {"text": _text([finding.message, finding.fix])},
        "locations": [_location(finding, commit)],
    }
    if key:
        said["partialFingerprints"] = {DIGEST: fingerprint(finding, key)}
    if closed:
        said["suppressions"] = [{"kind": "external", "status": "accepted", "justification": closed}]
    about = {"commit": commit, "card": finding.card, "title": shown(finding.title)}
    properties = {name: value for name, value in about.items() if value}
    return said | ({"properties": properties} if properties else {})


def _closed(finding: Finding) -> str:
    """Why it refuses nothing any more, "" where it isn't closed."""
    why = ((finding.already, BEFORE), (finding.allowed, ALLOWED), (finding.mended, MENDED))
    return next((text for holds, text in why if holds), "")


def _text(parts: Sequence[str]) -> str:
    """One line each, what is empty left out."""
    return "\n".join(shown(line) for part in parts if part for line in part.split("\n"))


def _location(finding: Finding, commit: str) -> dict[str, Any]:
    """Where it stands; what is about a commit, on `wbmem.yaml`: forges take no result without a file."""
    uri = uri_quoted(mask(finding.path) or SETTINGS)
    place: dict[str, Any] = {"artifactLocation": {"uri": uri, "uriBaseId": BASE}}
    if finding.path and finding.line:
        place["region"] = {"startLine": finding.line}
    said: dict[str, Any] = {"physicalLocation": place}
    if not finding.path:
        name = f"commit {commit}" if commit else "the commit"
        said["logicalLocations"] = [{"fullyQualifiedName": name, "kind": "object"}]
    return said
