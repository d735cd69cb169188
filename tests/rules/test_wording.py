"""What messages show of pages, commits and paths."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbmem_git.rules.wording import shown

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a plain title", "a plain title"),
        ("登录\u3000超时", "登录\u3000超时"),
        ("\x1b[2Jgone", r"\x1b[2Jgone"),
        ("\x9b2Jgone", r"\x9b2Jgone"),
        ("two\nlines\r\tand a tab", r"two\nlines\r\tand a tab"),
        ("turned \u202eback", r"turned \u202eback"),
        ("half \udcff", r"half \udcff"),
        ("tag \U000e0041", r"tag \U000e0041"),
    ],
)
def test_what_drives_a_terminal_is_written_out(text: str, told: str) -> None:
    assert shown(text) == told


def test_no_more_than_the_public_prefix_of_a_credential_is_shown() -> None:
    assert shown(f"use {TOKEN} \x1b[0m") == r"use ghp_… \x1b[0m"


@given(st.text())
def test_whatever_is_shown_is_one_printable_line(text: str) -> None:
    assert shown(text).replace("\u3000", "").isprintable()
