"""Files that git stores otherwise than they stand there: nothing is written there that it would garble."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

import pytest
from desk import desk

from wbmem_git.verbs.commit.working_files import CannotTakeEdit

if TYPE_CHECKING:
    from pathlib import Path

    from desk import Desk

NOW_DAY = date(2026, 9, 14)
ROT = "tr a-zA-Z n-za-mN-ZA-M"


def converted(tmp_path: Path, attribute: str) -> Desk:
    it = desk(tmp_path)
    for name in ("clean", "smudge"):
        it.memory.git("config", f"filter.r.{name}", ROT)
    info = it.memory.top / ".git/info"
    info.mkdir(exist_ok=True)
    (info / "attributes").write_text(f"*.md {attribute}\n")
    return it


@pytest.mark.parametrize("attribute", ["working-tree-encoding=GBK", "filter=r"])
def test_a_file_that_git_would_garble_takes_no_edit(tmp_path: Path, attribute: str) -> None:
    it = converted(tmp_path, attribute)
    before, head = it.file(), it.memory.head()
    with pytest.raises(CannotTakeEdit, match=r"PLAN\.md: git would store something else") as refused:
        it.workspace.new_card("会话过期", today=NOW_DAY, text="下一步", commit=True)
    assert "git check-attr" in refused.value.hint
    assert (it.file(), it.memory.head()) == (before, head)


@pytest.mark.parametrize(
    "attribute", ["working-tree-encoding=UTF-8", "filter=none", "text=auto eol=crlf", "ident"]
)
def test_a_file_that_git_stores_as_it_is_takes_it(tmp_path: Path, attribute: str) -> None:
    it = converted(tmp_path, attribute)
    it.workspace.new_card("会话过期", today=NOW_DAY, text="下一步", commit=True)
    assert "会话过期".encode() in it.file()
    assert it.memory.git("hash-object", "PLAN.md") == it.memory.git("rev-parse", "HEAD:PLAN.md")
