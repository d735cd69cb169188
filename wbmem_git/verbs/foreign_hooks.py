"""Which hooks of other people would run in a commit here: then git itself has to make it."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from wbmem_git.verbs.hook_files import KEPT, is_ours

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.store.repository import Repository

    Configuration = Mapping[str, tuple[str, ...]]

COMMIT_HOOKS = ("pre-commit", "prepare-commit-msg", "commit-msg", "post-commit")


def foreign_hooks(repository: Repository, configuration: Configuration) -> tuple[str, ...]:
    """The hooks that `git commit` would run here and that aren't wbmem's own, by file or by name.

    Args:
        repository: Where.
        configuration: git's, as `read_configuration` has it.
    """
    folder = _folder(repository, configuration)
    files = [path for name in COMMIT_HOOKS for path in _foreign_files(folder, name)]
    return (*files, *_configured(configuration))


def read_configuration(said: bytes) -> Configuration:
    """What `git config --list -z` says: key → its values, the one that counts last."""
    found: dict[str, tuple[str, ...]] = {}
    for row in filter(None, said.decode("utf-8", "surrogateescape").split("\0")):
        key, gap, value = row.partition("\n")
        found[key] = (*found.get(key, ()), value if gap else "true")
    return found


def _folder(repository: Repository, configuration: Configuration) -> Path:
    """Where git looks for hooks: a relative path counts from where it runs them."""
    named = configuration.get("core.hookspath", ("",))[-1]
    if not named:
        return Path(repository.common_dir, "hooks")
    if named.startswith("~"):
        named = repository.git.line("config", "--type=path", "--get", "core.hooksPath")
    return Path(repository.top or repository.git_dir, named)


def _foreign_files(folder: Path, name: str) -> list[str]:
    """The hook, where it isn't ours, or the one that ours runs first (`<hook>.before-wbmem`)."""
    hook = folder / name
    kept = hook.with_name(f"{name}{KEPT}")
    if not os.access(hook, os.X_OK):
        return []
    if not is_ours(hook):
        return [str(hook)]
    return [str(kept)] if os.access(kept, os.X_OK) else []


def _configured(configuration: Configuration) -> list[str]:
    """Hooks of the configuration (git 2.54): `hook.<name>.event`."""
    return [
        key
        for key, values in configuration.items()
        if key.startswith("hook.") and key.endswith(".event") and set(values).intersection(COMMIT_HOOKS)
    ]
