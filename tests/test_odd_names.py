"""A page whose name isn't UTF-8 answers to its name, and to what wbmem prints of it, in every question."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pages import SETTINGS, card

from wbmem_git.store.git import typed
from wbmem_git.workspace import Workspace

if TYPE_CHECKING:
    from memory import Memory

TYPED = os.fsdecode(b"d\xfer/bad\xff.md")
SHOWN = "d\\xfer/bad\\xff.md"
BOARDS = f'{SETTINGS}\nboards:\n  - "**/*.md"\n'

pytestmark = pytest.mark.skipif(sys.platform == "darwin", reason="its file systems take only UTF-8 names")


@pytest.fixture
def odd(memory: Memory) -> Workspace:
    memory.commit({"wbmem.yaml": BOARDS, TYPED: "## Doing\n\n" + card("Alpha", "uses src/z.ts")}, "begin")
    return Workspace(str(memory.top), os.environ)


@pytest.mark.parametrize("asked", [TYPED, SHOWN, f"{TYPED}:3", f"{SHOWN}:3"])
def test_it_answers_to_its_name(odd: Workspace, asked: str) -> None:
    assert odd.trace(asked)["entry"]["source"] == SHOWN
    assert [version["page"] for version in odd.versions(asked)["versions"]] == [SHOWN]
    assert odd.show(asked)["page"] == odd.blame(asked)["page"] == SHOWN
    assert {line["author"] for line in odd.blame(asked)["lines"]} == {"Ada"}
    assert odd.diff(asked)["ok"]


def test_status_and_check_know_it(odd: Workspace) -> None:
    [page] = odd.status().pages
    assert page.path == SHOWN
    assert [(one.title, one.changed, one.last is None) for one in page.cards] == [("Alpha", False, False)]
    assert odd.check_index() == ()


def test_fix_makes_no_other_file_of_it(odd: Workspace) -> None:
    odd.fix(now="2026-09-14T10:15:00Z")
    assert [file.name for file in Path(odd.top, TYPED).parent.iterdir()] == [Path(TYPED).name]
    assert odd.status().files.staged == ()


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("plain", "plain"),
        ("登录", "登录"),
        ("a\udcffb", "a\\xffb"),
        ("\ud800", "\ufffd"),
        ("🚀\udfff", "🚀\ufffd"),
    ],
)
def test_what_was_typed_can_be_printed(text: str, said: str) -> None:
    assert typed(text) == said


@pytest.mark.parametrize("text", ["\ud800", "Alpha \udcff"])
def test_a_question_with_a_lone_surrogate_is_answered_in_utf_8(odd: Workspace, text: str) -> None:
    assert odd.recall(text)["q"].encode()
    assert odd.expand(text)["tag"].encode()
