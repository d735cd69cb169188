"""The examples of the CommonMark spec, and how much of the property tests to run."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import NamedTuple

DATA = Path(__file__).resolve().parents[1] / "data" / "commonmark-0.31.2.json"
# `make fuzz` sets it; the suite itself stays quick.
TIMES = int(os.environ.get("WBMEM_FUZZ", "1"))


class Example(NamedTuple):
    """An example of the spec: its number, its section, its input."""

    number: int
    section: str
    markdown: str

    @property
    def name(self) -> str:
        return f"{self.number} {self.section}"


def examples() -> tuple[Example, ...]:
    """All 652, in order."""
    loaded = json.loads(DATA.read_text(encoding="utf-8"))
    return tuple(Example(item["example"], item["section"], item["markdown"]) for item in loaded)
