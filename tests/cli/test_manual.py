"""docs/cli.md says what the commands say."""

from __future__ import annotations

from pathlib import Path

import click

from wbmem_git.cli.commands import wbmem
from wbmem_git.cli.declared import COMMANDS
from wbmem_git.cli.manual import manual

PAGE = Path(__file__).resolve().parents[2] / "docs" / "cli.md"


def commands(command: click.Command, path: str = "wbmem") -> dict[str, click.Command]:
    found = {path: command}
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            inner = command.get_command(context, name)
            assert inner is not None, name
            found |= commands(inner, f"{path} {name}")
    return found


def test_the_page_is_what_the_commands_say_now() -> None:
    assert PAGE.read_text(encoding="utf-8") == manual(), "make docs writes it anew"


def test_every_command_and_every_option_has_its_line_and_its_help() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for path, command in commands(wbmem).items():
        section = text.partition(f"`{path}`\n\n")[2].partition("\n#")[0]
        assert section, path
        assert command.help, path
        for option in command.params:
            if isinstance(option, click.Option):
                assert option.help, (path, option.name)
                assert all(f"`{name}`" in section for name in option.opts), (path, option.name)


def test_every_name_of_the_table_is_a_command_of_that_name() -> None:
    for name in COMMANDS:
        found = wbmem.get_command(click.Context(wbmem), name)
        assert found is not None
        assert found.name == name
    assert wbmem.get_command(click.Context(wbmem), "nothing") is None
