"""`wbmem allow`: a person lets a finding through, by its fingerprint in `wbmem.yaml`."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import AmbiguousId, UsageError
from wbmem_git.rules.fingerprint import DIGITS
from wbmem_git.rules.fingerprint import fingerprint as fingerprint_of
from wbmem_git.text.allowance import add_allow
from wbmem_git.text.keys import FINGERPRINT
from wbmem_git.text.names import SETTINGS
from wbmem_git.verbs.audit import audit
from wbmem_git.verbs.gate import Gate
from wbmem_git.verbs.history import NEVER_ALLOWED
from wbmem_git.verbs.staging import CannotTakeEdit
from wbmem_git.verbs.versions import load
from wbmem_git.verbs.writing import Asked, Plan, carry_out, writing

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from wbmem_git.model import Actor, Finding
    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.commit import Judge
    from wbmem_git.verbs.versions import Version, Versions


class PersonOnly(UsageError):
    """An agent can't let a finding through."""

    def __init__(self) -> None:
        super().__init__("wbmem allow is a person's: an agent can't let a finding through", "ask the person")


class AllowReport(NamedTuple):
    """The fingerprint, what it stands for if that is known, and the commit ("": it was allowed already)."""

    fingerprint: str
    finding: Finding | None
    commit: str


def allow(
    repository: Repository, wanted: str, known: Mapping[str, Finding], actor: Actor, judge: Judge
) -> AllowReport:
    """Add the fingerprint to `wbmem.yaml` and commit just that.

    Args:
        repository: The memory.
        wanted: The fingerprint, or a unique beginning (8 digits) of one that is `known`.
        known: Fingerprint → finding, for those that audit or a check of what is staged has here.
        actor: Who asks.
        judge: The gate.

    Raises:
        PersonOnly: An agent asks.
        UsageError: It is no fingerprint, or stands for something that is never let through.
        AmbiguousId: Several findings' fingerprints begin so.
    """
    if actor == "agent":
        raise PersonOnly
    fingerprint = _whole(wanted.lower(), known)
    finding = known.get(fingerprint)
    if finding is not None and finding.rule in NEVER_ALLOWED:
        raise UsageError(
            f"{finding.rule} is never let through: a card would be lost",
            finding.fix or f"wbmem explain {finding.rule}",
        )
    with writing(repository):
        versions = load(repository)
        if fingerprint in versions.settings.allow:
            return AllowReport(fingerprint, finding, "")
        comment = f"{finding.rule} {finding.path}".strip() if finding is not None else ""
        plan = Plan(*(_with(version, versions, fingerprint, comment) for version in versions.all))
        oid = carry_out(repository, versions, plan, Asked(f"allow: {comment or fingerprint}\n", judge))
    return AllowReport(fingerprint, finding, oid)


def known_findings(repository: Repository, actor: Actor) -> dict[str, Finding]:
    """Fingerprint → finding, for what audit has open here and what the gate says of the index."""
    known: dict[str, Finding] = {}
    if not repository.is_shallow():  # a shallow clone can't be audited
        found = audit(repository)
        known = {one.fingerprint: one.finding for one in (*found.open, *found.lost)}
    gate = Gate(repository)
    tree, head = repository.write_tree(), repository.head()
    parents = (head, *repository.other_heads()) if head else ()
    settings = gate.settings(parents, tree)
    for finding in gate.check(parents, tree, actor=actor).findings if settings is not None else ():
        known[fingerprint_of(finding, settings.workspace if settings is not None else "")] = finding
    return known


def _whole(wanted: str, known: Iterable[str]) -> str:
    found = sorted(name for name in known if name.startswith(wanted)) if FINGERPRINT.fullmatch(wanted) else []
    if len(found) > 1:
        raise AmbiguousId(wanted, tuple(found))
    if found:
        return found[0]
    if len(wanted) != DIGITS or not FINGERPRINT.fullmatch(wanted):
        raise UsageError(
            f"{wanted!r} is no finding that is known here",
            "wbmem audit and wbmem check --staged name each finding's fingerprint",
        )
    return wanted


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
