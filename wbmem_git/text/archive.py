"""An archive file: front matter, then the card as it stood."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from wbmem_git.model import ArchiveFile
from wbmem_git.text.document import parse_document, without_end
from wbmem_git.text.page import parse_page

if TYPE_CHECKING:
    from wbmem_git.model import Card, Document, PageKind

FIELDS = ("id", "title", "page", "archived_at", "reason", "superseded_by")
_FIELD = re.compile(r"([A-Za-z_][\w-]*)[ \t]*:(?:[ \t]+(.*))?")
# What YAML reads as this very string without quotes: words, joined by single harmless characters.
_PLAIN = re.compile(r"[^\W\d_]\w*(?:[ ./_-]\w+)*")
_WORDS_OF_YAML = frozenset({"true", "false", "yes", "no", "on", "off", "y", "n", "null"})
# Legal in JSON's strings and not in YAML's, or a line end there.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


def parse_archive(text: str, key: str) -> ArchiveFile:
    """Read `archive/<id>.md`; a field that isn't there is "", the card None where the body has no heading."""
    document = parse_document(text)
    fields = _fields(document)
    body = "".join(document.lines[document.body :])
    page = fields.get("page", "")
    return ArchiveFile(
        id=fields.get("id", ""),
        title=fields.get("title", ""),
        page=page,
        archived_at=fields.get("archived_at", ""),
        reason=fields.get("reason", ""),
        superseded_by=fields.get("superseded_by", ""),
        body=body,
        card=_card(page, text, key, document),
    )


def render_archive(  # noqa: PLR0913  # the front matter has so many fields
    *,
    id: str,  # noqa: A002  # the field's name in the file
    title: str,
    page: str,
    archived_at: str,
    reason: str,
    body: str,
    superseded_by: str = "",
) -> str:
    """The text of an archive file; `body`, the card as it stood, comes last and unchanged.

    A field whose value has a line end, a quote or anything else that YAML would read in its own way
    is written as a JSON string, which YAML reads alike.
    """
    values = (id, title, page, archived_at, reason, superseded_by)
    written = [
        f"{name}: {_quoted(value)}\n"
        for name, value in zip(FIELDS, values, strict=True)
        if value or name != "superseded_by"
    ]
    return "".join(("---\n", *written, "---\n", body))


def _quoted(value: str) -> str:
    if _PLAIN.fullmatch(value) and value.lower() not in _WORDS_OF_YAML:
        return value
    import json  # most readers of archive files never need it

    written = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", written)


def _fields(document: Document) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in document.lines[1 : document.body - 1] if document.body else ():
        match = _FIELD.fullmatch(without_end(line).rstrip())
        if match is not None:
            fields.setdefault(match[1], _value(match[2] or ""))
    return fields


def _value(written: str) -> str:
    """A value of the front matter: a JSON string, YAML's single quotes, or the text as it stands."""
    if written.startswith('"'):
        import json

        try:
            return str(json.loads(written))
        except ValueError:
            return written
    if len(written) > 1 and written.startswith("'") and written.endswith("'"):
        return written[1:-1].replace("''", "'")
    return written


def _card(page: str, text: str, key: str, document: Document) -> Card | None:
    """The card in the body: an entry or a board's card, by the level of the first heading (2 or 3)."""
    for block in document.blocks:
        if block.kind == "heading" and block.level in {2, 3}:
            kind: PageKind = "entries" if block.level == 2 else "board"
            return parse_page(page, text, key, kind).cards[0]
    return None
