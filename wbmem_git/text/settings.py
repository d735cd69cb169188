"""`wbmem.yaml`: reading it with every fault and its line, keeping what was read, adding one allowance."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from wbmem_git.model import Finding, Settings
from wbmem_git.text.kept_settings import settings_from_json, settings_to_json
from wbmem_git.text.keys import BOARD, DEFAULT_AGENTS, FINGERPRINT, KEYS, NESTED, BadValue, Key
from wbmem_git.text.names import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from wbmem_git.text.yaml import Node

__all__ = [
    "BOARD",
    "DEFAULT_AGENTS",
    "KEYS",
    "Key",
    "add_allow",
    "default_settings",
    "parse_settings",
    "settings_from_json",
    "settings_to_json",
]

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_DOCUMENT_END = re.compile(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)


def parse_settings(text: str) -> tuple[Settings | None, tuple[Finding, ...]]:
    """What `wbmem.yaml` says, with every default filled in, and every fault (W2); None where there is one."""
    from wbmem_git.text.yaml import Unreadable, read_yaml  # noqa: PLC0415  # only a changed file pays

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


def add_allow(text: str, fingerprint: str, comment: str = "") -> str:
    """`wbmem.yaml` with one more entry under `allow:`; every other byte stays.

    Args:
        text: A file that `parse_settings` reads without a finding.
        fingerprint: What `wbmem allow` names, 8 to 64 hex digits.
        comment: Stands behind the entry as a YAML comment, so that a reader knows what it lets through;
            left out where the list is written in brackets.

    Raises:
        ValueError: `text` has a finding, the fingerprint isn't one, or the list is written in a way that one
            entry can't be added to; the message says which.
    """
    settings, findings = parse_settings(text)
    if settings is None:
        raise ValueError(f"wbmem.yaml:{findings[0].line}: {findings[0].message}")
    if not FINGERPRINT.fullmatch(fingerprint):
        raise ValueError(f"{fingerprint!r} is no fingerprint of a finding")
    if fingerprint in settings.allow:
        return text
    shown = "".join(char for char in " ".join(comment.split()) if char.isprintable())
    start, end, new = _edit(text, f'"{fingerprint}"', shown)
    edited = text[:start] + new + text[end:]
    if parse_settings(edited)[0] != settings._replace(allow=(*settings.allow, fingerprint)):
        raise ValueError("wbmem.yaml: `allow:` is written in an unusual way; add the entry by hand")
    return edited


# --- reading ----------------------------------------------------------------------------------------


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
        shown = "" if bad.shown is None else f" {_short(bad.shown)!r}"
        message = f"`{key.name}:`{shown} isn't allowed"
        yield _finding(bad.line or line, message, f"it takes {key.allowed}", f"value {key.name}")


def _missing(root: Node, values: dict[str, Any]) -> Iterator[Finding]:
    for key in KEYS:
        if key.default is None and key.field not in values:
            fix = f"add a line `{key.name}: …` ({key.allowed}), the same in every clone"
            yield _finding(root.line, f"`{key.name}:` is missing", fix, f"missing {key.name}")


def _not_nested(name: str, line: int) -> Finding:
    inner = ", ".join(f"`{key.name.partition('.')[2]}:`" for key in KEYS if key.name.startswith(f"{name}."))
    return _finding(line, f"`{name}:` holds no keys", f"nest {inner} under it, indented", f"value {name}")


def _unknown(name: str, line: int) -> Finding:
    import difflib  # noqa: PLC0415  # only for a file with a fault

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


# --- writing ----------------------------------------------------------------------------------------


def _edit(text: str, entry: str, comment: str) -> tuple[int, int, str]:
    """Which stretch of `text` is replaced, and by what."""
    from wbmem_git.text.yaml import Node, read_yaml  # noqa: PLC0415  # as above

    root = read_yaml(text)
    assert isinstance(root, Node)  # noqa: S101  # add_allow has just parsed it
    lined = f"- {entry}  # {comment}" if comment else f"- {entry}"
    indent = " " * root.column
    pair = next(((key, value) for key, value in root.value if key.value == "allow"), None)
    if pair is None and root.flow:
        end = root.value[-1][1].end
        return end, end, f", allow: [{entry}]"
    if pair is None:
        return _lines(text, _end_of_keys(text, root), (f"{indent}allow:", f"{indent}  {lined}"))
    key, allow = pair
    if allow.kind == "nothing" and (allow.value or root.flow):
        colon = text.index(":", key.end) + 1
        return (allow.start, allow.end, f"[{entry}]") if allow.value else (colon, colon, f" [{entry}]")
    if allow.kind == "nothing":
        return _lines(text, _next_line(text, key.end), (f"{indent}  {lined}",))
    if allow.flow and allow.value:
        end = allow.value[-1].end
        return end, end, f", {entry}"
    if allow.flow:
        inside = allow.start + 1
        return inside, inside, f"{entry} " if text[inside] == "#" else entry
    return _lines(text, _next_line(text, allow.value[-1].end), (f"{' ' * allow.column}{lined}",))


def _lines(text: str, at: int, new: tuple[str, ...]) -> tuple[int, int, str]:
    """Whole lines at the beginning of a line, or at the very end, with the line ends that the file has."""
    found = _BREAK.search(text)
    newline = found.group() if found else "\n"
    if at and not _BREAK.fullmatch(text[at - 1]):
        return at, at, newline + newline.join(new)
    return at, at, "".join(line + newline for line in new)


def _next_line(text: str, at: int) -> int:
    found = _BREAK.search(text, at)
    return found.end() if found else len(text)


def _end_of_keys(text: str, root: Node) -> int:
    """Where a further key goes: the end of the text, or before a `...` that ends the document."""
    found = _DOCUMENT_END.search(text, root.value[-1][0].end)
    return found.start() if found else len(text)
