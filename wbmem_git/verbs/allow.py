"""`wbmem allow`: a person lets a finding through, by its fingerprint in `wbmem.yaml`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import AmbiguousId, PersonOnly, UsageError
from wbmem_git.rules.fingerprint import fingerprint as fingerprint_of
from wbmem_git.rules.wording import shown
from wbmem_git.store.state import read_text
from wbmem_git.text.allowance import add_allow
from wbmem_git.text.keys import FINGERPRINT
from wbmem_git.text.names import SETTINGS
from wbmem_git.verbs.audit import audit
from wbmem_git.verbs.check import heads
from wbmem_git.verbs.commit.plan import Plan
from wbmem_git.verbs.commit.retried import retrying
from wbmem_git.verbs.commit.working_files import CannotTakeEdit
from wbmem_git.verbs.commit.writing import Asked, carry_out, writing
from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.history import NEVER_ALLOWED
from wbmem_git.verbs.index import index_tree
from wbmem_git.verbs.report import LET_THROUGH
from wbmem_git.verbs.scratch import scratch, tree_with_files
from wbmem_git.verbs.three_trees import load

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wbmem_git.model import Actor, Finding
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit.commit import Judge
    from wbmem_git.verbs.three_trees import Version, Versions


MESSAGE = "COMMIT_EDITMSG"
"""Where git leaves the message of a commit that a hook refused."""


class AllowReport(NamedTuple):
    """The fingerprint, what it stands for if that is known, and the commit ("": it was allowed already)."""

    fingerprint: str
    finding: Finding | None
    commit: str


@retrying
def allow(
    repository: Repository, wanted: str, known: Mapping[str, Finding], actor: Actor, judge: Judge
) -> AllowReport:
    """Add the fingerprint to `wbmem.yaml` and commit just that.

    Args:
        repository: The memory.
        wanted: A finding's fingerprint, or a unique beginning (8 digits) of it.
        known: Fingerprint → finding, for those that there are here (`known_findings`).
        actor: Who asks.
        judge: The gate.

    Raises:
        PersonOnly: An agent asks.
        UsageError: No finding has it, or one that is never let through.
        AmbiguousId: Several findings' fingerprints begin so.
    """
    if actor == "agent":
        raise PersonOnly("wbmem allow is a person's: an agent can't let a finding through")
    with writing(repository):
        versions = load(repository)
        before = versions.settings.allow
        fingerprint = _whole(wanted.lower(), {*known, *before})
        finding = known.get(fingerprint)
        if fingerprint in before:
            return AllowReport(fingerprint, finding, "")
        if finding is not None and finding.rule in NEVER_ALLOWED:
            raise UsageError(
                f"{finding.rule} is never let through: a card would be lost",
                finding.fix or f"wbmem explain {finding.rule}",
            )
        comment = f"{finding.rule} {shown(finding.path)}".strip() if finding is not None else ""
        plan = Plan(*(_with(version, versions, fingerprint, comment) for version in versions.all))
        oid = carry_out(repository, versions, plan, Asked(f"allow: {comment}\n", judge))
    return AllowReport(fingerprint, finding, oid)


def known_findings(repository: Repository, actor: Actor) -> dict[str, Finding]:
    """Fingerprint → finding, for all that a person may have been told of.

    That is what audit has open; what the gate says of the index, and of the working tree as `git commit -a`
    would commit it (what it refused isn't staged); and of the message that a refused `git commit` left.
    """
    known: dict[str, Finding] = {}
    if not repository.is_shallow():  # a shallow clone can't be audited
        found = audit(repository)
        known = {one.fingerprint: one.finding for one in (*found.open, *found.lost)}
    index = index_tree(repository)
    message = read_text(str(Path(repository.git_dir, MESSAGE)))
    with scratch(repository) as copy:
        for tree in (tree_with_files(copy, index, ["."]), index):
            known |= _of_gate(Gate(copy), tree, actor, message)
    return known


def _of_gate(gate: Gate, tree: str, actor: Actor, message: str) -> dict[str, Finding]:
    parents = heads(gate.repository)
    settings = gate.settings(parents, tree)
    if settings is None:
        return {}
    found = gate.check(parents, tree, actor=actor, message=message).findings
    return {
        fingerprint_of(finding, settings.workspace): finding
        for finding in found
        if finding.rule in LET_THROUGH or finding.rule in NEVER_ALLOWED  # the others are mended, not allowed
    }


def _whole(wanted: str, known: Iterable[str]) -> str:
    found = sorted(name for name in known if name.startswith(wanted)) if FINGERPRINT.fullmatch(wanted) else []
    if len(found) > 1:
        raise AmbiguousId(wanted, tuple(found))
    if not found:
        raise UsageError(
            f"{wanted!r} is no finding that is known here",
            "wbmem audit and wbmem check name the fingerprint of each finding that can be let through",
        )
    return found[0]


def _with(version: Version, versions: Versions, fingerprint: str, comment: str) -> dict[str, str | None]:
    text = version.read(SETTINGS)
    if text is None:
        if version is versions.head:
            return {}
        raise CannotTakeEdit(SETTINGS, f"it isn't in {version.name}", f"git status {SETTINGS}")
    try:
        return {SETTINGS: add_allow(text, fingerprint, comment)}
    except ValueError as error:
        raise CannotTakeEdit(SETTINGS, str(error)) from error
