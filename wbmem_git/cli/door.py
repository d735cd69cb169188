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
            NotAMemory: There is none.
        """
        from wbmem_git.workspace import Workspace  # noqa: PLC0415  # `--help` needs none

        return Workspace.find(self.folder, self.environment, workspace=self.workspace, root=self.root)

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
        Path.cwd(),
        workspace or environment.get("WBMEM_WORKSPACE", ""),
        environment.get("WBMEM_ROOT", "") or data_folder(environment, sys.platform),
    )


def data_folder(environment: Mapping[str, str], platform: str) -> str:
    """Where this platform keeps a program's data, "" where no home folder is set."""
    if environment.get("XDG_DATA_HOME"):
        return str(Path(environment["XDG_DATA_HOME"], PROGRAM))
    home = environment.get("HOME", "")
    if not home:
        return ""
    place = ("Library", "Application Support") if platform == "darwin" else (".local", "share")
    return str(Path(home, *place, PROGRAM))
