"""`wbmem lint`: what to look after in a memory. It reports and never changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from wbmem_git.verbs.discretion import masked
from wbmem_git.verbs.lint import rules as lint_rules
from wbmem_git.verbs.lint.present import Present

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import date

    from wbmem_git.model import Finding, Settings, Severity
    from wbmem_git.store.connection import Connection
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.reader import Ground


class LintRule(NamedTuple):
    """A row of the table.

    Attributes:
        id: `N1`.
        severity: What its findings are as a rule; a single one may be milder.
        function: The present in, findings out; its docstring is what `wbmem explain` prints.
        target: What it speaks of.
    """

    id: str
    severity: Severity
    function: Callable[[Present], Iterator[Finding]]
    target: Literal["memory"] = "memory"


LINT: tuple[LintRule, ...] = (
    LintRule("N1", "note", lint_rules.n1),
    LintRule("N2", "soft", lint_rules.n2),
    LintRule("N3", "note", lint_rules.n3),
    LintRule("N4", "note", lint_rules.n4),
    LintRule("N6", "soft", lint_rules.n6),
)


class LintReport(NamedTuple):
    """What lint found.

    Attributes:
        head: The commit whose tree it looked at.
        today: The day on which ages are counted.
        findings: In the order of the rules.
        degraded: Why the answer came without the sidecar's file, "" where it didn't.
    """

    head: str
    today: date
    findings: tuple[Finding, ...]
    degraded: str = ""

    @property
    def urgent(self) -> tuple[Finding, ...]:
        """The same, what is wrong before what could be better."""
        return tuple(sorted(self.findings, key=lambda finding: finding.severity == "note"))


def lint(db: Connection, settings: Settings, today: date) -> tuple[Finding, ...]:
    """What every rule finds.

    Args:
        db: The sidecar.
        settings: Those of the commit that it was built from.
        today: The day on which ages are counted.
    """
    present = Present(db, settings, today)
    return tuple(finding for rule in LINT for finding in rule.function(present))


def look(repository: Repository, ground: Ground, today: date) -> LintReport:
    """What lint finds where a question stands.

    Args:
        repository: The memory's repository.
        ground: Where it stands.
        today: The day on which ages are counted.

    Raises:
        MissingObject: History is cut off before settings were found.
    """
    from wbmem_git.verbs.refresh import settings_of  # a rule's manual needs no repository

    settings = settings_of(repository, ground.db)
    findings = lint(ground.db, settings, today) if settings is not None else ()
    return LintReport(ground.head, today, findings, ground.degraded)


def as_json(report: LintReport) -> dict[str, Any]:
    """The object of `--json` and the API."""
    said = {
        "ok": True,
        "head": report.head,
        "today": str(report.today),
        "findings": [finding_json(finding) for finding in report.findings],
    }
    return masked(said | ({"degraded": report.degraded} if report.degraded else {}))


def finding_json(finding: Finding) -> dict[str, Any]:
    """One finding; `card` and `title` are "" where it is about no card."""
    return {
        "id": finding.rule,
        "severity": finding.severity,
        "page": finding.path,
        "line": finding.line,
        "card": finding.card,
        "title": finding.title,
        "detail": finding.message,
        "fix": finding.fix,
    }
