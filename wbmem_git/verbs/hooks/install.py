"""Put the native hooks where git looks for them, tell how they stand, take them away again."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.errors import UsageError
from wbmem_git.rules.wording import command
from wbmem_git.store.git import text_of
from wbmem_git.verbs.hooks import files as hook_files
from wbmem_git.verbs.hooks.registration import register, standing, unregister
from wbmem_git.verbs.hooks.scripts import PIECES, this_installation
from wbmem_git.verbs.throwaway import throwaway_note

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.store.repository import Repository
    from wbmem_git.verbs.hooks.files import Hook
    from wbmem_git.verbs.hooks.registration import Driver
    from wbmem_git.verbs.hooks.scripts import Origin

OWN_SCOPES = {"local", "worktree"}


class SharedHooks(UsageError):
    """Hooks of this repository come from a folder that others share."""

    def __init__(self, value: str, scope: str, own: str) -> None:
        super().__init__(
            f"core.hooksPath is {value} ({scope} configuration): hooks there run in other repositories too, "
            "so wbmem writes none",
            f"{command('git', 'config', '--local', 'core.hooksPath', own)}, then: wbmem hooks install. "
            f"Of the hooks in {value} only those run here that you copy",
        )


class InstallReport(NamedTuple):
    """What was found or done.

    Attributes:
        folder: Where git looks for hooks.
        hooks: One for each native hook.
        written: Names of those that this call wrote or took away.
        notes: What a person should know beside that, a sentence each.
        driver: The merge driver; None in a bare repository that others push to.
    """

    folder: str
    hooks: tuple[Hook, ...]
    written: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    driver: Driver | None = None

    @property
    def complete(self) -> bool:
        """Whether every hook is active."""
        return all(hook.state == "active" for hook in self.hooks)


def install(
    repository: Repository, variables: Mapping[str, str], origin: Origin | None = None
) -> InstallReport:
    """Write every native hook that isn't there as it should be, and register the merge driver.

    Args:
        repository: Whose hooks.
        variables: The process's environment: it tells which folders are thrown away again.
        origin: What the hooks start; this interpreter and this package by default.

    Raises:
        SharedHooks: `core.hooksPath` points out of this repository's own configuration; the driver is there.
        TwoKept: A foreign hook stands where another one is kept already; no hook was written.
    """
    origin = origin or this_installation()
    driver = register(repository, origin)
    folder = hooks_folder(repository)
    for name in PIECES:
        hook_files.check_room(folder, name)
    folder.mkdir(parents=True, exist_ok=True)
    written = tuple(name for name in PIECES if hook_files.write(folder, name, origin))
    return status(repository, variables, origin)._replace(written=written, driver=driver)


def status(
    repository: Repository, variables: Mapping[str, str], origin: Origin | None = None
) -> InstallReport:
    """How every native hook stands.

    Raises:
        SharedHooks: `core.hooksPath` points out of this repository's own configuration.
    """
    origin = origin or this_installation()
    folder = hooks_folder(repository)
    hooks = tuple(hook_files.look(folder, name, origin) for name in PIECES)
    notes = (throwaway_note(origin, variables), _tracked_note(repository, folder))
    driver = standing(repository, origin)
    return InstallReport(str(folder), hooks, notes=tuple(filter(None, notes)), driver=driver)


def remove(repository: Repository) -> InstallReport:
    """Take our hooks and the merge driver away; what was there before is there again, byte for byte.

    Raises:
        SharedHooks: `core.hooksPath` points out of this repository's own configuration.
    """
    driver = unregister(repository)
    folder = hooks_folder(repository)
    hooks = tuple(hook_files.remove(folder, name) for name in PIECES)
    written = tuple(hook.name for hook in hooks if hook.state == "removed")
    return InstallReport(str(folder), hooks, written, driver=driver)


def hooks_folder(repository: Repository) -> Path:
    """Where git looks for this repository's hooks.

    Raises:
        SharedHooks: `core.hooksPath` points out of this repository's own configuration.
    """
    answer = repository.git.ask("config", "--show-scope", "--get", "core.hooksPath")
    scope, _, value = text_of(answer.out).removesuffix("\n").partition("\t")
    if answer.status == 0 and scope not in OWN_SCOPES:
        raise SharedHooks(value, scope, str(Path(repository.common_dir, "hooks")))
    top = repository.top or repository.git_dir  # git starts hooks there: a relative path counts from there
    return Path(top, repository.git.line("-C", top, "rev-parse", "--git-path", "hooks"))


def _tracked_note(repository: Repository, folder: Path) -> str:
    place = folder.resolve()
    if not repository.top or place.is_relative_to(Path(repository.common_dir).resolve()):
        return ""
    if not place.is_relative_to(Path(repository.top).resolve()):
        return ""
    return (
        f"the hooks lie in the working tree ({folder}) and name this machine's paths: "
        "keep them out of commits (a line in .git/info/exclude)"
    )
