"""`prepare-commit-msg`: runs where pre-commit doesn't, in a revert, a cherry-pick and under `--no-verify`.

What passes the gate passes here too. What doesn't: an agent is refused, a revert or a cherry-pick is refused
(its change stays staged), and a person's own `git commit --no-verify` passes, told loudly and recorded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.verbs.gate import Gate
from wbmem_hooks import environment
from wbmem_hooks.command_line import commit_arguments, skips_hooks
from wbmem_hooks.gating import judge_proposal, may_amend
from wbmem_hooks.here import here
from wbmem_hooks.proposal import leave, left, propose
from wbmem_hooks.report import in_a_line, refusing, report
from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from wbmem_git.model import Verdict
    from wbmem_hooks.environment import Environment
    from wbmem_hooks.proposal import Proposal


def main(_argv: list[str]) -> int:
    """0 lets the commit pass. What git says of the message isn't needed."""
    around = environment.read()
    with here(around.variables) as place:
        repository = place.repository
        if repository.in_rebase_or_am():
            return 0
        gate = Gate(repository)
        proposal = propose(gate, around, place.tree())
        stamp = left(repository)
        if stamp is not None and stamp.passed and proposal.fits(stamp):
            return 0
        if not may_amend(gate, around, proposal):
            return 1
        verdict = judge_proposal(gate, around, proposal)
        leave(repository, proposal, passed=verdict.passed)
        return 0 if verdict.passed else _refuse_or_tell(verdict, gate, around, proposal)


def _refuse_or_tell(verdict: Verdict, gate: Gate, around: Environment, proposal: Proposal) -> int:
    if proposal.decision.actor == "human" and not around.reapplies and _by_its_own_will():
        tell(
            f"wbmem: --no-verify lets pass {in_a_line(refusing(verdict))}; it is recorded, and open in "
            "wbmem audit until it is mended"
        )
        return 0
    report(verdict, gate.repository, proposal)
    if around.reapplies:
        gone = any(finding.rule == "C2" for finding in refusing(verdict))
        archive = "archive what it takes away (wbmem archive --missing --reason '…'), " if gone else ""
        tell(f"wbmem: nothing was committed, the change stays staged: {archive}mend it, then git commit")
    return 1


def _by_its_own_will() -> bool:
    """Whether the command line says `--no-verify`; where it can't be seen, it is taken to."""
    arguments = commit_arguments()
    return arguments is None or skips_hooks(arguments)
