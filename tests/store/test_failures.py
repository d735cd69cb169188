"""How often the sidecar couldn't be written, told by a clock that begins anew with the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.store.failures import MOST, SPAN_S, Failures

if TYPE_CHECKING:
    from pathlib import Path

HEAD = "1" * 40


def fail(git_dir: Path, *times: float, head: str = HEAD) -> bool:
    """Each time in a process of its own; whether a further one leaves it alone."""
    for at in times:
        Failures(str(git_dir), lambda at=at: at).add(head)  # type: ignore[misc]
    return Failures(str(git_dir), lambda: times[-1]).too_many(HEAD)


def test_three_in_a_short_time_are_too_many(tmp_path: Path) -> None:
    assert not fail(tmp_path, 10.0, 20.0)
    assert fail(tmp_path, 30.0)


def test_three_far_apart_are_not(tmp_path: Path) -> None:
    assert not fail(tmp_path, 10.0, 20.0, 20.0 + SPAN_S)


def test_those_at_another_commit_do_not_count(tmp_path: Path) -> None:
    fail(tmp_path, 10.0, 11.0, 12.0, head="2" * 40)
    assert not fail(tmp_path, 13.0, 14.0)


def test_after_a_reboot_the_clock_begins_anew_and_old_ones_do_not_count(tmp_path: Path) -> None:
    assert fail(tmp_path, 90_000.0, 90_001.0, 90_002.0)
    assert not fail(tmp_path, 5.0, 6.0)
    assert fail(tmp_path, 7.0)


def test_the_newest_are_kept_and_what_cannot_be_read_is_passed_over(tmp_path: Path) -> None:
    fail(tmp_path, *map(float, range(9)))
    kept = tmp_path / "wbmem" / "sidecar.failures"
    assert kept.read_text() == "".join(f"{at}.0 {HEAD}\n" for at in range(9 - MOST, 9))
    kept.write_text(f"soon {HEAD}\n" + kept.read_text())
    assert fail(tmp_path, 9.0)
