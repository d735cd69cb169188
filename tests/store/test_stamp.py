"""The stamp: what a shell can compare without Python."""

from __future__ import annotations

import subprocess
from typing import TYPE_CHECKING

import pytest

from wbmem_git.store.stamp import Stamp, read_stamp, remove_stamp, write_stamp

if TYPE_CHECKING:
    from pathlib import Path

STAMP = Stamp(
    new="1" * 40,
    parents=("2" * 40, "3" * 64),
    heads=("5" * 40, "6" * 64),
    amends="4" * 40,
    author="Ada de L'Été <ada@example.org>",
    actor="agent",
    rules=7,
    passed=True,
    trailers=(("Wbmem-Actor", "agent"), ("Wbmem-Carry", "4: 5")),
)


@pytest.mark.parametrize(
    "stamp",
    [
        STAMP,
        STAMP._replace(parents=(), heads=(), amends="", trailers=(), passed=False, actor="human"),
        STAMP._replace(author=" <>"),
    ],
)
def test_what_was_written_is_read(tmp_path: Path, stamp: Stamp) -> None:
    assert write_stamp(str(tmp_path), stamp)
    assert read_stamp(str(tmp_path)) == stamp


def test_the_file_is_the_documented_text(tmp_path: Path) -> None:
    write_stamp(str(tmp_path), STAMP)
    assert (tmp_path / "wbmem/stamp").read_text(encoding="utf-8") == (
        f"new {'1' * 40}\nparents {'2' * 40} {'3' * 64}\n"
        f"heads {'5' * 40} {'6' * 64}\namends {'4' * 40}\n"
        "author Ada de L'Été <ada@example.org>\n"
        "actor agent\nrules 7\nverdict passed\ntrailer Wbmem-Actor: agent\ntrailer Wbmem-Carry: 4: 5\n"
    )
    write_stamp(str(tmp_path), STAMP._replace(parents=()))
    assert (tmp_path / "wbmem/stamp").read_text(encoding="utf-8").split("\n")[1] == "parents"


def test_a_shell_compares_and_uses_it_without_python(tmp_path: Path) -> None:
    write_stamp(str(tmp_path), STAMP)
    script = """
    while read -r word rest; do
      case $word in
        new) [ "$rest" = "$1" ] || exit 3 ;;
        verdict) [ "$rest" = passed ] || exit 4 ;;
        trailer) printf '%s\\n' "$rest" ;;
      esac
    done <wbmem/stamp
    """
    done = subprocess.run(
        ["sh", "-c", script, "sh", STAMP.new], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert done.stdout == "Wbmem-Actor: agent\nWbmem-Carry: 4: 5\n"


def test_a_trailer_stays_on_its_line(tmp_path: Path) -> None:
    write_stamp(str(tmp_path), STAMP._replace(trailers=(("Key", "one\nverdict passed\n two"),)))
    stamp = read_stamp(str(tmp_path))
    assert stamp is not None
    assert stamp.trailers == (("Key", "one verdict passed two"),)


def test_a_damaged_stamp_is_none(tmp_path: Path) -> None:
    assert read_stamp(str(tmp_path)) is None
    write_stamp(str(tmp_path), STAMP)
    file = tmp_path / "wbmem/stamp"
    whole = file.read_bytes()
    for damaged in (b"", whole[:90], whole.replace(b"rules 7", b"rules x"), b"x" + whole, whole + b"junk\n"):
        file.write_bytes(damaged)
        assert read_stamp(str(tmp_path)) is None, damaged
    file.write_bytes(whole.replace(b"passed", b"perhaps"))
    assert read_stamp(str(tmp_path)) is None


def test_the_shell_may_add_which_git_it_was(tmp_path: Path) -> None:
    write_stamp(str(tmp_path), STAMP)
    with (tmp_path / "wbmem/stamp").open("a") as file:
        file.write("process 12.345\n")
    assert read_stamp(str(tmp_path)) == STAMP


def test_where_it_cannot_be_written_that_is_told_and_nothing_breaks(tmp_path: Path) -> None:
    (tmp_path / "wbmem").write_text("a file in the way")
    assert not write_stamp(str(tmp_path), STAMP)
    assert read_stamp(str(tmp_path)) is None
    remove_stamp(str(tmp_path))


def test_it_is_taken_away(tmp_path: Path) -> None:
    write_stamp(str(tmp_path), STAMP)
    remove_stamp(str(tmp_path))
    assert read_stamp(str(tmp_path)) is None
    assert list((tmp_path / "wbmem").iterdir()) == []
