"""Columns and the bar, as a terminal has them."""

from __future__ import annotations

import os
import sys

import pytest

from wbmem_git.cli import progress, table
from wbmem_git.cli.table import cut_to, say_table, width_of
from wbmem_git.cli.voice import painted


def test_columns_stand_under_each_other_whatever_their_characters(capsys: pytest.CaptureFixture[str]) -> None:
    say_table([("登录", "a", "x"), ("e\u0301", painted("bb", fg="red"), "y"), ("abcdef", "\x1b", "z")], "  ")
    lines = capsys.readouterr().out.splitlines()
    assert [line[-1] for line in lines] == ["x", "y", "z"]
    assert len({width_of(line) for line in lines}) == 1
    assert "\x1b" not in "".join(lines)


def test_on_a_terminal_a_row_stays_one_line(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "line_width", lambda: 40)
    say_table([("id", "登录流程" * 20), ("id", "short")])
    lines = capsys.readouterr().out.splitlines()
    assert width_of(lines[0]) in {39, 40}
    assert lines[0].endswith("…")
    assert lines[1] == "id  short"


def test_an_empty_table_is_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    say_table([])
    assert capsys.readouterr().out == ""


def drawn(monkeypatch: pytest.MonkeyPatch, patience_s: float) -> str:
    """What a terminal gets while 300 steps are done."""
    ours, theirs = os.openpty()
    with os.fdopen(theirs, "w") as terminal, os.fdopen(ours, "rb", buffering=0) as screen:
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr(progress, "PATIENCE_S", patience_s)
        tell = progress.progress()
        assert tell is not None
        for done in range(0, 301, 100):
            tell("commits", done, 300)
        terminal.write("END")
        terminal.flush()
        said = b""
        while not said.endswith(b"END"):
            said += screen.read(4096)
    return said.decode()


def test_what_takes_long_has_a_bar(monkeypatch: pytest.MonkeyPatch) -> None:
    said = drawn(monkeypatch, -1.0)
    assert "commits" in said
    assert "100%" in said


def test_what_is_done_at_once_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert drawn(monkeypatch, 60.0) == "END"


def test_where_nobody_looks_nothing_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert progress.progress() is None
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("text", "width"),
    [
        ("abc", 3), ("登录", 4), ("ｱﾊﾟ", 3), ("Ａ", 2), ("e\u0301", 1), ("👩\u200d👩\u200d👧", 2),
        ("❤\ufe0f", 2), ("⌚\ufe0f", 2), ("a\u200bb", 2), ("नमस्ते", 4), ("🙂", 2),
    ],
)  # fmt: skip
def test_a_text_takes_the_places_that_a_terminal_gives_it(text: str, width: int) -> None:
    assert width_of(text) == width


def test_what_is_joined_is_not_cut_apart() -> None:
    assert cut_to("ab👩\u200d👧cdef", 5) == "ab👩\u200d👧…"
    assert cut_to("ab👩\u200d👧cdef", 4) == "ab…"
    assert cut_to("abce\u0301f", 5) == "abce\u0301f"
    assert cut_to("abce\u0301fg", 5) == "abce\u0301…"


def test_where_less_than_half_is_left_the_text_has_a_line_of_its_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table, "line_width", lambda: 40)
    say_table([("id", "a source as long as that", "text " * 20), ("id", "short", "text")], "  ")
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "  id  a source as long as that"
    assert (len(lines[1]), lines[1][:11], lines[1][-1]) == (40, "      text ", "…")
    assert lines[2:] == ["  id  short", "      text"]
    say_table([("id", "a source as long as that", "text")], "  ")
    assert capsys.readouterr().out == "  id  a source as long as that  text\n"
