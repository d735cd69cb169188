"""A verb is carried out again where another program was faster, in an instant or two."""

from __future__ import annotations

from contextlib import suppress
from functools import wraps
from typing import TYPE_CHECKING, ParamSpec, TypeVar

from wbmem_git.store.patience import tries
from wbmem_git.verbs.commit.placing import HeadMoved
from wbmem_git.verbs.commit.working_files import ChangedMeanwhile

if TYPE_CHECKING:
    from collections.abc import Callable

TRIES = 20
FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.01, 0.5
P = ParamSpec("P")
T = TypeVar("T")


def retried(once: Callable[[], T]) -> T:
    """What `once` returns; it is called again where another program was faster, in an instant or two.

    Args:
        once: Loads, plans and carries out; nothing is changed where it raises.

    Raises:
        HeadMoved, ChangedMeanwhile: Others were faster every time.
    """
    for number in tries(FIRST_PAUSE_S, LONGEST_PAUSE_S, most=TRIES):
        if number < TRIES - 1:
            with suppress(HeadMoved, ChangedMeanwhile):
                return once()
    return once()


def retrying(verb: Callable[P, T]) -> Callable[P, T]:
    """A verb that loads, plans and carries out, `retried`."""

    @wraps(verb)
    def again(*args: P.args, **kwargs: P.kwargs) -> T:
        return retried(lambda: verb(*args, **kwargs))

    return again
