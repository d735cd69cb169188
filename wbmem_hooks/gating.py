"""The gate as `git commit` and `git merge` pass it: who commits, what is found, what is told, what is left.

While a rebase or an am is going on nothing is refused: git would offer a refused pick again for ever. What it
did is told when it has ended, and by every audit after that.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.errors import WbmemError
from wbmem_git.verbs.actor import amends, of_commit, who
from wbmem_git.verbs.gate import Gate
from wbmem_hooks.catching_up import catch_up
from wbmem_hooks.proposal import email_of, leave, left, propose
from wbmem_hooks.report import report
from wbmem_hooks.voice import tell

if TYPE_CHECKING:
    from wbmem_git.model import Verdict
    from wbmem_hooks.environment import Environment
    from wbmem_hooks.here import Here
    from wbmem_hooks.proposal import Proposal


TRIES = 3
"""How often a refusal is looked at again where somebody has committed since git's index was read."""


def gate_commit(
    here: Here, environment: Environment, *, stamped: bool = False, refusal_told: bool = False
) -> int:
    """Judge what git is about to commit; 0 lets it pass.

    Args:
        here: The repository.
        environment: The variables of this hook.
        stamped: Whether another door may have judged this very commit: then it isn't judged twice.
        refusal_told: Whether that door ran just now: then its refusal isn't told twice either.
    """
    if not here.repository.in_rebase_or_am():
        return _judge(here, environment, stamped=stamped, refusal_told=refusal_told)
    try:
        if _judge(here, environment, stamped=stamped, refusal_told=refusal_told):
            tell("wbmem: not refused, because a rebase or an am is going on; mend it when that is done")
    except WbmemError as error:
        tell(f"wbmem: not checked, and not refused during a rebase or an am: {error.message}")
    return 0


def judge_proposal(gate: Gate, proposal: Proposal, message: str = "") -> Verdict:
    """What the gate says of it, with the settings that judge."""
    said = proposal.picked.trailers if proposal.picked is not None else proposal.trailers
    return gate.check(
        proposal.parents,
        proposal.new,
        actor=proposal.decision.actor,
        message=message,
        trailers={key.lower(): value for key, value in said},
        look_at_worktree=True,
        brief=True,
    )


def _judge(here: Here, environment: Environment, *, stamped: bool, refusal_told: bool) -> int:
    repository = here.repository
    gate = Gate(repository)
    proposal = propose(gate, environment, here.tree())
    stamp = left(repository) if stamped else None
    if stamp is not None and proposal.fits(stamp) and (stamp.passed or refusal_told):
        return 0 if stamp.passed else 1
    catch_up(repository, is_before=True)
    if not may_amend(gate, environment, proposal):
        return 1
    verdict = judge_proposal(gate, proposal)
    for _ in range(TRIES):
        if verdict.passed:
            break
        now = repository.write_tree()
        if (repository.head(), now) == (proposal.head, proposal.new):
            break
        proposal = propose(gate, environment, now)
        verdict = judge_proposal(gate, proposal)
    leave(repository, proposal, passed=verdict.passed)
    report(verdict, repository, proposal)
    return 0 if verdict.passed else 1


def may_amend(gate: Gate, environment: Environment, proposal: Proposal) -> bool:
    """Whether whoever sits here may replace the commit that `--amend` replaces; tells what is to be told."""
    replaced = proposal.replaced
    if replaced is None:
        return True
    settings = gate.settings(proposal.parents, proposal.new)
    agents = settings.agents if settings is not None else ()
    here = who(
        wbmem_actor=environment.actor,
        author_email=email_of(gate.repository.git.line("var", "GIT_COMMITTER_IDENT")),
        agents=agents,
        environment=environment.variables,
    )
    answer = amends(here.actor, of_commit(replaced.author.email, replaced.trailers, agents))
    from wbmem_git.rules.wording import shown  # most commits amend nothing

    commit = shown(f"{replaced.oid[:12]} ({replaced.author.who})")
    if answer == "refuse":
        tell(
            f"wbmem: an agent ({shown(here.why)}) doesn't amend a person's commit, {commit}; nothing is done",
            "  next: git commit without --amend makes a new one",
        )
    elif answer == "tell" and not proposal.resets_author:
        tell(
            f"wbmem: {commit} is an agent's commit, and stays one when you amend it",
            "  to make it yours: git commit --amend --reset-author",
        )
    return answer != "refuse"
