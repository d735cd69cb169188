"""How rules quote pages and name ways out: one voice for every message."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from wbmem_git.text.suspicion import may_hold

if TYPE_CHECKING:
    from wbmem_git.model import Tree

QUOTED = 80
HEAD, TAIL = 700, 300
"""How much is shown of what is longer than both: its two ends, since what was done stands behind a title."""
OID = 12
IDEOGRAPHIC_SPACE = "\u3000"


@lru_cache(maxsize=1024)
def mask(text: str) -> str:
    """The text with every credential in it cut to what may be shown."""
    if not may_hold(text):
        return text
    from wbmem_git.rules import credentials  # most of what is told can't hold any

    return credentials.mask(text)


def shown(text: str) -> str:
    """A piece of a page, a commit or a path as it may be told: one line, nothing of a credential.

    Whatever could drive a terminal or hide other text (escape sequences, control characters, marks of writing
    direction, line ends) is written out. The ideographic space stays: Chinese titles have it. What is longer
    than any sentence is cut in the middle; JSON has it whole.
    """
    text = mask(text)
    return harmless(f"{text[:HEAD]}…{text[-TAIL:]}") if len(text) > HEAD + TAIL else written_out(text)


def harmless(line: str) -> str:
    """A line of a report, however long: nothing of a credential, nothing that could drive a terminal."""
    return written_out(mask(line))


def written_out(line: str) -> str:
    """A line, however long, in which nothing could drive a terminal; credentials are none of its matters."""
    if line.isprintable():
        return line
    return "".join(
        char if char.isprintable() or char == IDEOGRAPHIC_SPACE else _written_out(char) for char in line
    )


def _written_out(char: str) -> str:
    return char.encode("unicode_escape").decode("ascii")


def quote(text: str) -> str:
    """A piece of a page in quotes: cut if it is long, control characters shown, credentials masked."""
    text = mask(text)
    plain = "".join(
        char if char.isprintable() or char == "\t" else f"\\u{ord(char):04x}" for char in text.strip()
    )
    return f'"{plain[:QUOTED]}…"' if len(plain) > QUOTED else f'"{plain}"'


def shown_by(tree: Tree, path: str) -> str:
    """Where the text of an old tree can be read: `git show 1a2b3c4d5e6f:PLAN.md shows it as it was`."""
    name = f"{tree.commit[:OID] or 'HEAD'}:{path}"
    return f"{command('git', 'show', name)} shows it as it was"


def command(*words: str) -> str:
    """A command that a person can copy into a shell: every word stays one word, whatever it holds.

    A word with control characters is written `$'…'` (bash, zsh, ksh, POSIX 2024), so that it stays one line.
    """
    return " ".join(map(_quoted, words))


def pathspec(path: str) -> str:
    """A path as git's commands take it: as it is, and `:(literal)…` where git would read more into it."""
    return f":(literal){path}" if path[:1] in {"-", ":"} or any(char in path for char in "*?[\\") else path


def _quoted(word: str) -> str:
    from shlex import quote as shell_quote  # only where a command is told

    if word.isprintable():
        return shell_quote(word)
    return "$'" + "".join(map(_escaped, word)) + "'"


def _escaped(char: str) -> str:
    if char in "'\\":
        return f"\\{char}"
    if char.isprintable():
        return char
    return "".join(f"\\{byte:03o}" for byte in char.encode("utf-8", "surrogateescape"))
