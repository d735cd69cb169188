"""Every table of `tests/cases/`, every case, for every actor that it names."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rules.building import change_of
from rules.loader import Case, load, tables

from wbmem_git.rules.check import check

if TYPE_CHECKING:
    from collections.abc import Iterator

    from _pytest.mark.structures import ParameterSet
    from rules.loader import Actor, Expected

    from wbmem_git.model import Finding


def rows() -> Iterator[ParameterSet]:
    for table in tables():
        for case in load(table):
            for actor in case.actors:
                yield pytest.param(case, actor, id=f"{case.table}: {case.title} [{actor}]")


@pytest.mark.parametrize(("case", "actor"), list(rows()))
def test_case(case: Case, actor: Actor) -> None:
    verdict = check(change_of(case, actor))
    findings = [f for f in verdict.findings if f.rule == case.table or f.refuses or mentioned(f, case)]
    wrong = list(complaints(findings, case.expected))
    assert not wrong, f"tests/cases/{case.table}.md:{case.line}\n" + "\n".join(wrong)
    assert verdict.passed == (
        not any(e.severity == "hard" and not e.already and not e.allowed for e in case.expected)
    )


def mentioned(finding: Finding, case: Case) -> bool:
    return any(head(finding) == place(expected) for expected in case.expected)


def complaints(findings: list[Finding], expected: tuple[Expected, ...]) -> Iterator[str]:
    """What differs between what came and what should have come, in words."""
    left = list(findings)
    for wanted in expected:
        match = next((f for f in left if place(wanted) == head(f) and says(f, wanted)), None)
        if match is not None:
            left.remove(match)
            continue
        yield f"missing: {wanted}"
    for finding in left:
        yield f"not expected: {finding}"


def head(finding: Finding) -> tuple[object, ...]:
    return finding.rule, finding.severity, finding.already, finding.allowed, finding.path, finding.line


def place(expected: Expected) -> tuple[object, ...]:
    return tuple(expected[:6])


def says(finding: Finding, expected: Expected) -> bool:
    text = f"{finding.message}\n{finding.fix}"
    return all(piece in text for piece in expected.pieces) and not any(
        piece in text for piece in expected.absent
    )
