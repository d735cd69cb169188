"""Whether an installation lies where things are thrown away: a hook that starts it stops working one day."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


def throwaway_note(paths: tuple[str, ...], variables: Mapping[str, str]) -> str:
    """Which of these paths may soon be gone and why, "" where none may.

    Args:
        paths: The interpreter's and the package's.
        variables: The process's environment: it says where caches are.
    """
    for what, folder in _folders(variables):
        for path in paths:
            if _lies_in(path, folder):
                return (
                    f"{path} lies in {what}: when that is emptied, every commit here is refused. "
                    "Install wbmem again where it will stay (docs/hooks.md), then: wbmem hooks install"
                )
    return ""


def _folders(variables: Mapping[str, str]) -> Iterator[tuple[str, Path]]:
    home = Path(variables.get("HOME", "/"))
    cache = Path(variables.get("XDG_CACHE_HOME") or home / ".cache")
    data = Path(variables.get("XDG_DATA_HOME") or home / ".local/share")
    for name in ("TMPDIR", "PRE_COMMIT_HOME", "PREK_HOME", "UV_CACHE_DIR"):
        if variables.get(name):
            yield f"${name}", Path(variables[name])
    yield "the pre-commit framework's cache", cache / "pre-commit"
    yield "prek's cache", cache / "prek"
    yield "uv's cache (uvx, uv tool run)", cache / "uv"
    for folder in (cache / "pipx", data / "pipx/.cache", home / ".local/pipx/.cache"):
        yield "pipx's cache (pipx run)", folder
    for place in ("/tmp", "/var/tmp", "/private/tmp"):  # noqa: S108  # named, not used
        yield "a temporary folder", Path(place)


def _lies_in(path: str, folder: Path) -> bool:
    return Path(path).is_relative_to(folder) or Path(path).resolve().is_relative_to(folder.resolve())
