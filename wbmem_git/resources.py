"""The files that ship with the package: templates of pages and settings."""

from __future__ import annotations

from functools import cache
from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_PLACES = (_PACKAGE / "templates", _PACKAGE.parent / "templates")
"""In an installed wheel, and in a checkout."""


@cache
def templates() -> Path:
    """The folder of templates."""
    return next(place for place in _PLACES if place.is_dir())


def template(name: str, locale: str = "") -> str:
    """The text of a template; with a locale that of its language, English where it has none.

    Raises:
        FileNotFoundError: There is no template of that name: the installation isn't whole.
    """
    folders = (locale, "en") if locale else ("",)
    paths = [templates() / folder / name for folder in folders]
    found = next((path for path in paths if path.is_file()), paths[-1])
    return found.read_text(encoding="utf-8")
