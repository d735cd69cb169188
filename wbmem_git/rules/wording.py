"""How rules quote pages and name ways out: one voice for every message."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from wbmem_git.model import Tree

QUOTED = 80
OID = 12


def quote(text: str) -> str:
    """A piece of a page in quotes: cut if it is long, control characters shown, credentials masked."""
    from wbmem_git.rules.credentials import mask  # noqa: PLC0415  # compiled only where something is told

    text = mask(text)
    plain = "".join(
        char if char.isprintable() or char == "\t" else f"\\u{ord(char):04x}" for char in text.strip()
    )
    return f'"{plain[:QUOTED]}…"' if len(plain) > QUOTED else f'"{plain}"'


def shown_by(tree: Tree, path: str) -> str:
    """Where the text of an old tree can be read: `git show 1a2b3c4d5e6f:PLAN.md shows it as it was`."""
    name = f"{tree.commit[:OID] or 'HEAD'}:{path}"
    plain = all(char.isalnum() or char in "-_./:" for char in name)
    command = f"git show {name}" if plain else f"git show '{name}'"
    return f"{command} shows it as it was"
