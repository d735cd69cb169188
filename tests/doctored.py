"""What `wbmem doctor` says, and what holds of every fact: a next step that destroys nothing."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from wbmem_git.verbs.doctor.doctor import doctor

if TYPE_CHECKING:
    from memory import Memory

    from wbmem_git.verbs.doctor.facts import Fact

NOW_S = 2_000_000_000
THROWN_AWAY = "when that is emptied"
DESTROYS = (
    "git rm", "rm ", "reset", "checkout --", "restore", "clean", "stash drop", "stash pop", "stash clear",
    "--force ", "push -f",
)  # fmt: skip


def look(memory: Memory, variables: dict[str, str] | None = None, now_s: float = NOW_S) -> tuple[Fact, ...]:
    facts = doctor(str(memory.top), {**os.environ, **(variables or {})}, now_s)
    if not variables:  # the checkout itself may lie in a temporary folder
        facts = tuple(fact for fact in facts if THROWN_AWAY not in fact.message)
    for fact in facts:
        assert not any(word in fact.next for word in DESTROYS), fact
        assert fact.next or fact.level == "ok" or "Install wbmem again where it will stay" in fact.message
    return facts


def told(facts: tuple[Fact, ...], about: str) -> list[Fact]:
    return [fact for fact in facts if fact.about == about]


def worse(facts: tuple[Fact, ...], about: str) -> list[Fact]:
    return [fact for fact in told(facts, about) if fact.level != "ok"]
