"""Every rule, once: its id, what it is about, how hard it is, its function, and what it runs on.

The order is that of reports, docs and `wbmem explain`: W, E, C, U, A, M, L, H, S, P, G. A rule is a
pure function on a `Change`; its docstring is its manual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.rules.archive import a1, c5
from wbmem_git.rules.boards import p_h1, p_h2, p_s1, p_s2, p_s3
from wbmem_git.rules.cards import c1, c3, c4
from wbmem_git.rules.criteria import h1, h2, h3, h4
from wbmem_git.rules.encoding import e1, texts_of
from wbmem_git.rules.hygiene import agents_files, g1, g2, g3, g4, g5, g5_where
from wbmem_git.rules.ledgers import l1, l2, l3
from wbmem_git.rules.lookalikes import c6, c7
from wbmem_git.rules.metadata import m1
from wbmem_git.rules.profile import u2, u3
from wbmem_git.rules.prose import c8
from wbmem_git.rules.quality import s1, s2, s3, s4, s5, s6
from wbmem_git.rules.remarks import u1
from wbmem_git.rules.scope import judged_boards, judged_pages, whole
from wbmem_git.rules.sections import added_ledger_paths
from wbmem_git.rules.vanish import c2
from wbmem_git.rules.workspace import w1, w2, w3

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from wbmem_git.model import Change, Finding, Severity, Target

RULES_VERSION = 1
"""Goes up whenever the same change may get another verdict: stamps and caches name it."""


class Rule(NamedTuple):
    """A row of the table.

    Attributes:
        id: `C2`.
        target: What it speaks of: `handoff` (H, S), `plan` (P), `text` (E, G), `repository` (all others).
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


RULES: tuple[Rule, ...] = (
    Rule("W1", "repository", "hard", w1, whole),
    Rule("W2", "repository", "hard", w2, whole),
    Rule("W3", "repository", "hard", w3, whole),
    Rule("E1", "text", "hard", e1, texts_of),
    Rule("C1", "repository", "hard", c1, judged_pages),
    Rule("C2", "repository", "hard", c2, whole),
    Rule("C3", "repository", "hard", c3, judged_pages),
    Rule("C4", "repository", "hard", c4, judged_pages),
    Rule("C5", "repository", "hard", c5, whole),
    Rule("C6", "repository", "soft", c6, judged_pages),
    Rule("C7", "repository", "hard", c7, judged_pages),
    Rule("C8", "repository", "soft", c8, whole),
    Rule("U1", "repository", "hard", u1, whole),
    Rule("U2", "repository", "hard", u2, whole),
    Rule("U3", "repository", "hard", u3, whole),
    Rule("A1", "repository", "hard", a1, whole),
    Rule("M1", "repository", "hard", m1, judged_pages),
    Rule("L1", "repository", "hard", l1, whole),
    Rule("L2", "repository", "hard", l2, whole),
    Rule("L3", "repository", "soft", l3, whole),
    Rule("H1", "handoff", "hard", h1, added_ledger_paths),
    Rule("H2", "handoff", "hard", h2, added_ledger_paths),
    Rule("H3", "handoff", "hard", h3, added_ledger_paths),
    Rule("H4", "handoff", "hard", h4, added_ledger_paths),
    Rule("S1", "handoff", "soft", s1, added_ledger_paths),
    Rule("S2", "handoff", "soft", s2, added_ledger_paths),
    Rule("S3", "handoff", "soft", s3, added_ledger_paths),
    Rule("S4", "handoff", "note", s4, added_ledger_paths),
    Rule("S5", "handoff", "soft", s5, added_ledger_paths),
    Rule("S6", "handoff", "soft", s6, added_ledger_paths),
    Rule("P-H1", "plan", "hard", p_h1, judged_boards),
    Rule("P-H2", "plan", "hard", p_h2, judged_boards),
    Rule("P-S1", "plan", "soft", p_s1, judged_boards),
    Rule("P-S2", "plan", "soft", p_s2, judged_boards),
    Rule("P-S3", "plan", "soft", p_s3, judged_boards),
    Rule("G1", "text", "hard", g1, agents_files),
    Rule("G2", "text", "hard", g2, agents_files),
    Rule("G3", "text", "hard", g3, agents_files),
    Rule("G4", "text", "hard", g4, agents_files),
    Rule("G5", "text", "hard", g5, g5_where),
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
