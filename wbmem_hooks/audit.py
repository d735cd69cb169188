"""`wbmem-audit` of the pre-commit framework: what is open in the history of HEAD."""

from __future__ import annotations

from wbmem_git.store.repository import Repository
from wbmem_git.verbs.audit import audit
from wbmem_hooks import environment
from wbmem_hooks.report import report_found
from wbmem_hooks.voice import tell


def main(_argv: list[str]) -> int:
    """1 while something is open or lost."""
    with Repository.open(".", environment.read().variables, inside=True) as repository:
        result = audit(repository)
    for found in (*result.open, *result.lost):
        report_found(found)
    if result.exit_status:
        tell(f"wbmem: {len(result.open)} open, {len(result.lost)} lost; wbmem audit says how each is closed")
    return result.exit_status
