"""What messages show of pages, commits and paths."""

from __future__ import annotations

import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wbmem_git.rules.wording import HEAD, TAIL, command, pathspec, shown

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


def test_what_is_longer_than_a_sentence_is_cut_in_the_middle() -> None:
    told = shown(f"PLAN.md:3: {'x' * 190_000} got its anchor")
    assert len(told) == HEAD + TAIL + 1
    assert told.startswith("PLAN.md:3: xxx")
    assert told.endswith("xxx got its anchor")
    assert shown("y" * (HEAD + TAIL)) == "y" * (HEAD + TAIL)


def test_no_cut_shows_a_part_of_a_credential() -> None:
    for before in range(HEAD - len(TOKEN), HEAD + 2):
        assert "a1B2" not in shown(f"{'x ' * (before // 2)}{TOKEN} {'y ' * 200_000}")


@given(st.text())
def test_whatever_is_shown_is_one_printable_line(text: str) -> None:
    assert shown(text).replace("\u3000", "").isprintable()


@pytest.mark.parametrize(
    ("word", "written"),
    [
        ("PLAN.md", "PLAN.md"),
        ("HEAD:log/2026-09-14.md", "HEAD:log/2026-09-14.md"),
        ("a b.md", "'a b.md'"),
        ("it's.md", "'it'\"'\"'s.md'"),
        ("a;touch x.md", "'a;touch x.md'"),
        ("two\nlines", r"$'two\012lines'"),
        ("\x1b[2J", r"$'\033[2J'"),
        ("", "''"),
    ],
)
def test_a_word_of_a_command_is_quoted_where_it_has_to_be(word: str, written: str) -> None:
    assert command("git", "add", word) == f"git add {written}"


NASTY = [
    "a b",
    "it's",
    'say "x"',
    ";touch x",
    "$(touch x)",
    "`x`",
    "a\nb",
    "\t\x1b[2J",
    "\\'\n",
    "计划\u3000.md",
    "*",
    "~",
    "",
]


def test_a_shell_reads_the_very_words() -> None:
    line = command("printf", "%s\\0", *NASTY)
    assert "\n" not in line
    said = subprocess.run(["bash", "-c", line], capture_output=True, check=True).stdout
    assert said.decode().split("\0")[:-1] == NASTY


def test_a_path_that_git_would_read_more_into_is_literal() -> None:
    assert pathspec("log/计划 1.md") == "log/计划 1.md"
    assert [pathspec(path) for path in ("-f", ":!x.md", "*.md", "[a].md")] == [
        ":(literal)-f",
        ":(literal):!x.md",
        ":(literal)*.md",
        ":(literal)[a].md",
    ]
