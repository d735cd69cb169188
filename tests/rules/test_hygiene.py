"""G1 to G5 beyond their tables: what is let through, what is shown, and that no page takes long."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rules.building import change_of
from rules.loader import SETTINGS, Actor, Case, Content

from wbmem_git.rules.check import check
from wbmem_git.rules.fingerprint import fingerprint, secret_key
from wbmem_git.rules.hygiene import MOST_CREDENTIALS, g1, g2, g3, g4, g5
from wbmem_git.rules.stutter import TIMES, repetition

if TYPE_CHECKING:
    from wbmem_git.model import Change, Finding, Verdict

PAGE = "notes/web.md"
SECRET = "hunter2hunter"
LINE = f"- the pass{'word'}: {SECRET}\n"
KEY = "demo-1a2b3c4d"
SIZE = 200_000
FIRM = settings(deadline=None, suppress_health_check=list(HealthCheck))


def change(
    new: str, old: str = "", *, actor: Actor = "agent", settings: str = SETTINGS, message: str = ""
) -> Change:
    """The change of one page, and of the settings where they aren't the usual ones."""
    before = {"wbmem.yaml": Content(SETTINGS.encode())}
    if old:
        before[PAGE] = Content(old.encode())
    after = {**before, "wbmem.yaml": Content(settings.encode()), PAGE: Content(new.encode())}
    case = Case("", 0, "", (actor,), before, before, (before,), after, after, (), message, ())
    return change_of(case, actor)


def credentials(verdict: Verdict) -> list[Finding]:
    return [finding for finding in verdict.findings if finding.rule == "G5"]


def test_a_person_lets_a_false_alarm_through_in_the_commit_that_allows_it() -> None:
    (found,) = credentials(check(change(LINE, actor="human")))
    digits = fingerprint(found, KEY)
    assert found.fix.endswith(f"wbmem allow {digits}")
    allowed = SETTINGS + f'allow: ["{digits}"]\n'
    (again,) = credentials(check(change(LINE, actor="human", settings=allowed)))
    assert (again.allowed, again.refuses) == (True, False)


def test_an_allowance_holds_for_that_value_on_that_page_alone() -> None:
    (found,) = credentials(check(change(LINE, actor="human")))
    allowed = SETTINGS + f'allow: ["{fingerprint(found, KEY)}"]\n'
    (other,) = credentials(
        check(change(LINE.replace(SECRET, "hunter3hunter"), actor="human", settings=allowed))
    )
    assert other.refuses


def test_an_allowance_survives_moving_the_line() -> None:
    (found,) = credentials(check(change(LINE)))
    (moved,) = credentials(check(change("# Web\n\n" + LINE)))
    assert fingerprint(found, KEY) == fingerprint(moved, KEY)


def test_nothing_of_a_secret_is_in_any_field() -> None:
    for finding in check(change(LINE, message=LINE)).findings:
        assert SECRET[:4] not in repr(finding)


def test_a_key_of_a_secret_depends_on_the_workspace() -> None:
    assert secret_key(SECRET, "one") != secret_key(SECRET, "two")
    assert secret_key(SECRET, "one") == secret_key(SECRET, "one")


def test_a_message_is_judged_although_the_old_commit_knows_none() -> None:
    found = credentials(check(change("# Web\n", message=f"log in\n\n{LINE}")))
    assert [finding.refuses for finding in found] == [True]
    assert found[0].message.startswith("line 3 of the commit message")


def test_a_page_full_of_them_lists_the_first_and_says_how_many() -> None:
    many = "".join(f"- pass{'word'}: {SECRET}{n}\n" for n in range(MOST_CREDENTIALS + 20))
    found = credentials(check(change(many)))
    assert len(found) == MOST_CREDENTIALS + 1
    assert any(f"{MOST_CREDENTIALS + 20} credentials" in finding.message for finding in found)


def test_a_secret_that_another_line_had_already_is_no_news() -> None:
    old = LINE
    (found,) = credentials(check(change(f"{old}- again, pass{'word'} = {SECRET}\n", old)))
    assert found.already


UNITS = st.lists(st.integers(0x4E00, 0x9FA5).map(chr), min_size=20, max_size=60, unique=True).map("".join)


@FIRM
@given(UNITS, st.integers(TIMES, 6), st.text("xyz ", max_size=30))
def test_a_unit_three_times_in_a_row_is_a_repetition(unit: str, times: int, before: str) -> None:
    found = repetition(f"{before}#{unit * times}")
    assert found is not None
    assert sorted(found[1]) == sorted(unit)


@FIRM
@given(UNITS)
def test_a_unit_twice_is_none(unit: str) -> None:
    assert repetition(f"{unit}{unit}") is None


@FIRM
@given(st.lists(st.integers(0, 10**12), min_size=1, max_size=40, unique=True))
def test_lines_that_differ_are_none(numbers: list[int]) -> None:
    text = "".join(f"{number}: step {number} of the work is done, see {number}\n" for number in numbers)
    assert repetition(text) is None


def test_what_repeats_is_named_by_its_unit() -> None:
    text = "好的。" + "现在我再来仔细看一遍服务器那边的全部日志，" * TIMES
    assert repetition(text) == (3, "现在我再来仔细看一遍服务器那边的全部日志，")


NASTY = [
    "a",
    "ab ",
    "=",
    " ",
    "x\n",
    "password: a\n",
    "- now I fix the login timeout\n",
    "\x1b[0m",
    "{",
    "[",
    "```\n",
    "|",
    "\\n",
    "`",
    "<!--",
]


@pytest.mark.parametrize("unit", NASTY)
@pytest.mark.timeout(60)  # a guard against hanging, not a measurement
def test_no_page_makes_it_hang(unit: str) -> None:
    nasty = change((unit * (SIZE // len(unit)))[:SIZE])
    found = [finding for rule in (g1, g2, g3, g4, g5) for finding in rule(nasty)]
    assert {finding.path for finding in found} <= nasty.judged
