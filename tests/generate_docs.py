"""The pages of docs/ that come from the code: `python tests/generate_docs.py` writes, a test compares."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from wbmem_git.cli.manual import manual as cli_page
from wbmem_git.text.keys import KEYS, NESTED
from wbmem_git.verbs.explain import ABOUT, EVERY, SEVERITIES, first_sentence, manual

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from wbmem_git.text.keys import Key

DOCS = Path(__file__).resolve().parents[1] / "docs"


def rules_page() -> str:
    """docs/rules.md: the table of rules and each one's manual."""
    table = _table(
        ("rule", "it", "what it judges", "what it asks"),
        (
            (f"[{r.id}](#{r.id.lower()})", SEVERITIES[r.severity], ABOUT[r.target], first_sentence(r))
            for r in EVERY
        ),
    )
    manuals = "\n".join(f"## {row.id}\n\n{manual(row)}\n" for row in EVERY)
    return f"""# Rules

What the gate asks, rule by rule. `wbmem explain C2` prints one of these manuals. This page is generated
from the code.

A rule that refuses may be milder in a single case; its manual says when. What was wrong before a commit is
reported as already there and refuses nothing. No gate asks the N rules: `wbmem lint` reports what they find.
[format.md](format.md) says what the words mean.

{table}
{manuals}"""


def settings_page() -> str:
    """docs/settings.md: every key of `wbmem.yaml`."""
    table = _table(
        ("key", "default", "it takes", "what it says"),
        ((f"`{key.name}`", _default(key), key.allowed, key.manual) for key in KEYS),
    )
    agents = "\n".join(f"- `{pattern}`" for pattern in next(k for k in KEYS if k.name == "agents").default)
    nested = ", ".join(f"`{name}:`" for name in NESTED[:-1]) + f" or `{NESTED[-1]}:`"
    return f"""# Settings

`wbmem.yaml` lies at the root of a memory and is committed like a page. The settings that judge a commit
are those of its first parent, so no commit loosens the rule that judges it. People change them; an agent's
commit that does is refused ([W3](rules.md#w3)). This page is generated from the code.

```yaml
format: 1
workspace: my-project-1a2b3c4d
locale: en
lint:
  stale_days: 30
```

A key with a dot stands nested, under {nested}: `lint.stale_days` is the one above. An unknown key and a
value that isn't allowed are refused with their line ([W2](rules.md#w2)). The file is plain YAML, at most
64 KB: no anchors, no aliases, no tags, no key twice, one document. No key names a command, an address or a
path outside the repository: a memory that somebody else wrote can be cloned without harm.

{table}
## Whose commits are an agent's

The default of `agents:`. In a pattern only `*` is special, and case doesn't count.

{agents}
"""


PAGES: dict[str, Callable[[], str]] = {
    "rules.md": rules_page,
    "settings.md": settings_page,
    "cli.md": cli_page,
}


def _default(key: Key) -> str:
    if key.default is None:
        return "*required*"
    if key.name == "agents":
        return "[below](#whose-commits-are-an-agents)"
    return f"`{_written(key.default)}`"


def _written(value: Any) -> str:
    """A value as it would stand in the file."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return f"[{', '.join(value)}]"
    return str(value)


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [head, ("---",) * len(head), *rows]
    return "".join(f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |\n" for line in lines)


if __name__ == "__main__":
    for name, page in PAGES.items():
        (DOCS / name).write_text(page(), encoding="utf-8")
