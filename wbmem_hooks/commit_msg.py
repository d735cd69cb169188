"""`commit-msg`: no credential in a message, and the stamp's trailers.

The native script starts this only where a coarse pattern suspects a credential, and adds trailers by itself;
the framework has no such script, so both stand here as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.rules.credentials import credentials_in
from wbmem_git.store.repository import Repository
from wbmem_git.verbs.gate import Gate
from wbmem_hooks import environment
from wbmem_hooks.gating import judge_proposal
from wbmem_hooks.message import add_trailers, what_git_keeps
from wbmem_hooks.proposal import left, propose
from wbmem_hooks.report import report
from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from wbmem_hooks.environment import Environment


def main(argv: list[str]) -> int:
    """0 lets the message pass.

    Args:
        argv: The file that holds it.
    """
    if not argv:
        tell("wbmem: commit-msg needs the file that holds the message")
        return 2
    around = environment.read()
    with Repository.open(".", around.variables, inside=True) as repository:
        said = what_git_keeps(repository, around, argv[0])
        if credentials_in(said) and not _may_say(repository, around, said):
            return 1
        stamp = left(repository)
        of_this = stamp is not None and stamp.new == repository.write_tree()
        if stamp is not None and of_this and not repository.in_rebase_or_am():
            add_trailers(repository, argv[0], said, stamp.trailers, stamp.actor)
    return 0


def _may_say(repository: Repository, around: Environment, message: str) -> bool:
    """Whether no finding stands against the message; in a rebase it is told and not refused."""
    gate = Gate(repository)
    proposal = propose(gate, around, repository.write_tree())
    verdict = judge_proposal(gate, proposal, message)
    on_message = tuple(finding for finding in verdict.findings if finding.rule == "G5" and not finding.path)
    verdict = verdict._replace(findings=on_message)
    report(verdict, repository, proposal)
    return verdict.passed or repository.in_rebase_or_am()
