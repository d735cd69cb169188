"""A private key that was pasted as several bullets is told by no question, whichever bullet is asked for."""

from __future__ import annotations

import json
import random
import string
from typing import TYPE_CHECKING

import pytest
from desk import desk
from pages import KEY

from wbmem_git.text.contents import contents_of

if TYPE_CHECKING:
    from pathlib import Path

LOG = "log/2026-09-14.md"
DICE = random.Random(4)
LINES = ["".join(DICE.choices(string.ascii_letters + string.digits, k=48)) for _ in range(3)]
END = "- -----END PRIVATE KEY-----\n"


@pytest.mark.parametrize("end", [END, ""])
def test_no_bullet_of_a_key_is_told_by_its_id(tmp_path: Path, end: str) -> None:
    it = desk(tmp_path)
    bullets = "".join(f"- {line}\n" for line in ("-----BEGIN PRIVATE KEY-----", *LINES))
    text = f"# 2026-09-14\n\n- login works\n{bullets}{end}\n- logout works\n"
    it.memory.commit({LOG: text})
    it.memory.commit({LOG: f"{text}- more\n"})
    ask = it.workspace
    found = contents_of(LOG, "log", text, KEY)
    bare = [one for one in found if any(line in one.text for line in LINES) and one.kind == "log"]
    assert len(bare) == 3
    for one, line in zip(bare, LINES, strict=True):
        told = [ask.trace(one.id), ask.show(one.id), ask.show(one.id, "HEAD~1"), ask.blame(one.id)]
        told += [ask.recall("login"), ask.expand("topic:*"), {"found": ask.expand(line)["entries"]}]
        assert not [answer for answer in told if line[8:24] in json.dumps(answer)]
    plain = next(one for one in found if one.text.startswith("- logout"))
    assert ask.trace(plain.id)["entry"]["text"] == "- logout works\n"
