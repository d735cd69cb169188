"""The tree of exceptions that the docstring of `errors` draws is the one that there is."""

from __future__ import annotations

import inspect
import pkgutil
import re
from importlib import import_module

import wbmem_git
import wbmem_hooks
from wbmem_git import errors

DRAWN = re.compile(r"(?P<lead>[│├└─ ]*)(?P<name>[A-Z]\w+)  +(?P<about>.*)")
STEP = 4


def classes() -> set[type[Exception]]:
    """Every exception that a module of ours defines."""
    names = [
        name
        for package in (wbmem_git, wbmem_hooks)
        for _, name, _ in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not name.endswith("__main__")
    ]
    return {
        found
        for name in names
        for _, found in inspect.getmembers(import_module(name), inspect.isclass)
        if issubclass(found, Exception) and found.__module__.startswith(("wbmem_git", "wbmem_hooks"))
    }


def drawn() -> dict[str, tuple[str, str]]:
    """Name → the name that it is drawn under, and what is said of it, continuation lines too."""
    above: list[str] = []
    found: dict[str, tuple[str, str]] = {}
    for line in (errors.__doc__ or "").splitlines():
        match = DRAWN.fullmatch(line)
        if match is None:
            if found and line.startswith("    "):
                last = list(found)[-1]
                found[last] = (found[last][0], f"{found[last][1]} {line.strip()}")
            continue
        depth = len(match["lead"]) // STEP
        above[depth:] = [match["name"]]
        found[match["name"]] = (above[depth - 1] if depth else "Exception", match["about"])
    return found


def test_every_exception_is_drawn_under_the_one_that_it_is_one_of() -> None:
    assert {one.__name__: one.__bases__[0].__name__ for one in classes()} == {
        name: parent for name, (parent, _) in drawn().items()
    }


def test_the_drawing_says_where_an_exception_lies() -> None:
    for one in classes():
        place = one.__module__.removeprefix("wbmem_git.")
        told = drawn()[one.__name__][1]
        assert (place == "errors") == ("(" not in told.rpartition(" ")[2]), one
        assert place == "errors" or told.endswith(f"({place})"), one


def test_the_drawing_says_the_exit_status() -> None:
    for one in classes():
        told = re.search(r"exit status (\d)", drawn()[one.__name__][1])
        assert told is None or int(told[1]) == getattr(one, "exit_status", None), one


def test_every_failure_has_a_sentence_and_its_hint_destroys_nothing() -> None:
    for one in (
        errors.NotAMemory("/x"),
        errors.UnknownId("x"),
        errors.ShortId("04aa", 8),
        errors.AmbiguousId("1", ("mem_1", "mem_2")),
        errors.NoIdentity(),
        errors.MissingObject("x"),
        errors.NotItsOwn("/x/handoff", "/x"),
        errors.Unreadable("x", "y"),
        errors.SettingsUnreadable("line 1: x"),
    ):
        assert one.message
        assert one.hint
        assert not re.search(r"reset --hard|checkout --|\bclean\b|\brm\b|--force\b|stash", one.hint)
