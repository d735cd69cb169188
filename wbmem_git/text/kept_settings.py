"""Settings as a cache keeps them, apart from the module that reads `wbmem.yaml`: a hook needs only these."""

from __future__ import annotations

from typing import Any

from wbmem_git.model import Settings


def settings_to_json(settings: Settings) -> dict[str, Any]:
    """Plain dicts, lists, strings, numbers: what a cache keeps under the blob's oid."""
    return {
        name: list(value) if isinstance(value, tuple) else value for name, value in settings._asdict().items()
    }


def settings_from_json(stored: object) -> Settings | None:
    """The settings that `settings_to_json` made; None where another version of wbmem made them."""
    if not isinstance(stored, dict) or set(stored) != set(Settings._fields):
        return None
    values: dict[str, Any] = {n: tuple(v) if isinstance(v, list) else v for n, v in stored.items()}
    return Settings(**values)
