"""Case tables: plain text in `tests/cases/<RULE>.md` that needs no Python to extend.

A table is free text, then cases. A line that begins with `==== ` opens a case and holds its title; one that
begins with `---- ` opens a block, which goes on to the next such line:

    ==== A card is deleted
    actor: agent
    ---- new PLAN.md (edit)
    -### Fix login
    -<!-- memory:mem_{Fix login} -->
    ---- expect
    C2 hard PLAN.md:3 | "Fix login" | wbmem archive

**Header lines** between title and first block, all optional:

- `actor: agent` or `human`; without it the case runs as both, and both must come out the same
- `parents: 0` (unborn branch), `2`, `3` (default: 1, or as many as there are blocks for)
- `message: …` (subject of the commit), `trailer: Key: value` (may be repeated)

**Blocks**: `---- SIDE PATH (MARK, MARK…)`, then the file's text. Blank lines at its end are dropped, one
line end is put there. A path may hold blanks. A file that a block doesn't name is as on the side before:
what all cases share (`old` blocks *above the first case*) → `base` (the merge base) → `old` (first parent),
`parent 2`, `parent 3` → `new` (from old; from base on an unborn branch) → `worktree` (from new).
A `wbmem.yaml` (SETTINGS below) is there unless a block says otherwise. Marks:

- `(gone)`: no such file on this side
- `(moved from PATH)`: the text that PATH had on the side before; PATH is gone
- `(edit)`: the block isn't the text but what changes in it: lines with `-` go, lines with `+` come, lines
  with a blank before them stay. Groups of lines are parted by an empty line; the `-` and blank lines of a
  group must stand in the text in a row and once. An empty line of the text is a bare `-` or `+`. A group of
  `+` alone is appended at the end
- `(crlf)`: line ends are CRLF; `(no newline)`: none at the end; `(symlink)`, `(executable)`
- `(bytes)`: bytes as Python's escapes write them (`\\xff`, `\\r\\n`); the block's line ends don't count

**In every text, path and expectation**:

- `mem_{Title}` is the id of the card of that title on PLAN.md; `mem_{Title @ MEMORY.md}` on another page;
  `mem_{Title #2}` a namesake's second id; `mem_{Title @ PAGE #2}` both
- `{repeat 8000 x}` is x eight thousand times; `{u+3000}` is that character

**expect**: a line for each finding, `RULE SEVERITY PATH:LINE | piece | ! not this`, or `passes`. Severity is
`hard`, `soft` or `note`, with `already` or `allowed` behind it where the finding has that mark. The path is
`-` for a finding about the commit itself. A piece stands in the finding's message or fix, one after `!` in
neither. The findings of the table's own rule (its file name) must be exactly these; of every other rule
those that refuse must be exactly these, and milder ones may stay unmentioned. `passes`: nothing refuses, and
the table's own rule found nothing.

The same cases go through real commits (tests/test_doors.py): `shared` and `base` are commits under `old`, the
parents are commits with these trees, the index holds `new`, the working tree `worktree`.
"""

from __future__ import annotations

import codecs
import hashlib
import re
import unicodedata
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

CASES = Path(__file__).resolve().parents[1] / "cases"
KEY = "demo-1a2b3c4d"
SETTINGS = f"format: 1\nworkspace: {KEY}\nlocale: en\n"

Actor = Literal["agent", "human"]
Side = dict[str, "Content"]


class Content(NamedTuple):
    """A file of one side: its bytes and its mode as git writes it."""

    data: bytes
    mode: str = "100644"


class Expected(NamedTuple):
    """A line of `expect`."""

    rule: str
    severity: str
    already: bool
    allowed: bool
    path: str
    line: int
    pieces: tuple[str, ...]
    absent: tuple[str, ...]


class Case(NamedTuple):
    """A case as whole trees: path → content, nothing left to inherit.

    Attributes:
        table: The rule whose table it stands in.
        line: Its line in the table.
        title: What it says it is.
        actors: Who makes the commit: each of them must get the same verdict.
        shared, base: Trees of the commits under the parents (`base` is the merge base).
        parents: The parents' trees; empty on an unborn branch.
        new: The tree to judge.
        worktree: The files as the working tree has them.
        trailers: As written, (key, value).
        message: The subject.
        expected: What must come out; empty for `passes`.
    """

    table: str
    line: int
    title: str
    actors: tuple[Actor, ...]
    shared: Mapping[str, Content]
    base: Mapping[str, Content]
    parents: tuple[Mapping[str, Content], ...]
    new: Mapping[str, Content]
    worktree: Mapping[str, Content]
    trailers: tuple[tuple[str, str], ...]
    message: str
    expected: tuple[Expected, ...]


class Block(NamedTuple):
    side: str
    path: str
    marks: tuple[str, ...]
    lines: tuple[str, ...]
    line: int


class CaseError(Exception):
    """A table is written wrongly."""


@cache
def load(path: Path) -> tuple[Case, ...]:
    """Every case of a table."""
    return parse(path.read_text(encoding="utf-8"), path.stem)


def parse(text: str, table: str) -> tuple[Case, ...]:
    """Every case of a table's text; `table` is the rule that it is about."""
    head, *chunks = _split(text.split("\n"), "==== ")
    _, *head_blocks = _split(head[1:], "---- ", head[0][0] + 1)
    start: Side = {"wbmem.yaml": Content(SETTINGS.encode())}
    shared = _apply(start, [_block(block) for block in head_blocks])
    return tuple(_case(table, chunk, shared) for chunk in chunks)


def tables(folder: Path = CASES) -> Iterator[Path]:
    """The tables that there are, one a rule."""
    return (path for path in sorted(folder.glob("*.md")))


def card_id(title: str, page: str = "PLAN.md", n: int = 1) -> str:
    """An id by FORMAT §3, written here once more so that the tables don't lean on the code they test."""
    name = unicodedata.normalize("NFC", title) + (f"\0{n}" if n > 1 else "")
    return "mem_" + hashlib.sha256(f"{KEY}\0{page}\0{name}".encode()).hexdigest()[:32]


Numbered = list[tuple[int, str]]


def _split(lines: list[str] | Numbered, mark: str, first: int = 1) -> list[Numbered]:
    """Cut before every line that begins with the mark; the first part is what stands above them all."""
    parts: list[Numbered] = [[(first - 1, "")]]
    for number, line in enumerate(lines, first):
        place, text = line if isinstance(line, tuple) else (number, line)
        if text.startswith(mark):
            parts.append([])
        parts[-1].append((place, text))
    return parts


def _case(table: str, chunk: Numbered, shared: Side) -> Case:
    line, title = chunk[0]
    header, *parts = _split(chunk[1:], "---- ")
    blocks = [_block(part) for part in parts]
    fields = [_field(*item) for item in header if item[1].strip()]
    values = dict(fields)
    known = {"actor", "parents", "message", "trailer"}
    if unknown := sorted(set(values) - known):
        raise CaseError(f"{table}:{line}: unknown header {unknown[0]!r}")
    by_side: dict[str, list[Block]] = {}
    for block in blocks:
        by_side.setdefault(block.side, []).append(block)
    sides = {"base", "old", "parent 2", "parent 3", "new", "worktree", "expect"}
    if strange := sorted(set(by_side) - sides):
        raise CaseError(f"{table}:{line}: unknown side {strange[0]!r}")
    base = _apply(shared, by_side.get("base", []))
    parents = _parents(base, by_side, values.get("parents"))
    new = _apply(parents[0] if parents else base, by_side.get("new", []))
    expects = by_side.get("expect", [])
    if len(expects) != 1:
        raise CaseError(f"{table}:{line}: exactly one expect block")
    return Case(
        table=table,
        line=line,
        title=title.lstrip("= ").strip(),
        actors=_actors(values.get("actor")),
        shared=shared,
        base=base,
        parents=parents,
        new=new,
        worktree=_apply(new, by_side.get("worktree", [])),
        trailers=tuple(_field(line, value) for name, value in fields if name == "trailer"),
        message=values.get("message", ""),
        expected=_expected(expects[0]),
    )


def _actors(value: str | None) -> tuple[Actor, ...]:
    if value is None:
        return ("agent", "human")
    if value == "agent":
        return ("agent",)
    if value == "human":
        return ("human",)
    raise CaseError(f"actor: {value!r}")


def _parents(base: Side, by_side: Mapping[str, list[Block]], wanted: str | None) -> tuple[Side, ...]:
    count = int(wanted) if wanted else max((n for n in (2, 3) if f"parent {n}" in by_side), default=1)
    if count == 0:
        return ()
    sides = ["old", *(f"parent {n}" for n in range(2, count + 1))]
    return tuple(_apply(base, by_side.get(side, [])) for side in sides)


def _field(line: int, text: str) -> tuple[str, str]:
    name, colon, value = text.partition(":")
    if not colon:
        raise CaseError(f"line {line}: not a header line: {text!r}")
    return name.strip(), _expand(value.strip())


OPENING = re.compile(r"---- *(?P<side>parent \d|\w+)(?: +(?P<path>.*?))?(?: +\((?P<marks>[^()]*)\))? *$")


def _block(part: Numbered) -> Block:
    line, opening = part[0]
    found = OPENING.match(opening)
    if found is None:
        raise CaseError(f"line {line}: not a block: {opening!r}")
    marks = tuple(mark.strip() for mark in (found["marks"] or "").split(",") if mark.strip())
    lines = [text for _, text in part[1:]]
    while lines and not lines[-1].strip():
        lines.pop()
    return Block(found["side"], _expand(found["path"] or ""), marks, tuple(lines), line)


def _apply(before: Side, blocks: list[Block]) -> Side:
    """One side from the side before it and the blocks that change it."""
    after = dict(before)
    for block in blocks:
        moved = next(
            (mark[len("moved from ") :] for mark in block.marks if mark.startswith("moved from ")), ""
        )
        if "gone" in block.marks:
            after.pop(block.path)
        elif moved:
            source = _expand(moved)
            after[block.path] = before[source]
            if after.get(source) is before[source]:
                del after[source]
        elif block.path:
            after[block.path] = _content(block, before.get(block.path))
    return after


def _content(block: Block, before: Content | None) -> Content:
    mode = "120000" if "symlink" in block.marks else "100755" if "executable" in block.marks else "100644"
    text = _expand("\n".join(block.lines))
    if "bytes" in block.marks:
        joined = text.replace("\n", "").encode("latin-1", "backslashreplace")
        return Content(codecs.escape_decode(joined)[0], mode)
    if "edit" in block.marks:
        if before is None:
            raise CaseError(f"line {block.line}: nothing to edit")
        data = _edited(before.data.decode(), text, block.line)
        return Content(data.encode(), before.mode)
    text += "\n" if text and "no newline" not in block.marks and "symlink" not in block.marks else ""
    return Content((text.replace("\n", "\r\n") if "crlf" in block.marks else text).encode(), mode)


def _edited(text: str, edit: str, line: int) -> str:
    for group in re.split(r"\n(?:[ ]*\n)+", edit):
        rows = group.split("\n")
        if any(row[:1] not in {" ", "-", "+"} for row in rows):
            raise CaseError(f"line {line}: an edit's lines begin with '-', '+' or a blank: {group!r}")
        before = "".join(row[1:] + "\n" for row in rows if row[0] != "+")
        after = "".join(row[1:] + "\n" for row in rows if row[0] != "-")
        if not before:
            text += after
        elif ("\n" + text).count("\n" + before) != 1:
            raise CaseError(f"line {line}: doesn't stand in the text exactly once: {before!r}")
        else:
            text = ("\n" + text).replace("\n" + before, "\n" + after)[1:]
    return text


PLACE = re.compile(r"mem_\{(?P<title>[^{}]+?)(?: @ (?P<page>[^{}#]+?))?(?: #(?P<n>\d+))?\}")
REPEAT = re.compile(r"\{repeat (?P<times>\d+) (?P<what>[^{}]+)\}")
CHARACTER = re.compile(r"\{u\+(?P<code>[0-9a-fA-F]{2,6})\}")


def _expand(text: str) -> str:
    text = PLACE.sub(lambda m: card_id(m["title"], m["page"] or "PLAN.md", int(m["n"] or 1)), text)
    text = REPEAT.sub(lambda m: m["what"] * int(m["times"]), text)
    return CHARACTER.sub(lambda m: chr(int(m["code"], 16)), text)


def _expected(block: Block) -> tuple[Expected, ...]:
    lines = [_expand(line.strip()) for line in block.lines if line.strip()]
    if lines == ["passes"]:
        return ()
    if not lines or "passes" in lines:
        raise CaseError(f"line {block.line}: either findings or `passes`")
    return tuple(_expectation(line, block.line) for line in lines)


EXPECTATION = re.compile(
    r"(?P<rule>[A-Z](?:-[A-Z])?\d+) (?P<severity>hard|soft|note)"
    r"(?P<flags>(?: already| allowed)*) (?P<place>.+)"
)


def _expectation(text: str, line: int) -> Expected:
    head, *pieces = (piece.strip() for piece in text.split(" | "))
    found = EXPECTATION.fullmatch(head)
    if found is None:
        raise CaseError(f"line {line}: not an expectation: {text!r}")
    path, _, number = found["place"].rpartition(":")
    return Expected(
        rule=found["rule"],
        severity=found["severity"],
        already="already" in found["flags"],
        allowed="allowed" in found["flags"],
        path="" if found["place"] == "-" else path,
        line=0 if found["place"] == "-" else int(number),
        pieces=tuple(piece for piece in pieces if not piece.startswith("!")),
        absent=tuple(piece[1:].strip() for piece in pieces if piece.startswith("!")),
    )
