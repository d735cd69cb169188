"""`allow:` in `wbmem.yaml`: one more entry, and every other byte as it was."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from wbmem_git.text.keys import FINGERPRINT
from wbmem_git.text.settings import parse_settings
from wbmem_git.text.yaml import Node, read_yaml

if TYPE_CHECKING:
    from collections.abc import Sequence

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_DOCUMENT_END = re.compile(r"^\.\.\.(?=\s|\Z)", re.MULTILINE)


class _Edit(NamedTuple):
    """A stretch of a text, by offsets, and what stands there instead."""

    start: int
    end: int
    new: str


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
    edit = _edit(text, f'"{fingerprint}"', f"  # {shown}" if shown else "")
    edited = text[: edit.start] + edit.new + text[edit.end :]
    if parse_settings(edited)[0] != settings._replace(allow=(*settings.allow, fingerprint)):
        raise ValueError("wbmem.yaml: `allow:` is written in an unusual way; add the entry by hand")
    return edited


def _edit(text: str, entry: str, comment: str) -> _Edit:
    root = read_yaml(text)
    assert isinstance(root, Node)  # noqa: S101  # add_allow has just parsed it
    pair = next(((key, value) for key, value in root.value if key.value == "allow"), None)
    if pair is None:
        return _new_key(text, root, entry, comment)
    key, allow = pair
    if allow.kind == "nothing":
        return _first_entry(text, root, (key, allow), entry, comment)
    return _next_entry(text, allow, entry, comment)


def _new_key(text: str, root: Node, entry: str, comment: str) -> _Edit:
    """`allow:` behind the last key."""
    if root.flow:
        end = root.value[-1][1].end
        return _Edit(end, end, f", allow: [{entry}]")
    indent = " " * root.column
    ended = _DOCUMENT_END.search(text, root.value[-1][0].end)
    at = ended.start() if ended else len(text)
    return _lines(text, at, (f"{indent}allow:", f"{indent}  - {entry}{comment}"))


def _first_entry(text: str, root: Node, pair: tuple[Node, Node], entry: str, comment: str) -> _Edit:
    """The first entry below `allow:`, which has no value, or one that says so (`~`, `null`)."""
    key, allow = pair
    if allow.value:
        return _Edit(allow.start, allow.end, f"[{entry}]")
    if root.flow:
        behind = text.index(":", key.end) + 1
        return _Edit(behind, behind, f" [{entry}]")
    return _lines(text, _next_line(text, key.end), (f"{' ' * root.column}  - {entry}{comment}",))


def _next_entry(text: str, allow: Node, entry: str, comment: str) -> _Edit:
    """An entry behind those that are there."""
    if allow.flow and allow.value:
        end = allow.value[-1].end
        return _Edit(end, end, f", {entry}")
    if allow.flow:
        inside = allow.start + 1
        return _Edit(inside, inside, f"{entry} " if text[inside] == "#" else entry)
    at = _next_line(text, allow.value[-1].end)
    return _lines(text, at, (f"{' ' * allow.column}- {entry}{comment}",))


def _lines(text: str, at: int, new: Sequence[str]) -> _Edit:
    """Whole lines at the beginning of a line, or at the very end, with the line ends that the file has."""
    found = _BREAK.search(text)
    newline = found.group() if found else "\n"
    if at and not _BREAK.fullmatch(text[at - 1]):
        return _Edit(at, at, newline + newline.join(new))
    return _Edit(at, at, "".join(line + newline for line in new))


def _next_line(text: str, at: int) -> int:
    found = _BREAK.search(text, at)
    return found.end() if found else len(text)
