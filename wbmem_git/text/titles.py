"""The title of a heading: its inline text, as an id is computed from it."""

from __future__ import annotations


def title_of(raw: str) -> str:
    """The inline text of a heading's raw content, trimmed, runs of blanks one space, NFC.

    Blanks are all of Unicode's: a no-break space typed by accident looks the same and makes no other card.
    """
    import unicodedata  # noqa: PLC0415

    from wbmem_git.text import commonmark  # noqa: PLC0415  # markdown-it takes 60 ms to import

    return unicodedata.normalize("NFC", " ".join(commonmark.inline_text(raw).split()))
