"""Running one command: every failure becomes a sentence and an exit status, never a traceback."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from datetime import UTC, datetime
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wbmem_git.cli.commands import wbmem
from wbmem_git.cli.door import PROGRAM, door
from wbmem_git.errors import WbmemError

if TYPE_CHECKING:
    from collections.abc import Sequence

BROKEN_PIPE = 141
INTERRUPTED = 130
INTERNAL = 3


def run(argv: Sequence[str]) -> int:
    """Run one command; its exit status. No traceback ever reaches the user."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):  # a title may hold what the locale's encoding can't
            stream.reconfigure(errors="backslashreplace")
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
