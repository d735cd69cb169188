"""Every rule, once: its id, what it is about, how hard it is, its function, and what it runs on.

The order is that of reports, docs and `wbmem explain`: W, E, C, U, A, M, L, H, S, P, G. A rule is a
pure function on a `Change`; its docstring is its manual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wbmem_git.model import Change, Finding, Severity, Target

RULES_VERSION = 1
"""Goes up whenever the same change may get another verdict: stamps and caches name it."""


class Rule(NamedTuple):
    """A row of the table.

    Attributes:
        id: `C2`.
        target: What it speaks of: `handoff` (H, S), `plan` (P), `repository` (W, C, U, A, M, L), `text` (E, G).
        severity: What its findings are as a rule; a single one may be milder.
        function: Change in, findings out; the docstring is what `wbmem explain` prints.
        where: The paths that it runs on in a change, `("",)` for the commit as a whole: a path without a
            finding passed.
    """

    id: str
    target: Target
    severity: Severity
    function: Callable[[Change], Iterator[Finding]]
    where: Callable[[Change], tuple[str, ...]]


RULES: tuple[Rule, ...] = ()


def rule(wanted: str) -> Rule:
    """The rule of that id.

    Raises:
        KeyError: No rule has it.
    """
    for row in RULES:
        if row.id == wanted:
            return row
    raise KeyError(wanted)
