"""The door: the only place that reads environment, clock and current folder."""

from __future__ import annotations

import os
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

    from wbmem_git.workspace import Workspace

PROGRAM = "wbmem"
MEMORY = "handoff"


class Door(NamedTuple):
    """What a command may know of the world.

    Attributes:
        environment: The variables of this process.
        folder: The current folder.
        workspace: What `--workspace` or `WBMEM_WORKSPACE` names, "" for nothing.
        root: `WBMEM_ROOT`, else the platform's data folder for wbmem, "" where there is none.
    """

    environment: Mapping[str, str]
    folder: Path
    workspace: str
    root: str

    def memory(self) -> Workspace:
        """The memory that is meant.

        Raises:
            NotAMemory: There is none; the hint is the command that makes one there.
        """
        from wbmem_git.errors import NotAMemory  # noqa: PLC0415  # `--help` needs none
        from wbmem_git.rules.wording import command  # noqa: PLC0415  # as above
        from wbmem_git.workspace import Workspace  # noqa: PLC0415  # as above

        try:
            return Workspace.find(self.folder, self.environment, workspace=self.workspace, root=self.root)
        except NotAMemory:
            if not self.workspace:
                raise
            named = (self.folder / self.workspace).absolute()
            folder = named.parent if named.name == MEMORY else named
            raise NotAMemory(str(named), command(PROGRAM, "init", str(folder))) from None

    def now(self) -> datetime:
        """This moment, UTC."""
        return datetime.now(UTC)

    def today(self) -> date:
        """Today, local time."""
        return self.now().astimezone().date()


def door(workspace: str = "") -> Door:
    """The door of this process."""
    environment = dict(os.environ)
    return Door(
        environment,
        _current_folder(),
        workspace or environment.get("WBMEM_WORKSPACE", ""),
        environment.get("WBMEM_ROOT", "") or data_folder(environment, sys.platform),
    )


def _current_folder() -> Path:
    try:
        return Path.cwd()
    except FileNotFoundError:
        from wbmem_git.errors import UsageError  # noqa: PLC0415  # `--help` needs none

        raise UsageError("the current folder is gone", "cd into one that is there") from None


def data_folder(environment: Mapping[str, str], platform: str) -> str:
    """Where this platform keeps a program's data, "" where no home folder is set."""
    if environment.get("XDG_DATA_HOME"):
        return str(Path(environment["XDG_DATA_HOME"], PROGRAM))
    home = environment.get("HOME", "")
    if not home:
        return ""
    place = ("Library", "Application Support") if platform == "darwin" else (".local", "share")
    return str(Path(home, *place, PROGRAM))
