"""Who tries again: how often, how long, and with what pauses."""

from __future__ import annotations

import time

import pytest

from wbmem_git.store.patience import tries


@pytest.fixture
def pauses(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Every pause that would have been made; the clock goes on by them alone."""
    found: list[float] = []
    monkeypatch.setattr(time, "sleep", found.append)
    monkeypatch.setattr(time, "monotonic", lambda: sum(found))
    return found


def test_pauses_grow_twofold_up_to_the_longest_one(pauses: list[float]) -> None:
    assert list(tries(0.1, 0.5, most=6)) == [0, 1, 2, 3, 4, 5]
    for pause, longest in zip(pauses, (0.1, 0.2, 0.4, 0.5, 0.5), strict=True):
        assert longest / 2 <= pause <= longest
    first = list(pauses)
    pauses.clear()
    list(tries(0.1, 0.5, most=6))
    assert pauses != first


def test_there_is_a_last_try_behind_the_last_moment_and_none_behind_that(pauses: list[float]) -> None:
    times = [sum(pauses) for _ in tries(1, 1, wait_s=10)]
    assert times[0] == 0
    assert times[-2] < 10 <= times[-1]


def test_without_any_time_there_is_one_try(pauses: list[float]) -> None:
    assert list(tries(1, 1, wait_s=0)) == [0]
    assert pauses == []


def test_who_has_what_he_wants_waits_no_more(pauses: list[float]) -> None:
    for number in tries(1, 1):
        if number == 3:
            break
    assert len(pauses) == 3
