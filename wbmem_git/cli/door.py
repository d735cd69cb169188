"""The door: reads environment, clock and current folder, and turns every failure into a sentence."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from wbmem_git.errors import WbmemError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from wbmem_git.workspace import Workspace

PROGRAM = "wbmem"
BROKEN_PIPE = 141
INTERRUPTED = 130
INTERNAL = 3


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


def run(argv: Sequence[str]) -> int:
    """Run one command; its exit status. No traceback ever reaches the user."""
    from wbmem_git.cli.commands import wbmem  # noqa: PLC0415  # it imports this module

    listening = sys.stdout  # click exchanges it where nobody listens any more
    try:
        status = wbmem.main(args=list(argv), prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except WbmemError as error:
        return _tell(error.message, error.hint, error.exit_status)
    except click.ClickException as error:
        error.show()
        return error.exit_code
    except (click.Abort, KeyboardInterrupt):
        click.echo("", err=True)
        return INTERRUPTED
    except BrokenPipeError:
        return _hush()
    except SystemExit as done:  # click ends the process itself after a completion, and for a broken pipe
        return int(done.code or 0) if sys.stdout is listening else _hush()
    except Exception as error:  # noqa: BLE001  # the outermost door
        return _internal(error)
    return status if isinstance(status, int) else 0


def _tell(message: str, hint: str, status: int) -> int:
    click.echo(f"{PROGRAM}: {message}", err=True)
    if hint:
        click.echo(f"  next: {hint}", err=True)
    return status


def _hush() -> int:
    """Nobody listens any more: let nothing of Python's complain when it flushes at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return BROKEN_PIPE


def _internal(error: Exception) -> int:
    """One line, and the details in a file that only the user can read."""
    details = "".join(traceback.format_exception(error))
    try:
        path = _log(details)
    except OSError:
        path = "nowhere: no file could be written"
    return _tell(
        f"internal error ({type(error).__name__}); the details are in {path}", "wbmem doctor", INTERNAL
    )


def _log(details: str) -> str:
    folder = _git_folder()
    if folder is None:
        handle, name = tempfile.mkstemp(prefix="wbmem-error-", suffix=".log")
        os.close(handle)
        path = Path(name)
    else:
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / "error.log"
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o600)
    with os.fdopen(descriptor, "a", encoding="utf-8") as file:
        file.write(f"{datetime.now(UTC):%Y-%m-%dT%H:%M:%SZ} {PROGRAM} {' '.join(sys.argv[1:])}\n{details}\n")
    return str(path)


def _git_folder() -> Path | None:
    """The folder for our own files in the git folder of the memory here, None where there is none."""
    try:
        with door().memory().open() as repository:
            return Path(repository.git_dir, PROGRAM)
    except Exception:  # noqa: BLE001  # what failed may be this very thing
        return None
