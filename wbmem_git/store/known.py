"""What a process finds out about one state of the sidecar and keeps for its next questions of it.

Every tag and cue as one text, in which a part is found at once, and the order of all entries: each costs with
the size of the memory, so it is found out where a question first needs it, and again behind the next commit.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator

    from wbmem_git.store.connection import Connection

FEW = 250
"""An answer that so many entries or fewer stand behind is gathered anew each time."""
SHARE = 4
"""The order of all entries is found out for a question that a fourth of them answers."""
MOST_ANSWERS = 64


class Known:
    """What is known of a sidecar as it stands at one commit. Questions of it come one at a time.

    Whoever has the sidecar open keeps it, and hands it to each question (`Ground.known`).
    """

    def __init__(self, db: Connection, head: str) -> None:
        self._db = db
        self._state = (head, *_state_of(db))
        self._names: str | None = None
        self._places: array[int] | None = None
        self._answers: dict[str, tuple[tuple[int, ...], int]] = {}

    def is_of(self, db: Connection, head: str) -> bool:
        """Whether it still is what that sidecar says."""
        return self._db is db and self._state == (head, *_state_of(db))

    def holding(self, part: str, beginning: str = "") -> Iterator[str]:
        """Every folded tag and cue that holds a part, and begins so.

        Args:
            part: Not empty.
            beginning: "" for any.
        """
        if self._names is None:
            rows = self._db.execute("SELECT folded FROM tags UNION SELECT folded FROM cues")
            self._names = "\n".join(["", *(row[0] for row in rows), ""])
        names, at = self._names, 0
        while "\n" not in part and (at := names.find(part, at)) >= 0:
            begun, at = names.rindex("\n", 0, at + 1) + 1, names.index("\n", at)
            if names.startswith(beginning, begun):
                yield names[begun:at]

    def first(self, numbers: set[int], limit: int) -> list[int]:
        """The first of these entries in the order of `standing.ranked`."""
        from array import array  # noqa: PLC0415  # every question has a `Known`, and few ask it
        from heapq import nsmallest  # noqa: PLC0415  # as above

        from wbmem_git.store.standing import all_ranked, ranked  # noqa: PLC0415  # as above

        if self._places is None:
            if len(numbers) <= FEW or len(numbers) * SHARE < self._count():
                return list(ranked(self._db, numbers, limit))
            order = all_ranked(self._db)
            self._places = array("q", bytes(8 * (max(order, default=0) + 1)))
            for place, number in enumerate(order):
                self._places[number] = place
        return nsmallest(limit, numbers, key=self._places.__getitem__)

    def _count(self) -> int:
        return int(self._db.execute("SELECT count(*) FROM entries").fetchone()[0])

    def answered(self, asked: str) -> tuple[tuple[int, ...], int] | None:
        """What `keep` was told; None where it wasn't."""
        return self._answers.get(asked)

    def keep(self, asked: str, first: tuple[int, ...], total: int) -> None:
        """Keep which entries many others stand behind: to gather them all takes its time."""
        if total > FEW:
            if len(self._answers) >= MOST_ANSWERS:
                self._answers.pop(next(iter(self._answers)))
            self._answers[asked] = first, total


def _state_of(db: Connection) -> tuple[int, int]:
    """What else it is when somebody writes: we here, or another connection (a history that came later)."""
    return db.total_changes, int(db.execute("PRAGMA data_version").fetchone()[0])
