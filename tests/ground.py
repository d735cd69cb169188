"""A sidecar filled by hand: for tests of what questions make of its rows, whoever wrote them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, NamedTuple

from pages import KEY

from wbmem_git.store.known import Known
from wbmem_git.store.sidecar import memory, set_meta
from wbmem_git.text.ids import card_id
from wbmem_git.text.suspicion import may_hold
from wbmem_git.verbs.reader import Ground

if TYPE_CHECKING:
    import sqlite3

AUTHOR = "Ada"


class Filled(NamedTuple):
    """A sidecar in memory; every row that a test adds is one that the schema describes."""

    db: sqlite3.Connection

    @classmethod
    def empty(cls) -> Filled:
        made = cls(memory())
        set_meta(made.db, "key", KEY)
        set_meta(made.db, "head", oid(99))
        return made

    @property
    def ground(self) -> Ground:
        return Ground(self.db, "", oid(99), Known(self.db, oid(99)))

    def commit(self, seq: int, *, time: int = 0, actor: str = "human", subject: str = "work") -> Filled:
        row = (seq, oid(seq), str(seq - 1), 1, time or seq * 60, AUTHOR, actor, subject)
        self.db.execute("INSERT INTO commits VALUES (?,?,?,?,?,?,?,?)", row)
        return self

    def revision(
        self,
        name: str,
        seq: int,
        kind: str = "edited",
        path: str = "PLAN.md",
        *,
        before: str = "",
        hidden: int = 0,
    ) -> Filled:
        blob = "" if kind == "removed" else oid(2000 + seq)
        self.db.execute(
            "INSERT INTO revisions VALUES (?,?,?,?,?,?,?)",
            (name, seq, kind, path, blob, before, hidden),
        )
        return self

    def verdict(self, seq: int, said: str, page: str = "PLAN.md", ids: tuple[str, ...] = ()) -> Filled:
        self.db.execute(
            "INSERT INTO events (seq, event, page, ids, rules) VALUES (?,?,?,?,'[]')",
            (seq, f"criteria.{said}", page, json.dumps(ids)),
        )
        return self

    def page(self, path: str, kind: str = "board", layer: str = "whiteboard") -> Filled:
        self.db.execute(
            "INSERT INTO pages (path, id, kind, layer, blob) VALUES (?,?,?,?,?)",
            (path, card_id(KEY, path, ""), kind, layer, oid(3000)),
        )
        return self

    def entry(
        self,
        title: str,
        *,
        path: str = "PLAN.md",
        kind: str = "card",
        name: str = "",
        tags: tuple[str, ...] = (),
        cues: tuple[str, ...] = (),
        weight: float = 0.4,
        lines: tuple[int, int] = (0, 0),
        section: str = "",
        status: str = "current",
        text: str = "",
        date: str = "",
    ) -> str:
        """Its id; the entries of a page stand ten lines apart."""
        name = name or card_id(KEY, path, title)
        page = self.db.execute("SELECT number FROM pages WHERE path = ?", (path,)).fetchone()[0]
        place = self.db.execute("SELECT count(*) FROM entries WHERE page = ?", (page,)).fetchone()[0]
        line, end = lines if lines != (0, 0) else (place * 10 + 1, place * 10 + 9)
        row: dict[str, object] = {
            "page": page, "place": place, "id": name, "kind": kind, "line": line, "end": end,
            "section": section, "title": title, "text": text or f"### {title}\n", "preview": title,
            "sentence": title, "status": status, "date": date, "valid_from": "", "expiry": "",
            "weight": weight, "successor": "", "shown": "",
            "suspect": int(may_hold(text)),
        }  # fmt: skip
        number = self._insert("entries", row)
        for nth, tag in enumerate(tags):
            self._insert("tags", {"folded": tag.casefold(), "entry": number, "tag": tag, "nth": nth})
        for nth, cue in enumerate(cues):
            self._insert("cues", {"folded": cue.casefold(), "entry": number, "cue": cue, "nth": nth})
        return name

    def _insert(self, table: str, row: dict[str, object]) -> int:
        columns, values = ", ".join(f'"{one}"' for one in row), ", ".join("?" * len(row))
        sql = f"INSERT INTO {table} ({columns}) VALUES ({values})"  # noqa: S608
        return self.db.execute(sql, tuple(row.values())).lastrowid or 0


def oid(number: int) -> str:
    return f"{number:040x}"


def keys_in_order(value: object) -> str:
    """The keys of an object and of what is in it, to compare their order."""
    if isinstance(value, dict):
        return json.dumps({key: keys_in_order(one) for key, one in value.items()})
    return keys_in_order(value[0]) if isinstance(value, list) and value else ""
