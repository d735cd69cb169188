"""What lint looks at: every text of the present, who names whom, and how old a card is."""

from __future__ import annotations

from bisect import bisect_left
from datetime import date, timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from wbmem_git.store.links import known_ids, successors, texts
from wbmem_git.text.dates import is_date
from wbmem_git.text.folding import fold
from wbmem_git.text.mentions import Titles, ids_in

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from wbmem_git.model import Settings
    from wbmem_git.store.connection import Connection
    from wbmem_git.store.links import Text

WHOLE_ID = 36
_EPOCH = date(1970, 1, 1)
_MOST_DAYS = (date.max - _EPOCH).days


class Present:
    """The present of a memory.

    Attributes:
        db: The sidecar. settings: The settings of the commit that it was built from.
        today: The day on which ages are counted.
    """

    def __init__(self, db: Connection, settings: Settings, today: date) -> None:
        self.db = db
        self.settings = settings
        self.today = today
        self._done = {title.casefold() for title in settings.done_columns}

    @cached_property
    def texts(self) -> tuple[Text, ...]:
        """Every text, by page and place; of a page's one the lines of cards and entries are left blank."""
        found = texts(self.db)
        cards: dict[str, list[Text]] = {}
        for text in found:
            if text.kind in {"card", "memory"}:
                cards.setdefault(text.path, []).append(text)
        return tuple(
            _without(text, cards.get(text.path, ())) if text.kind in {"board", "memory page"} else text
            for text in found
        )

    @cached_property
    def subjects(self) -> tuple[Text, ...]:
        """The cards and long-term entries, by page and place."""
        return tuple(text for text in self.texts if text.kind in {"card", "memory"})

    @cached_property
    def by_number(self) -> dict[int, Text]:
        """The cards and long-term entries by the number of their row."""
        return {text.number: text for text in self.subjects}

    @cached_property
    def _former(self) -> dict[str, tuple[Text, ...]]:
        """Id → what went on as it, renamed or superseded, however often."""
        following = successors(self.db)
        found: dict[str, tuple[Text, ...]] = {}
        for text in self.texts:
            name, seen = text.id, {text.id}
            while (name := following.get(name, "")) and name not in seen:
                seen.add(name)
                found[name] = (*found.get(name, ()), text)
        return found

    @cached_property
    def _ids(self) -> list[str]:
        return known_ids(self.db)

    def meant(self, name: str) -> Sequence[str]:
        """Every id that a whole id, or the beginning of one, may mean."""
        start = bisect_left(self._ids, name)
        end = bisect_left(self._ids, name + "g")
        return self._ids[start:end]

    def is_done(self, text: Text) -> bool:
        """Whether it stands in a column whose cards are done."""
        return text.kind == "card" and text.section.casefold() in self._done

    def is_open(self, text: Text) -> bool:
        """Whether it is current and not done."""
        return text.status == "current" and not self.is_done(text)

    def age_days(self, text: Text) -> int:
        """Days since its `date:`, else since a commit last changed it; 0 where neither is known."""
        return self._days_since(day_of(text))

    def there_days(self, text: Text) -> int:
        """Days since its `date:`, or since a commit brought it, whichever is longer ago."""
        return max(self.age_days(text), self._days_since(_day_at(text.brought)))

    def _days_since(self, day: date | None) -> int:
        return 0 if day is None else (self.today - day).days

    def unnamed(self, wanted: Iterable[Text]) -> list[Text]:
        """Those of these cards and entries that no other text names, by an id or a title, former ones too."""
        left = {text.id: text for text in wanted}
        own = {one.id: {one.id, *(text.id for text in self._former.get(one.id, ()))} for one in left.values()}
        called: dict[str, list[Text]] = {}
        bearing: dict[str, list[Text]] = {}
        for one in left.values():
            for text in (one, *self._former.get(one.id, ())):
                called.setdefault(text.id, []).append(one)
                bearing.setdefault(text.title, []).append(one)
        titles = Titles(bearing, fold)
        for text in reversed(self.texts):  # what is open is mostly named by the newest ledgers and logs
            if not left:
                break
            names = (name for found in ids_in(text.text) for name in self._only(found.id))
            named = [one for name in names for one in called.get(name, ())]
            named += [one for title in titles.named_in(text.text) for one in bearing[title]]
            for one in named:
                if text.id not in own[one.id]:
                    left.pop(one.id, None)
        return list(left.values())

    def names(self, text: Text, other: Text) -> bool:
        """Whether a card or entry names another one, by an id or a title, former ones too."""
        bearers = (other, *self._former.get(other.id, ()))
        ids = {one.id for one in bearers}
        if any(name in ids for found in ids_in(text.text) for name in self._only(found.id)):
            return True
        return bool(Titles((one.title for one in bearers), fold).named_in(text.text))

    def _only(self, name: str) -> Sequence[str]:
        """The one id that a whole id, or the beginning of one, means; nothing where there are several."""
        if len(name) == WHOLE_ID:
            return (name,)
        meant = self.meant(name)
        return meant if len(meant) == 1 else ()


def day_of(text: Text) -> date | None:
    """Its `date:`, else the day (UTC) on which a commit last changed it; None where neither is known."""
    if is_date(text.date):
        return date.fromisoformat(text.date[:10])
    return _day_at(text.changed)


def _day_at(seconds: int) -> date | None:
    """A day in UTC, None for 0; git takes any number for a time."""
    return _EPOCH + timedelta(days=min(max(seconds, 0) // 86400, _MOST_DAYS)) if seconds else None


def _without(board: Text, cards: Iterable[Text]) -> Text:
    lines = board.text.split("\n")
    for card in cards:
        lines[card.line - board.line : card.end - board.line + 1] = [""] * (card.end - card.line + 1)
    return board._replace(text="\n".join(lines))
