"""Whether the pre-commit framework does here what its configuration promises."""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING

from wbmem_git.errors import GitError, UsageError
from wbmem_git.verbs.doctor.facts import bad, ok, warn
from wbmem_git.verbs.hooks.files import is_framework
from wbmem_git.verbs.hooks.install import hooks_folder, status

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.doctor.facts import Fact

CONFIG = ".pre-commit-config.yaml"
NEEDED_TYPES = (
    "pre-commit",
    "pre-merge-commit",
    "prepare-commit-msg",
    "commit-msg",
    "pre-push",
    "post-commit",
    "post-merge",
    "post-checkout",
    "post-rewrite",
)


def framework_types(repository: Repository) -> tuple[str, ...]:
    """The hook types that the framework is installed for here, where its configuration names wbmem."""
    if b"wbmem" not in (repository.worktree_file(CONFIG) or b""):
        return ()
    try:
        folder = hooks_folder(repository)
    except (GitError, UsageError):
        return ()  # told under `hooks`
    return tuple(
        name for name in NEEDED_TYPES if is_framework(folder / name) and os.access(folder / name, os.X_OK)
    )


def framework(repository: Repository, variables: Mapping[str, str]) -> Iterator[Fact]:
    """Whether the pre-commit framework does what its configuration here promises."""
    installed = framework_types(repository)
    if not installed:
        return
    skipped = sorted(set(re.findall(r"wbmem-[a-z]+", variables.get("SKIP", ""))))
    if skipped:
        yield warn("framework", f"SKIP leaves out {', '.join(skipped)} in this shell", "unset SKIP")
    missing = [name for name in NEEDED_TYPES if name not in installed]
    if missing and not status(repository, variables).complete:
        types = " ".join(f"-t {name}" for name in missing)
        message = f"the framework is installed without {', '.join(missing)}: what happens there isn't seen"
        yield bad("framework", message, f"pre-commit install {types} (or: wbmem hooks install)")
    else:
        yield ok("framework", f"the pre-commit framework is installed for {', '.join(installed)}")
