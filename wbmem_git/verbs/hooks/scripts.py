"""The text of the native hooks: shell scripts that start Python only where they must.

Each installed script is one file that needs no other: what it was made from (interpreter, package, rules)
stands at its head, the pieces from `wbmem_hooks/scripts/` below. So a hook whose package is gone can say so.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from shlex import quote
from typing import NamedTuple

from wbmem_git.rules.credentials import COARSE_PATTERN, KINDS
from wbmem_git.rules.version import RULES_VERSION
from wbmem_git.text.escapes import NO_WIDTH
from wbmem_git.verbs.actor import SHELL_VARIABLES, TRAILER

PACKAGE = Path(__file__).resolve().parents[3] / "wbmem_hooks"
PIECES: dict[str, tuple[str, ...]] = {
    "pre-commit": ("stamp", "ref", "proposal", "process"),
    "pre-merge-commit": ("stamp", "process"),
    "prepare-commit-msg": ("stamp", "ref", "proposal", "process"),
    "commit-msg": ("stamp", "message"),
    "pre-push": (),
    "post-commit": ("stamp", "ref", "head", "process", "refresh"),
    "post-merge": ("refresh",),
    "post-checkout": ("ref", "refresh"),
    "post-rewrite": ("refresh",),
    "post-applypatch": ("refresh",),
}
"""Every native hook, in the order in which git runs them, and the pieces that it needs beside its own."""

SERVER_PIECES: dict[str, tuple[str, ...]] = {"pre-receive": ()}
"""The same for a bare repository that others push to."""

MARK = "# wbmem hook: "
_HEAD = re.compile(
    r"#!/bin/sh\n# wbmem hook: (?P<name>[a-z-]+)\..*\npython=(?P<python>.*)\nmain=(?P<main>.*)\n"
)


class Origin(NamedTuple):
    """What an installed script starts."""

    python: str
    main: str


def this_installation() -> Origin:
    """The interpreter that runs now, and the package that it runs."""
    return Origin(str(Path(sys.executable).absolute()), str(PACKAGE / "__main__.py"))


def script(hook: str, origin: Origin) -> str:
    """The whole text of one native hook."""
    pieces = (PIECES | SERVER_PIECES)[hook]
    variables = " ".join(dict.fromkeys(row.name for row in SHELL_VARIABLES))
    return "".join(
        (
            f"#!/bin/sh\n{MARK}{hook}. `wbmem hooks install` wrote it, `wbmem hooks remove` takes it away.\n",
            f"python={quote(origin.python)}\nmain={quote(origin.main)}\nhook={hook}\nrules={RULES_VERSION}\n",
            "server=' --server'\n" if hook in SERVER_PIECES else "",
            f"agent_variables={quote(variables)}\n" if "proposal" in pieces else "",
            f"suspicious={quote(COARSE_PATTERN)}\nactor_trailer={TRAILER}\n" if hook == "commit-msg" else "",
            *(f"\n{_piece(name)}" for name in ("prelude", *pieces, hook)),
        )
    )


def origin_of(text: str) -> Origin | None:
    """What a hook's text starts; None where it isn't ours."""
    found = _HEAD.match(text)
    return Origin(_unquote(found["python"]), _unquote(found["main"])) if found else None


def _piece(name: str) -> str:
    text = (PACKAGE / "scripts" / f"{name}.sh").read_text(encoding="utf-8")
    return text.replace("@needles@", _needles())


_HIDING = (
    r"*\\*", r"*\&*\;*", r"*[A-Za-z0-9_-][\`\*][A-Za-z0-9_\`\*\<-]*", r"*[A-Za-z0-9_-]\<*\>*",
    *(f"*{char}*" for char in NO_WIDTH),
)  # fmt: skip


def _needles() -> str:
    """What every credential has in it or beside it, in any case, as the patterns of a `case`.

    Escapes, entities and markup amid a word may hide that: a message with any of them may hold one, too.
    """
    needles = {needle for kind in KINDS for needle in kind.needles}
    shortest = [one for one in sorted(needles) if not any(other in one for other in needles - {one})]
    return " | ".join((*(f"*{''.join(map(_any_case, one))}*" for one in shortest), *_HIDING))


def _any_case(char: str) -> str:
    if char.isascii() and char.isalpha():
        return f"[{char.upper()}{char}]"
    return "\\ " if char == " " else char


def _unquote(word: str) -> str:
    """The reverse of `shlex.quote`."""
    inner = word[1:-1] if word.startswith("'") and word.endswith("'") else word
    return inner.replace("'\"'\"'", "'")
