"""What git, the framework and the user's shell tell in variables. Nothing else here reads them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.variables import ACTOR, DETACH, REMARKS, REMARKS_TRAILER

if TYPE_CHECKING:
    from collections.abc import Mapping

REAPPLYING = ("revert", "cherry-pick")


class Environment:
    """The variables of this process, read by what they mean (git 2.39, pre-commit 4)."""

    def __init__(self, variables: Mapping[str, str]) -> None:
        self.variables = variables

    # --- git ----------------------------------------------------------------------------------------

    @property
    def in_commit(self) -> bool:
        """Whether git is making a commit: only then it names an index."""
        return "GIT_INDEX_FILE" in self.variables

    @property
    def reapplies(self) -> bool:
        """Whether a revert or a cherry-pick makes the commit, and no `git commit` of the user's.

        `git commit` exports the author's date; revert and cherry-pick don't, or, where they start
        `git commit` for its editor, name themselves in GIT_REFLOG_ACTION. An automatic merge exports no date
        either.
        """
        action = self.variables.get("GIT_REFLOG_ACTION", "")
        return "GIT_AUTHOR_DATE" not in self.variables or action.startswith(REAPPLYING)

    @property
    def merges(self) -> bool:
        """Whether an automatic merge makes the commit: git names its other heads in variables."""
        return any(name.startswith("GITHEAD_") for name in self.variables)

    @property
    def author(self) -> str:
        """`Name <email>` as `git commit` will record it, "" where git hasn't told."""
        name = self.variables.get("GIT_AUTHOR_NAME", "")
        return f"{name} <{self.variables.get('GIT_AUTHOR_EMAIL', '')}>" if name else ""

    @property
    def author_date(self) -> str:
        """As git exports it: `@1700000000 +0100`."""
        return self.variables.get("GIT_AUTHOR_DATE", "")

    @property
    def without_editor(self) -> bool:
        """Whether nobody edits the message (`-m`, `-F`): then git keeps lines that begin with `#`."""
        return self.variables.get("GIT_EDITOR") == ":"

    # --- wbmem --------------------------------------------------------------------------------------

    @property
    def actor(self) -> str:
        return self.variables.get(ACTOR, "")

    @property
    def detach(self) -> str:
        """How the sidecar follows a commit: "0" waits, "never" starts nothing, otherwise nobody waits."""
        return self.variables.get(DETACH, "")

    @property
    def trailers(self) -> tuple[tuple[str, str], ...]:
        """(key, value), what the message is to say beside who commits."""
        remarks = " ".join(self.variables.get(REMARKS, "").split())
        return ((REMARKS_TRAILER, remarks),) if remarks else ()

    # --- the pre-commit framework -------------------------------------------------------------------

    @property
    def framework(self) -> bool:
        return self.variables.get("PRE_COMMIT") == "1"

    @property
    def range(self) -> tuple[str, str]:
        """`--from-ref` and `--to-ref`, or what is being pushed; "" where nothing is named."""
        return self.variables.get("PRE_COMMIT_FROM_REF", ""), self.variables.get("PRE_COMMIT_TO_REF", "")

    @property
    def pushed_branch(self) -> str:
        """In pre-push, where a whole history is pushed and so no range: the ref; "" elsewhere."""
        named = "PRE_COMMIT_REMOTE_NAME" in self.variables
        return self.variables.get("PRE_COMMIT_LOCAL_BRANCH", "") if named else ""

    @property
    def rewrite(self) -> str:
        """In post-rewrite, what rewrote: `amend` or `rebase`; "" elsewhere."""
        return self.variables.get("PRE_COMMIT_REWRITE_COMMAND", "")

    @property
    def squash(self) -> bool:
        """In post-merge, whether nothing was committed."""
        return self.variables.get("PRE_COMMIT_IS_SQUASH_MERGE") == "1"


def read() -> Environment:
    """The environment of this process, as it is now."""
    return Environment(dict(os.environ))
