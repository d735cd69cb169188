"""What a rule asks, why, and how to mend what breaks it: the manual is the rule's docstring."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError
from wbmem_git.rules.registry import RULES
from wbmem_git.verbs.lint.lint import LINT

if TYPE_CHECKING:
    from wbmem_git.rules.registry import Rule
    from wbmem_git.verbs.lint.lint import LintRule

EVERY: tuple[Rule | LintRule, ...] = (*RULES, *LINT)
"""The gate's rules, and lint's, which no gate asks."""

ABOUT = {
    "handoff": "ledgers that a commit adds",
    "plan": "boards that a commit writes",
    "repository": "the repository",
    "text": "texts that a commit writes",
    "memory": "the memory as it stands",
}
SEVERITIES = {"hard": "refuses", "soft": "tells", "note": "stands in the report only"}


def explain(wanted: str) -> str:
    """The manual of a rule, with a final newline.

    Args:
        wanted: Its id, in any case: `C2`, `p-h1`.

    Raises:
        UsageError: No rule has it; the message names the nearest ones.
    """
    found = next((row for row in EVERY if _folded(row.id) == _folded(wanted)), None)
    if found is None:
        raise UsageError(f"no rule is called {wanted!r}{_near(wanted)}", "wbmem explain lists every rule")
    return f"{found.id} · {SEVERITIES[found.severity]} · {ABOUT[found.target]}\n\n{manual(found)}\n"


def overview() -> str:
    """Every rule in one line, in the order of the table, with a final newline."""
    width = max((len(row.id) for row in EVERY), default=0)
    return "".join(f"{row.id:<{width}}  {row.severity:<4}  {first_sentence(row)}\n" for row in EVERY)


def manual(row: Rule | LintRule) -> str:
    """A rule's docstring without its indentation."""
    return inspect.cleandoc(row.function.__doc__ or "")


def first_sentence(row: Rule | LintRule) -> str:
    """What a rule asks, in one line."""
    return " ".join(manual(row).partition("\n\n")[0].split())


def _folded(name: str) -> str:
    return name.strip().casefold().replace("-", "")


def _near(wanted: str) -> str:
    import difflib  # only for a name that is wrong

    names = {_folded(row.id): row.id for row in EVERY}
    near = difflib.get_close_matches(_folded(wanted), names, 3, 0.5)
    return f"; did you mean {' or '.join(names[name] for name in near)}?" if near else ""
