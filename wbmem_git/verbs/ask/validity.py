"""What is left out unless it is asked for: superseded, retracted, expired, not valid yet."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wbmem_git.errors import UsageError

if TYPE_CHECKING:
    from wbmem_git.store.entries import Bounds
    from wbmem_git.store.matches import Says

PAST = frozenset({"superseded", "retracted"})
PRESENT = frozenset({"current", "compressed"})
KNOWN = PRESENT | PAST
CURRENT, EVERY_STATUS = "current", "all"
STATUSES = ("current", "compressed", "superseded", "retracted", EVERY_STATUS)


class UnknownStatus(UsageError):
    """A status that nothing may have."""

    def __init__(self, status: str) -> None:
        super().__init__(f"no status {status!r}: {', '.join(STATUSES)}", "--status all leaves nothing out")


def see_status(status: str) -> None:
    """Whether it can be asked for.

    Raises:
        UnknownStatus: No such status.
    """
    if status not in STATUSES:
        raise UnknownStatus(status)


def stands(says: Says | Bounds, status: str, today: str) -> bool:
    """Whether what an entry says of itself is asked for.

    Args:
        says: Its status, and the days from and up to which it is valid.
        status: `current`: what holds on that day; `all`; or one status alone.
        today: The day.
    """
    if status == EVERY_STATUS:
        return True
    if status != CURRENT:
        return says.status == status
    if says.status not in PRESENT or says.valid_from > today:
        return False
    return not says.expiry or says.expiry >= today
