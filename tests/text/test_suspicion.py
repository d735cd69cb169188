"""The quick look for credentials: it never says no where there is one."""

from __future__ import annotations

import subprocess
import sys

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rules.test_credentials import CREDENTIALS, NONE, TEXTS

from wbmem_git.rules import credentials, wording
from wbmem_git.rules.credentials import KINDS, credentials_in
from wbmem_git.rules.passwords import names
from wbmem_git.text import suspicion
from wbmem_git.text.suspicion import may_hold

FIRM = settings(deadline=None, suppress_health_check=list(HealthCheck))
PREFIXED = [kind for kind in KINDS if kind.prefixes]
SIGNS = (": ", "=", ":", " = ", " -> ", "：", "是", "改成了", " is ", " | ", '": "', "（新）：", "[1]: ", " ")
VALUES = ("hunter2", "Tr0ub4dor&3", "correct horse battery", "8f3kd93jdk20fjwl39fj", "letmeinnow", "12345678")
ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"


def found_without_a_quick_look(text: str) -> bool:
    """Whether any row of the table finds something, with every needle and every shortcut left out."""
    everywhere = tuple(kind._replace(needles=("",)) for kind in KINDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("wbmem_git.rules.credentials.KINDS", everywhere)
        patch.setattr("wbmem_git.rules.credentials.may_hold", lambda _: True)
        return bool(credentials_in(text))


def any_case(text: str) -> st.SearchStrategy[str]:
    return st.sampled_from([text, text.upper(), text.title(), text.swapcase()])


@st.composite
def of_a_shape(draw: st.DrawFn) -> str:
    """Something like a credential of any row: a token, a header, a URL, a password in either language."""
    tail = draw(st.text(alphabet=f"{ALPHABET}_-.", min_size=4, max_size=80))
    value = draw(st.sampled_from(VALUES) | st.just(tail))
    name = draw(st.sampled_from(names()))
    shapes = (
        draw(st.sampled_from([prefix for kind in PREFIXED for prefix in kind.prefixes])) + tail,
        f"eyJ{tail}.eyJ{tail}.{tail}",
        f"-----BEGIN {draw(st.sampled_from(('', 'RSA ', 'OPENSSH ')))}PRIVATE KEY-----",
        f"https://{draw(st.sampled_from(('', 'app', '用户')))}:{value}@example.com/",
        f"https://hooks.slack.com/services/T0AAAAAAA/B0AAAAAAA/{tail.strip('_-.') or 'x'}",
        draw(any_case("authorization")) + f": basic {tail}",
        draw(any_case("bearer")) + f" {tail}",
        draw(any_case(name)).replace(" ", draw(st.sampled_from(" _-")))
        + draw(st.sampled_from(SIGNS))
        + value,
        f"--{draw(any_case(name)).replace(' ', '-')} {value}",
    )
    around = st.sampled_from(("", " ", "先看：", "x", "\n", "ı", "K", "“", "`", "é"))
    return draw(around) + draw(st.sampled_from(shapes)) + draw(around)


@settings(FIRM, max_examples=600)
@given(st.lists(of_a_shape(), min_size=1, max_size=2).map("".join))
def test_it_never_says_no_where_a_row_of_the_table_finds_one(text: str) -> None:
    assert may_hold(text) or not found_without_a_quick_look(text)


@FIRM
@given(TEXTS)
def test_nor_in_any_other_text(text: str) -> None:
    assert may_hold(text) or not found_without_a_quick_look(text)


@pytest.mark.parametrize("line", CREDENTIALS)
def test_nor_for_any_line_of_the_table_of_cases(line: str) -> None:
    assert found_without_a_quick_look(line)
    assert may_hold(line)


def test_each_needle_has_a_trace_in_it() -> None:
    assert [needle for kind in KINDS for needle in kind.needles if not may_hold(needle)] == []


def test_no_trace_is_for_nothing() -> None:
    needles = [needle for kind in KINDS for needle in kind.needles]
    assert all(any(trace in needle for needle in needles) for trace in suspicion._TRACES)


@pytest.mark.parametrize("line", [*CREDENTIALS, *NONE])
def test_it_masks_as_the_table_does(line: str) -> None:
    assert wording.mask(line) == credentials.mask(line)


def test_what_can_hold_none_loads_no_table() -> None:
    code = (
        "import sys; from wbmem_git.rules.wording import shown;"
        "from wbmem_git.verbs.discretion import masked;"
        "shown('修复登录超时 edit 12'); masked({'a': ['b', ('c',)]});"
        "sys.exit('wbmem_git.rules.credentials' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
