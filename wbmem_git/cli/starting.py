"""Commands that make a memory ready: `init`, `hooks`, `completion`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from wbmem_git.cli.clicked import with_json
from wbmem_git.cli.voice import note, say, say_json, say_whole
from wbmem_git.errors import NotAMemory
from wbmem_git.rules.wording import command

if TYPE_CHECKING:
    from wbmem_git.cli.door import Door
    from wbmem_git.verbs.hooks.install import InstallReport
    from wbmem_git.verbs.init import InitReport
    from wbmem_git.workspace import Workspace

SHELLS = ("bash", "zsh", "fish")


@click.command()
@click.argument("folder", metavar="[DIR]", required=False, default=".")
@click.option(
    "--locale", type=click.Choice(["zh", "en"]), help="Language of the pages; default: that of the shell."
)
@click.option(
    "--key", metavar="KEY", default="", help="The workspace key; default: the folder's name and 8 hex digits."
)
@click.option(
    "--global", "is_global", is_flag=True, help="Make the global repository: your profile, no board."
)
@with_json
@click.pass_obj
def init(  # noqa: PLR0913, PLR0917  # click hands over every option
    door: Door, folder: str, locale: str | None, key: str, is_global: bool, as_json: bool
) -> None:
    """Make a memory in DIR/handoff (default: here), or make a clone of one ready.

    A folder that is there already is adopted: its pages are committed as they are, then every card gets its
    anchor. What is there is never overwritten, and running it again does no harm.
    """
    from wbmem_git.errors import UsageError
    from wbmem_git.verbs.init import GLOBAL, InitOptions
    from wbmem_git.workspace import Workspace

    place = Path(door.folder, folder if folder != "." else door.workspace or ".")
    if is_global:
        if not door.root:
            raise UsageError("no folder for the global repository: HOME isn't set", "set WBMEM_ROOT to one")
        place = Path(door.root, GLOBAL)
    options = InitOptions(locale or _locale(door), f"{door.now():%Y-%m-%dT%H:%M:%SZ}", key, is_global)
    _, report = Workspace.init(place.resolve(), door.environment, options, root=door.root)
    if as_json:
        say_json(_as_json(report))
    else:
        _tell_init(report)


@click.group()
def hooks() -> None:
    """The native git hooks of this memory, and the workflow that checks in CI what no hook saw."""


with_server = click.option(
    "--server",
    is_flag=True,
    help="The hook of a bare repository that is pushed to (-w DIR; default: here).",
)
with_into = click.option(
    "--into",
    metavar="DIR",
    default="",
    help="With --server: where the forge looks for hooks, from the repository on.",
)


@hooks.command("install")
@with_server
@with_into
@with_json
@click.pass_obj
def hooks_install(door: Door, server: bool, into: str, as_json: bool) -> int:
    """Write every hook that isn't there as it should be, and register the merge driver.

    A hook that was there before runs first.
    """
    if not _is_server(server, into):
        return _tell_hooks(_worked_in(door).install_hooks(), as_json)
    from wbmem_git.verbs.hooks.server import install_server

    return _tell_hooks(install_server(_served(door), door.environment, into=into), as_json)


@hooks.command("status")
@with_server
@with_into
@with_json
@click.pass_obj
def hooks_status(door: Door, server: bool, into: str, as_json: bool) -> int:
    """How every hook and the merge driver stand; exit status 1 where one isn't active."""
    if _is_server(server, into):
        from wbmem_git.verbs.hooks.server import server_status

        report = server_status(_served(door), door.environment, into=into)
    else:
        report = _worked_in(door).hooks()
    _tell_hooks(report, as_json)
    return 0 if report.complete and (report.driver is None or report.driver.state == "active") else 1


@hooks.command("remove")
@with_server
@with_into
@with_json
@click.pass_obj
def hooks_remove(door: Door, server: bool, into: str, as_json: bool) -> int:
    """Take our hooks and the merge driver away; what was there before is there again, byte for byte."""
    if not _is_server(server, into):
        return _tell_hooks(_worked_in(door).remove_hooks(), as_json)
    from wbmem_git.verbs.hooks.server import remove_server

    return _tell_hooks(remove_server(_served(door), door.environment, into=into), as_json)


@hooks.command("ci")
def hooks_ci() -> None:
    """Print a GitHub workflow that judges what is pushed; docs/ci.md says where to put it."""
    from wbmem_git.resources import template

    say_whole(template("ci.yml"))


@click.command()
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def completion(ctx: click.Context, shell: str) -> None:
    """Print the completion script for your shell.

    bash: eval "$(wbmem completion bash)" in ~/.bashrc; zsh: the same in ~/.zshrc;
    fish: wbmem completion fish > ~/.config/fish/completions/wbmem.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    if found is not None:
        say_whole(found(ctx.find_root().command, {}, "wbmem", "_WBMEM_COMPLETE").source())


def _is_server(server: bool, into: str) -> bool:
    if into and not server:
        raise click.UsageError("--into belongs to --server")
    return server


def _worked_in(door: Door) -> Workspace:
    """The memory that is meant.

    Raises:
        NotAMemory: There is none; of a bare repository the hint is what puts the server's hook in place.
    """
    try:
        return door.memory()
    except NotAMemory as error:
        folder = _served(door)
        if all(Path(folder, name).exists() for name in ("HEAD", "objects", "refs")):
            error.hint = command("wbmem", "-w", folder, "hooks", "install", "--server")
        raise


def _served(door: Door) -> str:
    """The bare repository that is meant."""
    return str(Path(door.folder, door.workspace or "."))


def _locale(door: Door) -> str:
    """`zh` where the shell's language is Chinese, else `en`."""
    names = (door.environment.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, names), "").startswith("zh") else "en"


def _as_json(report: InitReport) -> dict[str, object]:
    return {
        "top": report.top,
        "workspace": report.key,
        "created": report.created,
        "commits": list(report.commits),
        "adopted": list(report.adopted),
        "left": [one._asdict() for one in report.left],
        "anchored": report.anchored,
        "hooks": _hooks_json(report.hooks._replace(notes=())) if report.hooks is not None else None,
        "notes": list(report.notes),
    }


def _tell_init(report: InitReport) -> None:
    say(f"{report.top}: {'made' if report.created else 'there already'}, workspace {report.key}")
    for path in report.adopted:
        say(f"  {path}: committed as it was")
    if report.anchored:
        say(f"  {report.anchored} {'card has' if report.anchored == 1 else 'cards have'} an anchor now")
    for one in report.left:
        note(f"  {one.path}: left out: {one.why}")
        note(f"    next: {one.next}")
    if report.hooks is not None:
        active = sum(hook.state == "active" for hook in report.hooks.hooks)
        say(f"  {active} of {len(report.hooks.hooks)} hooks are active")
        if report.hooks.driver is not None and report.hooks.driver.state != "active":
            note(f"  the merge driver is {report.hooks.driver.state}: {report.hooks.driver.detail}")
    for commit in report.commits:
        say(f"  committed {commit[:12]}")
    for told in report.notes:
        note(f"  note: {told}")


def _hooks_json(report: InstallReport) -> dict[str, object]:
    return {
        "folder": report.folder,
        "complete": report.complete,
        "written": list(report.written),
        "hooks": [hook._asdict() for hook in report.hooks],
        "notes": list(report.notes),
        "driver": report.driver._asdict() if report.driver is not None else None,
    }


def _tell_hooks(report: InstallReport, as_json: bool) -> int:
    if as_json:
        say_json(_hooks_json(report))
        return 0
    for hook in report.hooks:
        say(f"{hook.name:<20} {hook.state}{f': {hook.detail}' if hook.detail else ''}")
    if report.driver is not None:
        detail = f": {report.driver.detail}" if report.driver.detail else ""
        say(f"{'merge driver':<20} {report.driver.state}{detail}")
    for told in report.notes:
        note(f"note: {told}")
    return 0
