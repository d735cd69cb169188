"""Pages in a sidecar's present, put there without a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wbmem_git.store import contents
from wbmem_git.store.contents import NewPage, replace_pages
from wbmem_git.store.sidecar import memory
from wbmem_git.text.content import Content
from wbmem_git.text.contents import contents_of, layer_of
from wbmem_git.text.names import kind_of
from wbmem_git.text.settings import default_settings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path
    from sqlite3 import Connection

    from wbmem_git.model import PageKind

BLOB = "1" * 40


def content(name: str, line: int = 1, **said: Any) -> Content:
    """A card of `PLAN.md`."""
    text = said.pop("text", f"### {name}\nthe body of {name}\n")
    return Content(
        f"mem_{ord(name[0]):032x}",
        said.pop("kind", "card"),
        "PLAN.md",
        line,
        line + 1,
        "Doing",
        name,
        text,
        **said,
    )


def put(
    db: Connection,
    held: Sequence[Content],
    path: str = "PLAN.md",
    kind: PageKind = "board",
    page_id: str = "",
) -> None:
    """Make a page hold these contents."""
    there = [one._replace(path=path) for one in held]
    name, layer = page_id or f"page of {path}", layer_of(path, kind)
    replace_pages(db, [NewPage(path, name, kind, layer, BLOB, lambda _: there)])


def stored_pages(folder: Path) -> Connection:
    """A sidecar with every page below a folder."""
    settings = default_settings("evidence-0badcafe")
    db = memory()
    for file in sorted(folder.rglob("*.md")):
        path, text = file.relative_to(folder).as_posix(), file.read_text(encoding="utf-8")
        kind = kind_of(path, settings)
        held = contents_of(path, kind, text, settings.workspace)
        assert held, path
        put(db, held, path, kind)
    return db


def contents_on(db: Connection, path: str) -> tuple[Content, ...]:
    """The contents of a page, in its order, as they are read before what differs is written."""
    there = contents.page(db, path)
    return () if there is None else tuple(stored.content for stored in contents._stored(db, there))


def numbers(db: Connection) -> dict[str, int]:
    """The number of each entry's row, by title."""
    return dict(db.execute("SELECT title, number FROM entries"))
