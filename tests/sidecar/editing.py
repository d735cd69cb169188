"""What people and agents do to the pages of a memory, at random: trees in, trees out, no git."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from pages import KEY, SETTINGS, ledger
from sidecar.plumbing import Link

from wbmem_git.text.archive import render_archive
from wbmem_git.text.ids import card_id

if TYPE_CHECKING:
    from collections.abc import Callable
    from random import Random

    from sidecar.plumbing import Files

BOARDS = ("PLAN.md", "boards/side.md")
ENTRIES = ("MEMORY.md", "PINNED.md")
TITLES = ("Alpha", "Beta", "Gamma", "修复登录超时", "Tasks", "`src/a.py`")
WORDS = (
    "the saw",
    "topic:login",
    "src/handoff.js",
    "see Alpha",
    "标签：type:dead-end",
    "`make test`",
    "下一步",
    "see `ghp_" + "aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5` in src/b.py",
    "`-----BEGIN PRIVATE KEY-----`",
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
)
START: Files = {
    "wbmem.yaml": f'{SETTINGS}boards:\n  - "PLAN.md"\n  - "boards/*.md"\n'.encode(),
    "PLAN.md": b"# Plan\n\n## Doing\n\n## Done\n",
    "MEMORY.md": b"# Memory\n",
}
_ANCHOR = re.compile(r"<!-- memory:(mem_[0-9a-f]{32}) -->")


class Found(NamedTuple):
    """A card in a tree: its page, the number of its block there, its id, its title and its text."""

    path: str
    block: int
    id: str
    title: str
    text: str


def blocks(files: Files, path: str) -> list[str]:
    """A page cut before each of its headings."""
    return re.split(r"(?m)^(?=#)", files[path].decode("utf-8", "replace"))


def cards(files: Files) -> list[Found]:
    found = []
    for path in (*BOARDS, *ENTRIES):
        mark = "### " if path in BOARDS else "## "
        for number, text in enumerate(blocks(files, path) if path in files else ()):
            if text.startswith(mark):
                title = text.split("\n", 1)[0].removeprefix(mark).strip()
                anchor = _ANCHOR.search(text)
                name = anchor[1] if anchor else card_id(KEY, path, title.strip("`"))
                found.append(Found(path, number, name, title, text))
    return found


def with_block(files: Files, path: str, number: int, new: list[str]) -> Files:
    """The tree with other blocks in the place of one of a page's."""
    parts = blocks(files, path)
    parts[number : number + 1] = new
    return {**files, path: "".join(parts).encode()}


def card_text(path: str, title: str, body: str, *, anchor: bool = True) -> str:
    mark = "###" if path in BOARDS else "##"
    name = card_id(KEY, path, title.strip("`"))
    lines = [f"{mark} {title}", *([f"<!-- memory:{name} -->"] if anchor else [])]
    return "\n".join([*lines, "<!-- status: current / date: 2026-09-14 -->", body, "", ""])


def put_in(files: Files, path: str, text: str, chance: Random) -> Files:
    """The card somewhere on the page, below its first heading."""
    parts = blocks(files, path)
    place = chance.randint(min(2, len(parts)), len(parts))
    before = parts[place - 1]
    parts[place - 1] = before if before.endswith("\n") else f"{before}\n"
    parts.insert(place, text)
    return {**files, path: "".join(parts).encode()}


# --- each of them ---------------------------------------------------------------------------------------


def new_card(files: Files, chance: Random) -> Files:
    path = chance.choice([path for path in (*BOARDS, *ENTRIES) if path in files] or ["PLAN.md"])
    text = card_text(path, chance.choice(TITLES), chance.choice(WORDS), anchor=chance.random() < 0.8)
    return put_in({"PLAN.md": START["PLAN.md"], **files}, path, text, chance)


def edit_card(files: Files, chance: Random) -> Files:
    for one in _some(files, chance):
        lines = one.text.split("\n")
        number = chance.randint(min(2, len(lines) - 1), len(lines) - 1)
        line = f"{chance.choice(WORDS)} {chance.randint(1, 99)}"
        more = lines[number + 1 :] if chance.random() < 0.3 else lines[number:]
        text = "\n".join([*lines[:number], line, *more])
        return with_block(files, one.path, one.block, [text if text.endswith("\n") else f"{text}\n"])
    return files


def pad_card(files: Files, chance: Random) -> Files:
    """Blank lines at its end: no other text."""
    for one in _some(files, chance):
        return with_block(files, one.path, one.block, [one.text.rstrip("\n") + "\n" * chance.randint(1, 4)])
    return files


def move_card(files: Files, chance: Random) -> Files:
    """To another place, column or page; sometimes edited as well."""
    for one in _some(files, chance):
        among = BOARDS if one.path in BOARDS else ENTRIES
        without = with_block(files, one.path, one.block, [])
        path = chance.choice(among)
        without.setdefault(path, b"# Side\n\n## Doing\n")
        text = one.text if chance.random() < 0.7 else f"{one.text.rstrip()}\nmoved\n\n"
        return put_in(without, path, text, chance)
    return files


def archive_card(files: Files, chance: Random) -> Files:
    for one in _some(files, chance):
        others = [other.id for other in cards(files) if other.id != one.id]
        reason = chance.choice(("done", "aged: 90 days", "superseded"))
        successor = chance.choice(others) if others and reason == "superseded" else ""
        without = with_block(files, one.path, one.block, [])
        return {**without, **_archived(one, reason, successor)}
    return files


def rename_card(files: Files, chance: Random) -> Files:
    """As `wbmem fix` does it; a card without an anchor just gets another title."""
    for one in _some(files, chance):
        title = chance.choice([title for title in TITLES if title != one.title])
        if not _ANCHOR.search(one.text):
            return with_block(files, one.path, one.block, [one.text.replace(one.title, title, 1)])
        name = card_id(KEY, one.path, title.strip("`"))
        text = one.text.replace(one.title, title, 1).replace(one.id, name, 1)
        return {**with_block(files, one.path, one.block, [text]), **_archived(one, "renamed", name)}
    return files


def restore_card(files: Files, chance: Random) -> Files:
    archived = [path for path in sorted(files) if path.startswith("archive/mem_")]
    if not archived:
        return files
    path = chance.choice(archived)
    text = files[path].decode()
    body = text.partition("\n---\n")[2]
    page = (re.findall(r"(?m)^page: (.*)$", text) or ["PLAN.md"])[0]
    without = {name: data for name, data in files.items() if name != path}
    without.setdefault(page, b"# Side\n\n## Doing\n")
    return put_in(without, page, body, chance)


def supersede_card(files: Files, chance: Random) -> Files:
    for one in _some(files, chance):
        status = chance.choice(("superseded", "current", "retracted"))
        text = re.sub(r"status: \w+", f"status: {status}", one.text, count=1)
        return with_block(files, one.path, one.block, [text])
    return files


def lose_card(files: Files, chance: Random) -> Files:
    """Past the gate."""
    for one in _some(files, chance):
        return with_block(files, one.path, one.block, [])
    return files


def copy_card(files: Files, chance: Random) -> Files:
    """The same anchor twice, past the gate."""
    for one in _some(files, chance):
        return put_in(files, one.path, one.text, chance)
    return files


def add_ledger(files: Files, chance: Random) -> Files:
    stem = f"handoff-202609{chance.randint(10, 14)}-1015{chance.randint(10, 14)}.md"
    text = ledger(f"`{chance.choice(WORDS)}` next, number {chance.randint(1, 9)}, in the folder of the store")
    return {**files, stem: text.replace("## Goals", chance.choice(("## Goals", "## Goal"))).encode()}


def write_log(files: Files, chance: Random) -> Files:
    path = f"log/2026-09-1{chance.randint(0, 4)}.md"
    return {**files, path: files.get(path, b"# Log\n") + f"\n- {chance.choice(WORDS)}\n".encode()}


def lose_page(files: Files, chance: Random) -> Files:
    gone = chance.choice(sorted(files))
    return {path: data for path, data in files.items() if path != gone}


def rename_page(files: Files, chance: Random) -> Files:
    del chance
    if "boards/side.md" not in files:
        return {("boards/side.md" if path == "PLAN.md" else path): data for path, data in files.items()}
    return {
        {"boards/side.md": "PLAN.md", "PLAN.md": "boards/side.md"}.get(path, path): data
        for path, data in files.items()
    }


def change_bytes(files: Files, chance: Random) -> Files:
    """Line ends, a BOM, an open fence, or no text at all."""
    path = chance.choice([path for path in sorted(files) if path != "wbmem.yaml"] or ["PLAN.md"])
    data = files.get(path, b"")
    changed = chance.choice(
        (
            data.replace(b"\n", b"\r\n"),
            data.replace(b"\r\n", b"\n"),
            b"\xef\xbb\xbf" + data,
            data + b"\n```\n",
            b"\xff\xfe" + data,
            data.rstrip(b"\n"),
            b"",
        )
    )
    return {**files, path: changed}


def change_settings(files: Files, chance: Random) -> Files:
    text = chance.choice(
        (
            START["wbmem.yaml"],
            SETTINGS.encode(),
            START["wbmem.yaml"] + b"criteria: warn\n",
            START["wbmem.yaml"] + b'agents:\n  - "eve@example.org"\n',
            b"format: 1\nworkspace: other-12345678\n",
            b"no: [settings\n",
        )
    )
    return {**files, "wbmem.yaml": text}


def nothing(files: Files, chance: Random) -> Files:
    del chance
    return files


def link_page(files: Files, chance: Random) -> Files:
    """A page becomes a symbolic link, or a folder."""
    path = chance.choice(("PLAN.md", "MEMORY.md"))
    if chance.random() < 0.5:
        return {**files, path: Link(b"boards/side.md")}
    return {f"{name}/x.md" if name == path else name: data for name, data in files.items()}


def odd_page(files: Files, chance: Random) -> Files:
    """A board whose name git quotes."""
    path = chance.choice(("boards/计划.md", 'boards/a "b".md', "boards/deep/c d.md"))
    data = files.get(path, START["PLAN.md"]) + card_text(path, chance.choice(TITLES), "odd").encode()
    return {**files, path: data}


def other_file(files: Files, chance: Random) -> Files:
    return {**files, "notes.md": f"# Notes\n\n{chance.choice(WORDS)} {chance.randint(1, 9)}\n".encode()}


GENTLE: tuple[Callable[[Files, Random], Files], ...] = (
    new_card,
    new_card,
    edit_card,
    edit_card,
    move_card,
    archive_card,
    rename_card,
    restore_card,
    supersede_card,
    add_ledger,
    write_log,
    pad_card,
)
ROUGH: tuple[Callable[[Files, Random], Files], ...] = (
    lose_card,
    copy_card,
    lose_page,
    rename_page,
    change_bytes,
    change_settings,
    nothing,
    other_file,
    link_page,
    odd_page,
)


def some_edits(files: Files, chance: Random) -> Files:
    """One to three of them, mostly gentle ones."""
    for _ in range(chance.choice((1, 1, 2, 3))):
        kinds = GENTLE if chance.random() < 0.75 else ROUGH
        files = chance.choice(kinds)(files, chance)
    return files


def merged(base: Files, ours: Files, theirs: Files, chance: Random) -> Files:
    """What a person makes of two sides: conflicts go to ours, to theirs, or hold the cards of both."""
    found: Files = {}
    for path in sorted({*ours, *theirs}):
        old, one, other = base.get(path), ours.get(path), theirs.get(path)
        if other in {one, old}:
            chosen = one
        elif one == old:
            chosen = other
        else:
            chosen = chance.choice((one, other, _both(ours, theirs, path)))
        if chosen is not None:
            found[path] = chosen
    return found


def _both(ours: Files, theirs: Files, path: str) -> bytes | None:
    if path not in ours or path not in theirs:
        return ours.get(path) or theirs.get(path)
    parts = blocks(ours, path)
    return "".join([*parts, *(part for part in blocks(theirs, path) if part not in parts)]).encode()


def _some(files: Files, chance: Random) -> list[Found]:
    found = cards(files)
    return [chance.choice(found)] if found else []


def _archived(one: Found, reason: str, successor: str) -> Files:
    text = render_archive(
        id=one.id,
        title=one.title.strip("`"),
        page=one.path,
        archived_at="2026-09-14T10:15:00Z",
        reason=reason,
        body=one.text,
        superseded_by=successor,
    )
    return {f"archive/{one.id}.md": text.encode()}
