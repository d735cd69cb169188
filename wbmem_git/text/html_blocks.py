r"""How CommonMark's HTML blocks begin and end (spec 0.31.2, section 4.6), to the letter of markdown-it.

`\s` means all of Unicode's white space here, as it does there.
"""

from __future__ import annotations

import re

BLANK_LINE = re.compile(r"\n[ \t]*(?![^\n])")
_RAW_TEXT = "script|pre|style|textarea"
_BLOCK_TAGS = (
    "address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div"
    "|dl|dt|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe"
    "|legend|li|link|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table"
    "|tbody|td|tfoot|th|thead|title|tr|track|ul"
)
_ATTRIBUTE = r"""\s+[a-zA-Z_:][a-zA-Z0-9:._-]*(?:\s*=\s*(?:[^"'=<>`\x00-\x20]+|'[^']*'|"[^"]*"))?"""

# Begin and end of the kinds that run to an end of their own; they may interrupt a paragraph.
CLOSED_KINDS = (
    (
        re.compile(rf"<(?a:{_RAW_TEXT})(?=\s|>|$)", re.IGNORECASE),
        re.compile(rf"</(?a:{_RAW_TEXT})>", re.IGNORECASE),
    ),
    (re.compile(r"<!--"), re.compile(r"-->")),
    (re.compile(r"<\?"), re.compile(r"\?>")),
    (re.compile(r"<![A-Za-z]"), re.compile(r">")),
    (re.compile(r"<!\[CDATA\["), re.compile(r"\]\]>")),
)
# The kinds that run to a blank line: the first may interrupt a paragraph, the second may not.
BLOCK_TAG = re.compile(rf"</?(?a:{_BLOCK_TAGS})(?=\s|/?>|$)", re.IGNORECASE)
ANY_TAG = re.compile(rf"(?:<[A-Za-z][A-Za-z0-9-]*(?:{_ATTRIBUTE})*\s*/?>|</[A-Za-z][A-Za-z0-9-]*\s*>)\s*$")


def end_of(line: str) -> re.Pattern[str] | None:
    """What ends the HTML block that `line` (from its `<`) begins.

    None where it begins none, or one that can't interrupt a paragraph.
    """
    for begin, end in CLOSED_KINDS:
        if begin.match(line):
            return end
    return BLANK_LINE if BLOCK_TAG.match(line) else None
