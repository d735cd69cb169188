"""What the gate finds in a text that was given: a way out for who has no page to edit, only that text.

A rule speaks to whoever is about to commit his own edits. Here nothing is staged, and HEAD, index and files
have whatever the text leaves out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.verbs.report import LET_THROUGH

if TYPE_CHECKING:
    from wbmem_git.model import Finding

_ALARM = "; if it is a false alarm"
_BY = "through: wbmem allow "
_ALLOWED = f"a person can let it {_BY}"
_REMARKS = "run wbmem remarks, then git commit -m MESSAGE, without -a"
_EVERY = "; all that are gone: "
_ARCHIVES = ", or archive it: wbmem archive "
_RENAMED = " --reason renamed --superseded-by "


def of_a_text(finding: Finding) -> Finding:
    """The finding, with the way out of who gives a text."""
    fix = finding.fix
    if finding.rule in LET_THROUGH and not finding.path:  # the message's: nobody lets that of a text through
        fix = fix.partition(_ALARM)[0]
    elif finding.rule in LET_THROUGH:
        fix = fix.replace(_ALLOWED, f"a person types it there, then lets it {_BY}")
    elif finding.rule == "U1":
        fix = fix.replace(_REMARKS, "leave it as it is, and write again")
    elif finding.rule == "C2" and finding.card:
        fix = _of_a_card(finding.card, fix.partition(_EVERY)[0])
    return finding._replace(fix=fix)


def _of_a_card(card: str, fix: str) -> str:
    """What becomes of a card that the text leaves out, or has under another title without its anchor."""
    if _RENAMED in fix:
        kept = fix.partition(_ARCHIVES)[0]
        return f"{kept}; or rename it: below its new heading write <!-- memory:{card} -->"
    return f"{fix} --commit, then write again" if _ARCHIVES in fix else fix
