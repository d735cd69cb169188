"""Every rule, once: its id, what it is about, how hard it is, its function, and what it runs on.

The order is that of reports, docs and `wbmem explain`: W, E, C, U, A, M, L, H, S, P, G. A rule is a
pure function on a `Change`; its docstring is its manual.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NamedTuple, cast

from wbmem_git.rules.scope import (
    added_ledger_paths,
    agents_files,
    always,
    by_agent,
    files_and_message,
    has_archive,
    judged_boards,
    judged_pages,
    merges_or_writes_pages,
    texts_of,
    touches_archive,
    touches_handoff,
    touches_profile,
    touches_settings,
    whole,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wbmem_git.model import Change, Finding, Severity, Target


class Rule(NamedTuple):
    """A row of the table.

    Attributes:
        id: `C2`.
        target: What it speaks of: `handoff` (H, S), `plan` (P), `text` (E, G), `repository` (all others).
        severity: What its findings are as a rule; a single one may be milder.
        family: The module that holds its function.
        where: The paths that it runs on in a change, `("",)` for the commit as a whole: a path without a
            finding passed.
        may_find: Whether it can find anything in a change at all; None: where there are paths to run on.
            Where not, it passed, and its family isn't even loaded: a hook pays for each.
    """

    id: str
    target: Target
    severity: Severity
    family: str
    where: Callable[[Change], tuple[str, ...]]
    may_find: Callable[[Change], bool] | None = None

    @property
    def function(self) -> Callable[[Change], Iterator[Finding]]:
        """Change in, findings out; its docstring is what `wbmem explain` prints."""
        module = f"wbmem_git.rules.{self.family}"
        __import__(module)  # `importlib` would bring in `warnings`
        name = self.id.lower().replace("-", "_")
        return cast("Callable[[Change], Iterator[Finding]]", getattr(sys.modules[module], name))


RULES: tuple[Rule, ...] = (
    Rule("W1", "repository", "hard", "workspace", whole, touches_settings),
    Rule("W2", "repository", "hard", "workspace", whole, touches_settings),
    Rule("W3", "repository", "hard", "workspace", whole, by_agent),
    Rule("E1", "text", "hard", "encoding", texts_of),
    Rule("C1", "repository", "hard", "cards", judged_pages),
    Rule("C2", "repository", "hard", "vanish", whole),
    Rule("C3", "repository", "hard", "cards", judged_pages, always),
    Rule("C4", "repository", "hard", "cards", judged_pages),
    Rule("C5", "repository", "hard", "archive", whole, has_archive),
    Rule("C6", "repository", "soft", "lookalikes", judged_pages),
    Rule("C7", "repository", "hard", "lookalikes", judged_pages),
    Rule("C8", "repository", "soft", "prose", whole),
    Rule("U1", "repository", "hard", "remarks", whole, by_agent),
    Rule("U2", "repository", "hard", "profile", whole, by_agent),
    Rule("U3", "repository", "hard", "profile", whole, touches_profile),
    Rule("A1", "repository", "hard", "archive", whole, touches_archive),
    Rule("M1", "repository", "hard", "metadata", judged_pages, merges_or_writes_pages),
    Rule("L1", "repository", "hard", "ledgers", whole, touches_handoff),
    Rule("L2", "repository", "hard", "ledgers", whole, by_agent),
    Rule("L3", "repository", "soft", "ledgers", whole, touches_handoff),
    Rule("H1", "handoff", "hard", "criteria", added_ledger_paths),
    Rule("H2", "handoff", "hard", "criteria", added_ledger_paths),
    Rule("H3", "handoff", "hard", "criteria", added_ledger_paths),
    Rule("H4", "handoff", "hard", "criteria", added_ledger_paths),
    Rule("S1", "handoff", "soft", "quality", added_ledger_paths),
    Rule("S2", "handoff", "soft", "quality", added_ledger_paths),
    Rule("S3", "handoff", "soft", "quality", added_ledger_paths),
    Rule("S4", "handoff", "note", "quality", added_ledger_paths),
    Rule("S5", "handoff", "soft", "quality", added_ledger_paths),
    Rule("S6", "handoff", "soft", "quality", added_ledger_paths),
    Rule("P-H1", "plan", "hard", "boards", judged_boards),
    Rule("P-H2", "plan", "hard", "boards", judged_boards),
    Rule("P-S1", "plan", "soft", "boards", judged_boards),
    Rule("P-S2", "plan", "soft", "boards", judged_boards),
    Rule("P-S3", "plan", "soft", "boards", judged_boards),
    Rule("G1", "text", "hard", "hygiene", agents_files),
    Rule("G2", "text", "hard", "hygiene", agents_files),
    Rule("G3", "text", "hard", "hygiene", agents_files),
    Rule("G4", "text", "hard", "hygiene", agents_files),
    Rule("G5", "text", "hard", "hygiene", files_and_message),
)


def rule(wanted: str) -> Rule:
    """The rule of that id.

    Raises:
        KeyError: No rule has it.
    """
    for row in RULES:
        if row.id == wanted:
            return row
    raise KeyError(wanted)
