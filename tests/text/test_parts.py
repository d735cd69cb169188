"""What counts as a part of a tag or a cue."""

from __future__ import annotations

import pytest

from wbmem_git.text.parts import holds


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("phone call", "call"),
        ("phone call", "pho"),
        ("retryBudget", "budget"),
        ("HTTPServer", "server"),
        ("src/login.ts", "login.ts"),
        ("src/login.ts", "/login"),
        ("retry_budget", "budget"),
        ("登录超时", "录超"),
        ("登录timeout", "timeout"),
        ("sha256", "256"),
        ("one phone one", "one"),
        ("ＡＢ call", "call"),
        ("straße weg", "weg"),
    ],
)
def test_a_word_or_its_beginning_is_a_part(name: str, part: str) -> None:
    assert holds(name, part)


@pytest.mark.parametrize(
    ("name", "part"), [("phone call", "one"), ("PayCo call", "all"), ("HTTPServer", "erver"), ("v2048", "48")]
)
def test_what_stands_within_a_word_is_none(name: str, part: str) -> None:
    assert not holds(name, part)
