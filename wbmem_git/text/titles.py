"""The title of a heading: its inline text, as an id is computed from it.

Most titles hold nothing that could be markup, or something that certainly is none (`snake_case`, `[ ]`,
`R&D`, `a < b`) or a plain code span. Those are read here; any other goes to markdown-it.
"""

from __future__ import annotations

import re
from functools import lru_cache

from wbmem_git.text.folding import composed

_SPECIAL = re.compile(r"[\\`*_<&\n\r\0]|\]\(")
_RUN = re.compile(r"_+|\*+")
_HARD = re.compile(r"``|[\n\r\0]")
# Emphasis needs a neighbour that is no letter or digit (`_`), or one side without a blank (`*`); an escape
# needs ASCII punctuation, an entity a semicolon, a tag or an autolink no blank.
_LITERAL = re.compile(
    r"(?<=[^\W_])_+(?=[^\W_])|(?<![^ \t])\*+(?![^ \t])|\\(?![!-/:-@\[-`{-~])|&(?!#?[A-Za-z0-9]+;)|<(?=[ \t])"
)


@lru_cache(maxsize=4096)  # both sides of a change have nearly all of them
def title_of(raw: str) -> str:
    """The inline text of a heading's raw content, trimmed, runs of blanks one space, NFC.

    Blanks are all of Unicode's: a no-break space typed by accident looks the same and makes no other card.
    """
    return plain(raw if _SPECIAL.search(raw) is None else inline_text(raw))


def plain(text: str) -> str:
    """A title that has no markup any more, trimmed, runs of blanks one space, NFC."""
    return composed(" ".join(text.split()))


def inline_text(raw: str) -> str:
    """The text of a heading's raw content, as `commonmark.inline_text` says."""
    text = _without_code_marks(raw)
    if text is not None:
        return text
    from wbmem_git.text import commonmark  # markdown-it takes 60 ms to import

    return commonmark.inline_text(raw)


def _without_code_marks(raw: str) -> str | None:
    """The text of a title whose only markup is code spans of one backtick; None where there may be more."""
    parts = raw.split("`")
    if len(parts) % 2 == 0 or _HARD.search(raw) or not _is_literal("`".join(parts[::2]), has_end=">" in raw):
        return None
    parts[1::2] = map(_code, parts[1::2])
    return "".join(parts)


def _is_literal(outside: str, *, has_end: bool) -> bool:
    """Whether what stands outside code spans certainly is no markup.

    Args:
        outside: The title with a single backtick for each code span.
        has_end: Whether a `>` stands anywhere in the title, code spans included.
    """
    rest = _LITERAL.sub(".", outside)
    # A lone run of either mark of emphasis has no partner.
    runs = [run[0] for run in _RUN.findall(rest)]
    return (
        "](" not in outside
        and "\\" not in rest
        and "&" not in rest
        and not (has_end and "<" in rest)
        and runs.count("_") < 2
        and runs.count("*") < 2
    )


def _code(content: str) -> str:
    """A code span's content: one blank off either side where it has both and isn't blank."""
    if content.startswith(" ") and content.endswith(" ") and content.strip(" "):
        return content[1:-1]
    return content
