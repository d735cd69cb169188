"""`wbmem.yaml`: reading it, with every fault and its line."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wbmem_git.model import Finding, Settings
from wbmem_git.text.keys import FORMAT, KEYS, NESTED, UPGRADE, BadValue
from wbmem_git.text.names import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.text.keys import Key
    from wbmem_git.text.yaml import Node

_FORMAT_LINE = re.compile(
    r"^\ufeff?[\"']?format[\"']?[ \t]*:[ \t]*[\"']?([0-9]{1,9})(?=[\"' \t\r#]|$)", re.MULTILINE
)


def parse_settings(text: str) -> tuple[Settings | None, tuple[Finding, ...]]:
    """What `wbmem.yaml` says, with every default filled in, and every fault (W2); None where there is one."""
    from wbmem_git.text.yaml import Unreadable, read_yaml  # only a changed file pays

    root = read_yaml(text)
    if isinstance(root, Unreadable):
        message = f"wbmem.yaml can't be read: {root.reason}"
        return None, (
            _finding(root.line, message, "mend that line; docs/settings.md shows every key", "text"),
        )
    if root.kind != "map":
        fix = "write `key: value` lines, as docs/settings.md shows"
        return None, (_finding(root.line, "wbmem.yaml isn't a list of keys", fix, "text"),)
    values: dict[str, Any] = {}
    findings = (*_read(root, values), *_missing(root, values))
    return (None if findings else _filled(values)), findings


def default_settings(workspace: str) -> Settings:
    """Every default, for a workspace of that key."""
    return _filled({"workspace": workspace})


def _read(root: Node, values: dict[str, Any], prefix: str = "") -> Iterator[Finding]:
    """Read the keys of one level into `values`; what is wrong comes out."""
    for key_node, node in root.value:
        name = f"{prefix}{key_node.value}"
        line = key_node.line if node.kind == "nothing" else node.line
        found = next((key for key in KEYS if key.name == name), None)
        if found is not None:
            yield from _take(found, node, line, values)
        elif prefix or name not in NESTED:
            yield _unknown(name, key_node.line)
        elif node.kind == "map":
            yield from _read(node, values, f"{name}.")
        elif node.kind != "nothing":
            yield _not_nested(name, line)


def _take(key: Key, node: Node, line: int, values: dict[str, Any]) -> Iterator[Finding]:
    values[key.field] = key.default
    try:
        values[key.field] = key.read(node)
    except BadValue as bad:
        if key.name == "format" and _is_newer(bad.shown):
            told = f"`format: {bad.shown}` is a newer wbmem's: this one reads format {FORMAT}"
            yield _finding(bad.line or line, told, UPGRADE, "value format")
            return
        shown = "" if bad.shown is None else f" {_short(bad.shown)!r}"
        message = f"`{key.name}:`{shown} isn't allowed"
        yield _finding(bad.line or line, message, f"it takes {key.allowed}", f"value {key.name}")


def newer_format(text: str) -> str:
    """The format that settings are of, where only a newer wbmem reads it; else ""."""
    found = _FORMAT_LINE.search(text)
    return found[1] if found is not None and _is_newer(found[1]) else ""


def _is_newer(shown: object) -> bool:
    number = str(shown)
    return re.fullmatch("[0-9]{1,9}", number) is not None and int(number) > FORMAT


def _missing(root: Node, values: dict[str, Any]) -> Iterator[Finding]:
    for key in KEYS:
        if key.default is None and key.field not in values:
            fix = f"add a line `{key.name}: …` ({key.allowed}), the same in every clone"
            yield _finding(root.line, f"`{key.name}:` is missing", fix, f"missing {key.name}")


def _not_nested(name: str, line: int) -> Finding:
    inner = ", ".join(f"`{key.name.partition('.')[2]}:`" for key in KEYS if key.name.startswith(f"{name}."))
    return _finding(line, f"`{name}:` holds no keys", f"nest {inner} under it, indented", f"value {name}")


def _unknown(name: str, line: int) -> Finding:
    import difflib  # only for a file with a fault

    known = sorted({key.name for key in KEYS} | set(NESTED))
    near = difflib.get_close_matches(name.casefold(), known, 1, 0.5)
    near = near or [key.name for key in KEYS if key.name.endswith(f".{name.casefold()}")]
    fix = f"did you mean `{near[0]}`? " if near else ""
    message = f"`{_short(name)}` is no key of wbmem.yaml"
    return _finding(line, message, f"{fix}docs/settings.md lists every key", f"key {_short(name)}")


def _finding(line: int, message: str, fix: str, key: str) -> Finding:
    return Finding("W2", "hard", SETTINGS, line, message, fix, key=key)


def _short(text: str) -> str:
    return text if len(text) <= 40 else text[:40] + "…"


def _filled(values: dict[str, Any]) -> Settings:
    return Settings(**{key.field: values.get(key.field, key.default) for key in KEYS if key.field})
