"""As whom a door commits that only agents use (FORMAT §4): pure, what it says goes into git's environment."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.text.patterns import pattern
from wbmem_git.verbs.actor import agent_of_shell

if TYPE_CHECKING:
    from collections.abc import Mapping

NAMELESS = "agent"
DOMAIN = "agent.local"
_OTHER_SIGNS = pattern(r"[^a-z0-9]+")


def agent_author(environment: Mapping[str, str], name: str = "") -> dict[str, str]:
    """The variables that make an agent the author, where those of this process name nobody.

    Args:
        environment: The variables of this process.
        name: The agent's; "": the one whose shell this is.

    Returns:
        `GIT_AUTHOR_NAME` and `GIT_AUTHOR_EMAIL`, or nothing where `GIT_AUTHOR_EMAIL` is set.
    """
    if environment.get("GIT_AUTHOR_EMAIL"):
        return {}
    whose = name or agent_of_shell(environment) or NAMELESS
    slug = _OTHER_SIGNS.sub("-", whose.lower()).strip("-") or NAMELESS
    said = environment.get("GIT_AUTHOR_NAME") or slug
    return {"GIT_AUTHOR_NAME": said, "GIT_AUTHOR_EMAIL": f"{slug}@{DOMAIN}"}


def as_committer(author: Mapping[str, str]) -> dict[str, str]:
    """The same one as the committer too: where git knows none."""
    return {name.replace("AUTHOR", "COMMITTER"): value for name, value in author.items()}
