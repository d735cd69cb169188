"""Commands of git as they are typed where the user stands.

A memory is a repository in the folder of a workspace, which is mostly another one: there `git add PLAN.md`
would be that one's. What a message proposes says which is meant, so that it can be copied as it stands.
"""

from __future__ import annotations

import os

from wbmem_git.rules.wording import command

_VERBS = (
    "add|apply|bisect|check-attr|checkout|cherry-pick|commit|diff|fetch|fsck|log|merge|mv|rebase|remote|"
    "reset|revert|show|sparse-checkout|stash|status|switch"
)
_PROPOSED = rf"(?<![\w/.'\"-])git (?=(?:{_VERBS}|config --(?:add|local|list))(?![\w-]))"
APART = "in the memory's folder"
"""What a sentence says whose commands name files, too, and that only hold there."""


class Standing:
    """Where the user stands; nowhere, until a command has found its memory."""

    there = ""
    """How git is told of the memory from there: `-C handoff `, "" within its folder."""

    @classmethod
    def at(cls, folder: str, top: str) -> None:
        """The user stands in `folder`; the memory's own one is `top`."""
        here, there = (os.path.realpath(one) for one in (folder, top))
        is_inside = here == there or here.startswith(f"{there}{os.sep}")
        cls.there = "" if is_inside else f"-C {command(os.path.relpath(there, here))} "

    @classmethod
    def nowhere(cls) -> None:
        """Another command begins."""
        cls.there = ""


def typed_here(text: str) -> str:
    """A sentence of ours with the commands of git in it as they are typed where the user stands."""
    if not Standing.there or APART in text:
        return text
    import re  # a question proposes nothing

    return re.sub(_PROPOSED, lambda _: f"git {Standing.there}", text)
