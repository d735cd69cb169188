"""The workspace key in `wbmem.yaml`: another one, and every other byte as it was."""

from __future__ import annotations

from wbmem_git.text.keys import WORKSPACE_KEY
from wbmem_git.text.settings import parse_settings
from wbmem_git.text.yaml import Node, read_yaml

_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})


def with_key(text: str, key: str) -> str:
    """`wbmem.yaml` with that key under `workspace:`; every other byte stays.

    Raises:
        ValueError: `text` has a finding, the key is none, or it is written in a way that can't be exchanged;
            the message says which.
    """
    settings, findings = parse_settings(text)
    if settings is None:
        raise ValueError(f"wbmem.yaml:{findings[0].line}: {findings[0].message}")
    if not WORKSPACE_KEY.fullmatch(key):
        raise ValueError(f"{key!r} is no workspace key: 1 to 64 lower-case letters, digits and hyphens")
    root = read_yaml(text)
    assert isinstance(root, Node)  # noqa: S101  # it has just been parsed
    value = next(value for name, value in root.value if name.value == "workspace")
    written = key if key[:1].isalpha() and key not in _WORDS_OF_YAML else f'"{key}"'
    edited = text[: value.start] + written + text[value.end :]
    if parse_settings(edited)[0] != settings._replace(workspace=key):
        raise ValueError("wbmem.yaml: `workspace:` is written in an unusual way; write it on its own line")
    return edited
