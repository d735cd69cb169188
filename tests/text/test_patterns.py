"""A pattern that is compiled at its first use does what a compiled one does."""

from __future__ import annotations

import re

import pytest

from wbmem_git.text.patterns import METHODS, bytes_pattern, pattern


@pytest.mark.parametrize("method", METHODS)
def test_each_method_is_that_of_a_compiled_pattern(method: str) -> None:
    args = ("-", "a1b22") if method == "sub" else ("a1b22",)
    late, real = (getattr(one, method)(*args) for one in (pattern("(?i)([A-Z])([0-9]+)"), _compiled()))
    assert repr(list(late) if method == "finditer" else late) == repr(
        list(real) if method == "finditer" else real
    )


def _compiled() -> re.Pattern[str]:
    return re.compile("([A-Z])([0-9]+)", re.IGNORECASE)


def test_bytes_have_patterns_too_and_no_method_is_made_up() -> None:
    assert bytes_pattern(rb"(?s)a(.)").findall(b"a\na.") == [b"\n", b"."]
    with pytest.raises(AttributeError):
        pattern("a").nothing  # type: ignore[attr-defined]  # noqa: B018
