"""A credential, wherever it stands and however it is written, is in no answer: plain, as JSON, in no view."""

from __future__ import annotations

import json
import random
import string
from typing import TYPE_CHECKING

import pytest
from pages import SETTINGS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from desk import Desk, Run

POSITIONS = (
    "title", "metadata", "tags", "tag", "cue", "column", "page", "bullet", "prose", "ledger", "section",
    "goal", "log", "archived", "subject", "author", "entry",
)  # fmt: skip
SHOWN = 8
"""So many characters of a token's secret part are too many."""
PATH = ("page", "author")
"""Where nothing is Markdown."""
WRITTEN: dict[str, Callable[[str], str]] = {
    "as it is": str,
    "with a backslash": lambda token: token.replace("_", r"\_", 1),
    "with an entity": lambda token: f"&#{ord(token[0])};{token[1:]}",
    "with both": lambda token: f"&#{ord(token[0])};{token[1:]}".replace("_", "&lowbar;", 1),
}


def token(position: str) -> str:
    """Another one for each position."""
    return "ghp_" + "".join(random.Random(position).choices(string.ascii_letters + string.digits, k=36))


BOARD = """# Plan {prose}

## Doing {column}

### Rotate {title}
<!-- status: current / chain: {metadata} / tags: a, {tags} -->

See `{cue}` and src/a.ts, tag:{tag} of {prose}.

- {bullet}: rotate it
"""
LEDGER = """# Night of {ledger}

## Task state
- rotate src/a.ts at last

## Goals
- {goal}: rotate

## Tried and failed
- waited {goal} → error

## Progress and next step
- rotate `src/a.ts`

## More {section}
- rotate
"""
ARCHIVED = f"mem_{'a' * 32}"
ARCHIVE = """---
id: {id}
title: {archived}
page: PLAN.md
archived_at: 2026-09-14T10:15:00Z
reason: rotate {archived}
---
### Rotate {archived}

old {archived}
"""


def memory_with(write: Callable[[str], str]) -> dict[str, str | bytes | None]:
    """The files of a memory with a credential in every position."""
    at = {name: token(name) if name in PATH else write(token(name)) for name in POSITIONS}
    return {
        "wbmem.yaml": SETTINGS + 'boards:\n  - "**/*.md"\n',
        f"plans/{at['page']}.md": BOARD.format(**at),
        "handoff-20260914-101500.md": LEDGER.format(**at),
        "log/2026-09-14.md": "# Log\n\n- rotate {log} → done\n".format(**at),
        "MEMORY.md": "# Memory\n\n### Rotate {entry}\n\nkeeps {entry}\n".format(**at),
        f"archive/{ARCHIVED}.md": ARCHIVE.format(**at, id=ARCHIVED),
        ".gitignore": "/index.json\n/events.jsonl\n",
    }


def answers(it: Desk, run: Run) -> Iterator[tuple[str, str]]:
    """Every question, and what is answered, by whoever asks."""
    entries = json.loads(it.workspace.index_json())["entries"]
    ids = list({(entry["kind"], entry["source"]): entry["id"] for entry in entries}.values())
    ids += [ARCHIVED, "log/2026-09-14.md"]
    asked: list[tuple[str, ...]] = [
        (verb, name) for verb in ("trace", "versions", "show", "diff", "blame") for name in ids
    ]
    asked += [("recall", words) for words in ("rotate", "src/a.ts", "ghp", "more night")]
    asked += [("expand", what) for what in ("src/a.ts", "rotate", "type:goal", "topic:*", "ghp")]
    asked += [("index",), ("lint",), ("status",), ("index", "--check")]
    for words in asked:
        for form in ((), ("--json",)) if "--check" not in words else ((),):
            _, out, err = run(*words, *form)
            yield " ".join((*words, *form)), out + err
    yield "index --lines", run("index", "--lines")[1]
    for view in ("index.json", "events.jsonl"):
        yield view, it.memory.read(view)


@pytest.mark.parametrize("written", WRITTEN)
def test_no_answer_tells_a_credential(it: Desk, run: Run, written: str) -> None:
    write = WRITTEN[written]
    subject, author = write(token("subject")), f"Ada {token('author')} <ada@example.org>"
    it.memory.git("rm", "-q", "-r", "--cached", ".")
    files = memory_with(write)
    it.memory.commit(files, f"rotate {subject}")
    board = next(path for path in files if path.startswith("plans/"))
    it.memory.commit({board: f"{files[board]!s}\n- and on\n"}, subject, "--author", author)
    pieces = {
        position: {token(position)[start : start + SHOWN] for start in range(4, 41 - SHOWN)}
        for position in POSITIONS
    }
    for question, said in answers(it, run):
        for position, told in pieces.items():
            assert not [piece for piece in told if piece in said], (question, position)
