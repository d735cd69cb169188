"""Settings: read without an exception, kept and read again, and edited in the one place that was meant."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from fuzz.inputs import text_of
from wbmem_git.text.allowance import add_allow
from wbmem_git.text.kept_settings import settings_from_json, settings_to_json
from wbmem_git.text.settings import parse_settings
from wbmem_git.text.workspace_key import with_key

if TYPE_CHECKING:
    from collections.abc import Callable

    from wbmem_git.model import Settings

FINGERPRINT, OTHER_KEY = "0123456789abcdef", "other-0123abcd"


def check(data: bytes) -> None:
    """One `wbmem.yaml`."""
    text = text_of(data)
    settings, findings = parse_settings(text)
    assert (settings is None) == bool(findings), "settings with a fault, or none without one"
    for one in findings:
        assert 1 <= one.line <= text.count("\n") + text.count("\r") + 2, "a fault outside the file"
        assert one.message, "a fault without a word"
        assert one.fix, "a fault without a way out"
    if settings is None:
        return
    assert settings_from_json(json.loads(json.dumps(settings_to_json(settings)))) == settings, (
        "kept otherwise"
    )
    more = settings.allow if FINGERPRINT in settings.allow else (*settings.allow, FINGERPRINT)
    _says(lambda: add_allow(text, FINGERPRINT, "why"), settings._replace(allow=more))
    _says(lambda: with_key(text, OTHER_KEY), settings._replace(workspace=OTHER_KEY))


def _says(edited: Callable[[], str], wanted: Settings) -> None:
    """An edit changes one key, or says that it can't and why."""
    try:
        text = edited()
    except ValueError as error:
        assert "written in an unusual way" in str(error), "an edit is refused for no reason"  # noqa: PT017
    else:
        assert parse_settings(text)[0] == wanted, "an edit changes another key"
