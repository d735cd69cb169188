"""Every exception that wbmem raises on purpose.

WbmemError                     what a door turns into one clear message
├── UsageError                 wrong usage or set-up: exit status 2
│   ├── NotAMemory             no `handoff/` repository where one was asked for
│   ├── UnknownId              no card, entry or page answers to an id
│   ├── AmbiguousId            a prefix that several ids share
│   └── NoIdentity             git knows no author
├── GitError                   git refused or is missing
│   └── MissingObject          an object isn't in this (shallow or partial) clone
├── SettingsUnreadable         no version of `wbmem.yaml` can be read
└── Refused                    the gate refuses: exit status 1

Broken text is never an exception: it is a `Finding`.
"""

from __future__ import annotations


class WbmemError(Exception):
    """A failed operation: `message` says what happened, `hint` what to type next (or is empty)."""

    exit_status = 2

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(WbmemError):
    """Wrong usage or set-up."""


class NotAMemory(UsageError):
    def __init__(self, folder: str) -> None:
        super().__init__(f"{folder}: no memory here (no handoff/wbmem.yaml)", "wbmem init")


class UnknownId(UsageError):
    def __init__(self, wanted: str) -> None:
        super().__init__(f"nothing answers to {wanted!r}", "wbmem status lists every card with its id")


class AmbiguousId(UsageError):
    def __init__(self, wanted: str, ids: tuple[str, ...]) -> None:
        super().__init__(f"{wanted!r} could be any of: {', '.join(ids)}", "give more digits of the id")


class NoIdentity(UsageError):
    def __init__(self) -> None:
        super().__init__(
            "git knows no author for this repository",
            'git config user.name "Your Name" && git config user.email you@example.org',
        )


class GitError(WbmemError):
    """A git command failed; `message` carries what git said, without any command that it proposed."""


class MissingObject(GitError):
    def __init__(self, name: str) -> None:
        super().__init__(
            f"object {name} isn't in this clone: it is shallow or partial",
            "fetch more history: git fetch --unshallow (in CI: fetch-depth: 0)",
        )


class SettingsUnreadable(WbmemError):
    def __init__(self, detail: str) -> None:
        super().__init__(f"wbmem.yaml: no version of it can be read: {detail}", "wbmem explain W2")


class Refused(WbmemError):
    """The gate refuses; `message` is the report as text."""

    exit_status = 1
